"""Rewrite a playout with the secrets of one crew exchanged from beginning to end.

Track, mines, gauges, boards and notes are exchanged. What outsiders may know is written here once
more, independently of the game's own redaction.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from games.captain_sonar import GAME
from games.captain_sonar.events import (
    CircuitRepaired,
    CourseOrdered,
    DamageTaken,
    Event,
    GaugeMarked,
    GaugeReady,
    MineDropped,
    OverlaySet,
    OverlayWiped,
    SectionTraced,
    SetupDone,
    SilenceRun,
    SonarAnswered,
    StartChosen,
    Surfaced,
    SymbolCrossed,
    TorpedoLaunched,
)
from games.captain_sonar.model import Options
from games.captain_sonar.players.completion import Gap, Owed, Waters, completed, draw_secrets
from games.captain_sonar.players.tracks import stages
from games.captain_sonar.rules.belief import charts_of
from games.captain_sonar.rules.crews import spaces
from games.chance import Chance
from games.playout import Ply

TASKS = (GaugeMarked, SymbolCrossed, CircuitRepaired)


def rehistory(plies: Sequence[Ply], viewer: int | None, chance: Chance) -> list[Ply] | None:
    """Exchange the secrets of the viewer's enemy; for a spectator, those of either crew.

    At the end everything is revealed, so nothing is exchanged then.
    """
    (start,) = plies[0].events
    assert isinstance(start, SetupDone)
    crew = chance.randbelow(2) if viewer is None else int(viewer in start.crew_seats[0])
    options = Options(mode=start.mode, map=start.map, board_side=start.side)
    final = folded(plies, options)
    if final.phase == "over":
        return None
    history = [public(event, crew) for ply in plies for event in ply.events]
    history = [event for event in history if event is not None]
    charts = charts_of(start.map, start.side, over_islands=False)
    may_owe = owed(history, crew, final.crews[crew].station)
    followed = stages(charts, crew, history, {})
    gap = Gap(crew, True, True, True, True, may_owe, followed, {})
    waters = Waters(charts, spaces(final), False)
    try:
        secrets = draw_secrets(waters, history, gap, chance)
    except IndexError:
        return None
    if not secrets.whole:
        return None
    told = list(completed(waters, history, [(gap, secrets)]))
    return list(Retelling(plies, crew, options, told).plies())


def folded(plies: Sequence[Ply], options: Options) -> Any:
    state = GAME.initial(0, options)
    for ply in plies:
        for event in ply.events:
            GAME.apply(state, event)
    return state


def public(event: Event, crew: int) -> Event | None:
    """Return what outsiders of a crew may know of an event. Events of the other crew are known."""
    if getattr(event, "crew", None) != crew:
        return event
    match event:
        case StartChosen() | CourseOrdered() | MineDropped():
            return replace(event, cell=None)
        case SilenceRun():
            return SilenceRun(crew, None, None, None)
        case GaugeMarked() | SymbolCrossed() | CircuitRepaired() | SectionTraced():
            return None
        case OverlaySet() | OverlayWiped():
            return None
        case _:
            return event


def owed(history: Sequence[Event], crew: int, station: str) -> list[Owed]:
    """List what may still be owed for the last move."""
    if station not in ("tasks", "silent"):
        return [Owed(False, False)]
    since: list[Event] = []
    for event in history:
        if isinstance(event, CourseOrdered | SilenceRun) and event.crew == crew:
            since = []
        since.append(event)
    own = [event for event in since if getattr(event, "crew", None) == crew]
    marked = any(isinstance(event, GaugeReady) for event in own)
    crossed = any(isinstance(event, DamageTaken) and event.cause == "breakdown" for event in own)
    silent = station == "silent"
    return [
        Owed(mark, symbol)
        for mark in (True, False)
        for symbol in (True, False)
        if not (mark and marked) and not (symbol and crossed) and (mark or symbol or silent)
    ]


class Retelling:
    """The plies of a playout with other secrets.

    Hidden tasks move, vanish or appear; what was public stays in its place.
    """

    def __init__(
        self, plies: Sequence[Ply], crew: int, options: Options, told: list[tuple[int, Event]]
    ) -> None:
        self.history = plies
        self.crew = crew
        self.state = GAME.initial(0, options)
        self.told = told
        self.at = 0
        self.held: list[Event] = []

    def next_public(self) -> Event:
        """Return the next event of the history, and hold back the tasks that follow it."""
        place, event = self.told[self.at]
        self.at += 1
        while self.at < len(self.told) and self.told[self.at][0] == place:
            self.held.append(self.told[self.at][1])
            self.at += 1
        return event

    def release(self, *kinds: type) -> list[Event]:
        """Return the tasks held back, or those of some types."""
        kinds = kinds or TASKS
        freed = [event for event in self.held if isinstance(event, kinds)]
        self.held = [event for event in self.held if not isinstance(event, kinds)]
        return freed

    def plies(self) -> Iterator[Ply]:
        for ply in self.history:
            busy = self.busy()
            events = list(self.retold(ply.events))
            for event in ply.events:
                GAME.apply(self.state, event)
            if busy and not self.busy():
                yield from self.hidden(self.release())
            if events:
                yield Ply(ply.version, ply.seat, ply.command, events)
            if self.state.crews[self.crew].station == "silent":
                yield from self.hidden(self.untied())
        yield from self.hidden(self.release())

    def retold(self, events: Sequence[Event]) -> Iterator[Event]:
        for event in events:
            if public(event, self.crew) is None:
                continue
            if getattr(event, "crew", None) == self.crew:
                if isinstance(event, GaugeReady):
                    yield from self.release(GaugeMarked)
                elif isinstance(event, DamageTaken) and event.cause == "breakdown":
                    yield from self.release(SymbolCrossed, CircuitRepaired)
            yield flipped(self.next_public(), self.crew)

    def untied(self) -> list[Event]:
        """Release the tasks to which no public event of this silent run is tied."""
        tied: set[type] = set()
        for _, event in self.told[self.at :]:
            if getattr(event, "crew", None) != self.crew:
                continue
            if isinstance(event, GaugeReady):
                tied.add(GaugeMarked)
            elif isinstance(event, DamageTaken) and event.cause == "breakdown":
                tied |= {SymbolCrossed, CircuitRepaired}
            elif isinstance(event, CourseOrdered | SilenceRun) or type(event).__name__ == (
                "SilenceOver"
            ):
                break
        free = [kind for kind in TASKS if kind not in tied]
        return self.release(*free) if free else []

    def busy(self) -> bool:
        boat = self.state.crews[self.crew]
        return boat.station == "tasks"

    def hidden(self, events: Sequence[Event]) -> Iterator[Ply]:
        for event in events:
            yield Ply(0, self.state.crew_seats[self.crew][0], None, [event])


def flipped(event: Event, crew: int) -> Event:
    """Exchange what only the captain or the engineer of the crew knows of a public event."""
    match event:
        case TorpedoLaunched(crew=actor):
            if actor == crew:
                return replace(event, own_mine=not event.own_mine)
            return replace(event, enemy_mine=not event.enemy_mine)
        case SonarAnswered(crew=actor, kinds=kinds) if actor == crew:
            return replace(event, true_kind=kinds[event.true_kind == kinds[0]])
        case Surfaced(crew=actor) if actor == crew:
            return replace(event, forced=not event.forced)
        case DamageTaken(crew=actor, cause="breakdown") if actor == crew:
            return replace(event, detail="area" if event.detail == "radiation" else "radiation")
        case SetupDone():
            return replace(event, pads=None if event.pads is None else event.pads[::-1])
        case _:
            return event
