"""Seeks: offers of a match that others take. When all places are taken, the match is created.

They are in the work Redis (`seek_store.py`), and expire. All steps of a completion can be repeated:
the match and its seats follow from the id of the seek. If a seek lets bots in, a job of the worker
completes it with them when it is time.
"""

import secrets
from collections.abc import Collection, Iterable
from typing import Any

import msgspec

from events.record import at_text
from games.match.clocks import SECOND
from games.match.commands import AddBot, TakeSeat
from projections.notices import SeekNotice
from service.base.clock import now_micros
from service.base.problems import Problem, malformed, not_found
from service.play.blocks import Blocks
from service.play.caller import Caller
from service.play.matches import Matches
from service.play.notices import Notices
from service.play.open_seeks import (
    BOT,
    Offer,
    OpenSeek,
    Seek,
    SeekBots,
    Taken,
    fits,
    people_of,
    rank,
)
from service.play.seek_store import SeekStore, of_game, same_offer

LISTED_MAX = 200
"""Maximum number of seeks that are listed, and of those among which `join` looks."""
LOOKS_MAX = 50
"""Number of times that `join` looks again because others have posted meanwhile."""


class Seeks:
    """The seeks of all players."""

    def __init__(self, work: Any, matches: Matches, blocks: Blocks, notices: Notices) -> None:
        """Use an asyncio client of the work Redis (of bytes)."""
        self._store = SeekStore(work)
        self._matches = matches
        self._blocks = blocks
        self._notices = notices

    async def post(
        self, caller: Caller, offer: Offer, bots: SeekBots | None, kept_s: int, entropy: str
    ) -> OpenSeek:
        """Post a seek that expires after a time; raises `Problem` 400, 404, 422, 429, 503."""
        self._check(offer, bots, kept_s)
        seek = await self._post(caller, offer, bots, kept_s, None)
        assert seek is not None, "nothing was to be compared"
        return await self._taken(seek, caller, entropy)

    async def _post(
        self, caller: Caller, offer: Offer, bots: SeekBots | None, kept_s: int, posted: int | None
    ) -> Seek | None:
        """Post a seek, or return None if the number of posted seeks is no longer the given one."""
        now = now_micros()
        name = f"s_{secrets.token_urlsafe(12)}"
        expires = at_text(now + kept_s * SECOND)
        seek = Seek(name, caller.player, offer, at_text(now), expires, bots=bots)
        return seek if await self._store.add(seek, now, kept_s, posted) else None

    async def join(
        self, caller: Caller, offer: Offer, bots: SeekBots | None, kept_s: int, entropy: str
    ) -> OpenSeek:
        """Take a place in an open seek that fits, or post a seek if there is none.

        A fitting seek that the player has a place in is returned as it is. If others post a seek
        with the same offer after the look at the list, the call looks again, so that two at once do
        not post two seeks. Raises `Problem` as `post` and `take` do.
        """
        self._check(offer, bots, kept_s)
        gone: set[str] = set()
        looks = 0
        while True:
            looks += 1
            posted = await self._store.posted(offer)
            found = await self._listed(caller.player, same_offer(offer), LISTED_MAX)
            fitting = [
                one
                for one in found
                if one.seek.id not in gone and fits(one, caller.player, offer, bots)
            ]
            if not fitting:
                seen = posted if looks < LOOKS_MAX else None
                seek = await self._post(caller, offer, bots, kept_s, seen)
                if seek is None:
                    continue
                return await self._taken(seek, caller, entropy)
            best = min(fitting, key=lambda one: rank(one, caller.player))
            if caller.player in best.players:
                return best
            try:
                return await self.take(caller, best.seek.id, entropy)
            except Problem as problem:
                if problem.code != "not-found":
                    raise
                gone.add(best.seek.id)

    async def take(self, caller: Caller, seek: str, entropy: str) -> OpenSeek:
        """Take a place, and create the match if it was the last; raises `Problem`."""
        found, players = await self._store.get(seek), await self._store.places(seek)
        if found is None:
            raise not_found("seek")
        if found.match is not None:
            if caller.player not in players:
                raise not_found("seek")
            return OpenSeek(found, people_of(players))
        return await self._taken(found, caller, entropy)

    async def leave(self, player: str, seek: str) -> None:
        """Withdraw a seek, or leave one that was taken; raises `Problem` 404, 503."""
        found = await self._store.get(seek)
        if found is None:
            raise not_found("seek")
        players = people_of(await self._store.places(seek))
        if found.match is not None:
            raise _complete_seek(found.match) if player in players else not_found("seek")
        whole = found.by == player
        left = self._store.withdraw(found, players) if whole else self._store.leave(seek, player)
        if not await left:
            raise not_found("seek")

    async def due(self) -> list[str]:
        """Return the seeks that bots should complete now. Raises `RedisError`."""
        return await self._store.due()

    async def fill(self, seek: str) -> str | None:
        """Seat bots on the free seats of a seek that is due, and return the match that starts.

        Return None if the seek is gone or complete. A repeated call goes on where the last one
        failed. Raises `Problem`.
        """
        found = await self._store.get(seek)
        if found is None or found.match is not None or not await self._store.fill(found):
            await self._store.stop_waiting(seek)
            return None
        return (await self._complete(found, await self._store.places(seek))).match

    async def open(self, player: str, games: Collection[str]) -> list[OpenSeek]:
        """Return the open seeks of games that a player may take, those that expire last first.

        Each game has an equal share of the list. Raises `Problem` 503.
        """
        count = LISTED_MAX // len(games)
        found = [one for game in games for one in await self._listed(player, of_game(game), count)]
        return sorted(found, key=lambda one: one.seek.expires, reverse=True)

    async def of(self, player: str) -> list[OpenSeek]:
        """Return the open seeks that a player has a place in; raises `Problem` 503."""
        return await self._store.of(player)

    async def part(self, player: str) -> None:
        """Leave all seeks that a player shares with a blocked one; raises `Problem` 503."""
        await self._leave_all(player, blocked_only=True)

    async def forget(self, player: str) -> None:
        """Withdraw or leave all seeks of a player; raises `Problem` 503."""
        await self._leave_all(player, blocked_only=False)
        await self._store.forget(player)

    async def _listed(self, player: str, listed: str, count: int) -> list[OpenSeek]:
        """Return seeks of a list that a player may take; raises `Problem` 503."""
        return [
            one
            for one in await self._store.listed(listed, count)
            if player in one.players or not await self._blocks.between(player, one.players)
        ]

    async def _leave_all(self, player: str, *, blocked_only: bool) -> None:
        for seek in await self._store.ids_of(player):
            places = await self._store.places(seek)
            others = [one for one in people_of(places) if one != player]
            if blocked_only and not await self._blocks.between(player, others):
                continue
            try:
                await self.leave(player, seek)
            except Problem as problem:
                if problem.code != "not-found":
                    raise

    async def _taken(self, seek: Seek, caller: Caller, entropy: str) -> OpenSeek:
        taken, count = Taken(now_micros(), entropy), None
        while count is None:
            players = await self._store.places(seek.id)
            if caller.player not in players:
                await self._require_unblocked(caller.player, people_of(players))
            count = await self._store.take(seek, caller.player, taken, players)
        players = await self._store.places(seek.id)
        if count == seek.offer.seats:
            seek = await self._complete(seek, players)
        return OpenSeek(seek, people_of(players))

    async def _complete(self, seek: Seek, players: dict[str, Taken]) -> Seek:
        host, key = Caller(seek.by), self._matches.seek_key(seek.id)
        cached = await self._matches.create(host, seek.offer.command(), key)
        for seat, (player, taken) in enumerate(players.items()):
            key = self._matches.seat_key(seek.id, seat)
            if player.startswith(BOT):
                assert seek.bots is not None, "bots come only where the seek allows them"
                await self._matches.play(cached, host, AddBot(seat, seek.bots.level), key)
            else:
                await self._matches.play(cached, Caller(player), TakeSeat(seat, taken.entropy), key)
        match, people = cached.match.header.match, people_of(players)
        seek = msgspec.structs.replace(seek, match=match)
        await self._store.complete(seek, people)
        told = SeekNotice(seek.id, match, seek.offer.game)
        await self._notices.send([(player, told) for player in people])
        return seek

    def _check(self, offer: Offer, bots: SeekBots | None, kept_s: int) -> None:
        """Raise `Problem` 400, 404, 422 if a seek like this cannot become a match."""
        self._matches.check(offer.command())
        if bots is None:
            return
        self._matches.check_level(offer.game, bots.level, "/bots/level")
        if bots.after_s >= kept_s:
            raise malformed(
                f"Bots come after {bots.after_s} s, but the seek expires after {kept_s} s. "
                "Let bots come sooner."
            ).at(pointer="/bots/after_s")

    async def _require_unblocked(self, player: str, others: Iterable[str]) -> None:
        """Raise `Problem` 404, as if the seek were gone: the blocked are not told of it."""
        if await self._blocks.between(player, others):
            raise not_found("seek")


def _complete_seek(match: str) -> Problem:
    """Refuse to leave a seek that is complete, to a player who has a seat in its match."""
    detail = f"This seek is complete: you have a seat in match {match}. Resign there to leave."
    return Problem(404, "not-found", detail)
