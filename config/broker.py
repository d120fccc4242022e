"""What Celery must be told about its broker: Redis or Valkey (redis://), or RabbitMQ with quorum queues (amqp://).

Must live here: settings by kind of broker, for `config.settings`. Whoever publishes for a player must not wait for a
broker that is away: what is published there is only a hint, which the sweep makes up for.
"""

from __future__ import annotations

from typing import Any

CONNECT_SECONDS = 1
REDIS_OPTIONS = {"visibility_timeout": 600, "socket_timeout": 5, "socket_connect_timeout": CONNECT_SECONDS}
RABBIT_OPTIONS = {"confirm_publish": True, "read_timeout": 5, "write_timeout": 5}
IMPATIENT = {"max_retries": 0, "connect_retries_timeout": 1}  # kombu would try for 6 s


def broker_settings(url: str, *, patient: bool) -> dict[str, Any]:
    """Django's CELERY_* settings for the broker at `url`; `patient` for processes that nobody waits for."""
    rabbit = url.startswith(("amqp://", "amqps://", "pyamqp://"))
    options = dict(RABBIT_OPTIONS if rabbit else REDIS_OPTIONS) | ({} if patient else IMPATIENT)
    settings: dict[str, Any] = {
        "CELERY_BROKER_URL": url,
        "CELERY_BROKER_TRANSPORT_OPTIONS": options,
        "CELERY_BROKER_CONNECTION_TIMEOUT": CONNECT_SECONDS,
    }
    if rabbit:
        # Quorum queues know neither priorities nor a prefetch common to a channel (Celery finds that out by the queue's
        # type), and a countdown takes whole seconds and an exchange that is not direct. Remote control would need
        # transient queues, which RabbitMQ gives up. A name of its own: a queue cannot change its type.
        settings |= {
            "CELERY_TASK_DEFAULT_QUEUE": "repli",
            "CELERY_TASK_DEFAULT_QUEUE_TYPE": "quorum",
            "CELERY_TASK_DEFAULT_EXCHANGE": "repli",
            "CELERY_TASK_DEFAULT_EXCHANGE_TYPE": "topic",
            "CELERY_TASK_DEFAULT_ROUTING_KEY": "repli",
            "CELERY_WORKER_DETECT_QUORUM_QUEUES": True,
            "CELERY_BROKER_NATIVE_DELAYED_DELIVERY_QUEUE_TYPE": "quorum",
            "CELERY_WORKER_ENABLE_REMOTE_CONTROL": False,
        }
    return settings
