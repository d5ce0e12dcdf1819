"""Frames of the WebSocket `/play`: JSON objects that `type` tells apart."""

from typing import Annotated, Any, Union

import msgspec
from msgspec import Meta

from events.receipts import Receipt
from events.record import CommandId
from projections.folded import ToldRecord
from projections.notices import Notice
from service.base.decoding import UNDECODABLE
from service.http.problem_json import ProblemBody
from service.play.matches import Accepted

MatchId = Annotated[str, Meta(max_length=64)]


class _Sent(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """A frame of a client."""


class Authenticate(_Sent, frozen=True, tag="authenticate"):
    """The first frame, unless the request had an `Authorization` header."""

    token: str
    """A token, as in `Authorization: Bearer <token>`."""


class SendCommand(_Sent, frozen=True, tag="command"):
    """Sends a command, as `POST /matches/{match}/commands` does. `accepted` answers."""

    id: CommandId
    """Idempotency-Key of the command. Keep it over your retries: the command then counts once."""
    match: MatchId
    command: msgspec.Raw
    """The command."""
    version: int | None = None
    """The only version of yours that the command is meant for, as in `If-Match`."""
    minimal: bool = False
    """Whether to leave the view out of the answer."""
    receipt: bool = False
    """Whether a signed receipt should follow the answer, as with `Prefer: receipt`."""
    join_code: str | None = None
    """Join code of a private match."""


class Subscribe(_Sent, frozen=True, tag="subscribe"):
    """Asks for the records of a match, as in `GET /matches/{match}/stream`. `done` answers."""

    id: CommandId
    """Your name of the frame, for the answer."""
    match: MatchId
    after: Annotated[int, Meta(ge=0)] = 0
    """The last version of yours that you have: the records after it are sent."""
    join_code: str | None = None
    """Join code of a private match."""


class Unsubscribe(_Sent, frozen=True, tag="unsubscribe"):
    """Ends a subscription. `done` answers."""

    id: CommandId
    """Your name of the frame, for the answer."""
    match: MatchId


class FollowNotices(_Sent, frozen=True, tag="notices"):
    """Asks for your notices, as in `GET /players/me/stream`. `done` answers."""

    id: CommandId
    """Your name of the frame, for the answer."""
    after: Annotated[str, Meta(max_length=32)] | None = None
    """`place` of the last notice that you have; without one, a `reset` comes first."""


class Ping(_Sent, frozen=True, tag="ping"):
    """Asks whether the connection works. `pong` answers."""

    id: CommandId
    """Your name of the frame, for the answer."""


class _Told(msgspec.Struct, frozen=True, tag_field="type"):
    """A frame of the service."""


class Connected(_Told, frozen=True, tag="connected"):
    """The token was accepted."""

    player: str
    """Who you are."""
    frame_bytes_max: int
    """Maximum length of your frames, in bytes."""


class CommandAccepted(_Told, frozen=True, tag="accepted"):
    """The record of a command is on disk."""

    re: str
    """`id` of the frame that this answers."""
    accepted: Accepted
    """The answer, as over HTTP."""


class FrameRefused(_Told, frozen=True, tag="refused"):
    """A frame was refused, or a subscription ended early."""

    re: str
    """`id` of the frame that this answers; empty if the frame had no legible `id`."""
    problem: ProblemBody
    """The problem, as over HTTP."""


class Done(_Told, frozen=True, tag="done"):
    """A subscription began or ended."""

    re: str
    """`id` of the frame that this answers."""


class Pong(_Told, frozen=True, tag="pong"):
    """The answer to a ping."""

    re: str
    """`id` of the frame that this answers."""


class TellRecord(_Told, frozen=True, tag="record"):
    """A record of a match to which you subscribed."""

    match: str
    record: ToldRecord
    """The record, as redacted for you."""


class TellReceipt(_Told, frozen=True, tag="receipt"):
    """A signed receipt for the last record that you were sent of a match."""

    match: str
    receipt: Receipt
    """Keep it: it holds the service to what it told you."""


class MatchOver(_Told, frozen=True, tag="over"):
    """The match is over, and its subscription has ended."""

    match: str


class TellNotice(_Told, frozen=True, tag="notice"):
    """One of your notices."""

    place: str
    """Where your notices resume: `after` of the next `notices` frame."""
    notice: Notice
    """The notice."""


class StillHere(_Told, frozen=True, tag="still_here"):
    """Sent when there was nothing else to send for some time."""


SentFrame = Union[  # noqa: UP007 - a value
    Authenticate, SendCommand, Subscribe, Unsubscribe, FollowNotices, Ping
]
"""What clients send."""
ToldFrame = Union[  # noqa: UP007 - a value
    Connected,
    CommandAccepted,
    FrameRefused,
    Done,
    Pong,
    TellRecord,
    TellReceipt,
    MatchOver,
    TellNotice,
    StillHere,
]
"""What the service sends."""
DECODER: msgspec.json.Decoder[Any] = msgspec.json.Decoder(SentFrame)


class _Identified(msgspec.Struct):
    id: CommandId = ""


IDENTIFIED = msgspec.json.Decoder(_Identified)


def id_of(data: bytes) -> str:
    """Return the id of a frame that cannot be decoded, or an empty text."""
    try:
        return IDENTIFIED.decode(data).id
    except UNDECODABLE:
        return ""
