"""The events of section 7. `?` and -1 stand for what a viewer may not know; each docstring tells who may.

A `cause` is `turn`, `jettison`, `pair`, `limit`, `pay`, `anchor`, `maid` or the type of the acting card.
"""

from typing import Literal

from games.game import Tagged
from games.ke_dnu.components import Zone
from games.ke_dnu.model import Result, Source

Cards = tuple[str, ...]


class Dealt(Tagged, frozen=True):
    """The set-up (section 4; KED-2, KED-4 to KED-6). Decks and supply are hidden from all."""

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
    """An Anchor let the draw step pass (KED-13). Public."""

    seat: int
    reason: Literal["anchor"]


class WaterShuffled(Tagged, frozen=True):
    """A water became the deck (KED-14). The order is hidden from all."""

    seat: int
    order: Cards


class CardsDrawn(Tagged, frozen=True):
    """Cards from the top of the own deck to the hand (KED-10, KED-11). The cards: that seat."""

    seat: int
    cards: Cards
    cause: str


class DrawEnded(Tagged, frozen=True):
    """The main step begins (KED-8). Public."""

    seat: int


class Jettisoned(Tagged, frozen=True):
    """A card was discarded to its holder's water; Rose to its board (KED-40, KED-42). Public."""

    seat: int
    card: str
    zone: Zone
    cause: str
    points: int


class BandHeld(Tagged, frozen=True):
    """A Band that should be discarded stayed where it is (KED-41). Public."""

    seat: int
    card: str
    zone: Zone


class PointsGained(Tagged, frozen=True):
    """Points for the purse without a discard (KED-98). Public."""

    seat: int
    points: int
    cause: str


class CardBought(Tagged, frozen=True):
    """A card of the shop, or the Iceberg, went to the buyer's water (KED-21). Public."""

    seat: int
    card: str
    price: int


class ShopRevealed(Tagged, frozen=True):
    """The shop was filled up (KED-22). Public."""

    cards: Cards


class LockdownStruck(Tagged, frozen=True):
    """The whole shop left the game; new cards came (KED-23). Public."""

    removed: Cards
    revealed: Cards


class PlayAnnounced(Tagged, frozen=True):
    """A card is to be laid, from a hand or by a Teacher (KED-32). Public."""

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
    """An effect is to happen (KED-34).

    `cards` of Captain, Chef and Torpedo: that seat; `victims` of Lady and Saboteur: that seat and the card's holder.
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
    """A reaction card was exhausted (KED-80). `cards` of the hand and `positions`: that seat."""

    seat: int
    card: str
    zone: Literal["", "board", "hand", "deck"]
    cards: Cards
    positions: tuple[int, ...]


class Blocked(Tagged, frozen=True):
    """A Bartender or Ship Guard stopped what lay below it (KED-81, KED-82). Public."""

    seat: int
    card: str
    by: int
    blocker: str


class Shielded(Tagged, frozen=True):
    """A Lifebuoy took its seat out of the effect (KED-83). Public."""

    seat: int
    card: str


class Redirected(Tagged, frozen=True):
    """A Steward's holder chose what is hit (KED-84). Hidden as `reaction_announced`."""

    seat: int
    card: str
    zone: Literal["board", "hand", "deck"]
    cards: Cards
    positions: tuple[int, ...]


class Resolved(Tagged, frozen=True):
    """An effect happens (KED-87); its operations follow. Public."""

    seat: int
    card: str


class Picked(Tagged, frozen=True):
    """Random cards of a hand are hit (KED-66). For Lady: that seat and the thief; else public."""

    seat: int
    by: int
    cards: Cards
    cause: str


class Moved(Tagged, frozen=True):
    """A card changed its place without being discarded (KED-101).

    From board or water public; from deck to hand: the new holder; from hand: both holders.
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
    """A card went from the water to the board, free (KED-37). Public."""

    seat: int
    card: str
    exhausted: bool
    host: str
    cause: str


class TopRearranged(Tagged, frozen=True):
    """A card in sight of the own deck was moved (KED-61). The indices: that seat."""

    seat: int
    take: int
    put: int


class StoryOpened(Tagged, frozen=True):
    """A Storyteller's row of seats (KED-93). Public."""

    seat: int
    seats: tuple[int, ...]


class StoryDrawn(Tagged, frozen=True):
    """The next of the row drew (KED-93). The card: that seat."""

    seat: int
    card: str


class StorySkipped(Tagged, frozen=True):
    """The next of the row could not draw (KED-93). Public."""

    seat: int


class StoryPlaced(Tagged, frozen=True):
    """The drawn card went to the board, public, or under the deck (KED-93): that seat."""

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
    """A seat chose (KED-94). Public."""

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
    """Points lapse (KED-20). Public."""

    seat: int


class VoyageEnded(Tagged, frozen=True):
    """The Iceberg was bought, or the last round is over (KED-26, KED-30). Public."""

    by: int
    reason: Literal["iceberg", "limit"]


class SinkingStarted(Tagged, frozen=True):
    """All was shuffled and five cards dealt (KED-28). Decks are hidden from all, hands from others."""

    first_seat: int
    decks: tuple[Cards, ...]
    hands: tuple[Cards, ...]


class ShipSank(Tagged, frozen=True):
    """A ship is out; its board is saved (KED-110). Public."""

    seat: int
    score: int
    reason: Literal["empty_deck", "limit"]


class ShipAbandoned(Tagged, frozen=True):
    """A seat left for good (KED-115). Public."""

    seat: int


class GameOver(Tagged, frozen=True):
    """All is known (KED-111 to KED-113). Public."""

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
