"""Options, state, view and result of Submarine."""

from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta

from games.submarine.components import Cards, Cell, Column, Motif, Token, Tokens
from games.submarine.events import Phase, Reason

Fleet: TypeAlias = tuple[Cell | None, ...]
"""A seat's submarines; None for one that is not yet placed, or withdrawn."""
Mode: TypeAlias = Literal["none", "move", "salvage"]


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
    hand: list[Cards]
    """By seat, in colour order."""
    pile: list[Cards]
    """By seat; index 0 is the top."""
    discard: Cards
    aside: Cards
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
    hand: tuple[Cards, ...]
    pile: tuple[Cards, ...]
    discard: Cards
    aside: Cards
    mode: Mode
    moved: tuple[int, ...]
    locked: Tokens
    acts: int
    fresh: Tokens
    withdrawn: tuple[int, ...]
    result: Result | None
    owed: tuple[tuple[Token, int, int], ...]
    """(token, payee, cards) for each token that the active seat's submarines reach."""
