"""Every setting of the service: typed, read from the environment once, all errors reported together.

Must live here: names, types, defaults and the sentence for the README's table. Must not: Django.
Servers that `make run` started are found through the state file in the data folder when no URL is given.
"""

from __future__ import annotations

import ipaddress
import json
import os
import re
import secrets
from functools import cached_property
from pathlib import Path
from typing import Annotated, ClassVar, Literal

from pydantic import Field, ValidationError, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

ROOT = Path(__file__).resolve().parent.parent
STATE_FILE = "servers.json"
# Plans kept while tables were young would scan them whole long after they have grown: by index, always.
SESSION = "-c enable_seqscan=off -c jit=off"  # of connections whose statements are prepared

Process = Literal["web", "worker", "beat", "command"]
Words = Annotated[list[str], NoDecode]  # in the environment: one string, separated by commas


class Environment(BaseSettings):
    """The service's settings. Names in the environment are upper case; those without an alias begin with REPLI_."""

    model_config = SettingsConfigDict(
        env_prefix="REPLI_",
        env_file=ROOT / ".env",
        secrets_dir=os.environ.get("REPLI_SECRETS_DIR"),  # files named as the variables, in lower case
        extra="ignore",
        frozen=True,
    )

    # Django looks for this at every `settings.REPLI`; pydantic would take microseconds to say that there is none.
    _mask_wrapped: ClassVar[bool] = True

    host: str = Field("127.0.0.1", validation_alias="HOST", description="address that the web server listens on")
    port: int = Field(8000, ge=1, le=65535, validation_alias="PORT", description="port of the web server")
    data_dir: Path = Field(ROOT / ".repli", description="folder for the embedded servers' data and secrets")
    database_url: str | None = Field(
        None, validation_alias="DATABASE_URL", description="PostgreSQL ≥ 15; unset: an embedded one"
    )
    migrate_database_url: str | None = Field(
        None, validation_alias="MIGRATE_DATABASE_URL", description="the same database as its owner, for migrations"
    )
    redis_url: str | None = Field(
        None, validation_alias="REDIS_URL", description="Redis ≥ 7 or Valkey; unset: an embedded one"
    )
    bus_url: str | None = Field(None, description="the Redis that carries wake-ups; unset: REDIS_URL")
    cache_url: str | None = Field(None, description="the Redis for cache and limits; unset: REDIS_URL")
    broker_url: str | None = Field(
        None, validation_alias="CELERY_BROKER_URL", description="Celery's broker, redis:// or amqp://; unset: REDIS_URL"
    )
    as_owner: bool = Field(False, description="connect as the owner (set for migrations)")
    process: Process = Field("command", description="what this process is (set by the supervisor)")

    drain_seconds: float = Field(
        10, gt=0, le=600, description="seconds that a web process which was asked to end has for its clients"
    )
    drain_linger: float = Field(
        0, ge=0, description="of these, how long idle connections are kept: longer than a proxy keeps them"
    )
    forwarded_allow_ips: str = Field(
        "127.0.0.1",
        validation_alias="FORWARDED_ALLOW_IPS",
        description="proxies whose X-Forwarded-For and -Proto are believed: addresses and networks",
    )
    alive_file: Path | None = Field(None, description="a file that worker and beat touch while they work, for probes")

    secret_key: str | None = Field(None, description="Django's secret; unset: made once and kept in the data folder")
    debug: bool = Field(False, description="Django's debug mode; never in production")
    allowed_hosts: Words = Field(
        ["localhost", "127.0.0.1", "[::1]"], description="host names that the service answers to"
    )
    allowed_origins: Words = Field(
        [], description="further browser origins that may use the API and sockets (its own always may)"
    )
    log_format: Literal["console", "json"] = Field("console", description="how log lines look")
    log_level: str = Field("INFO", description="least level that is logged")
    metrics: Literal["local", "open", "off"] = Field(
        "local", description="who may read /metrics: this machine and its private network, anybody, or nobody"
    )
    metrics_token: str | None = Field(
        None, min_length=16, description="who sends this as a bearer token may read /metrics from anywhere"
    )
    worker_metrics_port: int = Field(
        0, ge=0, le=65535, description="port of the worker's own /metrics, on HOST; 0: none"
    )
    otlp_endpoint: str | None = Field(
        None,
        pattern=r"^https?://[^\s?#]+$",
        description="where spans go, by OTLP, as http://127.0.0.1:4318 (needs the extra otel); unset: nowhere",
    )
    otlp_share: float = Field(1, ge=0, le=1, description="share of requests, commands and tasks that become spans")

    token_days: int = Field(90, ge=1, description="days a token lives from its last use")
    token_cache_seconds: float = Field(5, ge=0, le=5, description="how long a checked token is believed")
    mail_url: str | None = Field(
        None,
        pattern=r"^smtp(s|\+tls)?://([^:@/]+:[^@/]*@)?[^:@/]+(:\d{1,5})?/?$",
        description="smtp://, smtp+tls:// or smtps://user:password@host:port; unset: mail is printed in the log",
    )
    mail_from: str = Field("repli@localhost", description="sender of mails")
    throttle: bool = Field(True, description="whether limits are enforced")
    throttle_auth: str = Field("120/minute", description="logins and registrations per address")
    throttle_guest: str = Field("600/minute", description="new guests per address")
    throttle_guess: str = Field("120/minute", description="wrong codes of private tables per address")
    throttle_write: str = Field("1200/minute", description="writing requests per player")
    throttle_read: str = Field("3000/minute", description="reading requests per player or address")
    socket_messages_per_second: float = Field(20, gt=0, description="sustained messages a socket may send")
    socket_burst: int = Field(60, ge=1, description="messages that a socket may send at once")

    bot_pause_min: float = Field(0.7, ge=0, description="least seconds that a bot waits before a move")
    bot_pause_max: float = Field(1.6, ge=0, description="most seconds that a bot waits before a move")
    bot_thinking: float = Field(
        0.03, ge=0, description="seconds that every bot's choice takes, so that its thinking tells nothing"
    )
    timeout_slack: float = Field(0.3, ge=0, description="seconds after a deadline before a bot takes over")
    absence_grace: float = Field(10, ge=0, description="seconds without a socket before a bot takes over")
    deploy_grace: float = Field(60, ge=0, description="the same after the server itself went away")
    sweep_seconds: float = Field(0.5, gt=0, le=1, description="how often overdue games are looked for")
    idle_table_seconds: float = Field(3600, gt=0, description="a waiting table untouched for so long is closed")
    ranked_start_delay: float = Field(3, ge=0, description="seconds between a ranked match and its start")
    match_seconds: float = Field(1, gt=0, le=10, description="how often tables are matched")
    match_seats: Words = Field(
        ["gg=4", "plie=4", "barbu=4", "vingtsept=2"], description="seats of a matched table, as ruleset=NUMBER"
    )
    match_window: float = Field(100, gt=0, description="rating points around a new ticket within which it is matched")
    match_window_growth: float = Field(10, ge=0, description="points by which that window widens each second")
    match_smaller_after: float = Field(30, gt=0, description="seconds after which a table may have one seat less")
    match_bots_after: float = Field(15, ge=0, description="seconds after which a casual table is filled up with bots")
    match_patience: float = Field(30, gt=0, description="seconds without socket or poll after which a ticket expires")
    match_guests_ranked: bool = Field(False, description="whether guests play ranked games")
    cooldown_seconds: float = Field(60, ge=0, description="first wait for ranked play after leaving; then it doubles")
    receipt_days: float = Field(30, gt=0, description="days that the answer to an idempotent request is kept")
    cached_games: int = Field(2000, ge=1, description="folded games that one process keeps")

    database_pool: int = Field(12, ge=1, description="database connections of one web process")
    prepared_statements: bool = Field(True, description="off for pgbouncer in transaction mode before 1.21")
    event_partitions: int = Field(
        0, ge=0, le=1024, description="hash partitions of the events of a new installation; 0: one plain table"
    )
    extra_rulesets: Words = Field([], description="further rulesets to load, as module:NAME")

    @field_validator("allowed_hosts", "allowed_origins", "match_seats", "extra_rulesets", mode="before")
    @classmethod
    def _split(cls, text: object) -> object:
        return [word.strip() for word in text.split(",") if word.strip()] if isinstance(text, str) else text

    @field_validator("forwarded_allow_ips")
    @classmethod
    def _proxies(cls, text: str) -> str:
        for word in text.split(","):
            try:
                ipaddress.ip_network(word.strip())
            except ValueError:
                raise ValueError("write addresses and networks, as 127.0.0.1,10.1.0.0/16") from None
        return text

    @field_validator("match_seats")
    @classmethod
    def _sizes(cls, words: list[str]) -> list[str]:
        if not all(re.fullmatch(r"[a-z_]+=[0-9]{1,2}", word) for word in words):
            raise ValueError("write gg=4,plie=4")
        return words

    @cached_property
    def seats_to_match(self) -> dict[str, int]:
        """`match_seats` by ruleset."""
        return {rules: int(seats) for rules, _, seats in (word.partition("=") for word in self.match_seats)}

    @cached_property
    def _state(self) -> dict[str, str]:
        """What the launcher wrote down about the servers it runs; empty if there are none."""
        try:
            state: dict[str, str] = json.loads((self.data_dir / STATE_FILE).read_text())
        except (OSError, ValueError):
            return {}
        return state

    @cached_property
    def application_database(self) -> str:
        """The database URL of the application role."""
        return self.database_url or self._state.get("database_url") or "postgresql://repli_app@127.0.0.1:5432/repli"

    @cached_property
    def owner_database(self) -> str:
        """The database URL of the owner; the application's own where no other is known."""
        if self.migrate_database_url:
            return self.migrate_database_url
        return self.application_database if self.database_url else self._state.get("migrate_database_url", "")

    @cached_property
    def redis(self) -> str:
        return self.redis_url or self._state.get("redis_url") or "redis://127.0.0.1:6379/0"

    @cached_property
    def bus(self) -> str:
        return self.bus_url or self.redis

    @cached_property
    def cache(self) -> str:
        return self.cache_url or self.redis

    @cached_property
    def broker(self) -> str:
        return self.broker_url or self.redis

    @cached_property
    def django_secret(self) -> str:
        """The configured secret, or one made at first need and kept beside the data, readable by us alone."""
        if self.secret_key:
            return self.secret_key
        path = self.data_dir / "secret_key"
        try:
            return path.read_text()
        except OSError:
            return _keep(path, secrets.token_urlsafe(48))


def variable(name: str) -> str:
    """The environment variable that sets the field `name`."""
    alias = Environment.model_fields[name].validation_alias
    return alias if isinstance(alias, str) else f"REPLI_{name.upper()}"


def faults(error: ValidationError) -> list[str]:
    """What is wrong with the environment, one plain line per variable. Values are not shown: some are secrets."""
    found = ((str(fault["loc"][0]), fault["msg"]) for fault in error.errors())
    return [f"{variable(name) if name in Environment.model_fields else name}: {text}" for name, text in found]


def _keep(path: Path, secret: str) -> str:
    """Write a secret unless another process was first; return the one that stands."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(secret)
    try:
        os.link(draft, path)
    except FileExistsError:
        secret = path.read_text()
    finally:
        draft.unlink()
    return secret
