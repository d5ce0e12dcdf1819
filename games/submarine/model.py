"""Options, state, view and result of Submarine."""

from collections.abc import Mapping
from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta

from games.structs import Copyable, Public
from games.submarine.components import Cards, Cell, Column, Motif, Token, Tokens
from games.submarine.events import Phase, Reason

Fleet: TypeAlias = tuple[Cell | None, ...]
"""A seat's submarines; None for one that is not yet placed, or withdrawn."""
Slots: TypeAlias = Mapping[Motif, Token]
"""The tokens on a transport card."""
Mode: TypeAlias = Literal["none", "move", "salvage"]


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options of a match."""

    card_trim: Literal["random", "even"] = "random"
    """SUB-8: how the cards that are not needed are chosen."""
    first_player: Annotated[int, Meta(ge=-1, le=4)] = -1
    """SUB-11: the starting seat; -1 draws it."""
    must_act: bool = True
    """SUB-24: whether a seat that stopped in a column must act there."""
    joker_same_turn: bool = True
    """SUB-50: whether a joker may be laid in the turn in which it was gained."""
    stalemate_voyages: Annotated[int, Meta(ge=2, le=9)] = 3
    """SUB-60: voyages in a row without progress that end the game."""
    turn_seconds: Annotated[int, Meta(ge=15, le=604800)] = 120
    abandon_after: Annotated[int, Meta(ge=1, le=9)] = 3
    """Timeouts in a row after which the service may withdraw the seat. The rules never read it."""


class Result(msgspec.Struct, frozen=True):
    """How the game ended (SUB-59)."""

    reason: Reason
    winners: tuple[int, ...]
    motifs: tuple[int, ...]
    """Filled slots by seat."""
    jokers: tuple[int, ...]
    """Tokens beside the transport card by seat."""
    cards: tuple[int, ...]
    """Cards in hand and pile by seat."""
    ranks: tuple[int, ...]
    """By seat, 1 the best; equal ranks are shared."""

    @property
    def scores(self) -> tuple[int, ...]:
        """The filled slots of each seat, which decide before all else."""
        return self.motifs

    def places(self, seats: int) -> list[int]:
        """Return the rank of each seat."""
        return list(self.ranks[:seats])


class State(Copyable):
    """The whole state. The items of its lists are replaced, never changed."""

    players: Public[int]
    options: Public[Options]
    phase: Public[Phase]
    active: Public[int]
    """The seat on turn; -1 before the deal and after the end."""
    first: Public[int]
    """The starting seat."""
    turn: Public[int]
    voyage: Public[int]
    """0 while submarines are placed."""
    progress: Public[bool]
    """Whether this voyage had progress (SUB-60)."""
    quiet: Public[int]
    """Finished voyages in a row without progress."""
    cells: Public[list[Column]]
    """By column; the tokens of a cell are in order of arrival."""
    subs: Public[list[Fleet]]
    ships: Public[list[int]]
    """0 left of the board, 1 … 6, 7 right of it, -1 withdrawn."""
    slots: Public[list[Slots]]
    jokers: Public[list[Tokens]]
    hand: list[Cards]
    """By seat, in colour order."""
    pile: list[Cards]
    """By seat, from the top down."""
    discard: Public[Cards] = ()
    aside: Cards = ()
    mode: Public[Mode] = "none"
    moved: Public[tuple[int, ...]] = ()
    """Submarines moved this turn."""
    locked: Public[Tokens] = ()
    """Jokers laid this turn (SUB-46)."""
    acts: Public[int] = 0
    """Moves and lifts this turn."""
    fresh: Public[Tokens] = ()
    """Jokers gained this turn (SUB-50)."""
    withdrawn: Public[tuple[int, ...]] = ()
    """Seats that left, in order."""
    result: Public[Result | None] = None


class View(msgspec.Struct, frozen=True):
    """What a viewer may know: the fields of the state, with hidden cards as `?`."""

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
    slots: tuple[Slots, ...]
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
