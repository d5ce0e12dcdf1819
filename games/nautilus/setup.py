"""The state before a match and the set-up: all chance of a match lies here (NAU-4 to NAU-9)."""

from collections.abc import Sequence

from msgspec import UNSET, UnsetType

from games.chance import Chance
from games.game import Illegal
from games.nautilus.components import (
    COLOURS,
    FINDS_OF_ZONE,
    LAGOON_CENTRES,
    MISSIONS,
    MODULES,
    PLACE_CELLS,
    PLACE_ZONES,
    PLACES,
    RESEARCHERS,
    SUBMARINES,
    TABLES,
    TREASURES,
)
from games.nautilus.events import Event, GameSetUp, MissionsDealt, SeaStocked, TurnAdvanced
from games.nautilus.fold import FRESH_ROUND, FRESH_TURN, Draft, apply
from games.nautilus.model import AT_SEA, IN_STOCK, UNPAID, Options, State
from games.nautilus.rules.building import cover_finds


def initial(seats: int, options: Options) -> State:
    """Return the state before any event: nothing is on the board."""
    return State(
        seats=seats,
        options=options,
        round=0,
        first_seat=0,
        phase="setup",
        step="",
        active=-1,
        modules=(),
        passages=[],
        supply=list(MODULES),
        hand=[()] * seats,
        researchers=[[IN_STOCK] * len(RESEARCHERS[seat]) for seat in range(seats)],
        employed=[0] * seats,
        submarines=[[None] * len(SUBMARINES[seat]) for seat in range(seats)],
        money=[0] * seats,
        level=[[0] * len(COLOURS) for _ in range(seats)],
        three=[-1] * len(COLOURS),
        hidden=[""] * len(PLACES),
        known=[()] * seats,
        fields=[()] * seats,
        treasures=[AT_SEA] * TREASURES,
        removed=(),
        mission=("",) * seats,
        mission_rest=("",) * (len(MISSIONS) - seats),
        missions_open=options.open_missions,
        abyss_visitors=(),
        turn=FRESH_TURN,
        pending=None,
        round_log=FRESH_ROUND,
        end_round=0,
        end_reasons=(),
        mission_paid=[UNPAID] * seats,
        happened=0,
        result=None,
    )


def setup(seats: int, options: Options, chance: Chance) -> list[Event]:
    """Return the opening events (NAU-4 to NAU-9)."""
    return _opening(seats, options, chance, TABLES[seats].balanced)


def setup_1(seats: int, options: Options, chance: Chance) -> list[Event]:
    """Return the opening events of rules version 1: `balanced` gave 5 N more instead of 2."""
    return _opening(seats, options, chance, (0, 5) if seats == 2 else ())


def _opening(seats: int, options: Options, chance: Chance, balanced: Sequence[int]) -> list[Event]:
    if options.base_cell not in LAGOON_CENTRES:
        raise Illegal("bad-base-cell", base_cell=options.base_cell)
    first_seat = chance.randbelow(seats) if options.first_seat == "random" else 0
    stocked = _stock(chance)
    missions = list(MISSIONS)
    chance.shuffle(missions)
    draft = Draft(initial(seats, options), apply, chance)
    draft.add(
        GameSetUp(
            seats,
            first_seat,
            options.base_cell,
            TABLES[seats].money,
            _extra_money(balanced, first_seat) if options.house == "balanced" else UNSET,
        )
    )
    draft.add(stocked)
    cover_finds(draft, -1, options.base_cell)
    draft.add(MissionsDealt(tuple(missions)))
    draft.add(TurnAdvanced(1, "build", "buy", first_seat, first_seat))
    return draft.events


def _extra_money(by_place: Sequence[int], first_seat: int) -> tuple[int, ...] | UnsetType:
    """Return what each seat gets for its place in the order of the first round (NAU-83)."""
    seats = len(by_place)
    return tuple(by_place[(seat - first_seat) % seats] for seat in range(seats)) or UNSET


def _stock(chance: Chance) -> SeaStocked:
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
