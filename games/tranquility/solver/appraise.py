"""The estimated value of the puzzle's positions, when all cards are known."""

from functools import lru_cache

from games.tranquility.components import COST_MAX, START_PRICE
from games.tranquility.players.outlook import worth_of
from games.tranquility.players.weights import Weights
from games.tranquility.rules.sea import Gap
from games.tranquility.solver.fill import NEVER, least_cost, numbers_in
from games.tranquility.solver.puzzle import FINISH, START, Cards, Position, Puzzle

WEIGHTS = Weights(risk=1.0, steep=1.36, single=0.88, fare=0.6, spread=0.34, card=0.78)
"""Lower risks than a bot's, as all cards are known."""
LONG = 10
"""Gaps of more cells are only estimated: their least cost takes long to find and seldom matters."""
LAST_FINISH = 6.0
SPARE_FINISH = 0.3
SHORT = 1.5
"""Penalty for a card that a seat lacks for its turns to come."""
SPARE = 3
"""Number of cards that a seat should have beyond those turns."""
CACHE = 1 << 16


def value(puzzle: Puzzle, position: Position) -> float:
    """Return the value of a position; `-NEVER` if it is lost for certain."""
    cells, alive = puzzle.cells, position.alive
    total, need = 0.0, 1
    for gap in position.gaps:
        size = gap.end - gap.first
        total += worth(puzzle, gap, alive)
        need += size
        if size <= LONG:
            least = least_cost(gap, cells, alive)
            total -= WEIGHTS.card * least
            need += least
        else:
            need += size // 2
    if position.due is not None:
        need += sum(position.due) if position.due else START_PRICE
    elif not position.started:
        need += 1 + START_PRICE
    if need > position.left:
        return -NEVER
    return (
        total
        + WEIGHTS.card * position.left
        - _shortage(puzzle, position)
        - _finish(puzzle, position)
    )


def worth(puzzle: Puzzle, gap: Gap, alive: int) -> float:
    """Return the value of a gap, from the number of islands left for it."""
    low, high, first, end = gap
    below, above = first > 0, end < puzzle.cells
    cells = end - first
    numbers = numbers_in(alive, low, high)
    reach = COST_MAX * cells
    if below and above and cells <= 2 and high - low - 1 > 2 * reach:
        near = numbers_in(alive, low, low + reach + 1) | numbers_in(alive, high - reach - 1, high)
        numbers &= near
    return _worth(high - low, cells, below, above, numbers.bit_count())


@lru_cache(CACHE)
def _worth(span: int, cells: int, below: bool, above: bool, usable: int) -> float:
    return worth_of(WEIGHTS, span, cells, below, above, usable)


def _shortage(puzzle: Puzzle, position: Position) -> float:
    """Return the penalty for seats that may run out of cards before the end."""
    turns = puzzle.turns(position)
    lack = 0.0
    for place in range(puzzle.seats):
        seat = (position.active + place) % puzzle.seats
        share = (turns - place + puzzle.seats - 1) // puzzle.seats
        spare = puzzle.own(position, seat) - share
        if spare < 0:
            return NEVER
        lack += max(0, SPARE - spare)
    return SHORT * lack


def _finish(puzzle: Puzzle, position: Position) -> float:
    """Return the penalty for few or no Finishes."""
    held = sum(FINISH <= code < START for hand in position.hands for code in hand)
    coming = sum(
        FINISH <= code < START
        for pile, top in zip(puzzle.piles, position.tops, strict=True)
        for code in pile[top:]
    )
    if held + coming == 0:
        return NEVER
    return LAST_FINISH / (1 + 2 * held + coming)


def laying(puzzle: Puzzle, position: Position, gap: Gap, card: int, index: int) -> float:
    """Return the gain of laying a card into a gap, minus the card itself."""
    alive = position.alive & ~(1 << card)
    gain = -WEIGHTS.card - worth(puzzle, gap, position.alive)
    if index > gap.first:
        gain += worth(puzzle, Gap(gap.low, card, gap.first, index), alive)
    if index + 1 < gap.end:
        gain += worth(puzzle, Gap(card, gap.high, index + 1, gap.end), alive)
    return gain


def price(puzzle: Puzzle, position: Position, code: int) -> float:
    """Return the loss from discarding a card."""
    if code >= START:
        return 0.0
    if code >= FINISH:
        held = sum(FINISH <= other < START for hand in position.hands for other in hand)
        return LAST_FINISH if held == 1 else SPARE_FINISH
    for gap in position.gaps:
        if gap.low < code < gap.high:
            alive = position.alive
            return worth(puzzle, gap, alive) - worth(puzzle, gap, alive & ~(1 << code))
    return 0.0


def spending(cards: Cards, prices: dict[int, float]) -> float:
    """Return the loss from discarding cards with these prices."""
    return sum(WEIGHTS.card + prices[code] for code in cards)
