"""The client of the wire's own routes."""

from __future__ import annotations

from typing import Any

import pytest
from rest_framework.test import APIClient


@pytest.fixture
def client(settings: Any, servers: Any) -> APIClient:
    settings.ROOT_URLCONF = "tests.wire.routes"
    return APIClient(raise_request_exception=False)
