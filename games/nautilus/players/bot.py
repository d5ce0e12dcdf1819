"""A heuristic bot: looks one command ahead and weighs it with an `Outlook` on its own view."""

from collections.abc import Sequence
from math import prod

from games.chance import Chance
from games.game import HIDDEN, Seen
from games.nautilus.commands import (
    BonusMoveResearcher,
    BoostSubmarine,
    BuyModule,
    Command,
    LaunchSubmarine,
    MoveResearcher,
    MoveSubmarine,
    PayMission,
    PeekFinds,
    PlaceModule,
    UseSonar,
)
from games.nautilus.components import (
    ABYSS_ZONE,
    AT,
    COLOUR,
    HABITATIONS,
    PLACE_CELLS,
    PLACE_OF,
    PLACE_ZONES,
    RESEARCHER_NUMBER,
    RESEARCHERS,
    Cell,
)
from games.nautilus.ending import module_points
from games.nautilus.fold import module_number
from games.nautilus.model import Held, View
from games.nautilus.players.outlook import Outlook
from games.nautilus.players.sites import Sites
from games.nautilus.rules.building import rise
from games.nautilus.rules.sailing import own_boat_at_sea, speed
from games.nautilus.rules.sea import distance
from games.nautilus.rules.sonar import in_range

RICH = 8
"""A seat with this much N still has plans, and buys to prevent an idle round."""


def heuristic(view: View, seen: Seen, legal: Sequence[Command], chance: Chance) -> Command:
    """Choose by the weights set by hand."""
    return choose(Outlook(view, seen.seat, seen.options), legal)


def choose(outlook: Outlook, legal: Sequence[Command]) -> Command:
    """Return the command of greatest worth; of equals the later one.

    Commands that end or skip something come last in `legal`: a command that gains nothing is not
    preferred to them.
    """
    sites = Sites(outlook)
    return max(reversed(legal), key=lambda command: worth(outlook, sites, command))


def worth(outlook: Outlook, sites: Sites, command: Command) -> float:
    """Return what a command gains; commands that end or skip something gain nothing."""
    match command:
        case BuyModule():
            return _buy(sites, command)
        case PlaceModule():
            return _place(sites, command)
        case MoveResearcher() | BonusMoveResearcher():
            return _move(outlook, command)
        case LaunchSubmarine():
            return _launch(outlook, command)
        case UseSonar():
            return _sonar(outlook, command)
        case MoveSubmarine() | BoostSubmarine():
            return _sail(outlook, command)
        case PeekFinds():
            return _peek(outlook, command)
        case PayMission():
            return _pay(outlook, command)
        case _:
            return 0.0


# ---- the station ---------------------------------------------------------------------------------


def _buy(sites: Sites, command: BuyModule) -> float:
    """Return the worth of the best site for the module, less its price."""
    cost = max(1, command.researchers)
    outlook = sites.outlook
    seat = outlook.seat
    names = RESEARCHERS[seat][: command.researchers]
    module = f"{command.kind}_1" if command.kind in HABITATIONS else command.kind
    held = Held(module, names)
    gain = sites.best(held, cost) - outlook.price(cost)
    return max(gain, _keep_going(outlook, cost))


def _keep_going(outlook: Outlook, cost: int) -> float:
    """Return a small worth if this purchase alone prevents an idle round (NAU-74), else -1.

    Only a seat that still has plans prefers to play on.
    """
    log = outlook.state.round_log
    alone = not (log.bought_or_built or log.revealed)
    rich = outlook.state.money[outlook.seat] >= RICH
    return 0.01 if alone and rich and cost == 1 and outlook.rounds_left else -1.0


def _place(sites: Sites, command: PlaceModule) -> float:
    """Return the worth of the site, less that of waiting for a second module to build with."""
    outlook = sites.outlook
    hand = outlook.state.hand[outlook.seat]
    held = next(held for held in hand if held.module == command.module)
    centre = AT[command.cell]
    gain = sites.worth(held, centre, command.rotation)
    if not outlook.may_wait:
        return gain
    shared = outlook.price(rise(outlook.state, centre)) / 2
    return gain - max(0.0, outlook.weights.wait * (gain + shared))


def _move(outlook: Outlook, command: MoveResearcher | BonusMoveResearcher) -> float:
    """Return what a researcher gains by moving to a module rather than staying."""
    state, seat = outlook.state, outlook.seat
    start = state.researchers[seat][RESEARCHER_NUMBER[command.researcher]]
    goal = module_number(state, command.to)
    ways, onward = outlook.distances[start], outlook.distances[goal]
    jobs = [
        outlook.duties[k] for k, where in outlook.free if where == start and k in outlook.duties
    ]
    if COLOUR[command.to] >= 0 and not outlook.own_modules >> goal & 1:
        here = min((outlook.due(ways[module], gain) for module, gain in jobs), default=0.0)
        return outlook.stop(goal) - here
    nearer = (
        outlook.due(onward[module], gain) - outlook.due(ways[module], gain) for module, gain in jobs
    )
    return max(nearer, default=0.0) - 0.01 * ways[goal]


# ---- the sea -------------------------------------------------------------------------------------


def _launch(outlook: Outlook, command: LaunchSubmarine) -> float:
    """Return the worth of sailing from the cell, less the price of a new researcher."""
    return outlook.launch_from(command.cell) - outlook.coin


def _sail(outlook: Outlook, command: MoveSubmarine | BoostSubmarine) -> float:
    """Return what a submarine gains by moving to a cell rather than staying."""
    boat = own_boat_at_sea(outlook.state, outlook.seat, command.submarine)
    place = PLACE_OF.get(command.to, -1)
    finds = outlook.finds_for(boat, command.submarine)
    there = outlook.prospect(command.to, outlook.rounds_left, finds, skip=place)
    return outlook.worths.get(place, 0.0) + there - outlook.staying(boat, command.submarine)


def _sonar(outlook: Outlook, command: UseSonar) -> float:
    """Return what looking first gains for the choice among the finds in reach."""
    state, seat = outlook.state, outlook.seat
    boat = own_boat_at_sea(state, seat, command.submarine)
    cells = speed(state, seat)
    near = [
        place
        for place in outlook.worths
        if distance(PLACE_CELLS[place], boat.cell) <= cells
        and (outlook.abyss_opened or boat.launched_in_abyss or PLACE_ZONES[place] != ABYSS_ZONE)
    ]
    looked = [place for place in in_range(state, seat, boat.cell) if state.hidden[place] == HIDDEN]
    unknown = [place for place in looked if place in near]
    rest = max((outlook.worths[place] for place in near if place not in unknown), default=0.0)
    blind = max((outlook.worths[place] for place in unknown), default=0.0)
    rest = max(0.0, rest)
    hopes = [outlook.zone_worths[PLACE_ZONES[place]] for place in unknown]
    gain = _expected_best(hopes, rest) - max(rest, blind)
    return 100 + gain if gain > outlook.price(1) else -1.0


def _expected_best(hopes: Sequence[Sequence[float]], rest: float) -> float:
    """Return the expected maximum of `rest` and independent draws, one from each list."""
    steps = sorted({value for hope in hopes for value in hope if value > rest})
    expected, floor, below = 0.0, rest, _chance_below(hopes, rest)
    expected += floor * below
    for step in steps:
        up_to = _chance_below(hopes, step)
        expected += step * (up_to - below)
        below = up_to
    return expected


def _chance_below(hopes: Sequence[Sequence[float]], value: float) -> float:
    return prod(sum(draw <= value for draw in hope) / len(hope) for hope in hopes)


def _peek(outlook: Outlook, command: PeekFinds) -> float:
    """Return how near the unseen finds on some cells are to own submarines."""
    boats = [boat.cell for boat in outlook.state.submarines[outlook.seat] if boat is not None]

    def nearness(cell: Cell) -> float:
        return max(1 / (1 + distance(cell, boat)) for boat in boats)

    return sum(
        nearness(cell) for cell in command.cells if outlook.state.hidden[PLACE_OF[cell]] == HIDDEN
    )


def _pay(outlook: Outlook, command: PayMission) -> float:
    """Return what the paid points are worth, less their price."""
    total = sum(module_points(outlook.state, outlook.seat).values())
    return command.count * (total - 1)
