"""The bot: one for every role, and so for every seat."""

from collections.abc import Sequence

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
from games.captain_sonar.players.officers import (
    choose_answer,
    choose_mark,
    choose_origin,
    choose_symbol,
)
from games.captain_sonar.players.outlook import Outlook, outlook_of
from games.chance import Chance
from games.game import Seen


def heuristic(view: View, seen: Seen, legal: Sequence[Command], chance: Chance) -> Command:
    """Choose for a seat by the weights chosen by hand."""
    if (command := due(legal)) is not None:
        return command
    return choose(outlook_of(view, seen), legal, chance)


def due(legal: Sequence[Command]) -> Command | None:
    """Return the first legal command that nobody would put off; None if there is none."""
    for command in legal:
        if isinstance(command, ConfirmSilence | TraceSection | Dive):
            return command
    return None


def choose(outlook: Outlook, legal: Sequence[Command], chance: Chance) -> Command:
    """Choose for a seat: the tasks of a move first, then orders, then notes."""
    if marks := [command for command in legal if isinstance(command, MarkGauge)]:
        return choose_mark(outlook, marks)
    if symbols := [command for command in legal if isinstance(command, CrossSymbol)]:
        return choose_symbol(outlook, symbols, chance)
    if answers := [command for command in legal if isinstance(command, AnswerSonar)]:
        return choose_answer(outlook, answers, chance)
    if starts := [command for command in legal if isinstance(command, ChooseStart)]:
        return choose_start(outlook, starts, chance)
    orders = [command for command in legal if not isinstance(command, SetOverlay | WipeOverlay)]
    if orders:
        return choose_orders(outlook, orders, chance)
    return choose_origin(outlook, chance) if len(legal) > 1 else legal[0]
