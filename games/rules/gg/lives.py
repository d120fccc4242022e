"""What a deal costs, and how the game ends (gg.md, Lives; End and standing)."""

from __future__ import annotations

from games.rules.gg.events import DealScored
from games.rules.gg.options import DEAL_LIMIT
from games.rules.gg.state import State
from games.rules.ruleset import Standing
from games.rules.scoring import ranked


def score(state: State) -> DealScored:
    """A seat whose tricks differ from its bid loses a life; if nobody would be left, all in the deal keep one."""
    lives = {
        seat: left - (left > 0 and state.bids[seat] != state.tricks[seat]) for seat, left in enumerate(state.lives)
    }
    if not any(lives.values()):  # gg.md, Decision 3
        lives.update(dict.fromkeys(state.order, 1))
    out = tuple(seat for seat in sorted(state.order) if lives[seat] == 0)
    return DealScored(bids=state.made_bids, tricks=state.taken, lives=lives, out=out)


def standing(state: State) -> Standing | None:
    """Those alive share place 1, the others stand behind them: the later a seat went out, the better."""
    if state.stage != "over":
        return None
    return ranked(state.lives, [DEAL_LIMIT + 1 if deal is None else deal for deal in state.out_in])
