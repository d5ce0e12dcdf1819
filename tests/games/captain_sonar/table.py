"""Positions for tests: cells by their labels, and boats where a test wants them."""

from typing import Any

import msgspec

from games.captain_sonar import GAME
from games.captain_sonar.commands import ChooseStart, Command, OrderCourse, SetOverlay
from games.captain_sonar.components import Cell, Sea
from games.captain_sonar.events import Event
from games.captain_sonar.model import Crew, State
from games.captain_sonar.rules.crews import spaces
from games.chance import Chance
from games.playout import seed_of
from games.testing.given import Given, Then


def at(label: str) -> Cell:
    """Return the cell of a label: C3 is column 2, row 2."""
    return ord(label[0]) - ord("A"), int(label[1:]) - 1


def cells(labels: str) -> list[Cell]:
    """Return the cells of some labels."""
    return [at(label) for label in labels.split()]


def drawn(picture: str) -> Sea:
    """Return the sea of a picture: `#` is an island, `o` an ice hole."""
    rows = picture.split()
    marks = {(c, r): mark for r, row in enumerate(rows) for c, mark in enumerate(row)}
    return Sea(
        len(rows),
        [cell for cell, mark in marks.items() if mark == "#"],
        [cell for cell, mark in marks.items() if mark == "o"],
    )


class Table(Given):
    """A match under way: crew 0 opens in turns; boats start at A1 and in the far corner."""

    state: State

    def __init__(self, seats: int = 2, *, starts: str | None = "", **options: Any) -> None:
        """Set up and dive; if `starts` is None, both captains have yet to choose."""
        self.options = msgspec.convert({"first_crew": 0, **options}, GAME.Options)
        super().__init__(GAME, GAME.initial(seats, self.options))
        self.events: list[Event] = []
        self.fold(*GAME.setup(seats, self.options, Chance(seed_of(1), 1)))
        if starts is None:
            return
        corner = (self.state.size - 1, self.state.size - 1)
        for crew, cell in enumerate(cells(starts) or [(0, 0), corner]):
            self.play(self.seat(crew, "captain"), ChooseStart(cell))

    def fold(self, *events: Event) -> None:
        """Fold events that no command brought about."""
        for event in events:
            GAME.apply(self.state, event)
        self.events += events

    def when(self, seat: int, command: Command) -> Then:
        """Decide a command, fold its events and keep them."""
        then = super().when(seat, command)
        self.events += then.events if then.accepted else []
        return then

    def seat(self, crew: int, role: str) -> int:
        """Return the seat that holds a role in a crew."""
        return next(s for s in self.state.crew_seats[crew] if role in self.state.roles[s])

    def boat(self, crew: int) -> Crew:
        return self.state.crews[crew]

    def put(self, crew: int, route: str, **sheets: Any) -> Crew:
        """Put a boat at the end of a route, with `mines` by label, `full` gauges, other fields."""
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
        """Put a crew after a move and its tasks."""
        boat = self.boat(crew)
        boat.may_activate, boat.need_mark, boat.need_symbol = True, False, ""
        boat.station = "ready"
        if self.state.mode == "turns":
            self.state.active_crew, self.state.phase = crew, "system"

    def kinds(self, seat: int) -> set[str]:
        """Return the type names of a seat's legal commands."""
        return {type(command).__name__ for command in self.legal(seat)}


def live(seats: int = 8, **options: Any) -> Table:
    """Return a match in real time, without a limit."""
    return Table(seats, mode="real_time", **options)


def deploying(**options: Any) -> Table:
    """Return a match in which both captains have yet to choose a start."""
    return Table(starts=None, **options)


def busy(seats: int = 8, **options: Any) -> Table:
    """Return a match in which no field of either crew is empty, and crew 0 owes its tasks."""
    table = Table(seats, radio_assist="inference", **options)
    for crew in (0, 1):
        table.play(table.seat(crew, "radio_operator"), SetOverlay(at("B2")))
    table.play(0, OrderCourse("s"))
    return table
