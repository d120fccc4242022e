"""The ASGI entry point: HTTP to Django, WebSockets to the games' consumers."""

from __future__ import annotations

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ.setdefault("REPLI_PROCESS", "web")

from channels.routing import ProtocolTypeRouter
from django.conf import settings
from django.core.asgi import get_asgi_application

from config.drain import DRAIN, lifespan
from config.wire.uploads import limited

http = limited(get_asgi_application(), settings.MAX_BODY_BYTES)  # loads the apps, which the sockets' modules need

from games.services import host  # noqa: E402
from games.ws.hub import hub  # noqa: E402
from games.ws.routing import application as sockets  # noqa: E402


async def _end_hub() -> None:
    await hub().stop()


DRAIN.at_end(host.stop)  # last, when nobody asks for anything any more
DRAIN.at_end(_end_hub)
application = ProtocolTypeRouter({"http": DRAIN.around(http), "websocket": DRAIN.around(sockets), "lifespan": lifespan})
