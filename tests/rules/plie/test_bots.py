"""Bots of Plie: they know their view alone, and each level is worth its name."""

from __future__ import annotations

from games.rules import arena
from games.rules.bidding import Bid, BidMade
from games.rules.plie import Plie
from games.rules.plie.events import HandsDealt
from games.rules.stream import Stream
from games.rules.tricks import Play
from tests.builders import SEED, Story, hands

PLIE = Plie()


def noise() -> Stream:
    return Stream(SEED, "bot", ())


def dealt(text: str, *, turned: str, bids: tuple[int, ...] = ()) -> Story:
    """A deal by seat 0, announced from its right."""
    cards = hands(text)
    seats = len(cards)
    size = len(cards[0])
    deal = HandsDealt(deal=size, cards=size, dealer=0, hands=cards, turned=turned, turned_from="pack")
    said = [BidMade(seat=(-1 - place) % seats, tricks=tricks) for place, tricks in enumerate(bids)]
    return Story(PLIE, seats).given(deal, *said)


def chosen(story: Story, level: str) -> object:
    (seat,) = PLIE.to_act(story.state)
    return PLIE.bot(PLIE.view(story.state, seat), level, noise())  # type: ignore[arg-type]


def test_a_hand_of_high_trumps_is_announced_in_full_and_one_of_low_cards_as_nothing() -> None:
    strong = dealt("6C 7C 8C | 6D 7D 8D | AS KS QS", turned="6S")
    weak = dealt("AS KS QS | 6D 7D 8D | 6C 7C 6H", turned="JS")

    for level in ("normal", "hard"):
        assert chosen(strong, level) == Bid(tricks=3)
        assert chosen(weak, level) == Bid(tricks=0)


def test_who_wants_no_trick_sheds_the_highest_card_that_loses() -> None:
    story = dealt("6C 9D | TH 8H | KH AH", turned="6S", bids=(1, 0, 0))
    story.do(2, kind="play", card="KH")

    assert chosen(story, "normal") == Play(card="TH")


def test_who_wants_every_trick_takes_this_one() -> None:
    story = dealt("6C 9D | AH 8H | KH 7H", turned="6S", bids=(1, 2, 0))
    story.do(2, kind="play", card="KH")

    assert chosen(story, "normal") == Play(card="AH")


def test_normal_beats_easy_clearly() -> None:
    match = arena.Match(PLIE, 4, "normal", "easy", 3, alone=True)

    assert sum(arena.share_of_wins(match, number) for number in range(8)) >= 5


def test_the_choice_follows_from_the_view_and_the_noise_alone() -> None:
    story = dealt("6C 9D | AH 8H | KH 7H", turned="6S")

    for level in ("easy", "normal", "hard"):
        assert chosen(story, level) == chosen(story, level)
