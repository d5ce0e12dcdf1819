"""Best moments of players, kept when a finished match is analysed.

A wipe of the work Redis loses them until the match is analysed again.
"""

from collections.abc import Sequence
from typing import Any

import msgspec

from events.record import at_text
from games.wire import Time
from projections.summary import Summary
from replay.best import Best, BestMoment
from service.play.analyses import KEPT_S
from service.play.caller import Caller
from service.play.players import Players
from service.play.work_needed import work_needed

MATCHES_MAX = 50
"""Number of matches of a player whose moments are kept, the latest ones."""
SHOWN_MAX = 12
"""Maximum number of moments in an answer."""


class PlayersMoment(msgspec.Struct, frozen=True):
    """A moment of a player in a finished match."""

    match: str
    game: str
    seat: int
    version: int
    """Version of the record in the log, as in the full view."""
    kind: Best
    """`comeback`: the player won from a slim chance. `find`: a command that wins more games than
    the bot's choice.
    """
    share: float
    """The chance of winning from which a comeback began, or what a find gains, as a share of won
    games.
    """
    ended: Time
    """When the match ended."""


class _Kept(msgspec.Struct, frozen=True):
    """The moments of a player in a match."""

    players: tuple[str, ...]
    """Who was in the match."""
    private: bool
    moments: tuple[PlayersMoment, ...]


DECODER = msgspec.json.Decoder(_Kept)


class BestMoments:
    """The best moments of all players."""

    def __init__(self, work: Any, players: Players) -> None:
        """Use an asyncio client of the work Redis (of bytes), and ask who was erased."""
        self._work = work
        self._players = players

    async def keep(self, summary: Summary, found: Sequence[BestMoment]) -> None:
        """Keep the moments of those who played a match to its end. Raises `Problem` 503.

        A branch is no match of its own, and has none.
        """
        if summary.outcome is None or summary.branch is not None:
            return
        people = tuple(sitter.player for sitter in summary.sitters)
        for seat, player in enumerate(people):
            own = [one for one in found if one.seat == seat]
            if not own or not player or await self._players.is_erased(player):
                continue
            ended = at_text(summary.outcome.at)
            moments = tuple(_of_player(summary, one, ended) for one in own)
            kept = _Kept(people, summary.private, moments)
            with work_needed():
                await self._work.hset(_key(player), summary.match, msgspec.json.encode(kept))
                await self._work.expire(_key(player), KEPT_S)
                await self._limit(player)

    async def of(self, player: str, reader: Caller) -> list[PlayersMoment]:
        """Return a player's best moments, the latest first. Raises `Problem` 503.

        Those in a private match are shown to whoever was in it.
        """
        with work_needed():
            found = [DECODER.decode(data) for data in await self._work.hvals(_key(player))]
        seen = [
            one
            for one in sorted(found, key=_ended, reverse=True)
            if not one.private or reader.player in one.players or reader.sees_all
        ]
        return [moment for one in seen for moment in one.moments][:SHOWN_MAX]

    async def forget(self, player: str) -> None:
        """Delete a player's moments. Raises `Problem` 503."""
        with work_needed():
            await self._work.delete(_key(player))

    async def _limit(self, player: str) -> None:
        """Drop the moments of the earliest matches above the limit."""
        if await self._work.hlen(_key(player)) <= MATCHES_MAX:
            return
        found = await self._work.hgetall(_key(player))
        latest = sorted(found, key=lambda match: _ended(DECODER.decode(found[match])), reverse=True)
        await self._work.hdel(_key(player), *latest[MATCHES_MAX:])


def _of_player(summary: Summary, one: BestMoment, ended: Time) -> PlayersMoment:
    return PlayersMoment(summary.match, summary.game, one.seat, one.v, one.kind, one.share, ended)


def _ended(kept: _Kept) -> Time:
    """Return when the match ended, of which there is at least one moment."""
    return kept.moments[0].ended


def _key(player: str) -> str:
    return f"moments:{player}"
