"""Set up positions, play commands on them, and draw the board: what Nautilus's tests are written in."""

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from games.chance import Chance
from games.game import Illegal
from games.nautilus import GAME
from games.nautilus.commands import Command, SkipBuy
from games.nautilus.components import (
    AT,
    CELL,
    COLOUR,
    COLOURS,
    FIND_ZONE,
    PLACE_CELLS,
    PLACE_OF,
    RESEARCHER_NUMBER,
    SQUARE,
    SUBMARINE_NUMBER,
    TREASURE_NUMBER,
    ZONE,
    Cell,
)
from games.nautilus.events import Event, GameSetUp, MissionsDealt, SeaStocked, TurnAdvanced
from games.nautilus.fold import apply, put
from games.nautilus.model import IN_HAND, Boat, Held, Options, Placed, RoundLog, State, View
from games.playout import seed_of

SETTLED = ("mission_1", "mission_2", "mission_3", "mission_4")
STEP_PHASE = {
    "buy": "build",
    "place": "build",
    "move": "research",
    "launch": "dive",
    "sail": "dive",
}


class Table:
    """A match on the table: a state, and hands to arrange it and play on it."""

    def __init__(self, state: State) -> None:
        self.state = state

    # ---- arranging ---------------------------------------------------------------------------

    def build(self, module: str, cell: Cell, rot: int = 0, owner: int | None = None) -> None:
        """Lay a module out of the supply onto the board; a research module belongs to seat 0 unless told."""
        if owner is None:
            owner = 0 if COLOUR[module] >= 0 else -1
        self.state.supply.remove(module)
        put(self.state, Placed(module, cell, rot, owner))

    def hold(self, seat: int, module: str, *researchers: str) -> None:
        """Put a module into a hand, with its crew."""
        self.state.supply.remove(module)
        self.state.hand[seat] += (Held(module, researchers),)
        for name in researchers:
            self.state.researchers[seat][RESEARCHER_NUMBER[name]] = IN_HAND

    def man(self, module: str, *researchers: str, employed: bool = False) -> None:
        """Stand researchers in a module."""
        number = [placed.id for placed in self.state.modules].index(module)
        for name in researchers:
            seat, k = int(name[1]), RESEARCHER_NUMBER[name]
            self.state.researchers[seat][k] = number
            if employed:
                self.state.employed[seat] |= 1 << k

    def float(self, name: str, cell: Cell, **boat: bool) -> None:
        """Put a submarine to sea."""
        kept = {"launched_in_abyss": False, **boat}
        self.state.submarines[int(name[1])][SUBMARINE_NUMBER[name]] = Boat(cell, **kept)

    def wait(self, step: str, seat: int, *, round_: int | None = None, **turn: Any) -> None:
        """Let the game wait for a seat at a step."""
        event = TurnAdvanced(
            round_ or self.state.round, STEP_PHASE[step], step, seat, self.state.first_seat
        )
        busy = self.state.round_log
        apply(self.state, event)
        self.state.round_log = busy
        self.state.turn = msgspec.structs.replace(self.state.turn, **turn)

    def levels(self, seat: int, **colours: int) -> None:
        """Set a seat's levels."""
        for colour, level in colours.items():
            self.state.level[seat][COLOURS.index(colour)] = level

    def pay(self, seat: int, money: int) -> None:
        """Set a seat's money."""
        self.state.money[seat] = money

    def salvaged(self, seat: int, *finds: str) -> None:
        """Take finds out of the sea, onto a seat's fields or with its marker; seat -1: without one."""
        for find in finds:
            self.state.hidden[self.state.hidden.index(find)] = ""
            if find in TREASURE_NUMBER:
                self.state.treasures[TREASURE_NUMBER[find] - 1] = seat
            elif seat >= 0:
                self.state.fields[seat] += (find,)
            else:
                self.state.removed += (find,)

    # ---- playing -----------------------------------------------------------------------------

    def do(self, seat: int, command: Command) -> list[Event]:
        """Play a command; give its events."""
        events = GAME.decide(self.state, seat, command, Chance(seed_of(0), 2))
        for event in events:
            apply(self.state, event)
        return events

    def refuses(self, seat: int, command: Command) -> str:
        """Play a command that is refused; give the code."""
        with pytest.raises(Illegal) as refused:
            GAME.decide(self.state, seat, command, Chance(seed_of(0), 2))
        return refused.value.code

    def legal(self, seat: int, kind: type[Command] | None = None) -> list[Any]:
        """List the legal commands, or those of one kind."""
        return [c for c in GAME.legal(self.state, seat) if kind is None or isinstance(c, kind)]

    def view(self, viewer: int | None) -> View:
        return GAME.view(self.state, viewer)

    @property
    def at(self) -> tuple[int, str, str, int]:
        """Round, phase, step and active seat."""
        return self.state.round, self.state.phase, self.state.step, self.state.active

    # ---- drawing -----------------------------------------------------------------------------

    def draw(self, left: int, top: int, right: int, bottom: int) -> list[str]:
        """Draw a part of the board.

        `#` covered, `*` hidden find, a digit is the seat of a submarine, else the zone's letter.
        """
        boats = {
            boat.cell: str(s) for s, b in enumerate(self.state.submarines) for boat in b if boat
        }
        under = 0
        for placed in self.state.modules:
            under |= SQUARE[AT[placed.cell]]

        def sign(cell: Cell) -> str:
            if cell in boats:
                return boats[cell]
            if under >> AT[cell] & 1:
                return "#"
            if cell in PLACE_OF and self.state.hidden[PLACE_OF[cell]]:
                return "*"
            return "lsda"[ZONE[AT[cell]]]

        return [
            "".join(sign((column, row)) for column in range(left, right + 1))
            for row in range(top, bottom + 1)
        ]


def given(
    seats: int = 2,
    *,
    first_seat: int = 0,
    faces: dict[Cell, str] | None = None,
    missions: Sequence[str] = SETTLED,
    busy: bool = True,
    **options: Any,
) -> Table:
    """Set a match up as told: the faces named lie where they are told, the others anywhere in their zone.

    A busy round is one in which something was bought already, so that it can't be idle.
    """
    chosen = Options(**options)
    opening = GAME.setup(seats, chosen, Chance(seed_of(1), 1))
    state = GAME.initial(seats, chosen)
    for event in opening:
        apply(state, retold(event, first_seat, faces or {}, missions))
    state.round_log = RoundLog(bought_or_built=busy)
    return Table(state)


def building(*modules: str, money: int = 55, **turn: Any) -> Table:
    """Let seat 0 build, with such modules in hand."""
    table = given(2)
    for module in modules:
        table.hold(0, module)
    table.wait("place", 0, **turn)
    table.pay(0, money)
    return table


def waiting_at(step: str, seat: int = 0) -> Table:
    """Let a seat be at a step, with a research module of seat 1 beside the base."""
    table = given(2)
    table.build("res_grey_1", (15, 9), owner=1)
    table.wait(step, seat)
    return table


def before_paying() -> Table:
    """Come to the mission phase, in which both seats have something to pay for."""
    table = given(2, busy=False)
    table.salvaged(0, "starfish_1", "octopus_1")
    table.salvaged(1, "seahorse_1")
    table.do(0, SkipBuy())
    table.do(1, SkipBuy())
    assert table.at[1] == "mission"
    return table


def retold(event: Event, first_seat: int, faces: dict[Cell, str], missions: Sequence[str]) -> Event:
    """Tell a set-up event as the test wants it."""
    match event:
        case GameSetUp() | TurnAdvanced():
            told = {"first_seat": first_seat}
            if isinstance(event, TurnAdvanced):
                told["seat"] = first_seat
            return msgspec.structs.replace(event, **told)
        case SeaStocked(finds=finds):
            return SeaStocked(arranged(finds, faces))
        case MissionsDealt():
            return MissionsDealt(tuple(missions))
        case _:
            return event


def arranged(
    finds: Sequence[tuple[int, int, str]], faces: dict[Cell, str]
) -> tuple[tuple[int, int, str], ...]:
    """Swap the named finds to their cells."""
    lies = {(column, row): find for column, row, find in finds}
    for cell, find in faces.items():
        assert FIND_ZONE[find] == ZONE[AT[cell]], f"{find} can't lie at {cell}"
        other = next(place for place, there in lies.items() if there == find)
        lies[other], lies[cell] = lies[cell], find
    return tuple((*cell, lies[cell]) for cell in PLACE_CELLS)


def cells_of(board: int) -> list[Cell]:
    """List the cells of a bit board."""
    return [CELL[i] for i in AT.values() if board >> i & 1]


def kinds(events: Sequence[Event]) -> list[str]:
    """Name the events."""
    return [type(event).__struct_config__.tag for event in events]


def first(events: Sequence[Event], kind: type) -> Any:
    """Give the first event of a kind."""
    return next(event for event in events if isinstance(event, kind))
