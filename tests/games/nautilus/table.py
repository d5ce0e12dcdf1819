"""Positions for the tests of Nautilus: arranged by hand, and drawn."""

from collections.abc import Sequence
from typing import Any

import msgspec

from games.chance import Chance
from games.nautilus import GAME
from games.nautilus.commands import SkipBuy
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
from games.nautilus.model import IN_HAND, Boat, Held, Options, Placed, RoundLog
from games.playout import seed_of
from games.testing.given import Given

SETTLED = ("mission_1", "mission_2", "mission_3", "mission_4")
STEP_PHASE = {
    "buy": "build",
    "place": "build",
    "move": "research",
    "launch": "dive",
    "sail": "dive",
}


class Table(Given):
    """A match on the table that can be arranged by hand, and its drawn board."""

    def build(self, module: str, cell: Cell, rot: int = 0, owner: int | None = None) -> None:
        """Lay a module from the supply on the board. Seat 0 owns research modules by default."""
        if owner is None:
            owner = 0 if COLOUR[module] >= 0 else -1
        self.state.supply.remove(module)
        put(self.state, Placed(module, cell, rot, owner))

    def hold(self, seat: int, module: str, *researchers: str) -> None:
        """Put a module and its crew into a hand."""
        self.state.supply.remove(module)
        self.state.hand[seat] += (Held(module, researchers),)
        for name in researchers:
            self.state.researchers[seat][RESEARCHER_NUMBER[name]] = IN_HAND

    def man(self, module: str, *researchers: str, employed: bool = False) -> None:
        """Put researchers into a module."""
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
        """Begin a step of a seat; the round stays busy if it was."""
        event = TurnAdvanced(
            round_ or self.state.round, STEP_PHASE[step], step, seat, self.state.first_seat
        )
        busy = self.state.round_log
        apply(self.state, event)
        self.state.round_log = busy
        self.state.turn = msgspec.structs.replace(self.state.turn, **turn)

    def levels(self, seat: int, **colours: int) -> None:
        """Set a seat's levels by colour."""
        for colour, level in colours.items():
            self.state.level[seat][COLOURS.index(colour)] = level

    def pay(self, seat: int, money: int) -> None:
        """Set a seat's money."""
        self.state.money[seat] = money

    def salvaged(self, seat: int, *finds: str) -> None:
        """Remove finds from the sea to a seat; seat -1 means that nobody gets them."""
        for find in finds:
            self.state.hidden[self.state.hidden.index(find)] = ""
            if find in TREASURE_NUMBER:
                self.state.treasures[TREASURE_NUMBER[find] - 1] = seat
            elif seat >= 0:
                self.state.fields[seat] += (find,)
            else:
                self.state.removed += (find,)

    @property
    def at(self) -> tuple[int, str, str, int]:
        """The round, phase, step and active seat."""
        return self.state.round, self.state.phase, self.state.step, self.state.active

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
    """Set up a match. `faces` are the finds on some cells; the others lie anywhere in their zone.

    A busy round is not idle: something was bought in it already.
    """
    chosen = Options(**options)
    opening = GAME.setup(seats, chosen, Chance(seed_of(1), 1))
    state = GAME.initial(seats, chosen)
    for event in opening:
        apply(state, as_needed(event, first_seat, faces or {}, missions))
    state.round_log = RoundLog(bought_or_built=busy)
    return Table(GAME, state)


def building(*modules: str, money: int = 55, **turn: Any) -> Table:
    """Return a place step of seat 0 with modules in hand."""
    table = given(2)
    for module in modules:
        table.hold(0, module)
    table.wait("place", 0, **turn)
    table.pay(0, money)
    return table


def waiting_at(step: str, seat: int = 0) -> Table:
    """Return a step of a seat, with a research module of seat 1 beside the base."""
    table = given(2)
    table.build("res_grey_1", (15, 9), owner=1)
    table.wait(step, seat)
    return table


def before_paying() -> Table:
    """Return a mission phase in which both seats have something to pay for."""
    table = given(2, busy=False)
    table.salvaged(0, "starfish_1", "octopus_1")
    table.salvaged(1, "seahorse_1")
    table.play(0, SkipBuy())
    table.play(1, SkipBuy())
    assert table.at[1] == "mission"
    return table


def as_needed(
    event: Event, first_seat: int, faces: dict[Cell, str], missions: Sequence[str]
) -> Event:
    """Return a set-up event with the first seat, finds and missions that a test needs."""
    match event:
        case GameSetUp() | TurnAdvanced():
            fields = {"first_seat": first_seat}
            if isinstance(event, TurnAdvanced):
                fields["seat"] = first_seat
            return msgspec.structs.replace(event, **fields)
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
        assert FIND_ZONE[find] == ZONE[AT[cell]], f"{find} belongs to another zone than {cell}"
        other = next(place for place, there in lies.items() if there == find)
        lies[other], lies[cell] = lies[cell], find
    return tuple((*cell, lies[cell]) for cell in PLACE_CELLS)


def cells_of(board: int) -> list[Cell]:
    """List the cells of a bit board."""
    return [CELL[i] for i in AT.values() if board >> i & 1]
