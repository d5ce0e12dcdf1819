"""Invitations to matches that wait for players. They are in the work Redis, and expire.

An invitation is found by its match and the player, so there is one of each. The invited may see a
private match until it starts. A declined invitation is kept without its text until it expires, so
that it cannot be repeated.
"""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta
from msgspec.structs import replace
from redis.exceptions import RedisError

from events.record import at_text
from games.match.clocks import SECOND
from games.wire import Time
from projections.notices import ClosedNotice, InvitationNotice
from projections.rows import Rows
from service.base.clock import now_micros
from service.base.keys import Keys
from service.base.problems import Problem, limited, malformed, no_such_seat, not_found
from service.play.blocks import Blocks
from service.play.caller import Caller
from service.play.match_cache import CachedMatch
from service.play.notices import Notices
from service.play.players import Players
from service.play.work_needed import work_needed

SENT_MAX = 50
"""Maximum number of open invitations from a player."""
RECEIVED_MAX = 100
"""Maximum number of open invitations to a player."""
TOLD_MAX = 2
"""Maximum number of notices that an invited player gets of invitations to the same match."""
RETRY_S = 60

STORE = """\
for place, who in ipairs({'sender', 'invited'}) do
  local index = KEYS[place + 1]
  redis.call('ZREMRANGEBYSCORE', index, '-inf', ARGV[4])
  if redis.call('ZCARD', index) >= tonumber(ARGV[place + 4]) then return who end
end
if not redis.call('SET', KEYS[1], ARGV[2], 'NX', 'EX', ARGV[3]) then return 'twice' end
for place = 2, 1 + ARGV[7] do
  redis.call('ZADD', KEYS[place], ARGV[4] + ARGV[3] * 1000000, ARGV[1])
  redis.call('EXPIRE', KEYS[place], ARGV[3])
end
return ''
"""
"""Store an invitation in one or two lists, unless it is the second one, or a list is full."""
FULL = {
    b"sender": f"You may have at most {SENT_MAX} open invitations. Try again later.",
    b"invited": f"This player may have at most {RECEIVED_MAX} open invitations. Try again later.",
}

Word = Annotated[str, Meta(max_length=200)]
State = Literal["open", "accepted", "declined"]
Closed = Literal["accepted", "declined", "withdrawn"]


class Invitation(msgspec.Struct, frozen=True):
    """An invitation to a match that waits for players."""

    id: str
    match: str
    game: str
    by: str
    """Id of the player who invites."""
    to: str
    """Id of the invited player."""
    seat: int | None
    """The seat that the invited player is to take; null for any free seat."""
    text: Word
    """A word from the player who invites."""
    created: Time
    expires: Time
    state: State = "open"
    """`open` until the invitation is answered."""


DECODER = msgspec.json.Decoder(Invitation)


class Invitations:
    """The invitations of all players."""

    def __init__(
        self,
        work: Any,
        keys: Keys,
        players: Players,
        blocks: Blocks,
        notices: Notices,
        kept_s: int,
    ) -> None:
        """Use an asyncio client of the work Redis (of bytes). Invitations expire after `kept_s`."""
        self._work = work
        self._rows = Rows(work)
        self._keys = keys
        self._players = players
        self._blocks = blocks
        self._notices = notices
        self._kept_s = kept_s
        self._put = work.register_script(STORE)

    async def invite(
        self, cached: CachedMatch, caller: Caller, to: str, seat: int | None, text: str
    ) -> Invitation:
        """Invite a player to a match; raises `Problem` 400, 403, 404, 422, 429, 503."""
        match = cached.match
        header, seated = match.header, cached.folded.players
        if not may_invite(cached, caller.player):
            raise Problem(403, "not-at-the-table", "Only players at the table may invite.")
        if match.status != "waiting":
            raise Problem(422, "match-started", "The match no longer waits for players.")
        if to == caller.player:
            raise malformed("You cannot invite yourself.").at(pointer="/player")
        if to in seated:
            raise Problem(422, "already-seated", "This player has a seat already.").at(
                pointer="/player"
            )
        if seat is not None and seat >= header.seats:
            raise no_such_seat(seat, header.seats).at(pointer="/seat")
        if seat is not None and match.chairs[seat].taken:
            raise Problem(422, "seat-taken", "The seat is occupied.").at(pointer="/seat")
        record = await self._players.get(to)
        if record is None or record.erased:
            raise not_found("player").at(pointer="/player")
        now = now_micros()
        made = Invitation(
            self._id(header.match, to),
            header.match,
            header.game,
            caller.player,
            to,
            seat,
            text,
            at_text(now),
            at_text(now + self._kept_s * SECOND),
        )
        is_blocked = await self._blocks.stands(to, caller.player)
        await self._store(made, now, is_blocked=is_blocked)
        if not is_blocked and await self._may_tell(made):
            told = InvitationNotice(made.id, made.match, made.game, made.by)
            await self._notices.send([(to, told)])
        return made

    async def of(self, player: str) -> tuple[list[Invitation], list[Invitation]]:
        """Return a player's open invitations, received and sent; raises `Problem` 503."""
        with work_needed():
            return await self._open(_received(player)), await self._open(_sent(player))

    async def is_invited(self, match: str, player: str) -> bool:
        """Return whether a player is invited to a match. Without the work Redis nobody is."""
        try:
            found = await self._work.get(_key(self._id(match, player)))
        except (RedisError, OSError):
            return False
        return found is not None and DECODER.decode(found).state != "declined"

    async def received(self, invitation: str, player: str) -> Invitation:
        """Return an invitation to a player that is not declined; raises `Problem` 404, 503."""
        with work_needed():
            found = await self._get(invitation)
        if found is None or found.to != player or found.state == "declined":
            raise not_found("invitation")
        return found

    async def accept(self, invitation: Invitation) -> None:
        """Note that an invited player has taken a seat; raises `Problem` 503."""
        if invitation.state == "open":
            with work_needed():
                await self._keep(replace(invitation, state="accepted"))
            await self._tell(invitation.by, invitation, "accepted")

    async def decline(self, invitation: str, player: str) -> None:
        """Decline an invitation; raises `Problem` 404, 503."""
        found = await self.received(invitation, player)
        if found.state != "open":
            raise not_found("invitation")
        with work_needed():
            await self._keep(replace(found, state="declined", text=""))
        await self._tell(found.by, found, "declined")

    async def withdraw(self, invitation: str, player: str) -> None:
        """Withdraw an invitation that is not declined; raises `Problem` 404, 503."""
        with work_needed():
            found = await self._get(invitation)
            if found is None or found.by != player or found.state == "declined":
                raise not_found("invitation")
            await self._remove(found)
        if not await self._blocks.stands(found.to, player) and await self._may_tell(found):
            await self._tell(found.to, found, "withdrawn")

    async def drop_blocked(self, player: str) -> None:
        """Remove invitations from players whom the player has blocked; raises `Problem` 503.

        Those who sent them still find them among their own.
        """
        with work_needed():
            for found in await self._read(await self._work.zrange(_received(player), 0, -1)):
                if await self._blocks.stands(player, found.by):
                    await self._work.zrem(_received(player), found.id)

    async def forget(self, player: str) -> None:
        """Delete all open invitations from and to a player; raises `Problem` 503."""
        with work_needed():
            for index in (_received(player), _sent(player)):
                for found in await self._read(await self._work.zrange(index, 0, -1)):
                    await self._remove(found)
                await self._work.delete(index)

    async def _store(self, made: Invitation, now: int, *, is_blocked: bool) -> None:
        """Store an invitation. A blocked one is listed for its sender alone."""
        with work_needed():
            answer = await self._put(
                keys=[_key(made.id), _sent(made.by), _received(made.to)],
                args=[
                    made.id,
                    msgspec.json.encode(made),
                    self._kept_s,
                    now,
                    SENT_MAX,
                    RECEIVED_MAX,
                    1 if is_blocked else 2,
                ],
            )
        if answer == b"twice":
            raise Problem(
                422, "already-invited", "This player has been invited to the match already."
            )
        if answer in FULL:
            raise limited("invitations", "too-many-invitations", FULL[answer], retry_after=RETRY_S)

    async def _open(self, index: str) -> list[Invitation]:
        """Return the invitations of an index whose matches still wait for players, newest first."""
        found = await self._read(await self._work.zrevrange(index, 0, -1))
        generation = await self._rows.generation()
        rows = await self._rows.summaries(generation, [one.match for one in found])
        over = {row.match for row in rows if row.status != "waiting"}
        for one in found:
            if one.match in over:
                await self._remove(one)
        return [one for one in found if one.match not in over]

    async def _read(self, ids: Sequence[bytes]) -> list[Invitation]:
        if not ids:
            return []
        found = await self._work.mget([_key(one.decode()) for one in ids])
        return [DECODER.decode(data) for data in found if data is not None]

    async def _get(self, invitation: str) -> Invitation | None:
        """Return an invitation, if it is there. With a colon, the key would be another's."""
        if ":" in invitation:
            return None
        data = await self._work.get(_key(invitation))
        return None if data is None else DECODER.decode(data)

    async def _keep(self, answered: Invitation) -> None:
        """Replace an invitation by its answered form, which is in no list."""
        await self._work.set(
            _key(answered.id), msgspec.json.encode(answered), xx=True, keepttl=True
        )
        await self._unlist(answered)

    async def _remove(self, gone: Invitation) -> None:
        await self._work.delete(_key(gone.id))
        await self._unlist(gone)

    async def _unlist(self, gone: Invitation) -> None:
        await self._work.zrem(_sent(gone.by), gone.id)
        await self._work.zrem(_received(gone.to), gone.id)

    async def _may_tell(self, invitation: Invitation) -> bool:
        """Return whether the invited player is told: of the first invitation, and of its end.

        Whoever invites and withdraws again and again would send notices without end.
        """
        key = f"{_key(invitation.id)}:told"
        with work_needed():
            pipe = self._work.pipeline(transaction=False)
            pipe.incr(key)
            pipe.expire(key, self._kept_s)
            told, _ = await pipe.execute()
        return told <= TOLD_MAX

    async def _tell(self, player: str, closed: Invitation, state: Closed) -> None:
        told = ClosedNotice(closed.id, closed.match, closed.game, state)
        await self._notices.send([(player, told)])

    def _id(self, match: str, to: str) -> str:
        return "i_" + self._keys.derive("invitation", match, to).hex()[:24]


def may_invite(cached: CachedMatch, player: str) -> bool:
    """Return whether a player may invite others to a match while it waits."""
    return player in (*cached.folded.players, cached.match.header.creator)


def _key(invitation: str) -> str:
    return f"invitation:{invitation}"


def _received(player: str) -> str:
    return f"invitations:to:{player}"


def _sent(player: str) -> str:
    return f"invitations:by:{player}"
