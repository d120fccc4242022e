"""What a table may choose before a game of Plie (plie.md, Options)."""

from __future__ import annotations

from typing import Annotated

import msgspec


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    hook: bool = False
    move_seconds: Annotated[int, msgspec.Meta(ge=5, le=120)] = 30
