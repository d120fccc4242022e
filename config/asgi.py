"""The ASGI entry point: HTTP to Django, WebSockets to the games' consumers."""

from __future__ import annotations

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ.setdefault("REPLI_PROCESS", "web")

from django.conf import settings
from django.core.asgi import get_asgi_application

from config.wire.uploads import limited

application = limited(get_asgi_application(), settings.MAX_BODY_BYTES)
