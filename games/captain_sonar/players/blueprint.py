"""What the search plays: crews with tuned weights that follow every announcement."""

from collections.abc import Callable, Sequence
from itertools import chain, groupby
from operator import itemgetter

from games.captain_sonar.commands import (
    Command,
    DropMine,
    EndTurn,
    LaunchDrone,
    LaunchTorpedo,
    OrderCourse,
    PingSonar,
    RunSilent,
    SetOverlay,
    Surface,
    TriggerArcherMine,
    TriggerMine,
    WipeOverlay,
)
from games.captain_sonar.legal import legal
from games.captain_sonar.model import State, View
from games.captain_sonar.players import sample
from games.captain_sonar.players.bot import choose, due
from games.captain_sonar.players.captain import mine_cost, move_worth, run_worth, shot_worth
from games.captain_sonar.players.outlook import Outlook, beliefs_in, outlook_of, story_of
from games.captain_sonar.players.reasons import REASONS, reason
from games.captain_sonar.players.value import stage, value
from games.captain_sonar.players.weights import TUNED, Weights
from games.captain_sonar.rules.crews import crew_of
from games.captain_sonar.view import view
from games.chance import Chance
from games.game import Blueprint, Seen

SHOTS = (LaunchTorpedo, TriggerMine, TriggerArcherMine)
ORDERS = (*SHOTS, DropMine, EndTurn, LaunchDrone, OrderCourse, PingSonar, RunSilent, Surface)
RANKED_MAX = 8
OF_A_KIND_MAX = 3
PLAYOUTS = 24
"""Playouts of the level "expert" for a command: 96 took four times as long and won no more."""
HORIZON = 4
"""Turns to play before the value judges."""


def policy(state: State, seat: int, chance: Chance) -> Command:
    """Choose from the view of a seat and from the public story, if the world has one."""
    options = legal(state, seat)
    if len(options) == 1:
        return options[0]
    return chosen(state, seat, options, TUNED, chance)


def chosen(
    state: State, seat: int, options: Sequence[Command], weights: Weights, chance: Chance
) -> Command:
    """Return the command of a bot with these weights, from the seat's own view."""
    if (command := due(options)) is not None:
        return command
    return choose(_outlook_in(state, seat, weights), options, chance)


def _outlook_in(state: State, seat: int, weights: Weights) -> Outlook:
    """Return what a seat of a world can conclude."""
    crew, boats = crew_of(state, seat), beliefs_in(state)
    return Outlook(view(state, seat), crew, boats[1 - crew], boats[crew], weights)


def ranking(view: View, seen: Seen, legal: Sequence[Command], chance: Chance) -> Sequence[Command]:
    """Return the choice of the policy, then the best commands of every other type."""
    if (command := due(legal)) is not None:
        return [command]
    outlook = outlook_of(view, seen, TUNED)
    first = choose(outlook, legal, chance)
    orders = [command for command in legal if not isinstance(command, SetOverlay | WipeOverlay)]
    kinds = [list(kind) for _, kind in groupby(orders, key=type)]
    best = (
        sorted(kind, key=lambda command: -_worth(outlook, command))[:OF_A_KIND_MAX]
        for kind in kinds
    )
    return list(dict.fromkeys(chain([first], *best)))[:RANKED_MAX]


def worths(
    view: View, seen: Seen, legal: Sequence[Command], chance: Chance
) -> Sequence[tuple[float, Command]]:
    """Return the choice of the policy, then other shots and moves, and others of its own type.

    A shot is worth the damage that it does beyond what is enough to fire. Other commands count by
    what they are worse than the best of their type. The tasks of a move have one answer.
    """
    if (command := due(legal)) is not None:
        return [(0.0, command)]
    outlook = outlook_of(view, seen, TUNED)
    first = choose(outlook, legal, chance)
    if not isinstance(first, ORDERS):
        return [(0.0, first)]
    kinds = dict.fromkeys((type(first), OrderCourse, *SHOTS))
    found: list[tuple[float, Command]] = []
    for kind in kinds:
        own = [(_worth(outlook, command), command) for command in legal if type(command) is kind]
        best = max((value for value, _ in own), default=0.0)
        found += [
            (value if kind in SHOTS else (value - best) / TUNED.attack, command)
            for value, command in own
            if command != first
        ]
    found.sort(key=itemgetter(0), reverse=True)
    return [(max(0.0, found[0][0] if found else 0.0), first), *found]


def _worth(outlook: Outlook, command: Command) -> float:
    """Return the worth of a command among those of its type."""
    match command:
        case OrderCourse(direction=direction):
            return move_worth(outlook, direction)
        case RunSilent():
            return run_worth(outlook, command)
        case DropMine():
            return -mine_cost(outlook, command)
        case LaunchDrone(sector=sector):
            return outlook.drone(sector)
        case _:
            return shot_worth(outlook, command)


def worlds(view: View, seen: Seen) -> Callable[[Chance], State]:
    """Return a function that draws worlds, all with the public story of what was announced."""
    story, draw_world = story_of(view, seen), sample.worlds(view, seen)

    def draw(chance: Chance) -> State:
        world = draw_world(chance)
        world.story = story
        return world

    return draw


BLUEPRINT = Blueprint(
    policy=policy,
    ranking=ranking,
    reason=reason,
    reasons=REASONS,
    worths=worths,
    temperatures=(0.46, 0.27, 0.13, 0.0),
    stage=stage,
    horizon=HORIZON,
    value=value,
    only_compares=True,
    budget=lambda _view: PLAYOUTS,
    cost=2,
    worlds=worlds,
)
