"""What the host of a table may choose (vingtsept.md, Options). Invariant: complete options always fit their mode."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec

from games.rules.errors import Invalid
from games.rules.lifecycle import Mode as GameMode
from games.rules.wire import read

Mode = Literal["quick", "ranked", "custom"]
Objective = Literal[9, 18, 27, 36]

TEAM_SEATS = 4


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Complete options. The defaults are those of `quick`; `ranked` plays with 4 Atouts and 15 seconds."""

    mode: Mode = "quick"
    teams: bool = False
    objective: Objective = 27
    atouts: Annotated[int, msgspec.Meta(ge=1, le=4)] = 3
    move_seconds: Annotated[int, msgspec.Meta(ge=5, le=120)] = 20
    random_reveal: bool = False


FIXED: Mapping[Mode, Mapping[str, Any]] = {
    "quick": {"objective": 27, "atouts": 3, "move_seconds": 20, "random_reveal": False},
    "ranked": {"objective": 27, "atouts": 4, "move_seconds": 15, "random_reveal": False},
    "custom": {},
}


def complete(given: Mapping[str, Any], seats: int, game_mode: GameMode) -> Options:
    """The complete options of a game. Raises Invalid: `conflict` for an option that mode or seats rule out."""
    default_mode = "ranked" if game_mode == "ranked" else "quick"
    options: Options = read({"mode": default_mode, **given}, Options)
    if game_mode == "ranked" and options.mode != "ranked":
        raise Invalid("mode", "conflict", only="ranked")
    fixed = FIXED[options.mode]
    for name, value in fixed.items():
        if name in given and given[name] != value:
            raise Invalid(name, "conflict", only=value)
    if options.teams and seats != TEAM_SEATS:
        raise Invalid("teams", "conflict", seats=TEAM_SEATS)
    return msgspec.structs.replace(options, **fixed)
