"""Talk: messages at the table, if the game allows talk at that moment.

They are in a document beside the log, which is durable and in backups, and from which a player can
be erased. The document goes when the match is archived. The player's record names the matches in
which the player has talked, so that an erasure finds all of them.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from secrets import token_urlsafe
from typing import Annotated, Literal

import msgspec
from cachetools import TTLCache
from msgspec import Meta
from msgspec.structs import replace

from events.record import at_text
from events.store import Store, Taken, Unavailable
from games.match.clocks import SECOND
from games.match.model import Match
from games.wire import Time
from projections.folded import Viewer
from projections.notices import TalkNotice
from service.base.budgets import Purse
from service.base.clock import now_micros
from service.base.problems import Problem, limited, revoked
from service.play.blocks import Blocks
from service.play.notices import Notices
from service.play.player_record import Player
from service.play.players import TRIES, Players

KEPT = 300
"""Maximum number of messages to the table of a match, and to each of its crews."""
KEPT_BYTES = 32 << 10
"""Maximum size of these messages."""
TALKED_MAX = 200
"""Maximum number of matches in which a player's messages are kept, the latest ones."""
PACE = 0.5
"""Messages per second that a player may send for long."""
BURST = 20
"""Messages that a player may send at once."""
SPEAKERS_MAX = 100_000
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


class Spoken(msgspec.Struct, frozen=True, omit_defaults=True):
    """A message as it is stored."""

    message: Message
    player: str
    crew: int | None = None
    """First seat of the crew that may read the message; None for the whole table."""


Transcript = tuple[Spoken, ...]
ENCODER = msgspec.json.Encoder()
TRANSCRIPT = msgspec.json.Decoder(Transcript)


class Talk:
    """The messages of all matches."""

    def __init__(
        self,
        store: Store,
        players: Players,
        notices: Notices,
        blocks: Blocks,
        archived_s: int | None,
    ) -> None:
        """Notify the players who may read a message.

        Matches are archived `archived_s` after their end; None if they never are.
        """
        self._store = store
        self._players = players
        self._notices = notices
        self._blocks = blocks
        self._archived_s = archived_s
        self._purses: TTLCache[str, Purse] = TTLCache(SPEAKERS_MAX, BURST / PACE)

    async def say(self, match: Match, seat: Viewer, channel: Channel, text: str) -> Message:
        """Store a message; raises `Problem` 401, 403, 422, 429.

        There are no crews until the match has started: every message is for the table.
        """
        if seat is None:
            raise Problem(403, "not-a-seat", "Only seats may talk.")
        if not is_open(match, seat):
            raise Problem(422, "talk-closed", "The game does not allow talk at this moment.")
        if self._is_archived(match):
            raise Problem(422, "talk-ended", "The match is archived, and its talk has ended.")
        channel = "table" if match.state is None else channel
        crew = _crew(match, seat) if channel == "crew" else None
        message = Message(token_urlsafe(9), at_text(now_micros()), seat, channel, text)
        name, player = match.header.match, match.chairs[seat].player
        self._require_pace(player)
        await self._note(player, name)
        spoken = Spoken(message, player, crew)
        await self._rewrite(name, lambda before: _fitting((*before, spoken), crew))
        record = await self._players.stored(player)
        if record.erased:  # by another process, in the meantime
            await self._remove(name, player)
            raise revoked()
        await self._note(player, name)
        await self._notices.send(
            [
                (other, told)
                for other, told in _notices(match, spoken)
                if await self._blocks.hears(other, name, player)
            ]
        )
        return message

    async def heard(self, match: Match, viewer: Viewer, *, behind: int = 0) -> list[Message]:
        """Return the messages that a viewer may read, oldest first.

        A viewer who is `behind` by some microseconds is not shown those since, except from before
        the start.
        """
        until = at_text(max(match.started_at, now_micros() - behind))
        return [
            spoken.message
            for spoken in await self._transcript(match.header.match)
            if _hears(match, viewer, spoken) and (not behind or spoken.message.at <= until)
        ]

    async def written(self, match: str, player: str) -> list[Message]:
        """Return what a player has said in a match."""
        return [
            spoken.message for spoken in await self._transcript(match) if spoken.player == player
        ]

    async def forget(self, player: str, matches: Iterable[str]) -> None:
        """Remove a player's messages from matches."""
        for match in matches:
            await self._remove(match, player)

    async def _remove(self, match: str, player: str) -> None:
        await self._rewrite(
            match, lambda before: tuple(one for one in before if one.player != player)
        )

    async def _note(self, player: str, match: str) -> None:
        """Note that a player talks in a match. The earliest match beyond the limit is forgotten.

        Called before a message is stored, so that no erasure misses it, and after it, since another
        process may have forgotten the match in the meantime. Raises `Problem` 404 if the player has
        been erased.
        """
        known = await self._players.get(player)
        if known is not None and match in known.talked:
            return
        earliest = () if known is None else known.talked[: 1 - TALKED_MAX]
        await self.forget(player, earliest)

        def note(record: Player) -> Player:
            others = tuple(one for one in record.talked if one not in (match, *earliest))
            return replace(record, talked=(*others, match))

        await self._players.update(player, note)

    async def _transcript(self, match: str) -> Transcript:
        kept = await self._store.document("talk", match)
        return () if kept is None else TRANSCRIPT.decode(kept.data)

    async def _rewrite(self, match: str, change: Callable[[Transcript], Transcript]) -> None:
        """Change the messages of a match as stored now, unless they stay the same."""
        for _ in range(TRIES):
            kept = await self._store.document("talk", match)
            before = () if kept is None else TRANSCRIPT.decode(kept.data)
            if (after := change(before)) == before:
                return
            with suppress(Taken):
                await self._store.put_document("talk", match, ENCODER.encode(after), kept)
                return
        raise Unavailable(f"the talk of {match} was changed {TRIES} times in the meantime")

    def _require_pace(self, player: str) -> None:
        """Raise `Problem` 429 if a player talks too fast: each message rewrites the document."""
        now = time.monotonic()
        purse = self._purses.get(player) or Purse(BURST, BURST, now)
        purse.earn(PACE, now)
        if purse.left < 1:
            raise limited(
                "talk",
                "rate-limited",
                f"You may send {BURST} messages at once, and then one every {1 / PACE:.0f} s.",
                retry_after=round(1 / PACE),
            )
        purse.spend(1)
        self._purses[player] = purse

    def _is_archived(self, match: Match) -> bool:
        """Return whether a match is archived, or is about to be."""
        if self._archived_s is None or not match.over:
            return False
        return match.at + self._archived_s * SECOND <= now_micros()


def is_open(match: Match, seat: int) -> bool:
    """Return whether the game allows a seat to talk now: `talk` in its view, if it has that."""
    if match.status != "running":
        return True
    view = match.game.view(match.state, seat)
    return getattr(view, "talk", "open") not in CLOSED_TALK


def _notices(match: Match, spoken: Spoken) -> Iterable[tuple[str, TalkNotice]]:
    """Yield a notice for each other player who may read a message."""
    header, message = match.header, spoken.message
    told = TalkNotice(header.match, header.game, message.seat, message.channel, message.id)
    for seat, chair in enumerate(match.chairs):
        if chair.player and seat != message.seat and _hears(match, seat, spoken):
            yield chair.player, told


def _hears(match: Match, viewer: Viewer, spoken: Spoken) -> bool:
    """Return whether a viewer may read a message. Spectators have no crew."""
    if spoken.crew is None:
        return True
    return viewer is not None and _crew(match, viewer) == spoken.crew


def _crew(match: Match, seat: int) -> int:
    """Return the first seat of a seat's crew."""
    return min(next(team for team in match.game.teams(match.state) if seat in team))


def _fitting(spoken: Transcript, crew: int | None) -> Transcript:
    """Drop the oldest messages of whoever has said most to an audience until the others fit.

    What a crew says to itself takes no room from others, who would notice.
    """
    heard = [one for one in spoken if one.crew == crew]
    dropped: list[Spoken] = []
    while len(heard) > KEPT or len(ENCODER.encode(heard)) > KEPT_BYTES:
        said = Counter[str]()
        for one in heard:
            said[one.player] += len(ENCODER.encode(one))
        ((most, _),) = said.most_common(1)
        first = next(one for one in heard if one.player == most)
        heard.remove(first)
        dropped.append(first)
    return tuple(one for one in spoken if one not in dropped)
