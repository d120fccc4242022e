# Repli's commands. `make run` and `make test` need nothing but Python 3.11 or newer, with pip.
# Settings come from the environment or from here: make run PORT=8100 REPLI_DATA_DIR=.repli-8100

# The first of these that is new enough; name another one by `make PYTHON=…`.
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && exit; done; echo python3)
VENV := .venv/bin/python
# Arguments for pytest: make test ARGS="-k launcher -x"
ARGS ?=

ifdef PORT
export PORT
endif
ifdef HOST
export HOST
endif
ifdef REPLI_DATA_DIR
export REPLI_DATA_DIR
endif

.DEFAULT_GOAL := help
.PHONY: help setup run test engines drills bench check clean

help:  ## show this list
	@echo "Repli: an event-sourced backend for online card tables"
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 16
	@echo "Settings: PORT, HOST, REPLI_DATA_DIR and those in .env.example; 'make run PORT=8100' works too."

setup:  ## make the environment in .venv only, with all tools
	@"$(PYTHON)" -I config/bootstrap.py dev && echo "repli    | the environment in .venv is ready"

run:  ## start everything in the foreground; Ctrl-C stops it
	@"$(PYTHON)" -I config/bootstrap.py run
	@exec $(VENV) -m config.supervisor

test:  ## run the tests (they start their own servers)
	@"$(PYTHON)" -I config/bootstrap.py dev
	@$(VENV) -m pytest $(ARGS)

# One of them, or a part: make engines ENGINES=pgbouncer ARGS="tests/store -x"
engines:  ## the tests once more: events in partitions, on Debian's servers, through pgbouncer
	@"$(PYTHON)" -I config/bootstrap.py dev
	@$(VENV) -m tests.engines $(or $(ENGINES),all) -- $(ARGS)

# One of them, with options: make drills ARGS="kill --each 5"; python -m tests.drills --help lists them.
drills:  ## play on two web processes while many move at once and processes are killed or restarted (half an hour)
	@"$(PYTHON)" -I config/bootstrap.py dev
	@$(VENV) -m tests.drills $(or $(ARGS),all)

# One or several, with options: make bench ARGS="moves rest --quick"; ARGS=--write keeps the figures in RESULTS.md,
# ARGS=soak plays for twenty minutes. What only they need goes to .venv-bench.
bench:  ## measure the speed, beside others' (ten minutes, on a quiet machine)
	@"$(PYTHON)" -I config/bootstrap.py bench
	@.venv-bench/bin/python -m tests.benchmarks $(ARGS)

# Every check runs, also after one that failed; the last lines say which did.
check:  ## lint, format, types, deploy, migrations, schemas
	@"$(PYTHON)" -I config/bootstrap.py dev
	@failed=""; \
	step() { name="$$1"; shift; echo "== $$name"; "$$@" || failed="$$failed\n  $$name"; }; \
	step "lint (ruff check)" $(VENV) -m ruff check .; \
	step "format (ruff format --check)" $(VENV) -m ruff format --check .; \
	step "types (mypy)" $(VENV) -m mypy; \
	step "deploy (python -m tests.deploy)" $(VENV) -m tests.deploy; \
	step "migrations (makemigrations --check)" $(VENV) -W ignore::RuntimeWarning manage.py makemigrations --check --dry-run; \
	if [ -e games/management/commands/schema.py ] || [ -e config/management/commands/schema.py ]; then \
		step "schemas (manage.py schema --check)" $(VENV) manage.py schema --check; \
	fi; \
	step "shell scripts (shellcheck)" sh -c 'test -x .venv/bin/shellcheck || { echo "no shellcheck for this machine"; exit 0; }; \
		find . -name "*.sh" -not -path "./.venv*" | xargs .venv/bin/shellcheck .ci/run'; \
	if [ -n "$$failed" ]; then printf "FAILED:$$failed\n"; exit 1; fi; echo "all checks passed"

clean:  ## remove the environment and caches, not the data
	@rm -rf .venv .venv-bench .setup.lock .mypy_cache .ruff_cache .pytest_cache .hypothesis htmlcov staticfiles .coverage .coverage.*
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
	@echo "removed .venv, .venv-bench and caches; your data stay in $${REPLI_DATA_DIR:-.repli}"
