"""What the search plays: tuned crews that follow every announcement, in worlds that keep the public story."""

from collections.abc import Callable, Sequence
from itertools import chain, groupby

from games.captain_sonar.commands import (
    Command,
    DropMine,
    LaunchDrone,
    OrderCourse,
    RunSilent,
    SetOverlay,
    WipeOverlay,
)
from games.captain_sonar.legal import legal
from games.captain_sonar.model import State, Story, View
from games.captain_sonar.players import sample
from games.captain_sonar.players.bot import choose, chores
from games.captain_sonar.players.captain import course_worth, mine_cost, run_worth, shot_worth
from games.captain_sonar.players.doctrine import TUNED
from games.captain_sonar.players.gunnery import Bearings, bearings, story_of
from games.captain_sonar.players.reasons import REASONS, reason
from games.captain_sonar.rules.belief import beliefs
from games.captain_sonar.rules.crews import crew_of
from games.captain_sonar.view import view
from games.chance import Chance
from games.game import Blueprint, Seen

RANKED_MAX = 8
OF_A_KIND_MAX = 3


def policy(state: State, seat: int, chance: Chance) -> Command:
    """Play by the doctrine, from the seat's own view and, where the world has it, the public story."""
    commands = legal(state, seat)
    if len(commands) == 1:
        return commands[0]
    if (chore := chores(commands)) is not None:
        return chore
    return choose(_bearings(state, seat), commands, chance)


def _bearings(state: State, seat: int) -> Bearings:
    """Return what a seat of a world knows; without a story in the world, nothing of the boats."""
    story = state.story or Story(state.map, state.side, state.options.torpedo_over_islands)
    crew, boats = crew_of(state, seat), beliefs(story)
    return Bearings(view(state, seat), crew, boats[1 - crew], boats[crew], TUNED)


def ranking(view: View, seen: Seen, legal: Sequence[Command], chance: Chance) -> Sequence[Command]:
    """Give the doctrine's choice, then the best of every other kind of command."""
    if (chore := chores(legal)) is not None:
        return [chore]
    sight = bearings(view, seen, TUNED)
    first = choose(sight, legal, chance)
    orders = [command for command in legal if not isinstance(command, SetOverlay | WipeOverlay)]
    kinds = [list(kind) for _, kind in groupby(orders, key=type)]
    best = (
        sorted(kind, key=lambda command: -worth(sight, command))[:OF_A_KIND_MAX] for kind in kinds
    )
    return list(dict.fromkeys(chain([first], *best)))[:RANKED_MAX]


def worth(sight: Bearings, command: Command) -> float:
    """Judge a command among those of its kind."""
    match command:
        case OrderCourse(direction=direction):
            return course_worth(sight, direction)
        case RunSilent():
            return run_worth(sight, command)
        case DropMine():
            return -mine_cost(sight, command)
        case LaunchDrone(sector=sector):
            return sight.drone(sector)
        case _:
            return shot_worth(sight, command)


def worlds(view: View, seen: Seen) -> Callable[[Chance], State]:
    """Draw worlds that go on with the public story: what was announced so far is the same in all of them."""
    story, draw_world = story_of(view, seen), sample.worlds(view, seen)

    def draw(chance: Chance) -> State:
        world = draw_world(chance)
        world.story = story
        return world

    return draw


BLUEPRINT = Blueprint(policy=policy, ranking=ranking, reason=reason, reasons=REASONS, worlds=worlds)
