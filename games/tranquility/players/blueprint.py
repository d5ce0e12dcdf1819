"""The policy for search and hints: the bot, with its own discards remembered."""

from collections.abc import Callable, Sequence
from functools import cache

from games.chance import Chance
from games.game import HIDDEN, AtOnce, Blueprint, Seen
from games.tranquility.commands import Command, DiscardTwo, PayStart, PlayCard, UseCompass
from games.tranquility.legal import legal
from games.tranquility.model import Options, State, View
from games.tranquility.players.bot import choose, mind_of
from games.tranquility.players.judge import judged
from games.tranquility.players.race import worths_in_race
from games.tranquility.players.reasons import REASONS, reason
from games.tranquility.players.sample import worlds
from games.tranquility.players.weights import Weights, weights_for
from games.tranquility.view import view

RANKED_MAX = 8
LATE = 10
"""Most free cells with which looking ahead one game at a time pays.

Playouts are short then, and tell much.
"""
PLAYOUTS = 400
FLEET = 1600
"""Playouts of a command at a calm table, where they are played at once."""


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
    """Return the playouts of the level "expert": none in a race, and none for pledges.

    The rule of thumb shares a pledge out evenly. To play out every amount took up to 3 s.
    """
    if view.options.variant == "competitive" or view.phase == "start_pledge":
        return 0
    free = view.grid.count(None)
    if is_calm(view.options) and free and view.phase in ("action", "start_pay"):
        return FLEET
    return PLAYOUTS if free <= LATE else 0


def is_calm(options: Options) -> bool:
    """Return whether games can be played at once: the standard game without modules."""
    modules = options.rocks or options.monsters or options.storms or options.wilds
    return options.variant == "standard" and not modules


def at_once(
    view: View, seen: Seen, commands: Sequence[Command], seed: bytes, pause: Callable[[], None]
) -> AtOnce | None:
    """Return what plays actions or payments at a calm table in many worlds at once."""
    tried = [each for each in commands if isinstance(each, PlayCard | DiscardTwo | PayStart)]
    if not is_calm(view.options) or len(tried) < len(commands):
        return None

    @cache
    def fleet() -> AtOnce:
        from games.tranquility.players.fleet.ahead import Fleet  # noqa: PLC0415 - loads numpy

        return Fleet(view, seen, tried, weights_for(view.options), seed, pause).play

    def play(some: Sequence[int], worlds: int) -> Sequence[Sequence[float]]:
        return fleet()(some, worlds)

    return play


BLUEPRINT = Blueprint(
    policy=policy,
    ranking=ranking,
    reason=reason,
    reasons=REASONS,
    worths=worths,
    temperatures=(1.4, 1.08, 0.88, 0.7),
    budget=budget,
    worlds=worlds,
    at_once=at_once,
)
