"""Commands, events, state and view of Submarine: types only."""

from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta

from games.game import Tagged

Cell: TypeAlias = tuple[int, int]
"""(column 1 … 6, row 2 … 5); row 1 is the surface."""
Colour: TypeAlias = str
"""A card is its colour: copies are indistinguishable (SUB-63). `?` where the viewer may not know it."""
Motif: TypeAlias = str
Token: TypeAlias = str
"""`<motif>_<colour>` or `shell_<colour>`."""
Tokens: TypeAlias = tuple[Token, ...]
Hidden: TypeAlias = tuple[Colour, ...]
"""Cards of which a viewer may know only how many: then each of them is `?`."""
Column: TypeAlias = tuple[Tokens, ...]
"""The tokens of a column's cells, from row 2 down."""
Fleet: TypeAlias = tuple[Cell | None, ...]
"""A seat's submarines; None is not yet placed, or withdrawn."""

UNKNOWN: Colour = "?"

Phase = Literal["placing", "ship", "act", "break", "over"]
Mode = Literal["none", "move", "salvage"]
Reason = Literal["complete", "column_empty", "cards_spent", "stalemate", "last_seat"]


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options of a match (specification §15)."""

    card_trim: Literal["random", "even"] = "random"
    """SUB-8: how the cards that are not needed are chosen."""
    first_player: Annotated[int, Meta(ge=-1, le=4)] = -1
    """SUB-11: the starting seat; -1 draws it."""
    must_act: bool = True
    """SUB-24: whether a seat that stopped in a column must act there."""
    joker_same_turn: bool = True
    """SUB-50: whether a joker serves in the turn in which it was gained."""
    stalemate_voyages: Annotated[int, Meta(ge=2, le=9)] = 3
    """SUB-60: voyages in a row without progress that end the game."""
    turn_seconds: Annotated[int, Meta(ge=15, le=604800)] = 120
    abandon_after: Annotated[int, Meta(ge=1, le=9)] = 3
    """Timeouts in a row after which the service may let the seat withdraw; the rules never read it."""


class PlaceSub(Tagged, frozen=True):
    """Put the lowest-numbered unplaced submarine into row 2 (SUB-13)."""

    column: int


class MoveShip(Tagged, frozen=True):
    """Sail to a column, or off the board (SUB-16 to SUB-18)."""

    to: int
    """1 … 6, or 7 off the board."""


class MoveSub(Tagged, frozen=True):
    """Move one submarine under the own ship (SUB-25 to SUB-29)."""

    sub: int
    to: Cell


class Salvage(Tagged, frozen=True):
    """Lift a token with a card of its colour, and compensation (SUB-30 to SUB-38)."""

    token: Token
    card: Colour
    pay: tuple[Colour, ...]
    """Hand cards for what the pile cannot pay, in the order they are handed over."""


class SalvageWithJoker(Tagged, frozen=True):
    """Lift a treasure and lay a joker in its place (SUB-42 to SUB-50)."""

    token: Token
    joker: Token


class SwapCard(Tagged, frozen=True):
    """Put a hand card under the own pile and take its top card (SUB-51, SUB-52)."""

    card: Colour


class EndTurn(Tagged, frozen=True):
    """End the turn (SUB-24)."""


Command = PlaceSub | MoveShip | MoveSub | Salvage | SalvageWithJoker | SwapCard | EndTurn


class Dealt(Tagged, frozen=True):
    """All chance of the game (SUB-3, SUB-7 to SUB-11). Of `decks` each seat sees its first three cards; `aside` is hidden."""

    players: int
    layout: Tokens
    """The 60 treasures, ten per column, from row 2 down."""
    decks: tuple[Hidden, ...]
    """By seat; the first three are the hand, the rest the pile from its top down."""
    aside: Hidden
    shells: Tokens
    """By seat."""
    first: int


class TurnStarted(Tagged, frozen=True):
    """A seat is on turn (SUB-15). Public."""

    seat: int
    phase: Phase


class SubPlaced(Tagged, frozen=True):
    """A submarine came onto the board (SUB-13). Public."""

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

    In `cards` nobody reads the pile part, and only the payer the hand part.
    """

    seat: int
    to: int
    from_pile: int
    from_hand: int
    cards: Hidden
    """In the order of transfer: the pile part first."""


class CardsDrawn(Tagged, frozen=True):
    """A seat drew from its own pile (SUB-38, SUB-41); `cards` is for that seat only."""

    seat: int
    cards: Hidden
    cause: Literal["refill", "compensation"]


class TreasureSalvaged(Tagged, frozen=True):
    """A token was lifted (SUB-39, SUB-47). Public."""

    seat: int
    token: Token
    cell: Cell
    means: Literal["card", "joker"]
    into: Literal["slot", "joker"]


class JokerPlaced(Tagged, frozen=True):
    """A joker was laid where the treasure was (SUB-45). Public."""

    seat: int
    joker: Token
    cell: Cell


class CardSwapped(Tagged, frozen=True):
    """A hand card went under the pile, then its top card to the hand (SUB-51); both for the seat only."""

    seat: int
    put: Colour
    got: Colour


class TurnSkipped(Tagged, frozen=True):
    """A waiting seat without a legal swap was passed over (SUB-53). Public."""

    seat: int


class TurnEnded(Tagged, frozen=True):
    """A turn is over (SUB-15). Public."""

    seat: int


class VoyageEnded(Tagged, frozen=True):
    """All ships return to the left of the board (SUB-21). Public."""

    voyage: int
    """The voyage that ended."""
    quiet: int
    """Voyages in a row without progress, this one included (SUB-60)."""


class SeatWithdrawn(Tagged, frozen=True):
    """A seat left for good (SUB-61); its cards went aside unseen. Public."""

    seat: int
    hand_count: int
    pile_count: int


class GameEnded(Tagged, frozen=True):
    """The game is over (SUB-54 to SUB-62). Public."""

    reason: Reason
    winners: tuple[int, ...]
    motifs: tuple[int, ...]
    """This and the following are by seat."""
    jokers: tuple[int, ...]
    cards: tuple[int, ...]
    ranks: tuple[int, ...]


Event = (
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


class Result(msgspec.Struct, frozen=True):
    """How the game ended (SUB-59)."""

    reason: Reason
    winners: tuple[int, ...]
    motifs: tuple[int, ...]
    """Filled slots by seat."""
    jokers: tuple[int, ...]
    """Tokens beside the transport card by seat."""
    cards: tuple[int, ...]
    """Hand and pile by seat."""
    ranks: tuple[int, ...]
    """By seat, 1 the best; equal ranks are shared."""

    def places(self, seats: int) -> list[int]:
        """Give the rank of each seat."""
        return list(self.ranks[:seats])


class State(msgspec.Struct):
    """The whole truth. Lists change in place; what they hold is replaced, never changed."""

    players: int
    options: Options
    phase: Phase
    active: int
    """The seat on turn; -1 before the deal and after the end."""
    first: int
    turn: int
    voyage: int
    """0 while submarines are placed."""
    progress: bool
    """Whether this voyage had progress (SUB-60)."""
    quiet: int
    """Finished voyages in a row without progress."""
    cells: list[Column]
    """By column; in a cell the tokens lie in order of arrival."""
    subs: list[Fleet]
    ships: list[int]
    """0 left of the board, 1 … 6, 7 right of it, -1 withdrawn."""
    slots: list[dict[Motif, Token]]
    jokers: list[Tokens]
    hand: list[Hidden]
    """By seat, in colour order."""
    pile: list[Hidden]
    """By seat; index 0 is the top."""
    discard: Hidden
    aside: Hidden
    mode: Mode
    moved: tuple[int, ...]
    """Submarines moved this turn."""
    locked: Tokens
    """Jokers laid this turn (SUB-46)."""
    acts: int
    fresh: Tokens
    """Jokers gained this turn (SUB-50)."""
    withdrawn: tuple[int, ...]
    result: Result | None

    def copy(self) -> "State":
        """Give an independent copy."""
        return State(
            self.players,
            self.options,
            self.phase,
            self.active,
            self.first,
            self.turn,
            self.voyage,
            self.progress,
            self.quiet,
            self.cells[:],
            self.subs[:],
            self.ships[:],
            self.slots[:],
            self.jokers[:],
            self.hand[:],
            self.pile[:],
            self.discard,
            self.aside,
            self.mode,
            self.moved,
            self.locked,
            self.acts,
            self.fresh,
            self.withdrawn,
            self.result,
        )


class View(msgspec.Struct, frozen=True):
    """What a viewer may know (specification §12): the state's fields, hidden cards as `?`."""

    players: int
    phase: Phase
    active: int
    first: int
    turn: int
    voyage: int
    progress: bool
    quiet: int
    cells: tuple[Column, ...]
    subs: tuple[Fleet, ...]
    ships: tuple[int, ...]
    slots: tuple[dict[Motif, Token], ...]
    jokers: tuple[Tokens, ...]
    hand: tuple[Hidden, ...]
    pile: tuple[Hidden, ...]
    discard: Hidden
    aside: Hidden
    mode: Mode
    moved: tuple[int, ...]
    locked: Tokens
    acts: int
    fresh: Tokens
    withdrawn: tuple[int, ...]
    result: Result | None
    owed: tuple[tuple[Token, int, int], ...]
    """(token, payee, cards) for each token that the active seat's submarines reach."""
