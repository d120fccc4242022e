"""Double pioche: two cards are turned up; one of them is placed as after a draw, the other discarded."""

from __future__ import annotations

from games.rules.vingtsept.atouts.atout import Atout


class DoublePioche(Atout):
    key = "double_pioche"
    number = 14
    cards_turned_up = 2


ATOUT = DoublePioche()
