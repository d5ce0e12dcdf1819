"""Who sees what: the view of the state, and beside it the redaction of the events (sections 7 and 12).

Hidden are the faces of finds in the sea, what a look at them showed, and mission cards.
"""

from msgspec import UNSET
from msgspec.structs import replace

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

UNSEEN = "?"
"""Stands for what a viewer may not know."""


def is_open(state: State) -> bool:
    """Tell whether the match is over and nothing is hidden any more."""
    return state.phase == "over"


def faces(state: State, viewer: int | None) -> list[str]:
    """Give what lies on each find place, as far as the viewer has seen it."""
    if is_open(state):
        return state.hidden
    seen = () if viewer is None else state.known[viewer]
    return [
        find if not find or place in seen else UNSEEN for place, find in enumerate(state.hidden)
    ]


def missions(state: State, viewer: int | None) -> tuple[str, ...]:
    """Give each seat's mission card, as far as the viewer may know it."""
    return tuple(
        card if state.missions_open or is_open(state) or seat == viewer else UNSEEN
        for seat, card in enumerate(state.mission)
    )


def view(state: State, viewer: int | None) -> View:
    """Build what `viewer` may know."""
    seats = range(state.seats)
    return View(
        seats=state.seats,
        round=state.round,
        first_seat=state.first_seat,
        phase=state.phase,
        step=state.step,
        active=state.active,
        modules=tuple(state.modules),
        supply=tuple(state.supply),
        hand=tuple(tuple(held) for held in state.hand),
        stock=tuple(_names(state, seat) for seat in seats),
        subs_stock=tuple(
            tuple(
                name
                for name, boat in zip(SUBMARINES[seat], state.submarines[seat], strict=True)
                if boat is None
            )
            for seat in seats
        ),
        researchers={
            name: state.modules[where].id
            for seat in seats
            for name, where in zip(RESEARCHERS[seat], state.researchers[seat], strict=True)
            if where >= 0
        },
        employed=tuple(
            name
            for seat in seats
            for k, name in enumerate(RESEARCHERS[seat])
            if state.employed[seat] >> k & 1
        ),
        submarines={
            name: boat
            for seat in seats
            for name, boat in zip(SUBMARINES[seat], state.submarines[seat], strict=True)
            if boat is not None
        },
        money=tuple(state.money),
        level=tuple(dict(zip(COLOURS, levels, strict=True)) for levels in state.level),
        three=dict(zip(COLOURS, state.three, strict=True)),
        hidden=tuple(
            (column, row, ZONES[zone], face)
            for (column, row), zone, face in zip(
                PLACE_CELLS, PLACE_ZONES, faces(state, viewer), strict=True
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
        removed=tuple(state.removed),
        mission=missions(state, viewer),
        mission_rest=tuple(card if is_open(state) else UNSEEN for card in state.mission_rest),
        abyss_visitors=tuple(state.abyss_visitors),
        turn=state.turn,
        pending=state.pending,
        round_log=state.round_log,
        end_round=state.end_round,
        end_reasons=tuple(state.end_reasons),
        mission_paid=tuple(state.mission_paid),
        result=state.result,
    )


def _names(state: State, seat: int) -> tuple[str, ...]:
    """List the researchers that lie at a seat."""
    where = state.researchers[seat]
    return tuple(name for k, name in enumerate(RESEARCHERS[seat]) if where[k] == IN_STOCK)


def _by_field(finds: list[str]) -> dict[str, tuple[str, ...]]:
    """Sort a seat's creatures and gold onto its fields."""
    return {field: tuple(find for find in finds if SORT[find] == field) for field in FIELDS}


def redact(event: Event, viewer: int | None, state: State) -> Event:
    """Give what `viewer` may know of an event; from the end of the game on, all of it."""
    if is_open(state):
        return event
    match event:
        case SeaStocked(finds=finds):
            return SeaStocked(tuple((column, row, UNSEEN) for column, row, _ in finds))
        case MissionsDealt(order=order):
            undealt = (UNSEEN,) * (len(order) - state.seats)
            return MissionsDealt(missions(state, viewer) + undealt)
        case SonarUsed(seat=seat) | FindsPeeked(seat=seat) if seat != viewer:
            return replace(event, faces=UNSET)
        case _:
            return event
