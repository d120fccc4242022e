"""Celery's settings by kind of broker, as Celery itself understands them."""

from __future__ import annotations

from typing import Any

import pytest
from celery import Celery
from celery.signals import after_task_publish, heartbeat_sent
from celery.utils.quorum_queues import detect_quorum_queues
from django.conf import settings

from config import celery  # noqa: F401  (connects the signals)
from config.broker import broker_settings
from config.environment import Environment


def application(url: str) -> Celery:
    class Settings:
        pass

    for name, value in broker_settings(url, patient=False).items():
        setattr(Settings, name, value)
    app = Celery("trial", set_as_current=False)
    app.config_from_object(Settings, namespace="CELERY")
    return app


def test_rabbitmq_has_a_quorum_queue_that_takes_countdowns() -> None:
    app = application("amqp://repli:secret@rabbit:5672/repli")

    assert detect_quorum_queues(app, "amqp") == (True, "repli")
    queue = app.amqp.queues["repli"]
    assert queue.exchange.type == "topic", "Celery delays nothing on a direct exchange"
    assert queue.queue_arguments == {"x-queue-type": "quorum"}
    assert app.conf.task_queue_max_priority is None
    assert app.conf.worker_detect_quorum_queues is True
    assert app.conf.worker_enable_remote_control is False
    assert app.conf.broker_transport_options["confirm_publish"] is True


def test_redis_keeps_what_it_had() -> None:
    app = application("redis://127.0.0.1:6379/0")

    assert detect_quorum_queues(app, "redis") == (False, "")
    assert app.conf.broker_transport_options["visibility_timeout"] > settings.CELERY_TASK_TIME_LIMIT
    assert "confirm_publish" not in app.conf.broker_transport_options


@pytest.mark.parametrize("url", ["redis://127.0.0.1:1/0", "amqp://127.0.0.1:1//"])
def test_a_player_does_not_wait_for_a_broker_that_is_away(url: str) -> None:
    assert application(url).conf.broker_transport_options["max_retries"] == 0
    assert "max_retries" not in broker_settings(url, patient=True)["CELERY_BROKER_TRANSPORT_OPTIONS"]


def test_hosts_may_differ_by_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REDIS_URL", "redis://presence/0")
    assert {(e := Environment()).redis, e.bus, e.cache, e.broker} == {"redis://presence/0"}

    for name in ("REPLI_BUS_URL", "REPLI_CACHE_URL", "CELERY_BROKER_URL"):
        monkeypatch.setenv(name, f"redis://{name.lower().replace('_', '-')}/0")

    environment = Environment()
    assert environment.redis == "redis://presence/0"
    assert environment.bus == "redis://repli-bus-url/0"
    assert environment.cache == "redis://repli-cache-url/0"
    assert environment.broker == "redis://celery-broker-url/0"


@pytest.mark.parametrize(
    "text, good",
    [("127.0.0.1", True), ("10.0.0.0/8,::1", True), ("*", False), ("proxy", False), ("10.0.0.1/8", False)],
)
def test_proxies_are_addresses_and_networks(text: str, good: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", text)
    if good:
        assert Environment().forwarded_allow_ips == text
    else:
        with pytest.raises(ValueError, match="addresses and networks"):
            Environment()


@pytest.mark.parametrize("process, touched", [("worker", True), ("beat", True), ("web", False)])
def test_worker_and_beat_leave_a_sign_of_life(
    process: Any, touched: bool, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "alive"
    monkeypatch.setattr(settings, "REPLI", settings.REPLI.model_copy(update={"process": process, "alive_file": file}))

    (heartbeat_sent if process == "worker" else after_task_publish).send(sender=None)

    assert file.exists() is touched
