"""Why a table is lost whatever anyone does, told without a move (section 14 of the rules, refutations a to e).

Each reason holds for every variant and module of the cooperative game, or is not asked where it might not. All count
the cards left: those in hands and piles, and the Finishes of the exploration deck. Nothing else ever comes to a hand.
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
"""No Finish or no Start left (a), too few numbers for a gap (b), too few cards (c), or too few for what the gaps
really cost (d), a seat whose cards run out before its turns (e), a Start that comes too late to be paid (TRA-66)."""


def refutation(state: State) -> Refutation | None:
    """Give the first reason why the table is lost, or None if none of them applies."""
    if state.turn == 0:
        return None
    return Census(state).refutation()


class Census:
    """The cards left and what they are needed for."""

    def __init__(self, state: State) -> None:
        """Count."""
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
        """Ask the reasons, cheapest first."""
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
        """Tell whether a laid card may still be destroyed: the sea then fills differently."""
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
        """Count the cards to lay, to pay for the Start and to flip with; in a sea that stays laid, the fewest fares."""
        flips = 0
        if final and self.state.options.variant == "day_night":
            flips = sum(wrong_side(self.state, index) for index in range(len(self.state.grid)))
        fares = sum(map(self._fares, self.gaps)) if final else 0
        return self.free + fares + flips + 1 + self._owed()

    def _fares(self, gap: Gap) -> int:
        """Count the cells of a gap that cannot be laid free."""
        cells = gap.end - gap.first
        ends = (gap.first > 0) + (gap.end < len(self.state.grid))
        return cells - (cells + 1 - ends) // 2

    def _owed(self) -> int:
        """Count what the Start still takes from hands and piles."""
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
        """Tell whether a seat has fewer cards than turns to come: each turn takes one of its own at least."""
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
        """Tell whether the only Start lies so deep that the cards after it cannot pay for it and finish (TRA-66)."""
        state = self.state
        starts = [card for card in self.left if card in IS_START]
        if state.players > 1 or state.start_placed is not None or self.wilds or len(starts) != 1:
            return False
        pile = state.piles[0]
        if starts[0] not in pile or state.explore:
            return False
        after = len(pile) - 1 - pile.index(starts[0])
        return HAND_LIMIT - 1 + after < START_PRICE + 1
