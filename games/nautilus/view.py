"""What each viewer sees: the view of a state and the redaction of its events (NAU-82).

Hidden are the faces of finds in the sea, what a look at them showed, and mission cards.
"""

from collections.abc import Sequence

from msgspec import UNSET
from msgspec.structs import replace

from games.game import HIDDEN, hidden
from games.nautilus.components import (
    COLOURS,
    FIELDS,
    PLACE_CELLS,
    PLACE_ZONES,
    RESEARCHERS,
    SORT,
    SUBMARINES,
    ZONES,
)
from games.nautilus.events import Event, FindsPeeked, MissionsDealt, SeaStocked, SonarUsed
from games.nautilus.model import AT_SEA, IN_STOCK, State, View
from games.structs import projector

_project = projector(State, View)


def view(state: State, viewer: int | None) -> View:
    """Return what a viewer may know."""
    seats = range(state.seats)
    researchers = [
        (name, where)
        for seat in seats
        for name, where in zip(RESEARCHERS[seat], state.researchers[seat], strict=True)
    ]
    fleets = [tuple(zip(SUBMARINES[seat], state.submarines[seat], strict=True)) for seat in seats]
    return _project(
        state,
        stock=tuple(_in_stock(state, seat) for seat in seats),
        subs_stock=tuple(tuple(name for name, boat in fleet if boat is None) for fleet in fleets),
        researchers={name: state.modules[where].id for name, where in researchers if where >= 0},
        employed=tuple(
            name
            for seat in seats
            for k, name in enumerate(RESEARCHERS[seat])
            if state.employed[seat] >> k & 1
        ),
        submarines={name: boat for fleet in fleets for name, boat in fleet if boat is not None},
        level=tuple(dict(zip(COLOURS, levels, strict=True)) for levels in state.level),
        three=dict(zip(COLOURS, state.three, strict=True)),
        hidden=tuple(
            (column, row, ZONES[zone], face)
            for (column, row), zone, face in zip(
                PLACE_CELLS, PLACE_ZONES, _faces(state, viewer), strict=True
            )
            if face
        ),
        known=tuple(
            tuple(PLACE_CELLS[place] for place in places if state.hidden[place])
            for places in state.known
        ),
        fields=tuple(_by_field(finds) for finds in state.fields),
        treasures={
            str(number): seat
            for number, seat in enumerate(state.treasures, start=1)
            if seat != AT_SEA
        },
        mission=_missions(state, viewer),
        mission_rest=tuple(card if _is_open(state) else HIDDEN for card in state.mission_rest),
    )


def _is_open(state: State) -> bool:
    """Return whether the match is over, so that nothing is hidden any more."""
    return state.phase == "over"


def _faces(state: State, viewer: int | None) -> list[str]:
    """Return the find on each find place, as far as the viewer has seen it."""
    if _is_open(state):
        return state.hidden
    seen = () if viewer is None else state.known[viewer]
    return [
        find if not find or place in seen else HIDDEN for place, find in enumerate(state.hidden)
    ]


def _missions(state: State, viewer: int | None) -> tuple[str, ...]:
    """Return each seat's mission card, as far as the viewer may know it."""
    return tuple(
        card if state.missions_open or _is_open(state) or seat == viewer else HIDDEN
        for seat, card in enumerate(state.mission)
    )


def _in_stock(state: State, seat: int) -> tuple[str, ...]:
    """List the researchers that lie at a seat."""
    where = state.researchers[seat]
    return tuple(name for k, name in enumerate(RESEARCHERS[seat]) if where[k] == IN_STOCK)


def _by_field(finds: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Sort a seat's creatures and gold onto its fields."""
    return {field: tuple(find for find in finds if SORT[find] == field) for field in FIELDS}


def redact(event: Event, viewer: int | None, state: State) -> Event:
    """Return what a viewer may know of an event: all of it once the match is over."""
    if _is_open(state):
        return event
    match event:
        case SeaStocked(finds=finds):
            return SeaStocked(tuple((column, row, HIDDEN) for column, row, _ in finds))
        case MissionsDealt(order=order):
            return MissionsDealt(_missions(state, viewer) + hidden(order[state.seats :]))
        case SonarUsed(seat=seat) | FindsPeeked(seat=seat) if seat != viewer:
            return replace(event, faces=UNSET)
        case _:
            return event
