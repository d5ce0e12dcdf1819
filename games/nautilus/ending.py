"""How a match ends and how it is scored (NAU-72, NAU-73, NAU-77 to NAU-81)."""

from msgspec.structs import replace

from games.nautilus.components import COLOURS, FIELD_VALUE, FIELDS, SORT, TABLES
from games.nautilus.events import EndTriggered, GameScored
from games.nautilus.fold import Draft
from games.nautilus.model import AT_SEA, Result, SeatResult, State

DEEPEST_TREASURES = slice(12, 15)
"""Treasures 13, 14 and 15 (NAU-72)."""


def result(state: State) -> Result | None:
    """Return the scores once the match is over."""
    return state.result


def end_by_treasures(draft: Draft) -> None:
    """Fix the end if treasures that end the match have left the sea (NAU-72, NAU-73, NAU-75)."""
    state = draft.state
    reasons, left = state.end_reasons, state.treasures
    if "treasures_13_14_15" not in reasons and AT_SEA not in left[DEEPEST_TREASURES]:
        draft.add(EndTriggered("treasures_13_14_15", state.round + 1))
    if "all_treasures" not in reasons and AT_SEA not in left:
        draft.add(EndTriggered("all_treasures", state.round))


# ---- scoring -------------------------------------------------------------------------------------


def module_points(state: State, seat: int) -> dict[str, int]:
    """Return a seat's points by colour: 0, 1 or 3 (NAU-43 to NAU-45)."""
    points: dict[str, int] = {}
    for number, colour in enumerate(COLOURS):
        own_disc = 1 if state.level[seat][number] >= 2 else 0
        points[colour] = 3 if state.three[number] == seat else own_disc
    return points


def _treasures_of(state: State, seat: int) -> list[int]:
    """List the numbers of the treasures with a seat's marker."""
    return [number for number, owner in enumerate(state.treasures, start=1) if owner == seat]


def treasure_discs(state: State) -> list[int]:
    """Return each seat's treasure disc (NAU-77, NAU-78)."""
    in_use = TABLES[state.seats].discs
    spare = in_use[-1] if state.options.zero_treasure_disc == "lowest" else 0
    discs = [spare] * state.seats
    hoards = [(_treasures_of(state, seat), seat) for seat in range(state.seats)]
    ranked = sorted(
        ((len(owned), owned[-1], seat) for owned, seat in hoards if owned), reverse=True
    )
    for disc, (_, _, seat) in zip(in_use, ranked, strict=False):
        discs[seat] = disc
    return discs


def _field_counts(state: State, seat: int) -> dict[str, int]:
    """Count a seat's finds by field."""
    sorts = [SORT[find] for find in state.fields[seat]]
    return {sort: sorts.count(sort) for sort in FIELDS}


def scored(state: State, rounds: int) -> GameScored:
    """Return the scoring of a match that ends after so many rounds (NAU-77 to NAU-81)."""
    discs = treasure_discs(state)
    parts = [_seat_result(state, seat, discs[seat]) for seat in range(state.seats)]
    scores = [part.score for part in parts]
    placed = tuple(
        replace(part, place=1 + sum(score > part.score for score in scores)) for part in parts
    )
    winners = tuple(part.seat for part in placed if part.place == 1)
    return GameScored(Result(placed, winners, rounds, state.end_reasons))


def _seat_result(state: State, seat: int, disc: int) -> SeatResult:
    """Score a seat (NAU-80); the place is still 0, for it depends on the other scores."""
    fields = _field_counts(state, seat)
    field_points = sum(FIELD_VALUE[sort] * count for sort, count in fields.items())
    find_points = field_points + state.mission_paid[seat] + disc
    colours = module_points(state, seat)
    product = find_points * sum(colours.values())
    return SeatResult(
        seat=seat,
        fields=fields,
        field_points=field_points,
        mission=state.mission[seat],
        mission_paid=state.mission_paid[seat],
        treasures=tuple(_treasures_of(state, seat)),
        disc=disc,
        find_points=find_points,
        module_points=colours,
        module_total=sum(colours.values()),
        product=product,
        money=state.money[seat],
        score=product + state.money[seat],
        place=0,
    )
