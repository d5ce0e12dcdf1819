"""The events of Submarine."""

from typing import Literal, TypeAlias

from games.game import Tagged
from games.submarine.components import Cards, Cell, Colour, Token, Tokens

Phase: TypeAlias = Literal["placing", "ship", "act", "break", "over"]
Reason: TypeAlias = Literal["complete", "column_empty", "cards_spent", "stalemate", "last_seat"]


class Dealt(Tagged, frozen=True):
    """All tokens and cards were dealt (SUB-3, SUB-7 to SUB-11): all chance of the game.

    A seat sees the first three cards of its own deck. `aside` is hidden from everyone.
    """

    players: int
    layout: Tokens
    """The 60 treasures, ten per column, each column from row 2 down."""
    decks: tuple[Cards, ...]
    """By seat: the hand is the first three cards, the pile the rest, from the top down."""
    aside: Cards
    shells: Tokens
    """By seat."""
    first: int
    """The starting seat."""


class TurnStarted(Tagged, frozen=True):
    """A seat is on turn (SUB-15). Public."""

    seat: int
    phase: Phase


class SubPlaced(Tagged, frozen=True):
    """A submarine was placed on the board (SUB-13). Public."""

    seat: int
    sub: int
    cell: Cell


class ShipMoved(Tagged, frozen=True, rename={"from_": "from"}):
    """A ship sailed (SUB-16). Public."""

    seat: int
    from_: int
    to: int


class SubMoved(Tagged, frozen=True, rename={"from_": "from"}):
    """A submarine moved (SUB-25). Public."""

    seat: int
    sub: int
    from_: Cell
    to: Cell


class CardDiscarded(Tagged, frozen=True):
    """The matching card was laid on the discard pile (SUB-31). Public."""

    seat: int
    card: Colour


class CompensationPaid(Tagged, frozen=True):
    """Cards went from the payer to the top of a payee's pile (SUB-32 to SUB-38).

    The cards from the pile are hidden from everyone, those from the hand from all but the payer.
    """

    seat: int
    to: int
    from_pile: int
    from_hand: int
    cards: Cards
    """In the order of transfer: cards from the pile, then cards from the hand."""


class CardsDrawn(Tagged, frozen=True):
    """A seat drew from its own pile (SUB-38, SUB-41). Only that seat sees `cards`."""

    seat: int
    cards: Cards
    cause: Literal["refill", "compensation"]


class TreasureSalvaged(Tagged, frozen=True):
    """A token was lifted (SUB-39, SUB-47). Public."""

    seat: int
    token: Token
    cell: Cell
    means: Literal["card", "joker"]
    into: Literal["slot", "joker"]


class JokerPlaced(Tagged, frozen=True):
    """A joker was laid in place of a treasure (SUB-45). Public."""

    seat: int
    joker: Token
    cell: Cell


class CardSwapped(Tagged, frozen=True):
    """A hand card went under the pile, and the top card to the hand (SUB-51).

    Only that seat sees the cards.
    """

    seat: int
    put: Colour
    got: Colour


class TurnSkipped(Tagged, frozen=True):
    """A seat whose ship is off the board cannot swap and was skipped (SUB-53). Public."""

    seat: int


class TurnEnded(Tagged, frozen=True):
    """A turn is over (SUB-15). Public."""

    seat: int


class VoyageEnded(Tagged, frozen=True):
    """A voyage ended; all ships return to the left of the board (SUB-21). Public."""

    voyage: int
    """Number of the voyage that ended."""
    quiet: int
    """Voyages in a row without progress, this one included (SUB-60)."""


class SeatWithdrawn(Tagged, frozen=True):
    """A seat left for good, and its cards went aside unseen (SUB-61). Public."""

    seat: int
    hand_count: int
    pile_count: int


class GameEnded(Tagged, frozen=True):
    """The game is over (SUB-54 to SUB-62). Public."""

    reason: Reason
    winners: tuple[int, ...]
    motifs: tuple[int, ...]
    """By seat, as are the following fields."""
    jokers: tuple[int, ...]
    cards: tuple[int, ...]
    ranks: tuple[int, ...]


Event: TypeAlias = (
    Dealt
    | TurnStarted
    | SubPlaced
    | ShipMoved
    | SubMoved
    | CardDiscarded
    | CompensationPaid
    | CardsDrawn
    | TreasureSalvaged
    | JokerPlaced
    | CardSwapped
    | TurnSkipped
    | TurnEnded
    | VoyageEnded
    | SeatWithdrawn
    | GameEnded
)
