"""The ASGI entry point: HTTP to Django, WebSockets to the games' consumers."""

from __future__ import annotations

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ.setdefault("REPLI_PROCESS", "web")

from django.core.asgi import get_asgi_application

application = get_asgi_application()
