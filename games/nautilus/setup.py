"""The set-up: all chance of a match lies here (section 4)."""

from games.chance import Chance
from games.game import Illegal
from games.nautilus.building import covered_finds
from games.nautilus.components import FINDS_OF_ZONE, MISSIONS, TABLES
from games.nautilus.events import (
    Event,
    GameSetUp,
    MissionsDealt,
    SeaStocked,
    TurnAdvanced,
)
from games.nautilus.fold import apply, initial
from games.nautilus.model import Options
from games.nautilus.sea import LAGOON_CENTRES, PLACE_CELLS, PLACE_ZONES


def setup(seats: int, options: Options, chance: Chance) -> list[Event]:
    """Give the opening events (NAU-4 to NAU-9)."""
    if options.base_cell not in LAGOON_CENTRES:
        raise Illegal("bad-base-cell", base_cell=options.base_cell)
    first_seat = chance.randbelow(seats) if options.first_seat == "random" else 0
    stocked = stock(chance)
    missions = list(MISSIONS)
    chance.shuffle(missions)
    opening: list[Event] = [
        GameSetUp(seats, first_seat, options.base_cell, TABLES[seats].money),
        stocked,
    ]
    state = initial(seats, options)
    for event in opening:
        apply(state, event)
    covered = covered_finds(state, -1, options.base_cell)
    for event in covered:
        apply(state, event)
    return [
        *opening,
        *covered,
        MissionsDealt(tuple(missions)),
        TurnAdvanced(1, "build", "buy", first_seat, first_seat),
    ]


def stock(chance: Chance) -> SeaStocked:
    """Shuffle each zone's finds onto its find places (NAU-8)."""
    piles: list[list[str]] = []
    for finds in FINDS_OF_ZONE:
        pile = list(finds)
        chance.shuffle(pile)
        piles.append(pile[::-1])
    return SeaStocked(
        tuple(
            (column, row, piles[zone].pop())
            for (column, row), zone in zip(PLACE_CELLS, PLACE_ZONES, strict=True)
        )
    )
