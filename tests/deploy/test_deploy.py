"""The files under `deploy/` are right, and a broken one of each kind is found, by the file's name."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from pathlib import Path

import pytest
import yaml
from django.urls import URLResolver, get_resolver

from config import probe, role
from tests.deploy import compose, kubernetes, proxy
from tests.deploy.__main__ import main as command_line
from tests.deploy.check import CHECKOUT, CHECKS, dockerfile, everything, scripts
from tests.deploy.kustomize import build

BASE, EXAMPLE = "deploy/kubernetes/base/", "deploy/kubernetes/overlays/example/"
# File, what is there, what is put in its place, a word of what must be said.
BREAKS = [
    ("deploy/Dockerfile", "USER 10001:10001\n", "USER root\n", "DL3002"),
    ("deploy/Dockerfile", 'CMD ["web"]', "CMD web", "DL3025"),
    ("deploy/Dockerfile", "FROM python:${PYTHON}\nRUN groupadd", "FROM python:latest\nRUN groupadd", "DL3007"),
    ("deploy/Dockerfile", "HEALTHCHECK --interval", "LABEL a=b --interval", "health check"),
    ("deploy/Dockerfile", "COPY games games", "COPY gaems gaems", "gaems"),
    ("deploy/Dockerfile", "WORKDIR /opt/repli\nCOPY", "WORKDRI /opt/repli\nCOPY", "line 1"),
    ("deploy/compose.yaml", "restart: unless-stopped", "restrat: unless-stopped", "restrat"),
    ("deploy/compose.yaml", "secrets: [valkey_auth,", "secrets: [valkey_oath,", "valkey_oath"),
    ("deploy/compose.yaml", "stop_grace_period: 30s", "stop_grace_period: 20s", "stop_grace_period"),
    ("deploy/compose.yaml", "PASSWORD_FILE: /run/secrets/postgres_password", "PASSWORD: x", "written"),
    ("deploy/compose.yaml", "FORWARDED_ALLOW_IPS: 172.30.57.10", "FORWARDED_ALLOW_IPS: 0.0.0.0/0", "FORWARDED"),
    ("deploy/compose.yaml", "    networks: [inside]\n    shm_size", "    ports: [5432]\n    shm_size", "from outside"),
    ("deploy/compose.yaml", "services:\n", "services: [\n", "parse"),
    ("deploy/compose.tls.yaml", "./nginx/tls.conf", "./nginx/tsl.conf", "tsl.conf"),
    (f"{BASE}web.yaml", "replicas: 2", "replicas: two", "replicas"),
    (f"{BASE}web.yaml", "containerPort: 8000", "containerProt: 8000", "containerPort"),
    (f"{BASE}web.yaml", "selector: {app.kubernetes.io/name: repli-web}", "selector: {app: web}", "selects no pod"),
    (f"{BASE}web.yaml", "readOnlyRootFilesystem: true", "readOnlyRootFilesystem: false", "readOnlyRoot"),
    (f"{BASE}web.yaml", "terminationGracePeriodSeconds: 60", "terminationGracePeriodSeconds: 30", "must be more"),
    (f"{BASE}web.yaml", "path: /readyz, port: http", "path: /readyz, port: web", "port web"),
    (f"{BASE}worker.yaml", "name: repli-application, key: database-url", "name: repli-owner, key: url", "owner"),
    (f"{BASE}worker.yaml", "serviceAccountName: repli", "serviceAccountName: other", "no service account"),
    (f"{BASE}beat.yaml", "type: Recreate", "type: RollingUpdate", "Recreate"),
    (f"{BASE}beat.yaml", "configMapRef: {name: repli}", "configMapRef: {name: reply}", "config map"),
    (f"{BASE}ingress.yaml", "name: repli-web, port", "name: repli, port", "no service repli"),
    (f"{BASE}config-map.yaml", "  REPLI_LOG_LEVEL", "  REPLI_SECRET_KEY: x\n  REPLI_LOG_LEVEL", "is a secret"),
    (f"{BASE}kustomization.yaml", "  - beat.yaml\n", "", "beat.yaml is not listed"),
    (f"{BASE}kustomization.yaml", "  - beat.yaml\n", "  - bat.yaml\n", "bat.yaml is not there"),
    (f"{EXAMPLE}kustomization.yaml", "name: repli-web", "name: repli-wbe", "repli-wbe"),
    (f"{EXAMPLE}kustomization.yaml", "newTag: 0.1.0", "newTag: latest", "no fixed tag"),
    (f"{EXAMPLE}config-map.yaml", "name: repli\n", "name: reply\n", "to patch"),
    ("deploy/nginx/nginx.conf", "proxy_http_version 1.1;", "proxy_http_versoin 1.1;", "proxy_http_versoin"),
    ("deploy/nginx/nginx.conf", "location ^~ /metrics {", "location ^~ /metrics", "nginx.conf"),
    ("deploy/nginx/nginx.conf", "proxy_read_timeout 75s", "proxy_read_timeout 30s", "proxy_read_timeout"),
    ("deploy/nginx/nginx.conf", "location ^~ /metrics", "location ^~ /metirs", "from outside"),
    ("deploy/nginx/nginx.conf", "For $remote_addr", "For $proxy_add_x_forwarded_for", "X-Forwarded-For"),
    ("deploy/nginx/tls.conf", "ssl_protocols", "ssl_protocol", "ssl_protocol"),
    ("deploy/nginx/upstream.conf", "57.12:8000", "57.13:8000", "172.30.57.13"),
    ("deploy/nginx/upstream.conf", "57.12:8000 max_fails=0", "57.13:8000 max_fails=0", "repli_all names"),
    ("deploy/nginx/nginx.conf", "error_page 502 = $repli_goes_on", "error_page 502 = @unavailable", "goes_on"),
    ("deploy/make-secrets.sh", "done\n", "", "make-secrets.sh"),
]  # fmt: skip


def test_everything_is_in_order() -> None:
    assert [str(fault) for fault in everything(CHECKOUT)] == []


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """A copy of what the checks look at."""
    shutil.copytree(CHECKOUT / "deploy", tmp_path / "deploy", ignore=shutil.ignore_patterns("secrets"))
    shutil.copy(CHECKOUT / ".dockerignore", tmp_path)
    for name in ("config", "accounts", "games", "rankings", "manage.py", "pyproject.toml", "uv.lock"):
        (tmp_path / name).symlink_to(CHECKOUT / name)
    return tmp_path


@pytest.mark.parametrize("file, there, instead, word", BREAKS)
def test_a_broken_one_is_found_and_named(copied: Path, file: str, there: str, instead: str, word: str) -> None:
    path = copied / file
    text = path.read_text("utf-8")
    assert there in text
    path.write_text(text.replace(there, instead), "utf-8")

    found = [fault for check in CHECKS if of_kind(check, file) for fault in check(copied) if str(fault.file) == file]

    assert any(word in fault.text for fault in found), found


def of_kind(check: object, file: str) -> bool:
    """Whether a check is about files of that kind: the others need not be run."""
    kinds = {"Dockerfile": dockerfile, "kubernetes": kubernetes.faults, ".sh": scripts, "nginx.conf": proxy.faults}
    kinds |= {"tls.conf": proxy.faults, "compose": compose.faults, "upstream": compose.faults}
    return next(each for word, each in kinds.items() if word in file) is check


def test_the_command_says_so_and_fails(copied: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sys_argv = ["tests.deploy", str(copied)]
    (copied / "deploy/make-secrets.sh").write_text("if true\n", "utf-8")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.argv", sys_argv)
        assert command_line() == 1

    assert "deploy/make-secrets.sh: " in capsys.readouterr().out


@pytest.mark.parametrize("listener", proxy.LISTENERS)
def test_nginx_itself_takes_the_configuration(listener: str, tmp_path: Path) -> None:
    if not proxy.can_ask_nginx(listener):
        pytest.skip("nginx is not installed")
    assert proxy.nginx_says(proxy.laid_out(CHECKOUT, listener, tmp_path)) == ""


@pytest.mark.parametrize("folder", [BASE, EXAMPLE])
def test_kustomize_itself_builds_the_same(folder: str) -> None:
    if shutil.which("kubectl") is None:
        pytest.skip("kubectl, which has kustomize in it, is not installed")
    done = subprocess.run(["kubectl", "kustomize", CHECKOUT / folder], capture_output=True, text=True, check=True)

    def sorted_(resources: list[dict[str, object]]) -> list[str]:
        return sorted(json.dumps(each, sort_keys=True) for each in resources)

    ours = [resource for _, resource in build(CHECKOUT / folder)]
    assert sorted_(ours) == sorted_(list(yaml.safe_load_all(done.stdout)))


def test_the_ingress_lets_in_all_that_is_served_but_what_is_for_those_inside() -> None:
    inside = {"metrics", "readyz", "admin"}
    served = {str(each.pattern).strip("^").split("/")[0].split("(")[0] for each in get_resolver().url_patterns}
    for web in get_resolver().url_patterns:
        if isinstance(web, URLResolver) and not str(web.pattern):
            served |= {str(each.pattern).split("/")[0] for each in web.url_patterns}
    ingress = next(yaml.safe_load_all((CHECKOUT / BASE / "ingress.yaml").read_text("utf-8")))
    let_in = {path["path"].strip("/") for path in ingress["spec"]["rules"][0]["http"]["paths"]}

    assert served - inside - let_in == set()
    assert inside & let_in == set()


def test_secrets_are_made_once_and_differ(tmp_path: Path) -> None:
    def make() -> dict[str, str]:
        subprocess.run(
            ["sh", CHECKOUT / "deploy/make-secrets.sh", tmp_path / "secrets"], check=True, capture_output=True
        )
        return {file.name: file.read_text("utf-8") for file in (tmp_path / "secrets").iterdir()}

    made = make()

    assert make() == made
    assert (tmp_path / "secrets").stat().st_mode & 0o777 == 0o700
    passwords = [value for name, value in made.items() if name.endswith("_password") or name == "repli_secret_key"]
    assert len(set(passwords)) == 5
    assert all(len(password) == 64 for password in passwords)
    assert made["application_password"] in made["database_url"]
    compose = yaml.safe_load((CHECKOUT / "deploy/compose.yaml").read_text("utf-8"))
    assert {Path(secret["file"]).name for secret in compose["secrets"].values()} == set(made)


def test_settings_are_read_from_files_of_secrets(tmp_path: Path) -> None:
    (tmp_path / "database_url").write_text("postgresql://file@x/y\n", "utf-8")
    (tmp_path / "repli_secret_key").write_text("of a file\n", "utf-8")
    script = "from config.environment import Environment as E; e = E(); print(e.database_url, '/', e.secret_key)"
    python = role.command(["web"])[0]
    environment = {"REPLI_SECRETS_DIR": str(tmp_path), "PATH": "/usr/bin:/bin"}

    def said(**more: str) -> str:
        return subprocess.run(
            [python, "-c", script], env=environment | more, cwd=CHECKOUT, capture_output=True, text=True, check=True
        ).stdout.strip()

    assert said() == "postgresql://file@x/y / of a file"
    assert said(DATABASE_URL="postgresql://variable@x/y") == "postgresql://variable@x/y / of a file"


def test_every_role_has_its_command() -> None:
    assert role.command(["web"])[1:] == ("-W", "ignore:No directory at", "-m", "config.web")
    assert "worker" in role.command(["worker"])
    assert "beat" in role.command(["beat"])
    assert role.command(["migrate"])[1:3] == ("manage.py", "migrate")
    assert role.command(["doctor", "--json"])[1:] == ("manage.py", "doctor", "--json")


def test_a_probe_believes_a_fresh_sign_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sign = tmp_path / "alive"
    monkeypatch.setenv("REPLI_ALIVE_FILE", str(sign))
    assert probe.main() == 1
    sign.touch()
    assert probe.main() == 0
    old = time.time() - 2 * probe.SILENCE
    os.utime(sign, (old, old))
    assert probe.main() == 1
    monkeypatch.delenv("REPLI_ALIVE_FILE")
    monkeypatch.setenv("PORT", "1")
    assert probe.main() == 1
