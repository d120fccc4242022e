"""The ASGI entry point: HTTP to Django, WebSockets to the games' consumers."""

from __future__ import annotations

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ.setdefault("REPLI_PROCESS", "web")

from channels.routing import ProtocolTypeRouter
from django.conf import settings
from django.core.asgi import get_asgi_application

from config.drain import DRAIN, lifespan
from config.garbage import look_seldom
from config.observability import lag, tracing
from config.observability.http import measured
from config.wire.uploads import limited

django = limited(get_asgi_application(), settings.MAX_BODY_BYTES)  # loads the apps, which the others' modules need

from config.wire import gathered  # noqa: E402
from games.api.road import moves_by_road  # noqa: E402
from games.services import host  # noqa: E402
from games.ws.hub import hub  # noqa: E402
from games.ws.routing import application as sockets  # noqa: E402


async def _end_hub() -> None:
    await hub().stop()


async def _observe() -> None:
    tracing.switch_on(settings.REPLI)  # ends with the process
    DRAIN.at_end(lag.watched())


http = measured(moves_by_road(django))
DRAIN.at_start(_observe)
DRAIN.at_start(look_seldom)
DRAIN.at_end(gathered.stop)
DRAIN.at_end(host.stop)  # last, when nobody asks for anything any more
DRAIN.at_end(_end_hub)
application = ProtocolTypeRouter({"http": DRAIN.around(http), "websocket": DRAIN.around(sockets), "lifespan": lifespan})
