"""Every random choice of a game of 27 drawn once more, from details.md alone: from the seed and the stored events.

Nothing of the ruleset is used. What the events say is compared with what the words of the stream give.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.rules.trials import number, shuffle, words

SUITS = "CDHS"
PACK = [rank + suit for suit in SUITS for rank in "23456789TJQKA"]
VALUES = {card: "A23456789TJQK".index(card[0]) + 1 for card in PACK}
KEYS = (
    *("instable", "sauvetage", "bouclier", "enchere", "voyance", "projecteur", "echange", "larcin", "brouillage"),
    *("gel", "mue", "permutation", "ajustement", "double_pioche", "miroir", "parade", "recyclage"),
)

Told = list[tuple[str, dict[str, Any]]]


class Replay:
    """The little that the draws depend on: discards, hidden cards, Atout hands, the threshold, those still in."""

    def __init__(self, source: Iterator[int], seats: int, *, teams: bool) -> None:
        self.source = source
        self.seats = seats
        self.keys = [key for key in KEYS if not (teams and key == "sauvetage")]
        self.still_in = list(range(seats))
        self.hands: dict[int, list[str]] = {seat: [] for seat in range(seats)}
        self.discards: list[str] = []
        self.visible: dict[int, list[str]] = {}
        self.hidden: dict[int, str] = {}
        self.threshold = 27
        self.separate: list[str] = []
        self.faults: list[str] = []

    def expect(self, what: str, told: Any, drawn: Any) -> None:
        if told != drawn:
            self.faults.append(f"{what}: told {told}, drawn {drawn}")

    def deal(self, data: dict[str, Any]) -> None:
        order = [seat for step in range(self.seats) if (seat := (data["starter"] + step) % self.seats) in self.still_in]
        pack = shuffle(self.source, PACK)
        count = len(order)
        for place, seat in enumerate(order):
            visible = [pack[place], pack[count + place]]
            self.expect("visible", data["visible"][str(seat)], visible)
            self.expect("hidden", data["hidden"][str(seat)], pack[2 * count + place])
            self.visible[seat], self.hidden[seat] = visible, pack[2 * count + place]
        self.expect("pile", data["pile"], pack[3 * count :])
        self.discards, self.separate = [], []

    def atout(self, data: dict[str, Any]) -> None:
        seat, key, effect = data["seat"], data["atout"], data["effect"]
        self.hands[seat].remove(key)
        if effect.get("parried"):
            return
        match key:
            case "instable":
                candidates = [value for value in (18, 36) if value != self.threshold]
                self.threshold = candidates[number(self.source, len(candidates))]
                self.expect("threshold", effect["threshold"], self.threshold)
            case "larcin":
                hand = self.hands[data["target"]]
                stolen = hand.pop(number(self.source, len(hand)))
                self.expect("larcin", effect["atout"], stolen)
                self.hands[seat].append(stolen)
            case "mue":
                self.discards.append(self.hidden[seat])
                self.expect("mue", effect["discarded"], self.hidden[seat])
                self.hidden[seat] = effect["card"]
            case "permutation":
                slot = data["slot"]
                self.visible[seat][slot], self.hidden[seat] = self.hidden[seat], self.visible[seat][slot]
            case "echange":
                target, slot, other = data["target"], data["slot"], data["target_slot"]
                mine, theirs = self.visible[seat], self.visible[target]
                mine[slot], theirs[other] = theirs[other], mine[slot]
            case "recyclage":
                self.expect("recyclage", effect["card"], self.discards.pop())
                self.discards.append(self.visible[seat][data["slot"]])
                self.visible[seat][data["slot"]] = effect["card"]

    def take(self, kind: str, data: dict[str, Any]) -> None:
        match kind:
            case "starter_drawn":
                self.expect("starter", data["starter"], number(self.source, self.seats))
            case "round_dealt":
                self.deal(data)
            case "atouts_offered":
                count = len(data["offers"])
                self.expect("offers", data["offers"], shuffle(self.source, self.keys)[:count])
            case "atout_picked":
                self.hands[data["seat"]].append(data["atout"])
            case "atout_given":
                self.hands[data["seat"]].remove(data["atout"])
                self.hands[data["to"]].append(data["atout"])
            case "atout_played":
                self.atout(data)
            case "card_placed":
                self.discards += data["discarded"]
                if data["slot"] != "hidden":
                    self.visible[data["seat"]][data["slot"]] = data["card"]
            case "pile_reshuffled":
                self.expect("new pile", data["cards"], shuffle(self.source, self.discards))
                self.discards = []
            case "chance_of_reveal":
                self.expect("chance", data["revealed"], number(self.source, 4) == 0)
            case "decision_drawn":
                for seat, card in data["cards"].items():
                    self.separate = self.separate or shuffle(self.source, PACK)
                    self.expect(f"decision of {seat}", card, self.separate.pop(0))
            case "round_scored":
                self.still_in = [seat for seat in self.still_in if seat not in data["out"]]


def redrawn(events: Told, seed: bytes, seats: int, *, teams: bool, objective: int = 27) -> list[str]:
    """What the events say otherwise than the stream gives; empty if all of it fits."""
    replay = Replay(words(seed, "some-game", [""] * seats), seats, teams=teams)
    for kind, data in events:
        if kind == "round_dealt":
            replay.threshold = objective
        replay.take(kind, data)
    return replay.faults
