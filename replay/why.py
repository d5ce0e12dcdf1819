"""Why a bot made a move: the reason of its rules of thumb, as far as a viewer may know it.

While the match runs, the answer follows from what the viewer was shown: the view before the move,
and the move. Moves that a viewer cannot tell apart have the same reason, as a law of all games
checks (`games/testing/secrecy_laws.py`). Once the match is over, the answer is that of the bot's
own view, with what its rules of thumb would have preferred.
"""

from typing import Any, Literal

import msgspec

from events.codec import unseal
from events.record import AnyRecord
from games.chance import SEED_BYTES, Chance
from games.game import Blueprint, Illegal
from games.match.commands import is_match_command
from games.match.events import MATCH_EVENT_TYPES
from games.match.model import Match
from games.search.hint import Reason, reason_of
from games.search.levels import LEVELS, temperatures
from games.search.rollout import blueprint_of
from games.wire import GameCommand
from projections.folded import Viewer
from projections.seen import seen
from replay.history import History
from replay.travel import Sight

Choice = Literal["only", "best", "softer", "looked-ahead"]


class Why(msgspec.Struct, frozen=True):
    """Why a bot made a move."""

    game: str
    version: int
    """Version of the move, as numbered in the sight."""
    seat: int
    level: str
    """Level of the bot."""
    reason: Reason
    choice: Choice | None
    """How the move compares with what the rules of thumb prefer, once the match is over.

    `only`: no other command was legal; `best`: none is better; `softer`: a weaker command, as a
    lower level sometimes chooses; `looked-ahead`: chosen because playouts won more. Null while the
    match runs, which would tell what the bot knows; also for levels of earlier releases.
    """
    better: GameCommand | None
    """Command that the rules of thumb prefer; null unless `choice` is `softer` or `looked-ahead`.
    """


def why(history: History, sight: Sight, number: int, *, over: bool) -> Why:
    """Return why a bot made the move of a version, as numbered in a sight.

    Raises `NoSuchVersion`, and `Illegal` if the viewer was shown no move of a bot, or if nothing
    may be said of it.
    """
    version = history.at(sight, number).match.version
    if version == 1:
        raise Illegal("no-bot-move")
    before = history.at("full", version - 1).match
    game = before.game
    record = unseal(game, before.header, history.lines[version - 1])
    if not over and sight != "full" and not _was_shown(before, record, sight):
        raise Illegal("no-bot-move")
    seat, level = record.by.seat, _level(before, record)
    if seat is None or not level or is_match_command(record.command):
        raise Illegal("no-bot-move")
    if game.players.blueprint is None:
        raise Illegal("no-reasons", game=game.slug)
    if not over and not game.players.advised(before.options):
        raise Illegal("hints-off")
    viewer = seat if over or sight == "full" else sight
    reason = reason_of(game, game.view(before.state, viewer), seat, record.command)
    choice, better = _compared(before, seat, level, record.command) if over else (None, None)
    return Why(game.slug, number, seat, level, reason, choice, better)


def _was_shown(before: Match, record: AnyRecord, viewer: Viewer) -> bool:
    """Return whether a viewer was shown some event of the game in a record."""
    state = None if before.state is None else before.state.copy()
    for event in record.events:
        if type(event) in MATCH_EVENT_TYPES or state is None:
            continue
        before.game.apply(state, event)
        if before.game.redact(event, viewer, state) is not None:
            return True
    return False


def _level(before: Match, record: AnyRecord) -> str:
    """Return the level of the bot that made a move; "" if no bot did."""
    by = record.by
    if by.seat is None:
        return ""
    return before.stand_in(by.seat) if by.clock else before.chairs[by.seat].bot


def _compared(before: Match, seat: int, level: str, command: Any) -> tuple[Choice | None, Any]:
    """Compare a command with what the rules of thumb prefer, from all that the bot knew."""
    game, known = before.game, seen(before, seat)
    legal = game.legal(before.state, seat)
    if len(legal) == 1:
        return "only", None
    if level not in LEVELS or not known.whole:
        return None, None
    blueprint = blueprint_of(game)
    dice = Chance(bytes(SEED_BYTES), before.version)
    view = game.view(before.state, seat)
    weighed = blueprint.worths(view, known, legal, dice)
    worth = next((worth for worth, other in weighed if other == command), None)
    if worth is None:
        return None, None
    best, preferred = weighed[0]
    if worth >= best:
        return "best", None
    by = _weaker_by(blueprint, level, view)
    return by, preferred if by else None


def _weaker_by(blueprint: Blueprint[Any, Any, Any], level: str, view: Any) -> Choice | None:
    """Return how a level comes to choose a command that its rules of thumb like less."""
    if temperatures(blueprint)[level]:
        return "softer"
    looked = level == LEVELS[-1] and blueprint.budget is not None and blueprint.budget(view) > 0
    return "looked-ahead" if looked else None
