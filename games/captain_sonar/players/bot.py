"""Bots: one for every role, and so for every seat. They know their view and what they have seen."""

from collections.abc import Mapping, Sequence

from games.captain_sonar.commands import (
    AnswerSonar,
    ChooseStart,
    Command,
    ConfirmSilence,
    CrossSymbol,
    Dive,
    MarkGauge,
    SetOverlay,
    TraceSection,
    WipeOverlay,
)
from games.captain_sonar.model import View
from games.captain_sonar.players.captain import choose_orders, choose_start
from games.captain_sonar.players.gunnery import Bearings, bearings
from games.captain_sonar.players.officers import (
    choose_answer,
    choose_mark,
    choose_origin,
    choose_symbol,
)
from games.chance import Chance
from games.game import Bot, Seen


def heuristic(view: View, seen: Seen, legal: Sequence[Command], chance: Chance) -> Command:
    """Play whatever a seat has to do, by the plain doctrine."""
    if (chore := chores(legal)) is not None:
        return chore
    return choose(bearings(view, seen), legal, chance)


def chores(legal: Sequence[Command]) -> Command | None:
    """Give what comes before anything else, if it is legal."""
    for command in legal:
        if isinstance(command, ConfirmSilence | TraceSection | Dive):
            return command
    return None


def choose(sight: Bearings, legal: Sequence[Command], chance: Chance) -> Command:
    """Play whatever a seat has to do, the tasks of a move before orders."""
    if marks := [command for command in legal if isinstance(command, MarkGauge)]:
        return choose_mark(sight, marks)
    if symbols := [command for command in legal if isinstance(command, CrossSymbol)]:
        return choose_symbol(sight, symbols, chance)
    if answers := [command for command in legal if isinstance(command, AnswerSonar)]:
        return choose_answer(sight, answers, chance)
    if starts := [command for command in legal if isinstance(command, ChooseStart)]:
        return choose_start(sight, starts, chance)
    orders = [command for command in legal if not isinstance(command, SetOverlay | WipeOverlay)]
    if orders:
        return choose_orders(sight, orders, chance)
    return choose_origin(sight, chance) if len(legal) > 1 else legal[0]


BOTS: Mapping[str, Bot[View, Command]] = {"heuristic": heuristic}
