"""All that the service keeps of a player, as lines of JSON: for the player alone."""

from collections.abc import AsyncIterator
from typing import Any

import msgspec

from events.record import at_text
from service.base.clock import DAY_S, now_micros
from service.base.problems import limited
from service.play.audience import Audience
from service.play.best_moments import BestMoments
from service.play.caller import Caller
from service.play.comments import Comments
from service.play.invitations import Invitations
from service.play.listings import ListedMatch, Listings, Wanted
from service.play.player_record import Player
from service.play.players import Players
from service.play.rematches import Rematches
from service.play.seeks import Seeks
from service.play.talk import Talk
from service.play.work_needed import work_needed

FORMAT = 1
DAY_MAX = 3
"""Maximum number of exports that a player begins in a day."""
PAGE = 50
"""Number of matches that are read at once."""
MATCHES_MAX = 20_000
"""Maximum number of matches in an export, the latest ones."""
WITHOUT = ("generation", "recovery", "recovers", "own_name", "erased")
"""Fields of the record that say nothing of the player: how tokens, codes and names are checked."""


class OwnData:
    """Exports what there is of a player."""

    def __init__(
        self,
        work: Any,
        players: Players,
        invitations: Invitations,
        seeks: Seeks,
        rematches: Rematches,
        comments: Comments,
        talk: Talk,
        audience: Audience,
        moments: BestMoments,
    ) -> None:
        """Read the player's record, and the work Redis through an asyncio client of bytes."""
        self._work = work
        self._players = players
        self._invitations = invitations
        self._seeks = seeks
        self._rematches = rematches
        self._comments = comments
        self._talk = talk
        self._audience = audience
        self._moments = moments
        self._listings = Listings(work)

    async def export(self, player: str) -> AsyncIterator[bytes]:
        """Return the lines of an export, which is whole if it ends with a line of type `end`.

        Raises `Problem` 404, 429, 503, before the first line.
        """
        record = await self._players.stored(player)
        await self._count(player)
        return self._lines(player, record)

    async def _lines(self, player: str, record: Player) -> AsyncIterator[bytes]:
        yield _line("export", format=FORMAT, created=at_text(now_micros()))
        yield _line("player", player=player, record=_shown(record))
        received, sent = await self._invitations.of(player)
        for invitation in (*received, *sent):
            yield _line("invitation", invitation=invitation)
        for one in await self._seeks.of(player):
            yield _line("seek", seek=one.seek, players=one.players)
        for offer in await self._rematches.asking(player):
            yield _line("rematch", rematch=offer)
        async for match, comment in self._comments.written(player):
            yield _line("comment", match=match, comment=comment)
        async for match, message in self._audience.written(player):
            yield _line("audience", match=match, message=message)
        for moment in await self._moments.of(player, Caller(player)):
            yield _line("moment", moment=moment)
        matches = 0
        async for listed in self._matches(player):
            matches += 1
            yield await self._match(player, record, listed)
        yield _line("end", matches=matches)

    async def _match(self, player: str, record: Player, listed: ListedMatch) -> bytes:
        seat = next(one.seat for one in listed.seats if one.player == player)
        path = f"/matches/{listed.match}"
        talked = listed.match in record.talked
        return _line(
            "match",
            match=listed,
            seat=seat,
            talk=await self._talk.written(listed.match, player) if talked else [],
            links={
                "page": f"/match/{listed.match}",
                "events": f"{path}/events",
                "log": f"{path}/export",
            },
        )

    async def _matches(self, player: str) -> AsyncIterator[ListedMatch]:
        after = None
        for _ in range(MATCHES_MAX // PAGE):
            page = await self._listings.history(
                player, Wanted(), private=True, after=after, count=PAGE
            )
            for listed in page.matches:
                yield listed
            if (after := page.next) is None:
                return

    async def forget(self, player: str) -> None:
        """Delete the number of today's exports; raises `Problem` 503."""
        with work_needed():
            await self._work.delete(_today(player))

    async def _count(self, player: str) -> None:
        with work_needed():
            count = await self._work.incr(_today(player))
            if count == 1:
                await self._work.expire(_today(player), DAY_S)
        if count > DAY_MAX:
            raise limited(
                "exports",
                "too-many-exports",
                f"You may export your data {DAY_MAX} times a day. Try again tomorrow.",
                retry_after=DAY_S,
            )


def _shown(record: Player) -> dict[str, Any]:
    """Return what a record says of its player, without what only the service and browsers need."""
    shown = msgspec.to_builtins(record)
    for subscription in shown.get("subscriptions", ()):
        del subscription["p256dh"], subscription["auth"]
    for name in ("mailbox", "identity"):
        if shown.get(name):
            del shown[name]["lookup"]
    return {name: value for name, value in shown.items() if name not in WITHOUT}


def _line(kind: str, **fields: Any) -> bytes:
    return msgspec.json.encode({"type": kind, **fields}) + b"\n"


def _today(player: str) -> str:
    return f"exports:today:{player}"
