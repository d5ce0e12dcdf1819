"""Audit every match while it is played: `shiplog audit --follow`.

The feed says which matches have new records, and the audit of a match continues where it stopped.
The feed may be lost, and a deleted log is announced by nobody. So all matches are compared with the
journal at the start and regularly: their number of records, and whether they are still there. Once
a day the heads of all audited logs are computed again (`audit_heads`), because a record that was
replaced changes nothing else.

Beside the logs, the audit compares what is said about them elsewhere: the signed heads that were
kept, the rows (`audit_rows`), and the checkpoint log (`audit_checkpoints`).
"""

import asyncio
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import msgspec
import structlog
from cachetools import LRUCache
from prometheus_client import REGISTRY
from redis.exceptions import RedisError

from events.append_lane import Limits
from events.archive import ArchiveStore, NotArchived
from events.checkpoints.leaves import PlacedLeaf
from events.redis_store import RedisStore
from events.store import Unavailable
from events.tiered_store import TieredStore
from games import GAMES
from projections.rows import Rows
from replay.audit import Auditor
from replay.committed import compare, deleted
from replay.report import Finding, Report
from service.base import metrics
from service.base.keys import Keys, load_or_make
from service.base.settings import Settings
from service.base.waiting import first_of
from service.embedded.servers import Server, auditor_url, running
from service.play.feed import Announcement, Feed, FellBehind, Positions, overlapping
from service.process.audit_checkpoints import followed_log
from service.process.audit_heads import ComparedHeads
from service.process.audit_journal import Journal, forgotten, without_records
from service.process.audit_rows import ComparedRows, Expected, digest_of, expected_row
from service.process.evidence import damaged_file, stored_evidence
from service.process.exposition import metrics_listener
from service.process.stores import WORKER_PATIENCE_S, work_client

WAIT_MS = 500
LOOK_AGAIN_MS = 100
LOOK_AGAIN_S = 10.0
"""Time for which an announced record is looked for (seconds)."""
AT_ONCE = 16
"""Number of logs that are read together."""
TURN_S = 0.2
"""Time after which audits are interrupted to read the feed (seconds)."""
NOTED_S = 60.0
"""Minimum time between two reports of a running match in the journal (seconds)."""
COMPARE_S = 600.0
"""Interval at which all matches are compared with the journal (seconds)."""
RETRY_S = 1.0
BASE_BYTES = 50_000
RECORD_BYTES = 1_000
"""Estimated memory of an audit: of a match, and of each of its records (bytes)."""

log = structlog.get_logger("shiplog")


class Due(NamedTuple):
    """A match that is to be audited."""

    version: int
    """The announced version; 0 if there was no announcement."""
    since: float


class Running(NamedTuple):
    """The audit of a running match, in memory."""

    auditor: Auditor
    last: bytes
    """The last record."""
    noted: float
    """When a report of it entered the journal."""
    size: int
    """Estimated size in memory (bytes); `python -m tests.bench.bench_follow` measures it."""


class StoreAuditor:
    """Audits the matches of a store, and keeps the journal."""

    def __init__(
        self,
        live: RedisStore,
        archive: ArchiveStore | None,
        feed: Feed,
        keys: Keys,
        settings: Settings,
        journal: Journal,
        rows: Rows,
        memory: int,
        *,
        redaction: bool,
    ) -> None:
        """Keep audits of running matches, up to `memory` bytes. Raises `BadJournal`."""
        self._live = live
        self._archive = archive
        self._store = TieredStore(live, archive)
        self._feed = feed
        self._keys = keys
        self._settings = settings
        self._journal = journal
        self._rows = ComparedRows(rows)
        self._redaction = redaction
        self._running: LRUCache[str, Running] = LRUCache(memory, getsizeof=lambda one: one.size)
        self._due: dict[str, Due] = {}
        self._sought: dict[str, Due] = {}
        """Matches whose announced record was not in the log yet."""
        self._positions: Positions = {}
        self._compare_at = 0.0
        self._failed_before = journal.failed
        """Number of matches with findings that have not been audited again since the start."""
        self._heads = ComparedHeads(self._store, keys, _now())
        self._followed = followed_log(settings, keys, journal.path)

    @property
    def due(self) -> int:
        """Number of matches that are to be audited."""
        return len(self._due) + len(self._sought)

    async def run(self) -> None:
        """Follow until cancelled."""
        failing = False
        while True:
            try:
                await self.step()
                failing = False
            except (RedisError, OSError, Unavailable) as error:
                if not failing:
                    log.warning("audit", error=type(error).__name__, why=str(error))
                failing = True
                self._compare_at = 0.0
                await asyncio.sleep(RETRY_S)

    async def step(self) -> None:
        """Read the feed, and audit what is due. Raises `RedisError`, `OSError`, `Unavailable`."""
        if not self._positions:
            self._positions = overlapping(await self._feed.ends())
        if _now() >= self._compare_at:
            await self._compare()
        try:
            self._note(await self._feed.read(self._positions, self._patience_ms()))
        except FellBehind:
            self._positions, self._compare_at = {}, 0.0
            return
        until = _now() + TURN_S
        while self._due and _now() < until:
            some = list(islice(self._due.items(), AT_ONCE))
            done = await asyncio.gather(
                *(self._audit(match, due) for match, due in some), return_exceptions=True
            )
            for (match, _), failure in zip(some, done, strict=True):
                if failure is not None:
                    raise failure
                del self._due[match]
        await self._look_at_leaves()
        audited = self._journal.audited
        await self._run_found(until, lambda now: self._heads.step(now, audited))
        await self._run_found(until, lambda now: self._rows.step(now, audited, self._expected_row))
        self._journal.compact()
        self._measure()

    def note_running(self) -> None:
        """Add the reports of all running matches in memory to the journal."""
        for one in self._running.values():
            report = one.auditor.report(self._keys.ring)
            self._journal.add(report, expected_row(one.auditor.subject.match, report))

    def _patience_ms(self) -> int:
        if self._due:
            return 1
        return LOOK_AGAIN_MS if self._sought else WAIT_MS

    def _note(self, announced: Sequence[Announcement]) -> None:
        """Note announced versions, and look again for those that were not in the log."""
        now = _now()
        self._due |= self._sought
        self._sought = {}
        for match, version in announced:
            if version > self._version(match):
                before = self._due.get(match, Due(0, now))
                self._due[match] = Due(max(version, before.version), before.since)

    async def _compare(self) -> None:
        """Find matches that are not as they were audited, and those that are gone."""
        now, audited = _now(), self._journal.audited
        live = [match async for match in self._live.matches()]
        lengths = await self._live.lengths(live)
        archived: set[str] = set()
        corrected: list[str] = []
        if self._archive is not None:
            archived = {match async for match in self._archive.matches()} - lengths.keys()
            corrected = await self._archive.with_errata()
        found = [match for match, length in lengths.items() if length != self._version(match)]
        found += archived - audited.keys()
        found += [match for match in corrected if match in audited and not audited[match].ok]
        found += audited.keys() - lengths.keys() - archived
        if self._failed_before:
            found += [match for match in audited if not audited[match].ok]
            self._failed_before = 0
        for match in found:
            self._due.setdefault(match, Due(0, now))
        self._compare_at = now + COMPARE_S
        log.info("audit", audited=len(audited), due=len(self._due))

    def _version(self, match: str) -> int:
        """Return the version up to which a match was audited."""
        if (one := self._running.get(match)) is not None:
            return one.auditor.version
        audited = self._journal.audited.get(match)
        return 0 if audited is None else audited.version

    async def _audit(self, match: str, due: Due) -> None:
        """Audit what is new of a match."""
        try:
            if not await self._continue(match):
                await self._begin(match)
        except (RedisError, OSError, Unavailable):
            raise
        except NotArchived as error:
            self._add(without_records(match, damaged_file(error)))
            return
        except Exception as error:  # the rules may fail in any way; other matches go on
            log.exception("audit", match=match)
            why = f"the audit failed: {error!r}"
            self._add(without_records(match, Finding("fold", 0, why)))
            return
        if self._version(match) < due.version and _now() < due.since + LOOK_AGAIN_S:
            self._sought[match] = due

    async def _continue(self, match: str) -> bool:
        """Audit the new records of a match in memory. Return whether that was possible."""
        one = self._running.get(match)
        if one is None:
            return False
        lines = await self._live.read(match, one.auditor.version - 1)
        del self._running[match]
        if lines[:1] != [one.last]:
            return False
        one.auditor.set_head(None)  # that of a restored backup covers no more than was read
        _read(one.auditor, lines[1:])
        await self._conclude(match, one.auditor, lines[-1], one.noted)
        return True

    async def _begin(self, match: str) -> None:
        """Audit a match from its first record."""
        row = self._rows.wrong.pop(match, None)
        leaves = [] if self._followed is None else self._followed.contradicted.get(match, [])
        lines = await self._store.read(match)
        audited = self._journal.audited.get(match)
        if not lines:
            if leaves:
                self._add(without_records(match, deleted(leaves)))
            elif audited is not None and (audited.version or audited.ok):
                self._add(without_records(match, forgotten()))
            return
        evidence = await stored_evidence(self._store, self._keys, self._settings, match, lines)
        found = list(compare(leaves, lines, evidence.errata))
        continues = bool(evidence.secret) and not evidence.parent and not evidence.errata
        continues = continues and row is None and not found
        evidence = msgspec.structs.replace(
            evidence, lines=() if continues else lines, row=row, findings=found
        )
        auditor = Auditor(GAMES, evidence, redaction=self._redaction)
        _read(auditor, lines)
        await self._conclude(match, auditor, lines[-1] if continues else b"", 0.0, row)

    async def _conclude(
        self, match: str, auditor: Auditor, last: bytes, noted: float, row: bytes | None = None
    ) -> None:
        """Report on a match, and keep its audit in memory if the match goes on.

        Without a last record the audit is not kept. `row` is the stored row if it was compared.
        """
        if auditor.over:
            auditor.set_head(await self._store.head(match, auditor.version))
        report = auditor.report(self._keys.ring)
        audited = self._journal.audited.get(match)
        lost = None if audited is None else audited.contradicted_by(auditor.heads)
        if lost is not None:
            report = msgspec.structs.replace(
                report, verdict="broken", findings=[lost, *report.findings]
            )
        now = _now()
        goes_on = report.verdict != "broken" and report.status in ("waiting", "running")
        expected = expected_row(auditor.subject.match, report)
        wrong_row = any(finding.rule == "projection" for finding in report.findings)
        if row is not None and not wrong_row:
            expected = digest_of(row)
        same = (
            audited is not None
            and (audited.verdict, audited.row) == (report.verdict, expected)
            and audited.wrong_row == wrong_row
            and audited.is_head_of(auditor.heads)
        )
        if not same and not (goes_on and noted and now < noted + NOTED_S):
            self._add(report, expected)
            noted = now
        size = BASE_BYTES + RECORD_BYTES * auditor.version
        if last and goes_on and size <= self._running.maxsize:
            self._running[match] = Running(auditor, last, noted or now, size)

    def _add(self, report: Report, row: bytes = b"") -> None:
        self._journal.add(report, row)
        if report.verdict == "broken":
            findings = msgspec.to_builtins(report.findings)
            log.error("audit", match=report.name, findings=findings)

    def _run_anew(self, match: str) -> None:
        """Let a match be audited from its first record."""
        self._running.pop(match, None)
        self._due.setdefault(match, Due(0, _now()))

    async def _run_found(
        self, until: float, step: Callable[[float], Awaitable[Collection[str] | None]]
    ) -> None:
        """Audit what the steps of a round find, up to a time or the end of the round."""
        while not self._due and (now := _now()) < until:
            found = await step(now)
            if found is None:
                return
            for match in found:
                self._run_anew(match)

    def _expected_row(self, match: str) -> Expected:
        """Return what the last audit of a match expects of its row."""
        if (one := self._running.get(match)) is not None:
            report = one.auditor.report(self._keys.ring)
            row = expected_row(one.auditor.subject.match, report)
            return Expected(one.auditor.version, row)
        audited = self._journal.audited[match]
        return Expected(audited.version, audited.row)

    async def _look_at_leaves(self) -> None:
        """Check what was added to the checkpoint log, and find the logs that contradict it."""
        if self._followed is not None:
            for match in await self._followed.step(_now(), self._agrees):
                self._run_anew(match)

    async def _agrees(self, match: str, leaves: Sequence[PlacedLeaf]) -> bool:
        """Return whether a log and its errata have what their leaves commit to."""
        if (one := self._running.get(match)) is not None:
            heads = one.auditor.heads
            pairs = ((placed.leaf.version, placed.leaf.head) for placed in leaves)
            if all(head in heads[version - 1 : version] for version, head in pairs):
                return True
        try:
            lines = await self._store.read(match)
        except NotArchived:
            return False
        return bool(lines) and not any(compare(leaves, lines, await self._store.errata(match)))

    def _measure(self) -> None:
        waiting = [next(iter(some.values())).since for some in (self._due, self._sought) if some]
        metrics.AUDIT_MATCHES.set(len(self._journal.audited))
        metrics.AUDIT_FINDINGS.set(self._journal.failed)
        metrics.AUDIT_UNSIGNED.set(self._journal.unsigned)
        metrics.AUDIT_ROW_FINDINGS.set(self._journal.wrong_rows)
        metrics.AUDIT_LAG.set(_now() - min(waiting) if waiting else 0.0)


def _read(auditor: Auditor, lines: Sequence[bytes]) -> None:
    for data in lines:
        auditor.read(data)
    metrics.AUDIT_RECORDS.inc(len(lines))


def _now() -> float:
    return asyncio.get_running_loop().time()


@asynccontextmanager
async def auditing(
    settings: Settings, journal: Journal, *, redaction: bool
) -> AsyncIterator[StoreAuditor]:
    """Open what a `StoreAuditor` reads, and add its last reports to the journal at the end.

    The accounts in the URLs need to read only.
    """
    async with AsyncExitStack() as stack:
        keys = load_or_make(settings.secrets_path)
        log_url = settings.log_url or auditor_url(
            await stack.enter_async_context(running(Server.log(settings.data / "log")))
        )
        work_url = settings.work_url or await stack.enter_async_context(
            running(Server.work(settings.data / "work"))
        )
        live = await stack.enter_async_context(
            RedisStore(log_url, Limits(total_s=WORKER_PATIENCE_S))
        )
        work = work_client(work_url)
        stack.push_async_callback(work.aclose)
        place = settings.archive_place
        auditor = StoreAuditor(
            live,
            None if place is None else ArchiveStore(place),
            Feed(work),
            keys,
            settings,
            journal,
            Rows(work),
            settings.cache_bytes,
            redaction=redaction,
        )
        try:
            yield auditor
        finally:
            auditor.note_running()


async def follow(settings: Settings, path: Path, *, redaction: bool) -> None:
    """Audit until SIGTERM or SIGINT. Raises `BadJournal`."""
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopping.set)
    with Journal(path) as journal, metrics_listener(settings, REGISTRY):
        async with auditing(settings, journal, redaction=redaction) as auditor:
            log.info("auditing", journal=str(path), audited=len(journal.audited))
            await first_of(auditor.run(), stopping.wait())
    log.info("stopped")
