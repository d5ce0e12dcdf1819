"""The policy for search and hints: the bot, with its own discards remembered."""

from collections.abc import Sequence

from games.chance import Chance
from games.game import HIDDEN, Blueprint, Seen
from games.tranquility.commands import Command, UseCompass
from games.tranquility.legal import legal
from games.tranquility.model import State, View
from games.tranquility.players.bot import choose, mind_of
from games.tranquility.players.judge import judged
from games.tranquility.players.race import worths_in_race
from games.tranquility.players.reasons import REASONS, reason
from games.tranquility.players.sample import worlds
from games.tranquility.players.weights import Weights, weights_for
from games.tranquility.view import view

RANKED_MAX = 8
LATE = 10
"""Most free cells with which looking ahead pays: playouts are short then, and tell much.

With 16 it gained no more, and over the whole game nothing.
"""
PLAYOUTS = 400


def policy(state: State, seat: int, chance: Chance) -> Command:
    """Choose from the seat's own view and its own discards alone."""
    options = legal(state, seat)
    if len(options) == 1:
        return options[0]
    return chosen(state, seat, options, weights_for(state.options), chance)


def chosen(
    state: State, seat: int, options: Sequence[Command], weights: Weights, chance: Chance
) -> Command:
    """Return the command of a bot with these weights."""
    return choose(view(state, seat), seat, known_discards(state, seat), options, weights)


def known_discards(state: State, seat: int) -> list[str]:
    """Return what a seat discarded, hidden where it never saw the card."""
    blind = frozenset(state.blind[seat])
    return [HIDDEN if card in blind else card for card in state.discards[seat]]


def ranking(view: View, seen: Seen, legal: Sequence[Command], chance: Chance) -> Sequence[Command]:
    """Return the best command, then the next best: by forecast if there is one, else by rules."""
    return judged(view, seen, legal, chance)[:RANKED_MAX]


def worths(
    view: View, seen: Seen, legal: Sequence[Command], chance: Chance
) -> list[tuple[float, Command]]:
    """Return the heuristic's choice, then the other commands with their values, best first."""
    if view.options.variant == "competitive":
        return worths_in_race(view, seen.seat, legal)
    mind = mind_of(view, seen)
    first = mind.choose(legal)
    if isinstance(first, UseCompass):
        return [(0.0, first)]
    rest = [
        command for command in legal if command != first and not isinstance(command, UseCompass)
    ]
    others = [(mind.value(command), command) for command in mind.sensible(rest)]
    best = max([mind.value(first), *(value for value, _ in others)])
    return [(best, first), *sorted(others, key=lambda one: -one[0])]


def budget(view: View) -> int:
    """Return the playouts of the level "expert": none before the last cells, nor in a race."""
    late = view.grid.count(None) <= LATE
    return PLAYOUTS if late and view.options.variant != "competitive" else 0


BLUEPRINT = Blueprint(
    policy=policy,
    ranking=ranking,
    reason=reason,
    reasons=REASONS,
    worths=worths,
    temperatures=(1.4, 1.08, 0.88, 0.7),
    budget=budget,
    worlds=worlds,
)
