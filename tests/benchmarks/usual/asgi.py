"""The sockets."""

from __future__ import annotations

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.benchmarks.usual.settings")
django.setup()

from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402
from django.urls import path  # noqa: E402

from tests.benchmarks.usual.consumers import TableConsumer  # noqa: E402

application = ProtocolTypeRouter(
    {"websocket": URLRouter([path("ws/v1/games/<uuid:game_id>/", TableConsumer.as_asgi())])}
)
