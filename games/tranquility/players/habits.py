"""What a seat keeps and what it throws away, so that sampled hands and discards look like real ones.

A number that no free cell takes any more is thrown away first, a Finish soon, a wild hardly ever. The weights are fits to
decisions of matches between the crew's bots (seeds from 820,000 on): with them the zones hold as many of each as in truth.
"""

from collections.abc import Sequence
from typing import Literal, TypeVar

from games.chance import Chance
from games.tranquility.components import IS_FINISH, IS_WILD, NUMBER
from games.tranquility.players.outlook import find_gaps

Kind = Literal["hand", "pile", "discard", "blind", "removed", "explore", "deck"]
T = TypeVar("T")

WHOLE = 100
"""The weight of what is taken as often as any other."""
DEAD_IN_HAND = 58
"""Of a number that no cell takes, to be in a hand, against one that may still be laid."""
LIVE_DISCARDED = 55
"""Of a number that may still be laid, to be thrown away, against one that can't."""
FINISH: dict[Kind, int] = {"hand": 8, "discard": 11}
WILD: dict[Kind, int] = {"hand": 13, "discard": 2}
ELSEWHERE = 5
"""Of a Finish or a wild: for each place of a kind."""


def dead_numbers(grid: Sequence[int]) -> set[int]:
    """Give the numbers that no free cell takes, from those on the sea by chain index (0 = free)."""
    alive = {number for gap in find_gaps(grid) for number in range(gap.low + 1, gap.high)}
    return set(NUMBER.values()) - alive


def next_card(kind: Kind, cards: Sequence[str], dead: set[int], chance: Chance) -> int:
    """Draw the index of the island that comes to a place of a kind."""
    weight = {"hand": DEAD_IN_HAND, "discard": LIVE_DISCARDED}.get(kind, WHOLE)
    while True:
        at = chance.randbelow(len(cards))
        common = (NUMBER[cards[at]] in dead) == (kind == "discard")
        if common or weight == WHOLE or chance.randbelow(WHOLE) < weight:
            return at


def place_of(card: str, places: Sequence[tuple[Kind, T]], chance: Chance) -> T:
    """Draw the place of a card that is no island."""
    if card not in IS_FINISH and card not in IS_WILD:
        return chance.choice(places)[1]
    by_kind = FINISH if card in IS_FINISH else WILD
    weights = [by_kind.get(kind, ELSEWHERE) for kind, _ in places]
    at = chance.randbelow(sum(weights))
    for (_, place), weight in zip(places, weights, strict=True):
        if at < weight:
            return place
        at -= weight
    raise AssertionError("a weight was drawn beyond their sum")
