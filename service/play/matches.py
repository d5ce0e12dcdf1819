"""Commands: decide, append the record, answer.

Any process may take any command of any match. It decides on its own fold of the log. The log
refuses a version that exists already; the process then catches up and decides again. Within a
process, commands of the same match are decided one after the other.
"""

import asyncio
import secrets
from collections.abc import Mapping
from functools import partial
from typing import Any, NamedTuple

import msgspec
import structlog
from msgspec import UNSET, UnsetType

from events.chain import Head, head_after
from events.codec import unseal
from events.release import RELEASE
from events.signing import CannotSign
from events.store import Gap, Store, Taken, Unavailable
from games.game import AnyGame, Illegal
from games.match.commands import (
    Actor,
    BranchMatch,
    CreateMatch,
    OpeningCommand,
    TimeOut,
)
from games.match.decide import outcome
from games.match.due import next_due
from games.match.events import Fork, MatchCreated
from games.match.seating import Issuer, branch, create
from games.match.viewers import is_current
from games.wire import GameView, RecordedEvent
from projections.folded import SEATING, Decided, Draft, Folded, ToldRecord, Viewer, told_record
from projections.views import game_view
from service.base import metrics
from service.base.clock import correction, elapsed_us, now_micros, stopwatch
from service.base.keys import Keys
from service.base.problems import (
    Problem,
    id_reused,
    log_unavailable,
    match_too_long,
    not_found,
    not_opened,
    ruled_out,
    rules_not_here,
    stale_version,
)
from service.play import answers
from service.play.caller import Caller
from service.play.feed import Feed
from service.play.log_quota import LogQuota
from service.play.match_cache import CachedMatch, MatchCache, folding, is_spectator
from service.play.match_length import RECORDS_MAX, takes
from service.play.readers import Readers

DECISIONS_MAX = 50
"""Maximum number of tries at one command while other processes take the next version."""
OVERDUE_MAX = 1_000
"""Maximum number of timeouts applied in one go."""
RESIZE_EVERY = 16
"""Number of records between two estimates of a match's size in memory."""

log = structlog.get_logger("shiplog")


class Accepted(msgspec.Struct, frozen=True):
    """The result of a command whose record is on disk."""

    game: str
    version: int
    """The viewer's version."""
    head: str
    """Receipt: the hash of that record."""
    events: list[RecordedEvent]
    """The events as redacted for the viewer."""
    view: GameView | UnsetType | None = UNSET
    """The game's view as of that record; null before the start. Absent if the caller preferred a
    minimal answer.
    """


class Submission(NamedTuple):
    """A command with its actor and id."""

    actor: Actor
    id: str
    command: Any


class Creation(NamedTuple):
    """A match that is about to be created."""

    match: str
    token: str
    """ID of the command that creates it."""
    issuer: Issuer


class Matches:
    """The matches of a store."""

    def __init__(
        self,
        cache: MatchCache,
        store: Store,
        feed: Feed,
        keys: Keys,
        games: Mapping[str, AnyGame],
        offered: Mapping[str, AnyGame] | None = None,
        quota: LogQuota | None = None,
    ) -> None:
        """Append to a store, and announce each append in the feed.

        `offered` are the games with the rules versions of new matches, by default the newest.
        """
        self.quota = quota or LogQuota(0)
        """What players may add to the log."""
        self._cache = cache
        self._store = store
        self._feed = feed
        self._keys = keys
        self._games = games
        self._offered = games if offered is None else offered

    async def create(self, caller: Caller, command: CreateMatch, key: str | None) -> CachedMatch:
        """Create a match. The same key from the same caller creates it once."""
        creation = self._prepare(caller, key)
        events = self._created(command, creation.match, creation.issuer)
        command = msgspec.structs.replace(command, options=events[0].options)
        return await self._open(creation, command, events)

    def check(self, command: CreateMatch) -> None:
        """Raise `Problem` 404, 422 if a match cannot be created like this."""
        self._created(command, "", Issuer("", "", "", b""))

    def check_level(self, game: str, level: str, pointer: str) -> None:
        """Raise `Problem` 422 if an offered game has no bots of this level."""
        players = self._offered[game].players
        if level not in players.bots:
            raise ruled_out(Illegal("no-such-level", levels=players.levels)).at(pointer=pointer)

    def _created(self, command: CreateMatch, match: str, issuer: Issuer) -> list[Any]:
        if (game := self._offered.get(command.game)) is None:
            raise not_found("game").at(pointer="/game")
        try:
            return create(game, match, command, issuer)
        except Illegal as error:
            raise not_opened(error, game, command) from None

    async def branch(
        self,
        caller: Caller,
        parent: CachedMatch,
        command: BranchMatch,
        key: str | None,
        readers: Readers,
    ) -> CachedMatch:
        """Create a match that continues from another; the same key from a caller counts once.

        A branch of a private match is private, and so is one of a match that is still being played.
        A reading process deals what the branch starts from. Raises `Problem`.
        """
        creation = self._prepare(caller, key)
        ancestry = [await self._cache.lines(parent), *await self._cache.ancestors(parent)]
        seed = creation.issuer.service_seed
        start = await readers.compute(
            caller.player, answers.branch_start, ancestry, command.seat, command.version, seed
        )
        forked = msgspec.json.decode(start, type=Fork)
        header = parent.match.header
        private = command.private or header.private or forked.closed
        command = msgspec.structs.replace(command, private=private)
        events = branch(parent.match.game, creation.match, command, creation.issuer, header, forked)
        return await self._open(creation, command, events)

    def id_of(self, caller: Caller, key: str) -> str:
        """Return the id of the match that a caller creates with a key."""
        return match_id(self._keys, caller.player, key)

    def seat_key(self, key: str, seat: int) -> str:
        """Return the key of the command that fills a seat of a match created with a key."""
        return self._keys.derive("seat", key, str(seat)).hex()

    def seek_key(self, seek: str) -> str:
        """Return the key under which a seek becomes a match. Its players cannot use it before."""
        return self._keys.derive("seek", seek).hex()

    def _prepare(self, caller: Caller, key: str | None) -> Creation:
        self.quota.require_room(caller.player)
        token = key or new_key()
        match = self.id_of(caller, token)
        seed = self._keys.service_seed(match, self._keys.current)
        issuer = Issuer(caller.player, self._keys.service, self._keys.current, seed)
        return Creation(match, token, issuer)

    async def _open(
        self, creation: Creation, command: OpeningCommand, events: list[Any]
    ) -> CachedMatch:
        """Append record 1; raises `Problem` 409, 503."""
        match, token, issuer = creation
        folded = Folded.opened(self._games, events[0])
        created = Decided(Actor(player=issuer.creator), token, command, events, now_micros())
        draft = folded.draft(created, issuer.service_seed, RELEASE)
        await self._feed.announce(match, 1)
        watch = stopwatch()
        try:
            await self._store.append(match, 1, draft.data)
        except Taken:
            cached = await self._cache.get(match)
            await self._confirm(cached)
            if _lasting(events[0]) != _lasting(cached.match.header):
                raise id_reused() from None
            return cached
        except Unavailable:
            raise log_unavailable() from None
        finally:
            metrics.append_done(elapsed_us(watch))
        folded.accept(draft)
        cached = self._cache.keep(match, CachedMatch(folded, issuer.service_seed))
        self.quota.spend(issuer.creator, len(draft.data))
        header = cached.match.header
        metrics.MATCHES.labels(header.game).inc()
        log.info("created", match=match, game=header.game, v=1, id=token, seats=header.seats)
        return cached

    async def play(
        self,
        cached: CachedMatch,
        caller: Caller,
        command: Any,
        key: str | None,
        if_match: int | None = None,
    ) -> Accepted:
        """Decide a command and append its record; the same key from the same player counts once."""
        watch = stopwatch()
        outcome, code = "accepted", None
        key = key or new_key()
        try:
            self.quota.require_room(caller.player)
            async with cached.lock:
                before = cached.folded.bytes_read
                accepted = await self._play(cached, caller, command, key, if_match)
                self.quota.spend(caller.player, cached.folded.bytes_read - before)
                return accepted
        except Problem as problem:
            outcome, code = "refused", problem.code
            raise
        finally:
            us = elapsed_us(watch)
            metrics.command_done(cached.match.header.game, code or outcome, us)
            log.info(
                "command",
                match=cached.match.header.match,
                game=cached.match.header.game,
                type=type(command).__name__,
                v=cached.folded.version,
                id=key,
                outcome=outcome,
                code=code,
                us=us,
            )

    async def run_clocks(self, cached: CachedMatch) -> int:
        """Apply all that is due; return the number of records that this took."""
        async with cached.lock:
            await self._cache.catch_up(cached)
            return await self._run_due(cached)

    async def play_at(self, cached: CachedMatch, sent: Submission, version: int) -> bool:
        """Append a command chosen at a version of the log.

        False if its actor was shown a record since: hidden ones leave the choice as good as it was.
        Raises `Illegal`, `Problem` 503.
        """
        async with cached.lock:
            await self._cache.catch_up(cached)
            if not is_current(cached.match, sent.actor.seat, version):
                return False
            try:
                await self._append(cached, sent)
            except Taken:
                return False
            log.info("played", match=cached.match.header.match, v=cached.match.version, id=sent.id)
            await self._run_due(cached)
        return True

    async def _play(
        self, cached: CachedMatch, caller: Caller, command: Any, key: str, if_match: int | None
    ) -> Accepted:
        folded = cached.folded
        trail = folded.trail
        for _ in range(DECISIONS_MAX):
            if trail.version_of(caller.player, key) is None:
                await self._run_due(cached)
            if (version := trail.version_of(caller.player, key)) is not None:
                return await self._again(cached, caller, command, key, version)
            seat = folded.players.get(caller.player)
            hidden = cached.match.spectators_behind and is_spectator(cached, caller)
            if if_match is not None and not hidden and if_match != folded.number(seat):
                if await self._cache.catch_up(cached):
                    continue
                raise stale_version(folded.number(seat))
            if not takes(folded.match, seat, command):
                raise match_too_long(RECORDS_MAX)
            actor = actor_of(caller, seat)
            try:
                draft = await self._append(cached, Submission(actor, key, command))
            except Illegal as error:
                if await self._cache.catch_up(cached):
                    continue
                raise ruled_out(error, cached.match.game) from None
            except Taken:
                metrics.CONFLICTS.inc()
                await self._cache.catch_up(cached)
                continue
            answer = await self._accepted(cached, folded.players.get(caller.player), draft)
            await self._run_due(cached)
            return answer
        raise log_unavailable()

    async def _append(self, cached: CachedMatch, sent: Submission) -> Draft:
        """Decide, seal, announce, append, fold; raises `Illegal`, `Taken`, `Problem` 503.

        The draft is redacted for whoever the actor is after the record.
        """
        folded, match = cached.folded, cached.match
        if not folded.decidable:
            raise rules_not_here()
        at = max(now_micros(), match.at)
        events, state = outcome(match, sent.actor, sent.command, at, cached.service_seed)
        decided = Decided(sent.actor, sent.id, sent.command, events, at, state)
        seated = type(sent.command) in SEATING
        draft = folded.draft(
            decided, cached.service_seed, RELEASE, match.shown if seated else (sent.actor.seat,)
        )
        version = draft.record.v
        name = match.header.match
        head = await self._signed(folded, draft) if draft.match.over else None
        await self._feed.announce(name, version)
        watch = stopwatch()
        try:
            await self._store.append(name, version, draft.data, folded.last, head)
        except Gap:
            self._cache.forget(name)
            raise log_unavailable() from None
        except Unavailable:
            raise log_unavailable() from None
        finally:
            metrics.append_done(elapsed_us(watch))
        folded.accept(draft)
        if version % RESIZE_EVERY == 0:
            self._cache.keep(name, cached)
        cached.wake()
        return draft

    async def _signed(self, folded: Folded, draft: Draft) -> Head | None:
        """Sign the head of a match that ends with a draft, under the key of this time."""
        header = draft.match.header
        head = head_after(header.format, folded.head, draft.data)
        try:
            return await asyncio.to_thread(self._keys.sign, header.match, draft.record.v, head)
        except CannotSign as error:
            log.warning("unsigned", match=header.match, why=str(error))
            return None

    async def _run_due(self, cached: CachedMatch) -> int:
        """Apply all that is due: timeouts, standing orders, and commands for seats that have left.

        Return the number of records that this took. If the clock of this process is too far off,
        only what was due at the last record is applied.
        """
        if not cached.folded.decidable:
            return 0
        for count in range(OVERDUE_MAX):
            due = next_due(cached.match)
            now = now_micros() if correction.bounded else cached.match.at
            if due is None or not due.is_late(now, cached.match):
                return count
            name = f"clock-{cached.match.version}"
            try:
                await self._append(cached, Submission(due.actor, name, due.command))
                if isinstance(due.command, TimeOut):
                    metrics.TIMEOUTS.inc()
                    log.info(
                        "timeout", match=cached.match.header.match, v=cached.match.version, id=name
                    )
            except (Taken, Illegal) as error:
                if not await self._cache.catch_up(cached):
                    if isinstance(error, Illegal) and error.code != cached.refused:
                        cached.refused = error.code
                        log.warning("due", match=cached.match.header.match, refused=error.code)
                    return count
        return OVERDUE_MAX

    async def _accepted(self, cached: CachedMatch, viewer: Viewer, draft: Draft) -> Accepted:
        """Return the answer to the command that was just appended."""
        folded = cached.folded
        told = told_record(folded.match, draft.record, viewer, draft.told[viewer])
        if told is None:
            await self._cache.follow_locked(cached, viewer)
            told = folded.latest[viewer]
        return _answer(folded, viewer, told)

    async def _again(
        self, cached: CachedMatch, caller: Caller, command: Any, key: str, version: int
    ) -> Accepted:
        """Return the answer to a command that was sent before, as it was or would have been.

        Raises `Problem` 503 if a failover has lost the record: the command may be sent again.
        """
        await self._confirm(cached)
        lines = (await self._cache.lines(cached))[:version]
        viewer_then = cached.folded.players.get(caller.player)
        then = None
        if len(lines) == version:
            fold = partial(Folded.of, self._games, lines, (viewer_then,))
            then = await folding(version, fold)
        if then is None or then.trail.version_of(caller.player, key) != version:
            self._cache.forget(cached.match.header.match)
            raise log_unavailable()
        first = unseal(then.match.game, then.match.header, lines[-1])
        if first.command != command:
            raise id_reused()
        return _answer(then, viewer_then, then.latest[viewer_then])

    async def _confirm(self, cached: CachedMatch) -> None:
        """Wait until the record is safely on disk: its append may have ended in doubt."""
        try:
            await self._store.confirm(cached.match.header.match)
        except Unavailable:
            raise log_unavailable() from None


def _answer(folded: Folded, viewer: Viewer, told: ToldRecord) -> Accepted:
    """Return the answer to the command that was just folded, as a viewer is told it."""
    view = game_view(folded.match, viewer)
    return Accepted(told.game, told.v, folded.receipt(viewer), told.events, view)


def _lasting(header: MatchCreated) -> MatchCreated:
    """Return a header without what may change between two tries: key, rules, parent's state."""
    fork = header.branch
    if fork is not None:
        fork = msgspec.structs.replace(fork, closed=False, state=None)
    return msgspec.structs.replace(header, key="", rules=0, branch=fork)


def new_key() -> str:
    """Return a key for a command whose caller gave none."""
    return secrets.token_urlsafe(18)


def match_id(keys: Keys, creator: str, key: str) -> str:
    """Return the id of the match that a player creates with a key."""
    return "m_" + keys.derive("match", creator, key).hex()[:24]


def actor_of(caller: Caller, seat: int | None) -> Actor:
    """Return as whom a caller acts in a match: its seat if it has one, an operator, or a player."""
    if seat is not None:
        return Actor(seat=seat)
    if caller.operator is not None:
        return Actor(operator=caller.operator)
    return Actor(player=caller.player)
