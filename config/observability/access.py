"""Who may read the figures: they name no player, but are not for the public either.

By default (`REPLI_METRICS=local`) whoever asks from this machine or its private network, and not through a proxy, whose
address would be private too; or from anywhere who knows `REPLI_METRICS_TOKEN`.
"""

from __future__ import annotations

import hmac
import ipaddress
from collections.abc import Mapping
from typing import Literal

from config.environment import Environment

FORWARDED = ("x-forwarded-for", "forwarded", "x-real-ip", "via")

Verdict = Literal["yes", "no", "off"]


def may_read(environment: Environment, peer: str | None, headers: Mapping[str, str]) -> Verdict:
    """Whether a request from `peer` with these headers (lower-case names) gets the figures."""
    if environment.metrics == "off":
        return "off"
    if environment.metrics == "open" or _knows_token(environment.metrics_token, headers.get("authorization", "")):
        return "yes"
    return "yes" if _is_near(peer) and not any(name in headers for name in FORWARDED) else "no"


def _knows_token(token: str | None, given: str) -> bool:
    scheme, _, word = given.partition(" ")
    return (
        bool(token) and scheme.lower() == "bearer" and hmac.compare_digest(word.strip().encode(), str(token).encode())
    )


def _is_near(peer: str | None) -> bool:
    try:
        address = ipaddress.ip_address(peer or "")
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None) or address
    return bool(mapped.is_loopback or mapped.is_private) and not mapped.is_unspecified
