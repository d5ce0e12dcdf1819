"""Nautilus' part of the laws."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from games.chance import Chance
from games.nautilus.commands import (
    BonusMoveResearcher,
    BoostSubmarine,
    BuyModule,
    Command,
    DockSubmarine,
    EndBuild,
    EndDive,
    EndLaunch,
    EndResearch,
    LaunchSubmarine,
    MoveResearcher,
    MoveSubmarine,
    PayMission,
    PeekFinds,
    PlaceModule,
    SkipBonus,
    SkipBuy,
    UseSonar,
)
from games.nautilus.components import (
    COLOUR,
    COLUMNS,
    EXITS,
    KINDS,
    MODULES,
    PLACE_CELLS,
    PLACE_OF,
    PLACE_ZONES,
    RESEARCHER_NUMBER,
    RESEARCHERS,
    ROWS,
    SUBMARINES,
    TREASURE_NUMBER,
)
from games.nautilus.events import (
    FindsPeeked,
    GameScored,
    MissionsDealt,
    SeaStocked,
    SonarUsed,
)
from games.nautilus.fold import apply
from games.nautilus.model import AT_SEA, Options, State
from games.nautilus.setup import initial
from games.playout import Ply
from games.testing.laws import Laws

OPEN_BASE = (13, 10)
"""Centre of the base in tables with open missions, which a history is recognised by."""


def census(state: State) -> Any:
    """Return all modules, researchers, submarines, finds and mission cards, wherever they are."""
    modules = [placed.id for placed in state.modules] + state.supply
    modules += [held.module for hand in state.hand for held in hand]
    crews = [sorted(r for held in hand for r in held.researchers) for hand in state.hand]
    in_hand = [
        [name for name, where in zip(RESEARCHERS[seat], places, strict=True) if where == -2]
        for seat, places in enumerate(state.researchers)
    ]
    assert crews == in_hand, "a crew is where its module is"
    treasures = [
        find for find, number in TREASURE_NUMBER.items() if state.treasures[number - 1] != AT_SEA
    ]
    finds = [find for find in state.hidden if find] + [*state.removed, *treasures]
    finds += [find for fields in state.fields for find in fields]
    return (
        sorted(modules),
        [len(places) for places in state.researchers],
        [len(boats) for boats in state.submarines],
        sorted(finds),
        sorted(state.mission + state.mission_rest),
        min(state.money) >= 0,
    )


def unknown_places(state: State, viewer: int | None) -> list[list[int]]:
    """List by zone the places whose hidden find a viewer has not seen."""
    seen = () if viewer is None else state.known[viewer]
    return [
        [
            place
            for place, find in enumerate(state.hidden)
            if find and place not in seen and PLACE_ZONES[place] == zone
        ]
        for zone in range(4)
    ]


def exchanged(state: State, viewer: int | None, chance: Chance) -> State:
    """Shuffle the unseen finds of each zone, and the unseen mission cards."""
    twin = state.copy()
    for places in unknown_places(state, viewer):
        finds = [state.hidden[place] for place in places]
        chance.shuffle(finds)
        for place, find in zip(places, finds, strict=True):
            twin.hidden[place] = find
    cards = list(twin.mission_rest)
    others = [] if state.missions_open else [s for s in range(state.seats) if s != viewer]
    cards += [twin.mission[seat] for seat in others]
    chance.shuffle(cards)
    twin.mission = tuple(
        cards.pop() if seat in others else card for seat, card in enumerate(state.mission)
    )
    twin.mission_rest = tuple(cards)
    return twin


def twins(state: State, viewer: int | None, chance: Chance) -> Iterable[State]:
    if state.phase == "over":
        return
    for _ in range(3):
        yield exchanged(state, viewer, chance)


def rehistory(plies: Sequence[Ply], viewer: int | None, chance: Chance) -> Sequence[Ply] | None:
    """Exchange the finds that are still hidden at the end, and the unrevealed cards."""
    events = [event for ply in plies for event in ply.events]
    if any(isinstance(event, GameScored) for event in events):
        return None
    state = initial(events[0].seats, Options(open_missions=events[0].base_cell == OPEN_BASE))
    for event in events:
        apply(state, event)
    twin = exchanged(state, viewer, chance)
    swap = dict(zip(state.hidden, twin.hidden, strict=True))
    order = (*twin.mission, *twin.mission_rest)

    def again(event: Any) -> Any:
        match event:
            case SeaStocked(finds=finds):
                return SeaStocked(tuple((c, r, swap.get(f, f)) for c, r, f in finds))
            case MissionsDealt():
                return MissionsDealt(order)
            case SonarUsed(faces=faces) | FindsPeeked(faces=faces):
                shown = tuple(swap.get(face, face) for face in faces)
                return msgspec.structs.replace(event, faces=shown)
            case _:
                return event

    return [
        msgspec.structs.replace(ply, events=[again(event) for event in ply.events]) for ply in plies
    ]


def lowest_like(state: State, seat: int, researcher: str, *, bonus: bool) -> str:
    """Return the lowest free researcher of the module that has moved, or not, likewise."""
    if researcher not in RESEARCHERS[seat]:
        return researcher
    movers = () if bonus else state.turn.movers
    where = state.researchers[seat][RESEARCHER_NUMBER[researcher]]
    for k, name in enumerate(RESEARCHERS[seat]):
        free = state.researchers[seat][k] == where >= 0 and not state.employed[seat] >> k & 1
        if free and (name in movers) == (researcher in movers):
            own = RESEARCHER_NUMBER[researcher]
            return researcher if state.employed[seat] >> own & 1 else name
    return researcher


def canonical(state: State, seat: int, command: Command) -> Command:
    match command:
        case PlaceModule(module=module, cell=cell, rotation=rotation):
            if module in EXITS and 0 <= rotation <= 3:
                turns = EXITS[module]
                return PlaceModule(module, cell, turns.index(turns[rotation]))
            return command
        case MoveResearcher(researcher=researcher, to=to):
            return MoveResearcher(lowest_like(state, seat, researcher, bonus=False), to)
        case BonusMoveResearcher(researcher=researcher, to=to):
            return BonusMoveResearcher(lowest_like(state, seat, researcher, bonus=True), to)
        case PeekFinds(cells=cells):
            return PeekFinds(tuple(sorted(cells, key=lambda cell: cell[::-1])))
        case _:
            return command


def probes(state: State, seat: int, chance: Chance) -> Iterable[Command]:
    """Yield commands that fit the board, most of them narrowly illegal."""

    def near(cell: tuple[int, int], span: int) -> tuple[int, int]:
        across, down = chance.randbelow(2 * span + 1), chance.randbelow(2 * span + 1)
        return (cell[0] - span + across, cell[1] - span + down)

    yield from (SkipBuy(), EndBuild(), EndResearch(), EndLaunch(), EndDive(), SkipBonus())
    yield from (PayMission(chance.randbelow(9) - 1) for _ in range(2))
    for _ in range(4):
        yield BuyModule(chance.choice((*KINDS[:2], *KINDS)), chance.randbelow(6))
    boards = [placed.id for placed in state.modules]
    held = [held.module for held in state.hand[seat]] or [chance.choice(MODULES)]
    for _ in range(25):
        centre = near(chance.choice(state.modules).cell, 4)
        yield PlaceModule(chance.choice(held), centre, chance.randbelow(5))
    for _ in range(12):
        researcher = chance.choice(RESEARCHERS[seat])
        yield MoveResearcher(researcher, chance.choice(boards))
        yield BonusMoveResearcher(researcher, chance.choice((*boards, chance.choice(MODULES))))
    research = [m for m in state.modules if COLOUR[m.id] >= 0] or state.modules
    for _ in range(6):
        placed = chance.choice(research)
        yield LaunchSubmarine(placed.id, near(placed.cell, 2))
    for submarine in SUBMARINES[seat]:
        yield UseSonar(submarine)
        yield DockSubmarine(submarine, chance.choice(boards))
        at = state.submarines[seat][SUBMARINES[seat].index(submarine)]
        cell = at.cell if at else (chance.randbelow(COLUMNS), chance.randbelow(ROWS))
        for _ in range(8):
            yield MoveSubmarine(submarine, near(cell, 5))
            yield BoostSubmarine(submarine, near(cell, 3))
    for _ in range(8):
        pair = chance.sample(PLACE_CELLS, 1 + chance.randbelow(2))
        yield PeekFinds(tuple(pair))
    yield PeekFinds(())
    yield PeekFinds((PLACE_CELLS[PLACE_OF[16, 7]],) * 2)


LAWS = Laws(
    tables=[
        (2, {}),
        (3, {}),
        (4, {}),
        (
            2,
            {
                "open_missions": True,
                "first_seat": "seat_0",
                "sonar_range": "text",
                "base_cell": OPEN_BASE,
            },
        ),
        (3, {"open_missions": True, "base_cell": OPEN_BASE}),
        (3, {"force_build_at_four": True, "zero_treasure_disc": "none"}),
        (
            4,
            {
                "base_cell": [11, 9],
                "house": "balanced",
                "turn_seconds": 20,
                "mission_seconds": 86400,
            },
        ),
        (2, {"force_build_at_four": True, "base_cell": [18, 15], "house": "classic"}),
    ],
    records_max=600,
    perft=Path(__file__).with_name("perft.toml"),
    census=census,
    twins=twins,
    rehistory=rehistory,
    canonical=canonical,
    probes=probes,
)
