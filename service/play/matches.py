"""The use case: take a command, decide it, put it on disk, answer.

Any process may take any command of any match. It decides on its own fold of the log; the log refuses a version that
exists already, and the process then catches up and decides again. Within a process one command per match is under
way at a time.
"""

import asyncio
import secrets
from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec
import structlog

from events.codec import digest, seal, unseal
from events.record import GENESIS, AnyRecord, Record, at_text
from events.store import Gap, Store, Taken, Unavailable
from games.game import AnyGame, Illegal
from games.match.clocks import SECOND
from games.match.commands import BranchMatch, By, CreateMatch, OpeningCommand, TimeOut
from games.match.decide import decide
from games.match.due import next_due
from games.match.events import MatchCreated
from games.match.seating import Issuer, branch, create
from games.match.seed import dice, salt
from projections.folded import Folded, Viewer
from projections.views import game_view
from replay.branch import fork
from replay.travel import NoSuchVersion
from service.base import metrics
from service.base.clock import elapsed_us, now_micros, stopwatch
from service.base.keys import Keys
from service.base.problems import (
    Problem,
    id_reused,
    log_unavailable,
    no_such_version,
    not_found,
    ruled_out,
    rules_not_here,
    stale_version,
)
from service.play.feed import Feed
from service.play.match_cache import Live, Lives
from service.play.players import Caller

DECISIONS_MAX = 50
"""Tries at one command while other processes keep taking the next version."""
OVERDUE_MAX = 1_000
"""Timeouts applied in one go."""
RESIZE_EVERY = 16
"""Records between two looks at how much memory a match takes."""

log = structlog.get_logger("shiplog")


class Accepted(msgspec.Struct, frozen=True):
    """What follows from a command, now on disk."""

    version: int
    """The caller's own number."""
    head: str
    """Receipt: the hash of that record."""
    events: list[Any]
    """As the caller may know them."""
    view: Any
    """The game's view as of that record; null before the start."""


class Sent(NamedTuple):
    """A command as it came in."""

    by: By
    id: str
    command: Any


class Opening(NamedTuple):
    """A match about to be opened."""

    match: str
    token: str
    """Id of the command that opens it."""
    issuer: Issuer


class Matches:
    """All matches of a store."""

    def __init__(
        self,
        lives: Lives,
        store: Store,
        feed: Feed,
        keys: Keys,
        games: Mapping[str, AnyGame],
        opening: Mapping[str, AnyGame] | None = None,
    ) -> None:
        """Work on a store, announcing what is appended in the feed.

        `opening` are the games under the rules that new matches get: the newest, if not given.
        """
        self._lives = lives
        self._store = store
        self._feed = feed
        self._keys = keys
        self._games = games
        self._opening = games if opening is None else opening

    async def create(self, caller: Caller, command: CreateMatch, key: str | None) -> Live:
        """Open a match. The same key from the same caller opens it once."""
        if (game := self._opening.get(command.game)) is None:
            raise not_found("game")
        opening = self._prepare(caller, key)
        try:
            events = create(game, opening.match, command, opening.issuer)
        except Illegal as error:
            raise ruled_out(error) from None
        return await self._open(opening, command, events)

    async def branch(
        self, caller: Caller, parent: Live, command: BranchMatch, key: str | None
    ) -> Live:
        """Open a match that goes on from another. The same key from the same caller opens it once.

        What is forked from a private match is private, and from one that is being played too.
        """
        opening = self._prepare(caller, key)
        lineage = [await self._lives.lines(parent), *await self._lives.lineage(parent)]
        chance = dice(opening.issuer.part, (), 1)
        try:
            its = await asyncio.to_thread(
                fork, self._games, lineage, command.seat, command.version, chance
            )
        except Illegal as error:
            raise ruled_out(error) from None
        except NoSuchVersion as error:
            raise no_such_version(error.number, error.last) from None
        header = parent.match.header
        private = command.private or header.private or its.closed
        command = msgspec.structs.replace(command, private=private)
        events = branch(parent.match.game, opening.match, command, opening.issuer, header, its)
        live = await self._open(opening, command, events)
        await self._lives.remember(live)
        return live

    def _prepare(self, caller: Caller, key: str | None) -> Opening:
        token = key or secrets.token_urlsafe(18)
        match = "m_" + self._keys.derive("match", caller.player, token).hex()[:24]
        part = self._keys.part(match, self._keys.current)
        issuer = Issuer(caller.player, self._keys.service, self._keys.current, part)
        return Opening(match, token, issuer)

    async def _open(self, opening: Opening, command: OpeningCommand, events: list[Any]) -> Live:
        """Put record 1 on disk; raises `Problem` 409, 503."""
        match, token, issuer = opening
        record: AnyRecord = Record(
            1,
            at_text(now_micros()),
            By(player=issuer.creator),
            token,
            command,
            tuple(events),
            salt(issuer.part, 1),
            GENESIS,
        )
        data = seal(record)
        await self._feed.announce(match, 1)
        try:
            with metrics.APPEND_SECONDS.time():
                await self._store.append(match, 1, data)
        except Taken:
            live = await self._lives.get(match)
            await self._confirm(live)
            if _lasting(events[0]) != _lasting(live.match.header):
                raise id_reused() from None
            return live
        except Unavailable:
            raise log_unavailable() from None
        live = self._lives.keep(match, Live(Folded(self._games, data), issuer.part))
        header = live.match.header
        metrics.MATCHES.labels(header.game).inc()
        log.info("created", match=match, game=header.game, v=1, id=token, seats=header.seats)
        return live

    async def play(
        self, live: Live, caller: Caller, command: Any, key: str | None, if_match: int | None = None
    ) -> Accepted:
        """Decide a command and put it on disk; the same key from the same player counts once."""
        watch = stopwatch()
        outcome, code = "accepted", None
        key = key or secrets.token_urlsafe(18)
        try:
            async with live.lock:
                return await self._play(live, caller, command, key, if_match)
        except Problem as problem:
            outcome, code = "refused", problem.code
            raise
        finally:
            us = elapsed_us(watch)
            metrics.COMMANDS.labels(live.match.header.game, code or outcome).inc()
            metrics.COMMAND_SECONDS.observe(us / SECOND)
            log.info(
                "command",
                match=live.match.header.match,
                game=live.match.header.game,
                type=type(command).__name__,
                v=live.folded.version,
                id=key,
                outcome=outcome,
                code=code,
                us=us,
            )

    async def run_clocks(self, live: Live) -> int:
        """Do what is due; give how many records that made."""
        async with live.lock:
            await self._lives.catch_up(live)
            return await self._run_due(live)

    async def play_at(self, live: Live, sent: Sent, version: int) -> bool:
        """Put a command on disk that was chosen at a version of the log; False when the match has gone on.

        Raises `Illegal`, `Problem` 503.
        """
        async with live.lock:
            await self._lives.catch_up(live)
            if live.folded.version != version:
                return False
            try:
                await self._append(live, sent)
            except Taken:
                return False
            log.info("played", match=live.match.header.match, v=live.match.version, id=sent.id)
            await self._run_due(live)
        return True

    async def _play(
        self, live: Live, caller: Caller, command: Any, key: str, if_match: int | None
    ) -> Accepted:
        folded = live.folded
        for _ in range(DECISIONS_MAX):
            if (version := folded.ids.get((caller.player, key))) is not None:
                return await self._again(live, caller, command, version)
            await self._run_due(live)
            seat = folded.players.get(caller.player)
            if if_match is not None and if_match != folded.number(seat):
                if await self._lives.catch_up(live):
                    continue
                raise stale_version(folded.number(seat))
            by = self._by(caller, seat)
            try:
                await self._append(live, Sent(by, key, command))
            except Illegal as error:
                if await self._lives.catch_up(live):
                    continue
                raise ruled_out(error) from None
            except Taken:
                metrics.CONFLICTS.inc()
                await self._lives.catch_up(live)
                continue
            answer = await self._accepted(live, folded.players.get(caller.player))
            await self._run_due(live)
            return answer
        raise log_unavailable()

    def _by(self, caller: Caller, seat: int | None) -> By:
        if seat is not None:
            return By(seat=seat)
        if caller.operator is not None:
            return By(operator=caller.operator)
        return By(player=caller.player)

    async def _append(self, live: Live, sent: Sent) -> None:
        """Decide, seal, announce, append, fold; raises `Illegal`, `Taken`, `Problem` 503."""
        folded, match = live.folded, live.match
        if not folded.decidable:
            raise rules_not_here()
        at = max(now_micros(), match.at)
        events = decide(match, sent.by, sent.command, at, live.part)
        version = match.version + 1
        record: AnyRecord = Record(
            version,
            at_text(at),
            sent.by,
            sent.id,
            sent.command,
            tuple(events),
            salt(live.part, version),
            folded.head,
        )
        data = seal(record)
        name = match.header.match
        await self._feed.announce(name, version)
        try:
            with metrics.APPEND_SECONDS.time():
                await self._store.append(name, version, data)
        except Gap:
            self._lives.forget(name)
            raise log_unavailable() from None
        except Unavailable:
            raise log_unavailable() from None
        folded.extend(data, record)
        if version % RESIZE_EVERY == 0:
            self._lives.keep(name, live)
        live.wake()

    async def _run_due(self, live: Live) -> int:
        """Do what is due: timeouts before a late command, and at once what orders say and for seats that have left."""
        if not live.folded.decidable:
            return 0
        for count in range(OVERDUE_MAX):
            due = next_due(live.match)
            if due is None or not due.is_late(now_micros(), live.match):
                return count
            name = f"clock-{live.match.version}"
            try:
                await self._append(live, Sent(due.by, name, due.command))
                if isinstance(due.command, TimeOut):
                    metrics.TIMEOUTS.inc()
                    log.info(
                        "timeout", match=live.match.header.match, v=live.match.version, id=name
                    )
            except (Taken, Illegal):
                if not await self._lives.catch_up(live):
                    return count
        return OVERDUE_MAX

    async def _accepted(self, live: Live, viewer: Viewer) -> Accepted:
        folded = live.folded
        if folded.told(viewer) is None:
            await self._lives.follow_locked(live, viewer)
        latest = folded.latest[viewer]
        return Accepted(
            latest.v, folded.receipt(viewer), latest.events, game_view(live.match, viewer)
        )

    async def _again(self, live: Live, caller: Caller, command: Any, version: int) -> Accepted:
        """Answer a command that has counted already as it was answered the first time, or would have been."""
        await self._confirm(live)
        lines = (await self._lives.lines(live))[:version]
        viewer_then = live.folded.players.get(caller.player)
        then = Folded.of(self._games, lines, (viewer_then,))
        first = unseal(then.match.game, then.match.header.rules, lines[-1])
        if first.command != command:
            raise id_reused()
        assert digest(lines[-1]) == then.head, "the fold is of these lines"
        latest = then.latest[viewer_then]
        return Accepted(
            latest.v, then.receipt(viewer_then), latest.events, game_view(then.match, viewer_then)
        )

    async def _confirm(self, live: Live) -> None:
        """Make sure that what is about to be acknowledged is safe: its own append may have ended in doubt."""
        try:
            await self._store.confirm(live.match.header.match)
        except Unavailable:
            raise log_unavailable() from None


def _lasting(header: MatchCreated) -> MatchCreated:
    """Give what is the same however often a match is opened: keys rotate, rules change, and parents end."""
    fork = header.branch
    if fork is not None:
        fork = msgspec.structs.replace(fork, closed=False, state=None)
    return msgspec.structs.replace(header, key="", rules=0, branch=fork)
