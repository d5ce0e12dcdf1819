"""What a seat can do."""

import msgspec

from games.game import Tagged
from games.tranquility.components import Cell


class PlayCard(Tagged, frozen=True, gc=False):
    """Lay an island, or a wild `as` a number, and pay for it (TRA-2 to TRA-6)."""

    card: str
    cell: Cell
    discards: tuple[str, ...] = ()
    as_: int = msgspec.field(default=0, name="as")
    """The number of a wild; 0 for an island."""


class DiscardTwo(Tagged, frozen=True, gc=False):
    """Discard two cards (TRA-13); in `day_night` perhaps turning all hands (TRA-78)."""

    cards: tuple[str, ...]
    turn_hands: bool = False


class DiscardHand(Tagged, frozen=True, gc=False):
    """Discard the whole hand for a compass (TRA-57)."""


class PlayStart(Tagged, frozen=True, gc=False):
    """Lay a Start card, or a wild as a Start (TRA-22, TRA-63)."""

    card: str


class Pledge(Tagged, frozen=True, gc=False):
    """Pledge cards for the Start (TRA-26), two of them perhaps from the seat's pile (TRA-51)."""

    count: int
    from_deck: bool = False


class PayStart(Tagged, frozen=True, gc=False):
    """Choose the pledged cards (TRA-25)."""

    cards: tuple[str, ...]


class PlayFinish(Tagged, frozen=True, gc=False):
    """Lay a Finish card, or a wild as a Finish (TRA-31)."""

    card: str


class PlayMonster(Tagged, frozen=True, gc=False):
    """Destroy a laid island with a monster, or a wild as a monster (TRA-42)."""

    card: str
    cell: Cell


class FlipCard(Tagged, frozen=True, gc=False):
    """Discard a card to flip a laid one (TRA-77)."""

    cell: Cell
    card: str


class MoveRocks(Tagged, frozen=True, gc=False):
    """Move the rocks to another row (TRA-37)."""

    row: int


class KeepRocks(Tagged, frozen=True, gc=False):
    """Discard two cards to leave the rocks where they are (TRA-37)."""

    cards: tuple[str, ...]


class UseCompass(Tagged, frozen=True, gc=False):
    """Cancel a storm with a compass, or a wild as a compass (TRA-54, TRA-64)."""

    source: str
    storm: str


class LetPass(Tagged, frozen=True, gc=False):
    """Use no compass now (TRA-35, TRA-54)."""


class PlaceStorm(Tagged, frozen=True, gc=False):
    """Lay a drawn purple storm on a row (TRA-52)."""

    row: int


class ShedToLimit(Tagged, frozen=True, gc=False):
    """Discard down to three cards under a yellow storm (TRA-49)."""

    cards: tuple[str, ...]


class FeedMonster(Tagged, frozen=True, gc=False):
    """Choose the island that an explored monster destroys (TRA-72)."""

    cell: Cell


class SetRocks(Tagged, frozen=True, gc=False):
    """Choose the row of explored rocks (TRA-72)."""

    row: int


class TakeCards(Tagged, frozen=True, gc=False):
    """Take cards from the face-up row (TRA-81)."""

    cards: tuple[str, ...]


class EndTurn(Tagged, frozen=True, gc=False):
    """Draw, with the option `confirm_draw` (TRA-14)."""


Action = PlayCard | DiscardTwo | DiscardHand | PlayStart | PlayFinish | PlayMonster | FlipCard
"""The one action of a turn (TRA-12)."""
Answer = (
    Pledge
    | PayStart
    | MoveRocks
    | KeepRocks
    | UseCompass
    | LetPass
    | PlaceStorm
    | ShedToLimit
    | FeedMonster
    | SetRocks
    | TakeCards
    | EndTurn
)
"""Everything else that a seat decides."""
Command = Action | Answer
