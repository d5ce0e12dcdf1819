"""What the search plays: tuned crews that follow every announcement, in worlds that keep the public story."""

from collections.abc import Callable, Sequence
from itertools import chain, groupby

from games.captain_sonar.belief import BEARING, Belief, Story, beginning, charts_of
from games.captain_sonar.bot import choose, chores, crew_of
from games.captain_sonar.captain import course_worth, mine_cost, run_worth, shot_worth
from games.captain_sonar.commands import (
    Command,
    DropMine,
    LaunchDrone,
    OrderCourse,
    RunSilent,
    SetOverlay,
    WipeOverlay,
)
from games.captain_sonar.doctrine import TUNED
from games.captain_sonar.gunnery import Bearings, bearings
from games.captain_sonar.legal import legal
from games.captain_sonar.model import State, View
from games.captain_sonar.reasons import REASONS, reason
from games.captain_sonar.redaction import public
from games.captain_sonar.sample import worlds as drawing
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
    return choose(_sight(state, seat), commands, chance)


def _sight(state: State, seat: int) -> Bearings:
    crew = 0 if seat in state.crew_seats[0] else 1
    over_islands = state.options.torpedo_over_islands
    charts = charts_of(state.map, state.side, over_islands=over_islands)
    beliefs = _beliefs(state)
    return Bearings(view(state, seat), crew, charts, beliefs[1 - crew], beliefs[crew], TUNED)


def _beliefs(state: State) -> tuple[Belief, Belief]:
    """Give what everybody knows of both boats; in a world without a story, nothing."""
    if state.story is not None:
        return state.story.beliefs
    charts = charts_of(state.map, state.side, over_islands=state.options.torpedo_over_islands)
    return beginning(charts, 0), beginning(charts, 1)


def ranking(view: View, seen: Seen, legal: Sequence[Command], chance: Chance) -> Sequence[Command]:
    """Give the doctrine's choice, then the best of every other kind of command."""
    if (chore := chores(legal)) is not None:
        return [chore]
    sight = bearings(view, seen, crew_of(view, seen), TUNED)
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
    story = Story(view.map, view.side, view.options.torpedo_over_islands)
    for record in seen.records:
        for event in record.events:
            if isinstance(event, BEARING):
                story = story.after(public(event))

    draw_world = drawing(view, seen)

    def draw(chance: Chance) -> State:
        world = draw_world(chance)
        world.story = story
        return world

    return draw


BLUEPRINT = Blueprint(policy=policy, ranking=ranking, reason=reason, reasons=REASONS, worlds=worlds)
