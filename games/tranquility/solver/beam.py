"""Search for a winning line turn by turn, keeping only the best positions."""

from collections.abc import Iterator

from games.tranquility.components import COST_MAX, START_PRICE
from games.tranquility.solver.appraise import laying, price, spending, value
from games.tranquility.solver.fill import NEVER
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
)

CHOSEN = 3
"""Number of positions that are valued for each one that is kept."""
GOLDEN = 0.6180339887
"""The fractions of this number's multiples spread most evenly over 0 to 1."""
LOST = -NEVER / 2


class Node:
    """A position, and the moves that led to it."""

    __slots__ = ("move", "parent", "position", "value")

    def __init__(
        self, position: Position, value: float, parent: "Node | None", move: Move | None
    ) -> None:
        """Link a position to its parent; the root has none."""
        self.position = position
        self.value = value
        self.parent = parent
        self.move = move

    def line(self, last: Move) -> list[Move]:
        """Return the moves from the root to this position, and a last one."""
        moves = [last]
        node: Node | None = self
        while node is not None and node.move is not None:
            moves.append(node.move)
            node = node.parent
        moves.reverse()
        return moves


def beam(puzzle: Puzzle, width: int, noise: float, budget: int) -> tuple[list[Move] | None, int]:
    """Return the first winning line found, if any, and the number of positions examined.

    Evenly spread noise makes a beam of the same width keep other positions.
    """
    spent = 0
    nodes = [Node(puzzle.root, value(puzzle, puzzle.root), None, None)]
    while nodes and spent < budget:
        offers: list[tuple[float, Node, Move]] = []
        for node in nodes:
            for gain, move in _offered(puzzle, node.position):
                if isinstance(move, End):
                    return node.line(move), spent
                offers.append((node.value + gain, node, move))
        offers.sort(key=lambda offer: -offer[0])
        reached: dict[Position, Node] = {}
        for _, node, move in offers:
            if len(reached) >= CHOSEN * width:
                break
            position = puzzle.play(node.position, move)
            if position not in reached:
                spent += 1
                swayed = value(puzzle, position) + noise * (spent * GOLDEN % 1.0)
                reached[position] = Node(position, swayed, node, move)
        alive = [node for node in reached.values() if node.value > LOST]
        alive.sort(key=lambda node: -node.value)
        nodes = alive[:width]
    return None, spent


def _offered(puzzle: Puzzle, position: Position) -> Iterator[tuple[float, Move]]:
    """Yield the moves worth trying, with their estimated gain."""
    if position.due is not None:
        yield from _pays(puzzle, position)
        return
    if (start := puzzle.must_begin(position)) is not None:
        yield 0.0, Begin(start)
        return
    hand = position.hands[position.active]
    if not position.gaps and position.started:
        for code in hand:
            if FINISH <= code < START:
                yield 0.0, End(code)
    prices = {code: price(puzzle, position, code) for code in hand}
    cheap = sorted(hand, key=lambda code: (prices[code], code))
    for at in range(min(3, len(cheap) - 1)):
        pair = (cheap[0], cheap[at + 1]) if at < 2 else (cheap[1], cheap[2])
        yield -spending(pair, prices), Throw(pair)
    for card in hand:
        if card < FINISH:
            others = [code for code in cheap if code != card]
            yield from _lays(puzzle, position, card, others, prices)


def _lays(
    puzzle: Puzzle, position: Position, card: int, others: list[int], prices: dict[int, float]
) -> Iterator[tuple[float, Move]]:
    for gap in position.gaps:
        if not gap.low < card < gap.high:
            continue
        for index in puzzle.indices(position, gap):
            fare = puzzle.price(gap, index, card)
            if fare > COST_MAX or fare > len(others):
                continue
            payment = tuple(others[:fare])
            gain = laying(puzzle, position, gap, card, index)
            yield gain - spending(payment, prices), Lay(card, index, payment)


def _pays(puzzle: Puzzle, position: Position) -> Iterator[tuple[float, Move]]:
    """Yield payments with the cheapest cards, sparing seats with few cards more or less."""
    priced = [
        (price(puzzle, position, code), seat, code)
        for seat, hand in enumerate(position.hands)
        for code in hand
    ]
    if position.due:
        yield 0.0, Pay(tuple(_cheapest(priced, seat, due) for seat, due in enumerate(position.due)))
        return
    for weight in (0.0, 0.3, 1.0, 3.0):
        own = [puzzle.own(position, seat) for seat in range(puzzle.seats)]
        chosen: list[list[int]] = [[] for _ in range(puzzle.seats)]
        rest = list(priced)
        for _ in range(min(START_PRICE, len(rest))):
            best = min(rest, key=lambda entry: (entry[0] - weight * own[entry[1]], entry))
            rest.remove(best)
            own[best[1]] -= 1
            chosen[best[1]].append(best[2])
        if sum(map(len, chosen)) == START_PRICE:
            yield 0.0, Pay(tuple(tuple(sorted(cards)) for cards in chosen))


def _cheapest(priced: list[tuple[float, int, int]], seat: int, count: int) -> Cards:
    own = sorted(entry for entry in priced if entry[1] == seat)
    return tuple(code for _, _, code in own[:count])
