"""The terms of each queue, from the settings and the rulesets. Must not: who waits there."""

from __future__ import annotations

from django.conf import settings

from games.rules.lifecycle import Mode
from games.rules.registry import AnyRuleset, ruleset
from rankings.matchmaking.pairing import Terms

USUAL_SEATS = 4
PAIRS: dict[str, int] = {"vingtsept": 4}  # seats at which a party of two makes it two against two (details.md)


def terms_of(rules: str, mode: Mode) -> Terms:
    """How tables of this ruleset and mode are made. Raises KeyError for an unknown ruleset."""
    known, repli = ruleset(rules), settings.REPLI
    return Terms(
        seats=_within(known, repli.seats_to_match.get(rules, USUAL_SEATS)),
        least=known.min_seats,
        pairs=PAIRS.get(rules, 0),
        ranked=mode == "ranked",
        window=repli.match_window,
        growth=repli.match_window_growth,
        smaller_after=repli.match_smaller_after,
        bots_after=repli.match_bots_after,
    )


def _within(known: AnyRuleset, seats: int) -> int:
    return min(max(seats, known.min_seats), known.max_seats)
