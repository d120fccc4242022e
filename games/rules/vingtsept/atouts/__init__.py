"""The Atouts: one file each in this folder, found by their key (vingtsept.md, The 17 Atouts).

To add one, write its file (a subclass of `Atout`, an instance of it called `ATOUT`) and its words in `texts.py`;
nothing else names it. Invariant: `number` gives the order of the rules page, in which offers are drawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module
from pkgutil import iter_modules

from games.rules.vingtsept.atouts.atout import Atout, Board
from games.rules.vingtsept.play import AtoutKey

__all__ = ["ATOUTS", "Atout", "Board", "found", "on_offer"]


def found(folders: Iterable[str], package: str = __name__) -> Mapping[AtoutKey, Atout]:
    """Every Atout whose file lies in these folders, by key, in the order of the rules page."""
    modules = (import_module(f"{package}.{entry.name}") for entry in iter_modules(folders))
    units = [module.ATOUT for module in modules if hasattr(module, "ATOUT")]
    return {unit.key: unit for unit in sorted(units, key=lambda unit: unit.number)}


ATOUTS: Mapping[AtoutKey, Atout] = found(__path__)

_IN_TEAMS = tuple(key for key, unit in ATOUTS.items() if unit.in_teams)
_ALL = tuple(ATOUTS)


def on_offer(*, teams: bool) -> tuple[AtoutKey, ...]:
    """The keys that may be offered, in the order in which they are shuffled."""
    return _IN_TEAMS if teams else _ALL
