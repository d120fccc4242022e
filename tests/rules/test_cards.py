"""rules/README.md, Shared vocabulary; details.md, Random stream (packs)."""

from __future__ import annotations

from games.rules.cards import JOKER, pack, rank, suit, without


def test_a_pack_goes_suit_by_suit_with_the_ace_last() -> None:
    cards = pack()

    assert len(set(cards)) == 52
    assert cards[:3] == ("2C", "3C", "4C")
    assert cards[11:14] == ("KC", "AC", "2D")
    assert cards[-1] == "AS"


def test_the_joker_stands_at_the_end() -> None:
    assert pack(joker=True) == (*pack(), JOKER)


def test_a_short_pack_leaves_low_ranks_out() -> None:
    assert len(pack("789TJQKA")) == 32
    assert pack("789TJQKA")[0] == "7C"


def test_rank_and_suit_are_the_two_letters() -> None:
    assert (rank("TD"), suit("TD")) == ("T", "D")


def test_a_card_leaves_a_hand_and_the_others_keep_their_order() -> None:
    assert without(("2C", "AH", "TD"), "AH") == ("2C", "TD")
    assert without(("2C", "AH", "TD"), "KS") == ("2C", "AH", "TD")
