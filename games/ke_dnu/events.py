"""The events. Each docstring says who sees which fields.

`?` and -1 stand for what is hidden from a viewer. A `cause` is `turn`, `jettison`, `pair`, `limit`,
`pay`, `anchor`, `maid` or the type of the acting card.
"""

from typing import Literal

from games.game import Tagged
from games.ke_dnu.components import Zone
from games.ke_dnu.model import Result, Source

Cards = tuple[str, ...]


class Dealt(Tagged, frozen=True):
    """The set-up (KED-2, KED-4 to KED-6). Decks and supply are hidden from all."""

    first_seat: int
    decks: tuple[Cards, ...]
    shop_deck: Cards
    shop: Cards
    removed: Cards


class TurnStarted(Tagged, frozen=True):
    """A turn begins; the seat's board is ready again (KED-9). Public."""

    seat: int
    phase: Literal["voyage", "sinking"]
    turn_index: int
    round: int


class DrawSkipped(Tagged, frozen=True):
    """An Anchor skipped the draw step (KED-13). Public."""

    seat: int
    reason: Literal["anchor"]


class WaterShuffled(Tagged, frozen=True):
    """The water became the deck (KED-14). The order is hidden from all."""

    seat: int
    order: Cards


class CardsDrawn(Tagged, frozen=True):
    """A seat drew from its own deck (KED-10, KED-11). Only that seat sees the cards."""

    seat: int
    cards: Cards
    cause: str


class DrawEnded(Tagged, frozen=True):
    """The main step begins (KED-8). Public."""

    seat: int


class Jettisoned(Tagged, frozen=True):
    """A card was discarded to its holder's water, Rose to the board (KED-40, KED-42). Public."""

    seat: int
    card: str
    zone: Zone
    cause: str
    points: int


class BandHeld(Tagged, frozen=True):
    """A Band that was to be discarded stayed in its zone (KED-41). Public."""

    seat: int
    card: str
    zone: Zone


class PointsGained(Tagged, frozen=True):
    """The active seat gained points (KED-98, KED-116). Public."""

    seat: int
    points: int
    cause: str
    """The type of the card, or `house` for a late place in the first round."""


class CardBought(Tagged, frozen=True):
    """A shop card or the Iceberg went to the buyer's water (KED-21). Public."""

    seat: int
    card: str
    price: int


class ShopRevealed(Tagged, frozen=True):
    """The shop was filled up (KED-22). Public."""

    cards: Cards


class LockdownStruck(Tagged, frozen=True):
    """The whole shop left the game and was replaced (KED-23). Public."""

    removed: Cards
    revealed: Cards


class PlayAnnounced(Tagged, frozen=True):
    """A card is about to be laid, from a hand or by a Teacher (KED-32). Public."""

    seat: int
    card: str
    price: int
    board_seat: int
    host: str
    via: Literal["hand", "teacher"]


class CardPlayed(Tagged, frozen=True):
    """The announced card arrived on a board; its price is paid (KED-32). Public."""

    seat: int
    card: str
    board_seat: int
    exhausted: bool
    host: str
    price: int
    via: Literal["hand", "teacher"]


class ActionAnnounced(Tagged, frozen=True):
    """An effect is about to happen (KED-34).

    Only that seat sees `cards` of Captain, Chef and Torpedo; that seat and the holder of each card
    see `victims` of Lady and Saboteur.
    """

    seat: int
    card: str
    source: Source
    times: int
    target: int
    cards: Cards
    victims: Cards
    host: str


class Passed(Tagged, frozen=True):
    """A seat declined to answer the top frame (KED-87). Public."""

    seat: int


class ReactionAnnounced(Tagged, frozen=True):
    """A reaction card was exhausted (KED-80). Only that seat sees hand `cards`, `positions`."""

    seat: int
    card: str
    zone: Literal["", "board", "hand", "deck"]
    cards: Cards
    positions: tuple[int, ...]


class Blocked(Tagged, frozen=True):
    """A Bartender or Ship Guard stopped the frame below it (KED-81, KED-82). Public."""

    seat: int
    card: str
    by: int
    blocker: str


class Shielded(Tagged, frozen=True):
    """A Lifebuoy excluded its seat from the effect (KED-83). Public."""

    seat: int
    card: str


class Redirected(Tagged, frozen=True):
    """The choice of a Steward's holder applies (KED-84). Hidden like `reaction_announced`."""

    seat: int
    card: str
    zone: Literal["board", "hand", "deck"]
    cards: Cards
    positions: tuple[int, ...]


class Resolved(Tagged, frozen=True):
    """An effect happens (KED-87). Its operations follow. Public."""

    seat: int
    card: str


class Picked(Tagged, frozen=True):
    """Random cards of a hand are hit (KED-66). Public; by a Lady, only for `seat` and `by`."""

    seat: int
    by: int
    cards: Cards
    cause: str


class Moved(Tagged, frozen=True):
    """A card moved without being discarded (KED-101).

    Public from board or water. From a deck to a hand only the new holder sees the card, from a
    hand both holders.
    """

    seat: int
    card: str
    zone: Zone
    to_seat: int
    to_zone: Literal["hand", "deck_top", "deck_bottom"]
    cause: str
    locked: bool


class DeckShuffled(Tagged, frozen=True):
    """A deck was shuffled (KED-28, KED-90). The order is hidden from all."""

    seat: int
    order: Cards


class CardReadied(Tagged, frozen=True):
    """An effect readied a card (KED-91). Public."""

    seat: int
    card: str


class CardPlaced(Tagged, frozen=True):
    """A card went from the water to the board for free (KED-37). Public."""

    seat: int
    card: str
    exhausted: bool
    host: str
    cause: str


class TopRearranged(Tagged, frozen=True):
    """A seat moved a card in sight of its deck (KED-61). Only that seat sees the indices."""

    seat: int
    take: int
    put: int


class StoryOpened(Tagged, frozen=True):
    """A Storyteller opened a row of seats that draw (KED-93). Public."""

    seat: int
    seats: tuple[int, ...]


class StoryDrawn(Tagged, frozen=True):
    """The next seat of the row drew (KED-93). Only that seat sees the card."""

    seat: int
    card: str


class StorySkipped(Tagged, frozen=True):
    """The next seat of the row could not draw (KED-93). Public."""

    seat: int


class StoryPlaced(Tagged, frozen=True):
    """The drawn card went to the board (public) or under the deck (KED-93, that seat only)."""

    seat: int
    card: str
    where: Literal["board", "deck"]
    host: str
    exhausted: bool


class ChoiceOpened(Tagged, frozen=True):
    """Seats have to choose cards of their own (KED-94). Public."""

    cause: str
    need: tuple[int, ...]


class Chosen(Tagged, frozen=True):
    """A seat chose a card (KED-94). Public."""

    seat: int
    card: str


class DiscardsOpened(Tagged, frozen=True):
    """Discards are offered to Flappers and Teachers (KED-43, KED-86). Public."""

    cards: Cards
    holders: tuple[int, ...]
    flappers: Cards


class FlapperSpent(Tagged, frozen=True):
    """A Flapper's effect was not used (KED-43). Public."""

    seat: int
    card: str


class Closed(Tagged, frozen=True):
    """A discard, choice or story frame is done (KED-87). Public."""

    kind: Literal["discard", "choice", "story"]


class EndDeclared(Tagged, frozen=True):
    """The active seat ends its turn; end effects follow (KED-100). Public."""

    seat: int


class LimitReached(Tagged, frozen=True):
    """The active seat holds too many cards (KED-18). Public."""

    seat: int


class TurnEnded(Tagged, frozen=True):
    """A turn ended and its points are lost (KED-20). Public."""

    seat: int


class VoyageEnded(Tagged, frozen=True):
    """The Iceberg was bought, or the last round is over (KED-26, KED-30). Public."""

    by: int
    reason: Literal["iceberg", "limit"]


class SinkingStarted(Tagged, frozen=True):
    """All cards were shuffled, five dealt (KED-28). Hidden: decks, and hands of other seats."""

    first_seat: int
    decks: tuple[Cards, ...]
    hands: tuple[Cards, ...]


class ShipSank(Tagged, frozen=True):
    """A ship sank. Its board is out of reach (KED-110). Public."""

    seat: int
    score: int
    reason: Literal["empty_deck", "limit"]


class ShipAbandoned(Tagged, frozen=True):
    """A seat left for good (KED-115). Public."""

    seat: int


class GameOver(Tagged, frozen=True):
    """The match is over (KED-111 to KED-113). Public."""

    result: Result


# fmt: off
ZoneEvent = (
    WaterShuffled | CardsDrawn | Jettisoned | BandHeld | PointsGained | CardBought | ShopRevealed
    | LockdownStruck | Picked | Moved | DeckShuffled | CardReadied | CardPlaced | TopRearranged
)
"""Events that move cards and points and change no frame."""

StoryEvent = StoryDrawn | StorySkipped | StoryPlaced
"""Events that change the frame of a Storyteller."""

StackEvent = (
    PlayAnnounced | CardPlayed | ActionAnnounced | Passed | ReactionAnnounced | Blocked | Shielded
    | Redirected | Resolved | StoryOpened | StoryEvent | ChoiceOpened | Chosen | DiscardsOpened
    | FlapperSpent | Closed
)
"""Events that push, change or pop a frame."""

TurnEvent = (
    Dealt | TurnStarted | DrawSkipped | DrawEnded | EndDeclared | LimitReached | TurnEnded
    | VoyageEnded | SinkingStarted | ShipSank | ShipAbandoned | GameOver
)
"""Events of turns, phases and the end."""
# fmt: on

Event = ZoneEvent | StackEvent | TurnEvent
