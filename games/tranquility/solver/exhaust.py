"""The complete search: a winning line, a proof that there is none, or neither within the budget.

Only moves that cannot help are skipped. Cards that no affordable filling uses are alike: they are
discarded first and never laid. A table that misses a bound is lost.
"""

from collections.abc import Iterator
from itertools import product

from games.tranquility.components import COST_MAX, START_PRICE
from games.tranquility.rules.sea import Gap
from games.tranquility.solver.appraise import laying, price, spending
from games.tranquility.solver.fill import NEVER, Filling, filling
from games.tranquility.solver.puzzle import (
    FINISH,
    START,
    Begin,
    Cards,
    End,
    Lay,
    Move,
    Pay,
    Position,
    Puzzle,
    Throw,
    payments,
)

IDLE = 0
"""Stands for any idle card where two positions are compared."""
Key = tuple[object, ...]


class OutOfBudget(Exception):
    """The search has examined as many positions as it may."""


class Prospect:
    """The best that a position allows: the cards to spare, and the cards worth keeping."""

    __slots__ = ("fillings", "idle", "live", "slack")

    def __init__(self, puzzle: Puzzle, position: Position) -> None:
        """Cost the gaps one by one; no number fits two of them."""
        cells, alive = puzzle.cells, position.alive
        self.fillings: list[tuple[Gap, Filling]] = []
        self.live: dict[int, int] = {}
        """By number: the cards that its cheapest filling costs above the least."""
        self.slack = position.left - 1
        if position.due is not None:
            self.slack -= sum(position.due) if position.due else START_PRICE
        elif not position.started:
            self.slack -= 1 + START_PRICE
        for gap in position.gaps:
            filled = filling(gap, cells, alive)
            self.fillings.append((gap, filled))
            self.slack -= gap.end - gap.first + filled.least
        if self.slack >= 0:
            self._keep()
        self.idle = [self._idle(position, hand) for hand in position.hands]

    def _keep(self) -> None:
        for _, filled in self.fillings:
            for number, cost in filled.by_number.items():
                if cost - filled.least <= self.slack:
                    self.live[number] = cost - filled.least

    def _idle(self, position: Position, hand: Cards) -> Cards:
        """Return the cards of a hand that can only be discarded, such as a second Finish."""
        found: list[int] = []
        finish = False
        for code in hand:
            if code < FINISH:
                spare = code not in self.live
            elif code < START:
                spare, finish = finish, True
            else:
                spare = position.started
            if spare:
                found.append(code)
        return tuple(found)

    def key(self, position: Position) -> Key:
        """Return a key that equal positions share: idle cards are alike, and so are Finishes."""
        hands = tuple(
            tuple(
                IDLE if code in idle else FINISH if FINISH <= code < START else code
                for code in hand
            )
            for hand, idle in zip(position.hands, self.idle, strict=True)
        )
        sorted_hands = tuple(tuple(sorted(hand)) for hand in hands)
        gaps, tops = position.gaps, position.tops
        return gaps, sorted_hands, tops, position.active, position.started, position.due

    def hopeless(self, puzzle: Puzzle, position: Position) -> bool:
        """Return whether there are too few cards, in all or for a seat with nothing to lay."""
        if self.slack < 0:
            return True
        turns = puzzle.turns(position)
        idle_turns = -1 - (not position.started)
        first = position.active + (position.due is not None)
        for place in range(puzzle.seats):
            seat = (first + place) % puzzle.seats
            share = (turns - place + puzzle.seats - 1) // puzzle.seats
            if puzzle.own(position, seat) < share:
                return True
            pile = puzzle.piles[seat][position.tops[seat] :]
            layable = sum(code in self.live for code in (*position.hands[seat], *pile))
            idle_turns += max(0, share - layable)
        return 2 * idle_turns > self.slack


class Exhaust:
    """One search. It remembers lost positions, so that it can continue with a larger budget."""

    def __init__(self, puzzle: Puzzle) -> None:
        """Prepare a search that knows no lost position."""
        self.puzzle = puzzle
        self.spent = 0
        self._until = 0
        self._lost: set[Key] = set()

    def search(self, budget: int) -> list[Move] | None:
        """Return a winning line; None if there is none. Raises `OutOfBudget`."""
        self._until = self.spent + budget
        line = self._won(self.puzzle.root)
        if line is not None:
            line.reverse()
        return line

    def _won(self, position: Position) -> list[Move] | None:
        """Return a winning line from a position, last move first; None if there is none."""
        if self.spent >= self._until:
            raise OutOfBudget
        self.spent += 1
        prospect = Prospect(self.puzzle, position)
        if prospect.hopeless(self.puzzle, position):
            return None
        key = prospect.key(position)
        if key in self._lost:
            return None
        for move in self._moves(position, prospect):
            if isinstance(move, End):
                return [move]
            line = self._won(self.puzzle.play(position, move))
            if line is not None:
                line.append(move)
                return line
        self._lost.add(key)
        return None

    def _moves(self, position: Position, prospect: Prospect) -> Iterator[Move]:
        if position.due is not None:
            yield from self._pays(position, prospect)
        elif (start := self.puzzle.must_begin(position)) is not None:
            yield Begin(start)
        else:
            yield from self._turn(position, prospect)

    def _turn(self, position: Position, prospect: Prospect) -> Iterator[Move]:
        seat = position.active
        hand, idle = position.hands[seat], prospect.idle[seat]
        if not position.gaps and position.started:
            for code in hand:
                if FINISH <= code < START:
                    yield End(code)
                    return
        prices = {code: price(self.puzzle, position, code) for code in hand}
        rated: list[tuple[float, Move]] = []
        for gain, card, index, fare in self._lays(position, prospect):
            others = [code for code in hand if code != card]
            rated += [
                (gain - spending(payment, prices), Lay(card, index, payment))
                for payment in payments(others, idle, fare)
            ]
        if prospect.slack >= 2 and len(hand) >= 2:
            rated += [(-spending(cards, prices), Throw(cards)) for cards in payments(hand, idle, 2)]
        rated.sort(key=lambda entry: -entry[0])
        for _, move in rated:
            yield move

    def _lays(
        self, position: Position, prospect: Prospect
    ) -> Iterator[tuple[float, int, int, int]]:
        """Yield gain, card, cell and cost of each card that an affordable filling lays there."""
        puzzle, hand = self.puzzle, position.hands[position.active]
        for gap, filled in prospect.fillings:
            most = filled.least + prospect.slack
            for card in hand:
                if card not in prospect.live or not gap.low < card < gap.high:
                    continue
                for index in puzzle.indices(position, gap):
                    fare = puzzle.price(gap, index, card)
                    if fare > COST_MAX or fare >= len(hand):
                        continue
                    if filled.by_cell[index - gap.first].get(card, NEVER) <= most:
                        yield laying(puzzle, position, gap, card, index), card, index, fare

    def _pays(self, position: Position, prospect: Prospect) -> Iterator[Move]:
        for share in self.puzzle.shares(position):
            choices = [
                list(payments(hand, idle, count))
                for hand, idle, count in zip(position.hands, prospect.idle, share, strict=True)
            ]
            for cards in product(*choices):
                yield Pay(cards)
