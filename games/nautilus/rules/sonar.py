"""Looking at hidden finds, by sonar or with a peek bonus (NAU-52, NAU-53, NAU-66)."""

from collections.abc import Iterator

from games.game import Illegal
from games.nautilus.commands import PeekFinds, UseSonar
from games.nautilus.components import ABILITY, BROWN, PLACE_CELLS, PLACE_OF, PLACE_ZONES, Cell
from games.nautilus.events import FindsPeeked, SonarUsed
from games.nautilus.fold import Draft
from games.nautilus.model import State
from games.nautilus.rules.sailing import own_boat_at_sea
from games.nautilus.rules.sea import steps_to_places


def _sonar_range(state: State, seat: int) -> int:
    """Return how many cells a seat's sonar reaches (NAU-52)."""
    longer = 1 if state.options.sonar_range == "text" else 0
    return ABILITY[BROWN][state.level[seat][BROWN]] + longer


def in_range(state: State, seat: int, cell: Cell) -> list[int]:
    """List the find places with hidden finds in sonar range of a cell."""
    span = _sonar_range(state, seat)
    return [
        place
        for place, steps in enumerate(steps_to_places(cell))
        if steps <= span and state.hidden[place]
    ]


def use_sonar(draft: Draft, seat: int, command: UseSonar) -> None:
    """Show a seat the hidden finds around a submarine, for 1 N (NAU-52)."""
    state = draft.state
    boat = own_boat_at_sea(state, seat, command.submarine)
    if boat.moved:
        raise Illegal("already-moved", submarine=command.submarine)
    if boat.sonared:
        raise Illegal("already-sonared", submarine=command.submarine)
    places = in_range(state, seat, boat.cell)
    span = _sonar_range(state, seat)
    if not places:
        raise Illegal("nothing-in-range", range=span)
    if state.money[seat] < 1:
        raise Illegal("not-enough-money", cost=1, money=0)
    cells = tuple(PLACE_CELLS[place] for place in places)
    faces = tuple(state.hidden[place] for place in places)
    draft.add(SonarUsed(seat, command.submarine, span, cells, faces))


def _hidden_places(state: State) -> list[int]:
    """List the find places with a hidden find."""
    return [place for place, find in enumerate(state.hidden) if find]


def peeks(state: State, amount: int) -> Iterator[PeekFinds]:
    """Yield the legal looks of a peek bonus: single ones, then pairs, in row order (NAU-66)."""
    places = _hidden_places(state)
    for place in places:
        yield PeekFinds((PLACE_CELLS[place],))
    if amount < 2:
        return
    apart = len({PLACE_ZONES[place] for place in places}) > 1
    for order, one in enumerate(places):
        for other in places[order + 1 :]:
            if not apart or PLACE_ZONES[one] != PLACE_ZONES[other]:
                yield PeekFinds((PLACE_CELLS[one], PLACE_CELLS[other]))


def peek_finds(draft: Draft, seat: int, command: PeekFinds) -> None:
    """Show a seat one or two hidden finds, of different zones if possible (NAU-66)."""
    state = draft.state
    if state.pending is None or state.pending.type != "peek":
        raise Illegal("no-bonus")
    if len(command.cells) > state.pending.amount:
        raise Illegal("too-many-cells", amount=state.pending.amount)
    places = [PLACE_OF.get(cell, -1) for cell in command.cells]
    for place, cell in zip(places, command.cells, strict=True):
        if place < 0 or not state.hidden[place]:
            raise Illegal("no-hidden-find", cell=cell)
    zones = {PLACE_ZONES[place] for place in places}
    if len(zones) < len(places):
        everywhere = {PLACE_ZONES[place] for place in _hidden_places(state)}
        if len(everywhere) > 1:
            raise Illegal("same-zone", cells=command.cells)
    draft.add(FindsPeeked(seat, command.cells, tuple(state.hidden[place] for place in places)))
