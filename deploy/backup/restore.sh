#!/usr/bin/env bash
# Put a backup of Repli back: deploy/backup/restore.sh [--overwrite] FOLDER/repli-TIME
#
# Stop web, worker and beat first. All or nothing: the tables come back in one transaction, then migrations are
# applied and the application role's privileges given again, and every game's chain is recomputed and compared with the
# heads that were backed up. A database that holds tables is refused, unless --overwrite says that they are to go.
# With SUPERUSER_DATABASE_URL, roles and database that the settings name are made where they are missing.
set -euo pipefail
umask 077

die() { printf 'restore: %s\n' "$*" >&2; exit 1; }

overwrite=""
if [ "${1:-}" = --overwrite ]; then overwrite=yes; shift; fi
[ $# -eq 1 ] || die "give the backup: $0 [--overwrite] FOLDER"
backup=$(cd "$1" && pwd)
(cd "$backup" && sha256sum --check --quiet --strict SHA256SUMS) || die "$backup is damaged: nothing was changed"
cd "$(dirname "$0")/../.."
python=${REPLI_PYTHON:-.venv/bin/python}
command -v "$python" >/dev/null || die "$python is missing: run 'make setup', or name a Python in REPLI_PYTHON"

secrets=$(mktemp -d)
trap 'rm -rf "$secrets"' EXIT
[ -z "${SUPERUSER_DATABASE_URL:-}" ] || "$python" -m config.libpq prepare
tools=$("$python" -m config.libpq tools "$secrets")
export PGSERVICEFILE=$secrets/service PGSERVICE=repli

ask() { "$tools/psql" --no-psqlrc --quiet --tuples-only --no-align --set ON_ERROR_STOP=1 --command "$1"; }

others=$(ask "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()")
[ "$others" = 0 ] || die "$others other sessions are connected: stop web, worker and beat first"
tables=$(ask "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'")
[ "$tables" = 0 ] || [ -n "$overwrite" ] || die "the database holds $tables tables: --overwrite would replace them"

# A pg_restore newer than the server sets what the server does not know yet. Committed only once it has said all.
{
    echo "BEGIN;"
    [ "$tables" = 0 ] || echo "DROP SCHEMA public CASCADE; CREATE SCHEMA public AUTHORIZATION pg_database_owner;" \
        "GRANT USAGE ON SCHEMA public TO PUBLIC;"
    "$tools/pg_restore" --no-owner --no-privileges --file=- "$backup/database.dump" |
        sed '/^SET transaction_timeout = 0;$/d' || { echo "ROLLBACK;"; exit 1; }
    echo "COMMIT;"
} | "$tools/psql" --no-psqlrc --quiet --set ON_ERROR_STOP=1 >/dev/null || die "the dump could not be put back: nothing was changed"

"$python" manage.py migrate --verbosity 0
ask "ANALYZE"
"$python" manage.py verify_events --compare-heads "$backup/heads.jsonl" --export-heads "$secrets/heads.jsonl" ||
    die "the restored games are not those that were backed up"
cmp "$backup/heads.jsonl" "$secrets/heads.jsonl" || die "the chain heads are not those that were backed up"
printf 'restored %s: %s games, the same chain heads; start web, worker and beat\n' "$backup" "$(wc -l <"$backup/heads.jsonl")"
