"""Reasons why a table is lost, found without trying a move.

A reason is only applied to variants and modules for which it holds. All count the cards left:
those in hands and piles, and the Finishes of the exploration deck. No other card comes to a hand.
"""

from typing import Literal

from games.tranquility.components import (
    HAND_LIMIT,
    IS_FINISH,
    IS_MONSTER,
    IS_START,
    IS_WILD,
    NUMBER,
    START_PRICE,
)
from games.tranquility.model import State
from games.tranquility.rules.sea import Gap, gaps, wrong_side
from games.tranquility.solver.fill import least_cost, numbers_in

Refutation = Literal["no-finish", "no-start", "numbers", "cards", "fill", "turns", "late-start"]
"""Why a table is lost.

No Finish or no Start is left, a gap lacks numbers, there are too few cards in all (`cards`) or for
the least cost of the gaps (`fill`), a seat runs out of cards before its turns, or the Start comes
too late to be paid (TRA-66).
"""


def refutation(state: State) -> Refutation | None:
    """Return the first reason why the table is lost; None if no reason applies."""
    if state.turn == 0:
        return None
    return Census(state).refutation()


class Census:
    """The cards left, and the cards needed."""

    def __init__(self, state: State) -> None:
        """Count the cards and the free cells of a table."""
        self.state = state
        self.left = [card for cards in (*state.hands, *state.piles) for card in cards]
        self.left += [card for card in state.explore if card in IS_FINISH]
        self.wilds = sum(card in IS_WILD for card in self.left)
        self.alive = 0
        for card in self.left:
            if card in NUMBER:
                self.alive |= 1 << NUMBER[card]
        self.gaps = gaps(state.grid)
        self.free = sum(gap.end - gap.first for gap in self.gaps)

    def refutation(self) -> Refutation | None:
        """Return the first reason that applies; cheap ones are checked first."""
        finish, start = self._lacks_finish(), self._lacks_start()
        if finish + start > self.wilds:
            return "no-finish" if finish else "no-start"
        final = not self.sea_may_open()
        if final and self._missing_numbers() + finish + start > self.wilds:
            return "numbers"
        if self._needed(final) > len(self.left):
            return "cards"
        if self._runs_out():
            return "turns"
        if self._late_start():
            return "late-start"
        if final and not self.wilds and self._needed(final=False) + self._fill() > len(self.left):
            return "fill"
        return None

    def sea_may_open(self) -> bool:
        """Return whether a laid card may still be destroyed, which would change the gaps."""
        state = self.state
        if state.revealed in IS_MONSTER or not IS_MONSTER.isdisjoint(state.explore):
            return True
        if not IS_MONSTER.isdisjoint(self.left):
            return True
        return self.wilds > 0 and state.options.monsters > 0

    def _lacks_finish(self) -> bool:
        return IS_FINISH.isdisjoint(self.left)

    def _lacks_start(self) -> bool:
        return self.state.start_placed is None and IS_START.isdisjoint(self.left)

    def _missing_numbers(self) -> int:
        return sum(
            max(0, gap.end - gap.first - numbers_in(self.alive, gap.low, gap.high).bit_count())
            for gap in self.gaps
        )

    def _needed(self, final: bool) -> int:
        """Count the cards to lay, to pay for the Start, to flip with, and at least for fares.

        Flips and fares count only if the sea is `final`: no laid card can be destroyed.
        """
        flips = 0
        if final and self.state.options.variant == "day_night":
            flips = sum(wrong_side(self.state, index) for index in range(len(self.state.grid)))
        fares = sum(map(self._fares, self.gaps)) if final else 0
        return self.free + fares + flips + 1 + self._owed()

    def _fares(self, gap: Gap) -> int:
        """Count the cells of a gap that cannot be laid for nothing."""
        cells = gap.end - gap.first
        ends = (gap.first > 0) + (gap.end < len(self.state.grid))
        return cells - (cells + 1 - ends) // 2

    def _owed(self) -> int:
        """Count the cards that the Start still takes from hands and piles."""
        state = self.state
        if state.start_placed is None:
            return 1 + START_PRICE
        if state.phase == "start_pledge":
            return START_PRICE
        if state.phase != "start_pay":
            return 0
        return sum(
            offer.count if offer.from_hand else 0
            for offer, paid in zip(state.pledges, state.paid, strict=True)
            if offer is not None and not paid
        )

    def _fill(self) -> int:
        cells = len(self.state.grid)
        return sum(least_cost(gap, cells, self.alive) for gap in self.gaps)

    def _runs_out(self) -> bool:
        """Return whether a seat has fewer cards than turns to come: a turn takes at least one."""
        state = self.state
        if state.explore or state.revealed is not None:
            return False
        turns = self.free + 1 + (state.start_placed is None)
        seat = state.active + (state.phase not in ("action", "rescue"))
        whole, more = divmod(turns, state.players)
        for place in range(state.players):
            at = (seat + place) % state.players
            own = len(state.hands[at]) + len(state.piles[at])
            if own < whole + (place < more):
                return True
        return False

    def _late_start(self) -> bool:
        """Return whether too few cards follow the only Start to pay for it and finish (TRA-66)."""
        state = self.state
        starts = [card for card in self.left if card in IS_START]
        if state.players > 1 or state.start_placed is not None or self.wilds or len(starts) != 1:
            return False
        pile = state.piles[0]
        if starts[0] not in pile or state.explore:
            return False
        after = len(pile) - 1 - pile.index(starts[0])
        return HAND_LIMIT - 1 + after < START_PRICE + 1
