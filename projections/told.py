"""Commands and events of the match in the form of answers, where times are text."""

from typing import Any, Literal, Union, get_args

import msgspec
from msgspec import UNSET, UnsetType

from events.record import at_text
from games.game import Tagged, Undo
from games.match.commands import MatchCommand, TimeOut
from games.match.events import MatchEvent, ProposalMade
from games.wire import Time


class ToldProposal(Tagged, frozen=True, tag="proposal_made"):
    """A seat asked others, who may answer until `expires` or the game goes on."""

    kind: Literal["undo", "abandon", "pause", "solve"]
    seat: int
    asked: tuple[int, ...]
    expires: Time
    to: int = 0
    """Undo: the version to rewind to."""
    undo: Undo | None = None
    """Undo: the undo class."""
    kept: tuple[int, ...] | UnsetType = UNSET
    """Undo: later records that would stay. Only in the full view."""


class ToldTimeOut(Tagged, frozen=True, tag="time_out"):
    """From the clock: a seat's deadline has passed."""

    seat: int
    deadline: Time


TOLD: dict[type, type] = {ProposalMade: ToldProposal, TimeOut: ToldTimeOut}
"""Types whose answers differ from what is recorded."""


def _in_answers(union: Any) -> Any:
    return Union[tuple(TOLD.get(kind, kind) for kind in get_args(union))]  # noqa: UP007 - a value


ToldMatchCommand: Any = _in_answers(MatchCommand)
ToldMatchEvent: Any = _in_answers(MatchEvent)


def told_event(event: Any) -> Any:
    """Return an event in the form of answers."""
    if type(event) is not ProposalMade:
        return event
    fields: dict[str, Any] = msgspec.structs.asdict(event) | {"expires": at_text(event.expires)}
    return ToldProposal(**fields)


def told_command(command: Any) -> Any:
    """Return a command in the form of answers."""
    if type(command) is not TimeOut:
        return command
    return ToldTimeOut(command.seat, at_text(command.deadline))
