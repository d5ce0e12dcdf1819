"""Which cards seats keep and discard, so that sampled hands and discards look like real ones.

Seats discard a number that fits no gap first, a Finish soon, and a wild hardly ever. The weights
are fitted to matches between bots (seeds from 820,000 on): hands and discards then hold as many
cards of each kind as in the true worlds.
"""

from collections.abc import Sequence
from typing import Literal, TypeVar

from games.chance import Chance
from games.tranquility.components import IS_FINISH, IS_WILD, NUMBER
from games.tranquility.players.outlook import find_gaps

Kind = Literal["hand", "pile", "discard", "blind", "removed", "explore", "deck"]
T = TypeVar("T")

WHOLE = 100
"""Weight of a card that is taken as often as any other (percent)."""
DEAD_IN_HAND = 58
"""Weight of a dead number in a hand, relative to a live one (percent)."""
LIVE_DISCARDED = 55
"""Weight of a live number among the discards, relative to a dead one (percent)."""
FINISH: dict[Kind, int] = {"hand": 8, "discard": 11}
WILD: dict[Kind, int] = {"hand": 13, "discard": 2}
ELSEWHERE = 5
"""Weight of all other places for a Finish or a wild."""


def dead_numbers(grid: Sequence[int]) -> set[int]:
    """Return the numbers that fit no gap of a sea, given by chain index (0 = free)."""
    alive = {number for gap in find_gaps(grid) for number in range(gap.low + 1, gap.high)}
    return set(NUMBER.values()) - alive


def next_card(kind: Kind, cards: Sequence[str], dead: set[int], chance: Chance) -> int:
    """Draw the index of the island for a place of a kind."""
    weight = {"hand": DEAD_IN_HAND, "discard": LIVE_DISCARDED}.get(kind, WHOLE)
    while True:
        at = chance.randbelow(len(cards))
        common = (NUMBER[cards[at]] in dead) == (kind == "discard")
        if common or weight == WHOLE or chance.randbelow(WHOLE) < weight:
            return at


def place_of(card: str, places: Sequence[tuple[Kind, T]], chance: Chance) -> T:
    """Draw the place for a card that is not an island."""
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
