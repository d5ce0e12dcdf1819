"""Notices: what a player's stream tells. They have no hidden fact and no free text.

The notices of a match follow from its fold, in the numbers of the seat that gets them.
"""

from collections.abc import Iterator
from typing import Literal, Union

import msgspec

from events.record import at_text
from games.match.model import Match, Status
from games.match.viewers import own_number, proposal
from games.wire import Time

DisabledReason = Literal["gone", "failing"]
"""Why nothing is sent to a webhook."""


class TurnNotice(msgspec.Struct, frozen=True, tag_field="type", tag="turn"):
    """It is your turn. Another one follows if it still is after your command."""

    match: str
    game: str
    seat: int
    """Your seat."""
    after: int
    """Your version of your last command; 0 before the first. It tells turns apart."""
    deadline: Time | None
    """When your clock runs out; null without a clock."""


class ProposalNotice(msgspec.Struct, frozen=True, tag_field="type", tag="proposal"):
    """A proposal asks you."""

    match: str
    game: str
    seat: int
    """Your seat."""
    proposal: int
    """Number of the proposal, for the answer."""
    kind: str
    """Kind of the proposal."""
    proposer: int
    """The seat that made the proposal."""
    expires: Time


class StartNotice(msgspec.Struct, frozen=True, tag_field="type", tag="match_started"):
    """A match in which you have a seat has started."""

    match: str
    game: str
    seat: int
    """Your seat."""


class EndNotice(msgspec.Struct, frozen=True, tag_field="type", tag="match_over"):
    """A match in which you have a seat is over."""

    match: str
    game: str
    seat: int
    """Your seat."""
    status: Status
    winners: tuple[int, ...] | None
    """Winning seats; null if the match was abandoned."""


class TalkNotice(msgspec.Struct, frozen=True, tag_field="type", tag="talk"):
    """Somebody else said something that you may read (`GET /matches/{match}/talk`)."""

    match: str
    game: str
    seat: int
    """The seat that sent the message."""
    channel: Literal["table", "crew"]
    message: str
    """Id of the message."""


class InvitationNotice(msgspec.Struct, frozen=True, tag_field="type", tag="invitation"):
    """Somebody invites you to a match (`GET /players/me/invitations`)."""

    invitation: str
    """Id of the invitation."""
    match: str
    game: str
    by: str
    """Id of the player who invites."""


class ClosedNotice(msgspec.Struct, frozen=True, tag_field="type", tag="invitation_closed"):
    """An invitation of yours was answered, or one to you was withdrawn."""

    invitation: str
    """Id of the invitation."""
    match: str
    game: str
    state: Literal["accepted", "declined", "withdrawn"]
    """What happened to the invitation."""


class SeekNotice(msgspec.Struct, frozen=True, tag_field="type", tag="seek_filled"):
    """A seek that you posted or took is complete: its match starts, and you have a seat."""

    seek: str
    """Id of the seek."""
    match: str
    game: str


RematchState = Literal["offered", "declined", "withdrawn", "started"]


class RematchNotice(msgspec.Struct, frozen=True, tag_field="type", tag="rematch"):
    """Another player of a match that is over offers a rematch, or an offer was answered."""

    match: str
    """The match that is over."""
    game: str
    by: str | None
    """Id of the player who offered, declined or withdrew; null for `started`."""
    state: RematchState
    """`started`: all players have agreed, and `rematch` has begun."""
    rematch: str | None
    """The new match; null until it has started."""


class WebhookNotice(msgspec.Struct, frozen=True, tag_field="type", tag="webhook_disabled"):
    """A webhook of yours is disabled until a test of it succeeds."""

    webhook: str
    """Id of the webhook."""
    reason: DisabledReason
    """`gone`: the receiver answered 410. `failing`: no message arrived for three days."""


class DeviceNotice(msgspec.Struct, frozen=True, tag_field="type", tag="device"):
    """A device of yours was signed in or out (`GET /players/me/devices`)."""

    device: str
    """Id of the device."""
    state: Literal["added", "ended"]
    """`ended`: the token of the device is no longer valid."""


class ResetNotice(msgspec.Struct, frozen=True, tag_field="type", tag="reset"):
    """The stream begins, or notices were lost: read the lists of matches and invitations anew."""

    standing: tuple["StandingNotice", ...]
    """Your turns and the proposals that ask you, as they stand now; at most 1,000."""


StandingNotice = Union[TurnNotice, ProposalNotice]  # noqa: UP007 - a value
"""Notices that hold until the match goes on."""
Notice = Union[  # noqa: UP007 - a value
    ResetNotice,
    StartNotice,
    TurnNotice,
    ProposalNotice,
    TalkNotice,
    EndNotice,
    InvitationNotice,
    ClosedNotice,
    SeekNotice,
    RematchNotice,
    WebhookNotice,
    DeviceNotice,
]


def standing(match: Match) -> tuple[StandingNotice, ...]:
    """Return what the players at the table are asked to do now, by seat."""
    if match.status != "running":
        return ()
    people = [seat for seat, chair in enumerate(match.chairs) if chair.person]
    return tuple(notice for seat in people for notice in _standing(match, seat))


def _standing(match: Match, seat: int) -> Iterator[StandingNotice]:
    name, game = match.header.match, match.header.game
    if match.paused is None and seat in match.game.awaited(match.state, seat):
        clock = match.clocks.get(seat)
        deadline = None if clock is None else at_text(clock.deadline)
        yield TurnNotice(name, game, seat, _last_own(match, seat), deadline)
    asked = proposal(match, seat)
    if asked is not None and seat in asked.made.asked and seat not in asked.accepted:
        yield ProposalNotice(
            name,
            game,
            seat,
            own_number(match, seat, asked.version),
            asked.made.kind,
            asked.made.seat,
            at_text(asked.made.expires),
        )


def _last_own(match: Match, seat: int) -> int:
    """Return the seat's version of its last command that counts."""
    return own_number(match, seat, match.line.last_by(seat))
