"""Talk: messages outside the log, in the work Redis, if the game allows talk at that moment."""

import secrets
from collections.abc import AsyncIterator, Iterator
from typing import Annotated, Any, Literal, get_args

import msgspec
from msgspec import Meta

from events.record import at_text
from games.match.model import Match
from games.wire import Time
from projections.folded import Viewer
from projections.notices import TalkNotice
from service.base.clock import now_micros
from service.base.problems import Problem
from service.play.blocks import Blocks
from service.play.notices import Notices
from service.play.work_needed import work_needed

KEPT = 500
"""Maximum number of messages per match and channel."""
KEPT_S = 30 * 86_400
CLOSED_TALK = frozenset(("closed",))

Channel = Literal["table", "crew"]
Text = Annotated[str, Meta(min_length=1, max_length=500)]


class Message(msgspec.Struct, frozen=True):
    """A message."""

    id: str
    at: Time
    seat: int
    channel: Channel
    text: str


MESSAGE = msgspec.json.Decoder(Message)


class Talk:
    """The messages of all matches."""

    def __init__(self, work: Any, notices: Notices, blocks: Blocks) -> None:
        """Use the work Redis, and notify the players who may read a message."""
        self._work = work
        self._notices = notices
        self._blocks = blocks

    async def say(self, match: Match, seat: Viewer, channel: Channel, text: str) -> Message:
        """Store a message; raises `Problem` 403, 422, 503.

        There are no crews until the match has started: every message is for the table.
        """
        if seat is None:
            raise Problem(403, "not-a-seat", "Only seats may talk.")
        if not is_open(match, seat):
            raise Problem(422, "talk-closed", "The game does not allow talk at this moment.")
        channel = "table" if match.state is None else channel
        message = Message(secrets.token_urlsafe(9), at_text(now_micros()), seat, channel, text)
        key = _key(match, channel, seat)
        with work_needed():
            await self._work.xadd(
                key, {b"m": msgspec.json.encode(message)}, maxlen=KEPT, approximate=True
            )
            await self._work.expire(key, KEPT_S)
        name, speaker = match.header.match, match.chairs[seat].player
        await self._notices.send(
            [
                (player, told)
                for player, told in _notices(match, message, key)
                if await self._blocks.hears(player, name, speaker)
            ]
        )
        return message

    async def forget(self, match: Match, seat: int) -> int:
        """Delete all messages of a seat; return their number. Raises `Problem` 503."""
        forgotten = 0
        with work_needed():
            for key in _keys(match, seat):
                for entry, fields in await self._work.xrange(key):
                    if MESSAGE.decode(fields[b"m"]).seat == seat:
                        forgotten += await self._work.xdel(key, entry)
        return forgotten

    async def matches(self) -> AsyncIterator[str]:
        """Yield the ids of the matches with messages, each at least once."""
        async for key in self._work.scan_iter(match="talk:*", count=1_000):
            yield key.decode().split(":")[1]

    async def written(self, match: str, seats: int, seat: int) -> list[Message]:
        """Return what a seat has said in a match of so many seats; raises `Problem` 503."""
        keys = [_table(match), *(_crew(match, first) for first in range(seats))]
        with work_needed():
            pipe = self._work.pipeline(transaction=False)
            for key in keys:
                pipe.xrange(key)
            found = await pipe.execute()
        messages = (MESSAGE.decode(fields[b"m"]) for part in found for _, fields in part)
        return [message for message in messages if message.seat == seat]

    async def heard(self, match: Match, viewer: Viewer, *, behind: int = 0) -> list[Message]:
        """Return the messages that a viewer may read, oldest first; raises `Problem` 503.

        A viewer who is `behind` by some microseconds is not shown those since, except from before
        the start.
        """
        with work_needed():
            found = [await self._work.xrange(key) for key in _keys(match, viewer)]
        until = at_text(max(match.started_at, now_micros() - behind))
        messages = [MESSAGE.decode(fields[b"m"]) for part in found for _, fields in part]
        return sorted(
            (message for message in messages if not behind or message.at <= until),
            key=lambda message: message.at,
        )


def is_open(match: Match, seat: int) -> bool:
    """Return whether the game allows a seat to talk now: `talk` in its view, if it has that."""
    if match.status != "running":
        return True
    view = match.game.view(match.state, seat)
    return getattr(view, "talk", "open") not in CLOSED_TALK


def _notices(match: Match, message: Message, key: str) -> Iterator[tuple[str, TalkNotice]]:
    """Yield a notice for each other player who reads the channel of a message."""
    header = match.header
    told = TalkNotice(header.match, header.game, message.seat, message.channel, message.id)
    for seat, chair in enumerate(match.chairs):
        if chair.player and seat != message.seat and key in _keys(match, seat):
            yield chair.player, told


def _keys(match: Match, viewer: Viewer) -> set[str]:
    """Return the keys of the channels that a viewer reads. Spectators have no crew."""
    return {_key(match, channel, viewer) for channel in get_args(Channel)}


def _key(match: Match, channel: Channel, viewer: Viewer) -> str:
    """Return the key of a channel. Each crew has its own, named by its first seat."""
    name = match.header.match
    if channel == "table" or viewer is None or match.state is None:
        return _table(name)
    crew = next(team for team in match.game.teams(match.state) if viewer in team)
    return _crew(name, min(crew))


def _table(match: str) -> str:
    return f"talk:{match}:table"


def _crew(match: str, first: int) -> str:
    return f"talk:{match}:crew:{first}"
