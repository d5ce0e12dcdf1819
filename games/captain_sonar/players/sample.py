"""Sample a whole match that fits what a viewer has seen.

The public history is kept, and its secrets are drawn.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from games.captain_sonar.components import SECTIONS, sea_of
from games.captain_sonar.events import (
    BreakdownsCleared,
    CourseOrdered,
    Event,
    GaugeReady,
    Role,
    SectionTraced,
    SetupDone,
    SilenceRun,
)
from games.captain_sonar.fold import apply
from games.captain_sonar.model import Crew, CrewView, State, Stop, View
from games.captain_sonar.players.completion import Gap, Owed, Waters, completed, draw_secrets
from games.captain_sonar.players.habits import orders_of
from games.captain_sonar.players.outlook import story_of
from games.captain_sonar.players.tracks import stages
from games.captain_sonar.rules.belief import Charts, charts_of
from games.captain_sonar.rules.crews import seat_of, sees, spaces
from games.captain_sonar.rules.repairs import canonical, tracers, untraced
from games.captain_sonar.setup import PAD_SPAN, PADS, initial, side_of
from games.captain_sonar.view import view as view_of
from games.chance import SEED_BYTES, Chance
from games.game import Seen
from games.structs import restorer

TRIES = 6

_restore = restorer(View, State)


def sample(view: View, seen: Seen, chance: Chance) -> State:
    """Return a world whose view is this one. Its pads and default starts are drawn anew."""
    return worlds(view, seen)(chance)


def worlds(view: View, seen: Seen) -> Callable[[Chance], State]:
    """Return a function that draws worlds. What all of them share is worked out once."""
    if view.phase == "over":
        return lambda _chance: _revealed(view, seen)
    known = _known_of(view, seen)

    def draw(chance: Chance) -> State:
        world = _draw_world(known, chance)
        for _ in range(TRIES - 1):
            if view_of(world, seen.viewer) == view:
                return world
            world = _draw_world(known, chance)
        _settle(world, view)
        return world

    return draw


class Known(NamedTuple):
    """What all worlds of a viewer share."""

    view: View
    seen: Seen
    history: Sequence[Event]
    waters: Waters
    gaps: Sequence[Gap]


def _known_of(view: View, seen: Seen) -> Known:
    """Read what the viewer has seen."""
    history = [event for record in seen.records for event in record.events]
    charts = charts_of(view.map, view.side, over_islands=view.options.torpedo_over_islands)
    world = initial(seen.seats, seen.options)
    waters = Waters(charts, spaces(world), view.options.damage_first)
    if not history:
        return Known(view, seen, history, waters, ())
    apply(world, _unsealed(history[0], view, Chance(bytes(SEED_BYTES), 0)))
    gaps = (_gap_of(world, view, seen.viewer, history, charts, crew) for crew in (0, 1))
    hidden = [gap for gap in gaps if gap.captain or gap.first_mate or gap.engineer]
    return Known(view, seen, history, waters, hidden)


def _draw_world(known: Known, chance: Chance) -> State:
    """Draw the hidden secrets and fold the history with them."""
    view, viewer = known.view, known.seen.viewer
    world = initial(known.seen.seats, known.seen.options)
    history = [_unsealed(event, view, chance) for event in known.history]
    drawn = [(gap, draw_secrets(known.waters, history, gap, chance)) for gap in known.gaps]
    for _, event in completed(known.waters, history, drawn):
        apply(world, event)
    for crew in (0, 1):
        if world.crews[crew].station == "surfaced" and not sees(world, viewer, crew, "crew"):
            for event in _traces(world, crew, chance):
                apply(world, event)
    return world


def _settle(world: State, view: View) -> None:
    """Adjust a world whose sheets do not fit the view, so that it can be played on."""
    for boat, shown in zip(world.crews, view.crews, strict=True):
        if shown.station in ("busy", "tasks", "silent"):
            continue
        boat.need_mark, boat.mark_excluded, boat.need_symbol = False, "", ""
        if shown.station in ("idle", "ready"):
            boat.station = "ready"
    if view.phase != "busy":
        world.phase = view.phase


def _unsealed(event: Event, view: View, chance: Chance) -> Event:
    """Draw the hidden chance of the set-up; return other events as they are."""
    if not isinstance(event, SetupDone):
        return event
    cells = sea_of(view.map, view.side).cells
    zero, one = (tuple(chance.randbelow(PAD_SPAN) for _ in range(PADS)) for _ in range(2))
    starts = (chance.choice(cells), chance.choice(cells))
    return replace(event, pads=(zero, one), default_starts=starts)


def _gap_of(
    world: State,
    view: View,
    viewer: int | None,
    history: Sequence[Event],
    charts: Charts,
    crew: int,
) -> Gap:
    """Return what the viewer does not know of a crew."""
    announced = view.options.ready_announcements == "public"
    captain = not sees(world, viewer, crew, "captain")
    first_mate = not sees(world, viewer, crew, "first_mate")
    return Gap(
        crew=crew,
        captain=captain,
        first_mate=first_mate,
        engineer=not sees(world, viewer, crew, "engineer"),
        heard=announced or sees(world, viewer, crew, "crew"),
        owed=_owed(world, view, viewer, history, crew) or [Owed(mark=False, symbol=False)],
        followed=stages(charts, crew, history, {}) if captain else None,
        orders=orders_of(charts, history, crew) if first_mate else {},
    )


def _owed(
    world: State, view: View, viewer: int | None, history: Sequence[Event], crew: int
) -> list[Owed]:
    """List what a crew may still owe for its last move."""
    shown = view.crews[crew]
    places = [place for place, event in enumerate(history) if _is_move(event, crew)]
    if not places or shown.station not in ("busy", "tasks", "silent"):
        return []
    since = [event for event in history[places[-1] :] if getattr(event, "crew", None) == crew]
    blocked = view.sonar_asker is not None or view.stop not in (None, Stop(crew, "silence"))
    aboard = viewer in view.crew_seats[crew] and not blocked
    options = [Owed(mark, symbol) for mark in (True, False) for symbol in (True, False)]
    return [
        option
        for option in options
        if _is_told(shown, since, option) and (not aboard or _is_awaited(world, view, crew, option))
    ]


def _is_told(shown: CrewView, since: Sequence[Event], owed: Owed) -> bool:
    """Return whether a crew may owe these tasks, given the events since its last move."""
    marked = any(isinstance(event, GaugeReady) for event in since)
    crossed = any(isinstance(event, BreakdownsCleared) for event in since)
    if (owed.mark and marked) or (owed.symbol and crossed):
        return False
    if not any(owed) and isinstance(since[0], CourseOrdered):
        return False
    if shown.need_mark not in (None, owed.mark):
        return False
    return shown.need_symbol is None or bool(shown.need_symbol) == owed.symbol


def _is_move(event: Event, crew: int) -> bool:
    """Return whether an event may have moved a crew's boat."""
    return isinstance(event, CourseOrdered | SilenceRun) and event.crew == crew


def _is_awaited(world: State, view: View, crew: int, owed: Owed) -> bool:
    """Return whether exactly the seats that owe these tasks are on the clock."""
    roles: list[Role] = ["first_mate"] if owed.mark else []
    if owed.symbol:
        roles.append("engineer")
    seats = {seat_of(world, crew, role) for role in roles or ("captain",)}
    return seats == set(view.waiting) & set(view.crew_seats[crew])


def _traces(world: State, crew: int, chance: Chance) -> Iterator[SectionTraced]:
    """Yield up to three drawn traces for a surfaced crew's current attempt."""
    for _ in range(chance.randbelow(len(SECTIONS))):
        seat = chance.choice(tracers(world, crew))
        section = chance.choice(untraced(world, crew))
        path = canonical(world, section).path
        yield SectionTraced(crew, seat, section, path, True)


def _revealed(view: View, seen: Seen) -> State:
    """Return a finished match, in which nothing is hidden."""
    folded = sum(len(record.events) for record in seen.records)
    options = view.options
    return _restore(
        view,
        mode=options.mode,
        map=options.map,
        side=side_of(options),
        crews=(_boat_of(view.crews[0]), _boat_of(view.crews[1])),
        pads=view.pads or ((), ()),
        default_starts=view.default_starts or (),
        phase="over",
        damage=list(view.damage),
        version=folded,
        story=story_of(view, seen) if options.radio_assist == "inference" else None,
    )


def _boat_of(shown: CrewView) -> Crew:
    """Return a crew of which nothing is hidden."""
    plain = msgspec.to_builtins(shown)
    plain.pop("candidates")
    return msgspec.convert(plain, Crew)
