"""The order of a game's events as a regular expression over their types (details.md, Order of events)."""

from __future__ import annotations

_GIVEN = "(?:atout_given )*"
_PLACING = f"(?:pile_reshuffled )?card_drawn {_GIVEN}card_placed "
_PLAYING = f"(?:pile_reshuffled )?atout_played (?:{_PLACING})?"
_BETWEEN = "(?:chance_of_reveal )?(?:turn_skipped (?:chance_of_reveal )?)*"
_TURN = f"(?:{_PLACING}|{_PLAYING}|turn_passed ){_BETWEEN}"
_PICKS = "(?:atout_picked (?:atouts_offered )?|atout_given )*"
_SCORED = "hidden_revealed (?:decision_drawn )*round_scored "
_REWARD = "(?:atouts_offered (?:atout_picked |atout_given )+)?"
_TRIPLE = f"triple_nine hidden_revealed round_scored {_REWARD}"
_ROUND = f"round_dealt (?:atouts_offered )*{_PICKS}(?:{_TURN}|atout_given )*(?:{_SCORED}|{_TRIPLE})"

ORDER = f"game_started starter_drawn (?:{_ROUND})+game_finished "
