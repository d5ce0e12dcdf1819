"""The game without modules, all cards known, as a puzzle: positions and the moves between them.

A card is a code: an island its number, a Finish from 101 on, a Start from 111 on. A move is the
decision of a whole turn. Paying for a Start is a move of its own. Nothing is left to chance.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from games.tranquility.components import (
    EXTRA_DRAWS,
    FINISHES,
    HAND_LIMIT,
    LAYOUTS,
    NUMBER,
    START_PRICE,
    STARTS,
)
from games.tranquility.model import State
from games.tranquility.rules.sea import Gap, cost, gaps

FINISH = 101
START = 111
CODES = {
    **NUMBER,
    **{card: FINISH + at for at, card in enumerate(FINISHES)},
    **{card: START + at for at, card in enumerate(STARTS)},
}
CARD_OF = {code: card for card, code in CODES.items()}

Cards = tuple[int, ...]


class Lay(NamedTuple):
    """Lay an island and pay for it."""

    card: int
    at: int
    payment: Cards


class Throw(NamedTuple):
    """Discard two cards."""

    cards: Cards


class Begin(NamedTuple):
    """Lay the Start; the extra cards are drawn with it."""

    card: int


class Pay(NamedTuple):
    """Pay for the Start, by seat; then all draw."""

    cards: tuple[Cards, ...]


class End(NamedTuple):
    """Lay a Finish in the full sea and win."""

    card: int


Move = Lay | Throw | Begin | Pay | End


class Position(NamedTuple):
    """Everything that decides about the rest of the game."""

    gaps: tuple[Gap, ...]
    hands: tuple[Cards, ...]
    """Ascending codes."""
    tops: tuple[int, ...]
    """Number of cards drawn from each pile so far."""
    active: int
    started: bool
    due: Cards | None
    """Cards to pay for the Start, by seat; empty before the seats agree, None if nothing is due."""
    alive: int
    """Bit set of the island numbers in hands and piles."""
    left: int
    """Number of cards in hands and piles."""


class Puzzle:
    """The facts of a game that no move changes: the order of the piles, and the layout."""

    __slots__ = ("cells", "locked_from", "piles", "root", "seats")

    def __init__(self, state: State) -> None:
        """Convert a table that `fits`."""
        layout = LAYOUTS[state.options.variant]
        self.cells = len(layout.cells)
        self.locked_from = layout.locked_from
        self.seats = state.players
        self.piles = [tuple(CODES[card] for card in pile) for pile in state.piles]
        self.root = self._root(state)

    def _root(self, state: State) -> Position:
        hands = tuple(tuple(sorted(CODES[card] for card in hand)) for hand in state.hands)
        due: Cards | None = None
        if state.phase == "start_pledge":
            due = ()
        elif state.phase == "start_pay":
            due = tuple(
                0 if offer is None or paid else offer.from_hand
                for offer, paid in zip(state.pledges, state.paid, strict=True)
            )
        codes = [code for cards in (*hands, *self.piles) for code in cards]
        return Position(
            gaps=tuple(gaps(state.grid)),
            hands=hands,
            tops=(0,) * self.seats,
            active=state.active,
            started=state.start_placed is not None,
            due=due,
            alive=sum(1 << code for code in codes if code < FINISH),
            left=len(codes),
        )

    def indices(self, position: Position, gap: Gap) -> range:
        """Return the cells of a gap that are not locked (TRA-67)."""
        locked = gap.end > self.locked_from and position.gaps[0].first < self.locked_from
        return range(gap.first, self.locked_from if locked else gap.end)

    def price(self, gap: Gap, index: int, number: int) -> int:
        """Return the cost of laying a number on a cell of its gap."""
        return cost(gap, index, number, self.cells)

    def turns(self, position: Position) -> int:
        """Count the least number of turns to come, this one included."""
        return sum(gap.end - gap.first for gap in position.gaps) + 1 + (not position.started)

    def own(self, position: Position, seat: int) -> int:
        """Count the cards in a seat's hand and pile."""
        return len(position.hands[seat]) + len(self.piles[seat]) - position.tops[seat]

    def must_begin(self, position: Position) -> int | None:
        """Return the Start that the active seat has to lay; None if it has none (TRA-22)."""
        if position.started:
            return None
        hand = position.hands[position.active]
        return hand[-1] if hand and hand[-1] >= START else None

    def play(self, position: Position, move: Move) -> Position:
        """Return the position after a move that does not end the game."""
        match move:
            case Lay():
                return self._lay(position, move)
            case Throw():
                return self._spend(position, move.cards, position.gaps)
            case Begin():
                return self._begin(position, move)
            case Pay():
                return self._pay(position, move)
            case End():
                return position

    def _lay(self, position: Position, move: Lay) -> Position:
        filled: list[Gap] = []
        for gap in position.gaps:
            if not gap.first <= move.at < gap.end:
                filled.append(gap)
                continue
            if gap.first < move.at:
                filled.append(Gap(gap.low, move.card, gap.first, move.at))
            if move.at + 1 < gap.end:
                filled.append(Gap(move.card, gap.high, move.at + 1, gap.end))
        return self._spend(position, (move.card, *move.payment), tuple(filled))

    def _spend(self, position: Position, cards: Cards, gaps: tuple[Gap, ...]) -> Position:
        """Remove cards from the active hand, draw up and pass the turn."""
        seat = position.active
        hands, tops = list(position.hands), list(position.tops)
        hands[seat] = tuple(code for code in hands[seat] if code not in cards)
        self._draw(hands, tops, seat, HAND_LIMIT - len(hands[seat]))
        return position._replace(
            gaps=gaps,
            hands=tuple(hands),
            tops=tuple(tops),
            active=(seat + 1) % self.seats,
            alive=position.alive & ~_bits(cards),
            left=position.left - len(cards),
        )

    def _begin(self, position: Position, move: Begin) -> Position:
        seat = position.active
        hands, tops = list(position.hands), list(position.tops)
        hands[seat] = tuple(code for code in hands[seat] if code != move.card)
        for at in range(self.seats):
            self._draw(hands, tops, at, EXTRA_DRAWS.get(self.seats, 0))
        return position._replace(
            hands=tuple(hands), tops=tuple(tops), started=True, due=(), left=position.left - 1
        )

    def _pay(self, position: Position, move: Pay) -> Position:
        hands, tops = list(position.hands), list(position.tops)
        alive = position.alive
        for seat, cards in enumerate(move.cards):
            hands[seat] = tuple(code for code in hands[seat] if code not in cards)
            alive &= ~_bits(cards)
            self._draw(hands, tops, seat, HAND_LIMIT - len(hands[seat]))
        return position._replace(
            hands=tuple(hands),
            tops=tuple(tops),
            active=(position.active + 1) % self.seats,
            due=None,
            alive=alive,
            left=position.left - sum(map(len, move.cards)),
        )

    def _draw(self, hands: list[Cards], tops: list[int], seat: int, count: int) -> None:
        if count > 0 and tops[seat] < len(self.piles[seat]):
            drawn = self.piles[seat][tops[seat] : tops[seat] + count]
            hands[seat] = tuple(sorted(hands[seat] + drawn))
            tops[seat] += len(drawn)

    def shares(self, position: Position) -> Iterator[Cards]:
        """Yield every way to share the price of the Start among the seats."""
        assert position.due is not None, "a Start is being paid"
        if position.due:
            yield position.due
            return
        most = [len(hand) for hand in position.hands]
        yield from _shares(START_PRICE, most)


def fits(state: State) -> bool:
    """Return whether a table has no cards except islands, Starts and Finishes, and no sides."""
    options = state.options
    if options.variant not in ("standard", "high_arch") or state.turn == 0:
        return False
    if options.rocks or options.monsters or options.storms or options.wilds:
        return False
    return state.phase in ("action", "start_pledge", "start_pay")


def payments(hand: Sequence[int], idle: Sequence[int], count: int) -> Iterator[Cards]:
    """Yield every payment worth trying: idle cards are spent first, and are all alike.

    A win that keeps an idle card is also a win with any other card in its place.
    """
    first = tuple(idle[:count])
    busy = [code for code in hand if code not in idle]
    for rest in combinations(busy, count - len(first)):
        yield first + rest


def _shares(total: int, most: Sequence[int]) -> Iterator[Cards]:
    if not most:
        if total == 0:
            yield ()
        return
    for count in range(min(total, most[0]) + 1):
        for rest in _shares(total - count, most[1:]):
            yield (count, *rest)


def _bits(cards: Cards) -> int:
    bits = 0
    for code in cards:
        if code < FINISH:
            bits |= 1 << code
    return bits
