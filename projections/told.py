"""Commands and events of the match in the form of answers, where times are text."""

from typing import Any, Literal, Union, get_args

import msgspec
from msgspec import UNSET, UnsetType

from events.record import at_text
from games.game import Tagged, Undo
from games.match.commands import BotPace, Clock, MatchCommand, TimeOut
from games.match.events import Fork, MatchCreated, MatchEvent, ProposalMade
from games.match.model import Match
from games.wire import GameOptions, Time


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


class ToldCreated(Tagged, frozen=True, kw_only=True, tag="match_created"):
    """The header: everything that stays fixed while the match lives."""

    format: int
    """Record format."""
    match: str
    game: str
    rules: int
    """Rules version of the game."""
    seats: int
    options: GameOptions
    """All options, also those at their defaults."""
    clock: Clock | None
    private: bool
    away_after: int
    undo_limit: int | None
    creator: str
    commitment: str
    """SHA-256 of the service seed, in hex."""
    service: str
    """ID of the key that signs heads."""
    key: str
    """ID of the master key from which the service seed was derived."""
    branch: Fork | UnsetType = UNSET
    """Branches only."""
    stand_in: str | UnsetType = UNSET
    """Level of the bot that plays for seats that are away."""
    proposal_seconds: int | UnsetType = UNSET
    spectator_delay: int | UnsetType = UNSET
    """Time after which spectators are shown a record (seconds)."""
    bot_pace: BotPace | UnsetType = UNSET
    """How long bots wait before they move."""


class ToldTimeOut(Tagged, frozen=True, tag="time_out"):
    """From the clock: a seat's deadline has passed."""

    seat: int
    deadline: Time


TOLD: dict[type, type] = {
    MatchCreated: ToldCreated,
    ProposalMade: ToldProposal,
    TimeOut: ToldTimeOut,
}
"""Types whose answers differ from what is recorded."""


def _in_answers(union: Any) -> Any:
    return Union[tuple(TOLD.get(kind, kind) for kind in get_args(union))]  # noqa: UP007 - a value


ToldMatchCommand: Any = _in_answers(MatchCommand)
ToldMatchEvent: Any = _in_answers(MatchEvent)


def told_event(match: Match, event: Any) -> Any:
    """Return an event of a match in the form of answers."""
    if type(event) is MatchCreated:
        return told_header(match, event)
    return told_proposal(event) if type(event) is ProposalMade else event


def told_header(match: Match, header: MatchCreated) -> ToldCreated:
    """Return the header of a match in the form of answers: with all fields and options."""
    fields: dict[str, Any] = msgspec.structs.asdict(header)
    fields["branch"] = UNSET if header.branch is None else header.branch
    fields["options"] = match.plain_options
    return ToldCreated(**fields)


def told_proposal(proposal: ProposalMade) -> ToldProposal:
    """Return a proposal in the form of answers."""
    fields: dict[str, Any] = msgspec.structs.asdict(proposal)
    fields["expires"] = at_text(proposal.expires)
    return ToldProposal(**fields)


def told_command(command: Any) -> Any:
    """Return a command in the form of answers."""
    if type(command) is not TimeOut:
        return command
    return ToldTimeOut(command.seat, at_text(command.deadline))
