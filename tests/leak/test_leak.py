"""Nobody is sent what they may not see, in any byte or length of any channel, nor does any log line hold it.

A few games of every ruleset; `REPLI_LEAK_GAMES=200 pytest tests/leak` plays so many, longer ones, for every viewer.
"""

from __future__ import annotations

import os

import pytest

from games.rules.conformance.playthrough import Case
from games.rules.registry import listed, ruleset
from tests.leak.trials import carry_out

KEYS = [*(rules.key for rules in listed()), "tiny"]
MANY = int(os.environ.get("REPLI_LEAK_GAMES", "0"))
FIRST = int(os.environ.get("REPLI_LEAK_FIRST", "0"))
GAMES = range(FIRST, FIRST + (MANY or 12))


@pytest.mark.parametrize("number", GAMES)
async def test_unseen_cards_can_be_any_without_a_trace_in_what_anybody_gets(number: int, superuser: str) -> None:
    case = Case(ruleset(KEYS[number % len(KEYS)]), seed=8, number=number)

    if MANY:
        length, seats = 10 + case.noise("length").below(60), (3, 4, 5, 8)[number // len(KEYS) % 4]
        outcome = await carry_out(case, length, superuser, most_seats=seats)
    else:
        outcome = await carry_out(case, 6 + case.noise("length").below(25), superuser, most_seats=4, kinds=1)

    assert outcome.viewers > 0
    print(f"\n{case.rules.key} {number}: {outcome}")
