"""The ASGI entry point: HTTP to Django, WebSockets to the games' consumers."""

from __future__ import annotations

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ.setdefault("REPLI_PROCESS", "web")

from channels.routing import ProtocolTypeRouter
from django.conf import settings
from django.core.asgi import get_asgi_application

from config.wire.uploads import limited

http = limited(get_asgi_application(), settings.MAX_BODY_BYTES)  # loads the apps, which the sockets' modules need

from games.ws.routing import application as sockets  # noqa: E402

application = ProtocolTypeRouter({"http": http, "websocket": sockets})
