"""A table to play tests at: cells by their labels, boats put where a test wants them, commands and refusals."""

from typing import Any

import msgspec

from games.captain_sonar import GAME
from games.captain_sonar.commands import ChooseStart, Command, OrderCourse, SetOverlay
from games.captain_sonar.components import Cell, Sea
from games.captain_sonar.events import Event
from games.captain_sonar.model import Crew, State
from games.captain_sonar.rules.crews import spaces
from games.chance import Chance
from games.game import Illegal
from games.playout import seed_of


def at(label: str) -> Cell:
    """Read a cell: C3 is column 2, row 2."""
    return ord(label[0]) - ord("A"), int(label[1:]) - 1


def cells(labels: str) -> list[Cell]:
    """Read cells."""
    return [at(label) for label in labels.split()]


def drawn(picture: str) -> Sea:
    """Read a sea: `#` is an island, `o` an ice hole."""
    rows = picture.split()
    marks = {(c, r): mark for r, row in enumerate(rows) for c, mark in enumerate(row)}
    return Sea(
        len(rows),
        [cell for cell, mark in marks.items() if mark == "#"],
        [cell for cell, mark in marks.items() if mark == "o"],
    )


class Table:
    """A match under way: crew 0 opens in turns; boats start at A1 and in the far corner."""

    def __init__(self, seats: int = 2, *, starts: str | None = "", **options: Any) -> None:
        """Set up and dive; with `starts` None both captains have yet to choose."""
        self.options = msgspec.convert({"first_crew": 0, **options}, GAME.Options)
        self.state: State = GAME.initial(seats, self.options)
        self.version = 1
        self.events: list[Event] = []
        self.fold(GAME.setup(seats, self.options, Chance(seed_of(1), 1)))
        if starts is None:
            return
        corner = (self.state.size - 1, self.state.size - 1)
        for crew, cell in enumerate(cells(starts) or [(0, 0), corner]):
            self.do(self.seat(crew, "captain"), ChooseStart(cell))

    def fold(self, events: list[Event]) -> list[Event]:
        for event in events:
            GAME.apply(self.state, event)
        self.events += events
        return events

    def seat(self, crew: int, role: str) -> int:
        """Name the seat that plays a role of a crew."""
        return next(s for s in self.state.crew_seats[crew] if role in self.state.roles[s])

    def boat(self, crew: int) -> Crew:
        return self.state.crews[crew]

    def put(self, crew: int, route: str, **sheets: Any) -> Crew:
        """Put a boat at the end of a route; `mines` as labels, `full` gauges by name, and more of its fields."""
        boat = self.boat(crew)
        boat.route = cells(route)
        boat.position = boat.route[-1]
        for name, value in sheets.items():
            if name == "mines":
                boat.mines = cells(value)
            elif name == "full":
                for gauge in value.split():
                    boat.gauges[gauge] = spaces(self.state)[gauge]
            elif name == "crossed":
                boat.crossed = value.split()
            else:
                setattr(boat, name, value)
        return boat

    def act(self, crew: int = 0) -> None:
        """Let a crew have finished a course and its tasks."""
        boat = self.boat(crew)
        boat.may_activate, boat.need_mark, boat.need_symbol = True, False, ""
        boat.station = "ready"
        if self.state.mode == "turns":
            self.state.active_crew, self.state.phase = crew, "system"

    def do(self, seat: int, command: Command) -> list[Event]:
        self.version += 1
        return self.fold(GAME.decide(self.state, seat, command, Chance(seed_of(1), self.version)))

    def refused(self, seat: int, command: Command) -> str | None:
        """Give the code of a refusal; None if the command is accepted (and not carried out)."""
        before = msgspec.json.encode(self.state)
        try:
            GAME.decide(self.state, seat, command, Chance(seed_of(1), self.version + 1))
        except Illegal as illegal:
            assert msgspec.json.encode(self.state) == before
            return illegal.code
        return None

    def legal(self, seat: int) -> list[Command]:
        return GAME.legal(self.state, seat)

    def kinds(self, seat: int) -> set[str]:
        """Name the kinds of a seat's legal commands."""
        return {type(command).__name__ for command in self.legal(seat)}


def names(events: list[Event]) -> list[str]:
    """Name events in their order."""
    return [type(event).__name__ for event in events]


def live(seats: int = 8, **options: Any) -> Table:
    """Play in real time, without a limit; both crews have nothing to do."""
    return Table(seats, mode="real_time", **options)


def deploying(**options: Any) -> Table:
    """Leave both captains to choose where to start."""
    return Table(starts=None, **options)


def busy(seats: int = 8, **options: Any) -> Table:
    """Let every field of both crews have a value, and crew 0 owe its tasks."""
    table = Table(seats, radio_assist="inference", **options)
    for crew in (0, 1):
        table.do(table.seat(crew, "radio_operator"), SetOverlay(at("B2")))
    table.do(0, OrderCourse("s"))
    return table
