"""Fold all logs of a store again, the newest first and archived ones last.

Many logs are folded in processes of their own, so that all cores are used and the event loop is
free. These processes have a low priority: play goes first.
"""

import asyncio
import os
import sys
import threading
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import msgspec
from anyio import CapacityLimiter, to_process

from events.archive import NotArchived
from events.codec import MALFORMED
from events.errata import SignedErratum
from events.store import Store
from games import GAMES
from games.game import AnyGame
from projections.folded import Folded, why_not
from projections.summary import Summary, corrected, summary

BATCH = 64
"""Number of matches that are read, folded and written together."""
APART_MIN = 2_000
"""Number of matches from which processes of their own fold them."""
PROCESSES = min(4, len(os.sched_getaffinity(0)) if sys.platform == "linux" else 2)
"""Number of these processes: each takes about 100 MB of memory."""
NICE = 10
SCANNED = 1_000
"""Number of logs whose first records are read together."""

Errata = Mapping[str, Sequence[SignedErratum]]
"""Errata by match."""
LoadErrata = Callable[[], Awaitable[Errata]]
Progress = Callable[[int, int], None]
"""Called with the number of matches done, and of all matches."""
Put = Callable[[Sequence[Summary]], Awaitable[Any]]


class Stopped(Exception):
    """A match has a record that cannot be folded."""

    def __init__(self, match: str, version: int, why: str) -> None:
        """Create the error for a record, with the reason."""
        super().__init__(match, version, why)
        self.match = match
        self.version = version
        self.why = why

    def __str__(self) -> str:
        """Return the message."""
        place = f" at record {self.version}" if self.version else ""
        return f"{self.match} cannot be folded{place}: {self.why}"


class Opening(msgspec.Struct, frozen=True):
    """What is read of a first record."""

    at: str
    """RFC 3339 time, which sorts as text."""


OPENING = msgspec.json.Decoder(Opening)


async def refold(
    store: Store,
    games: Mapping[str, AnyGame],
    put: Put,
    progress: Progress,
    stopped: Callable[[Stopped], Awaitable[None]],
    errata: LoadErrata,
) -> int:
    """Fold every match of a store, pass the summaries to `put`, and return the number of matches.

    For a match that cannot be folded, `stopped` is called instead.
    """
    matches = await _newest_first(store)
    known = await errata()
    apart = games is GAMES and len(matches) >= APART_MIN
    limiter = CapacityLimiter(PROCESSES)
    done = 0

    async def fold(batch: Sequence[str]) -> None:
        nonlocal done
        logs = await _logs(store, batch)
        given = {match: known[match] for match in batch if match in known}
        if apart:
            built = await to_process.run_sync(_summarise_apart, batch, logs, given, limiter=limiter)
        else:
            built = await asyncio.to_thread(_summarise_all, games, batch, logs, given)
        for one in built:
            if isinstance(one, Stopped):
                await stopped(one)
        await put([one for one in built if isinstance(one, Summary)])
        done += len(batch)
        progress(done, len(matches))

    progress(0, len(matches))
    batches = [matches[start : start + BATCH] for start in range(0, len(matches), BATCH)]
    await _in_order(fold, batches, PROCESSES + 1 if apart else 1)
    return len(matches)


async def _newest_first(store: Store) -> list[str]:
    """Return all matches: those in play by the time they were opened, then those archived."""
    matches = sorted({match async for match in store.matches()})
    opened: dict[str, str] = {}
    for start in range(0, len(matches), SCANNED):
        found = await store.read_many(matches[start : start + SCANNED], 1)
        for match, lines in found.items():
            opened[match] = _opened(lines)
    return sorted(matches, key=lambda match: opened.get(match, ""), reverse=True)


def _opened(lines: Sequence[bytes]) -> str:
    """Return when a match was opened. A damaged log is folded like a new one, and then reported."""
    try:
        return OPENING.decode(lines[0]).at
    except MALFORMED:
        return "~"


async def _in_order(
    work: Callable[[Sequence[str]], Awaitable[None]], batches: Sequence[Sequence[str]], at_once: int
) -> None:
    """Do the work on batches, several at a time. The first failure ends all of it."""
    running: deque[asyncio.Future[None]] = deque()
    try:
        for batch in batches:
            if len(running) == at_once:
                await running.popleft()
            running.append(asyncio.ensure_future(work(batch)))
        while running:
            await running.popleft()
    finally:
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)


async def _logs(store: Store, matches: Sequence[str]) -> list[list[bytes] | Stopped]:
    found = await store.read_many(matches)
    return [found[match] if match in found else await _read(store, match) for match in matches]


async def _read(store: Store, match: str) -> list[bytes] | Stopped:
    try:
        return await store.read(match)
    except NotArchived as error:
        return Stopped(match, 0, str(error))


def _summarise_apart(
    matches: Sequence[str], logs: Sequence[list[bytes] | Stopped], errata: Errata
) -> list[Summary | Stopped]:
    """Fold the logs in this process at a low priority. On Linux, each thread has its own."""
    with ThreadPoolExecutor(1, initializer=_step_back) as pool:
        return pool.submit(_summarise_all, GAMES, matches, logs, errata).result()


def _step_back() -> None:
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)


def _summarise_all(
    games: Mapping[str, AnyGame],
    matches: Sequence[str],
    logs: Sequence[list[bytes] | Stopped],
    errata: Errata,
) -> list[Summary | Stopped]:
    """Fold the logs that are there."""
    return [
        log
        if isinstance(log, Stopped)
        else _summary_or_stop(games, match, log, errata.get(match, ()))
        for match, log in zip(matches, logs, strict=True)
        if log
    ]


def _summary_or_stop(
    games: Mapping[str, AnyGame],
    match: str,
    lines: list[bytes],
    errata: Sequence[SignedErratum],
) -> Summary | Stopped:
    try:
        return summarise(games, match, lines, errata)
    except Stopped as stop:
        return stop


def summarise(
    games: Mapping[str, AnyGame],
    match: str,
    lines: list[bytes],
    errata: Sequence[SignedErratum] = (),
) -> Summary:
    """Fold the log of a match and return its summary, with its errata applied. Raises `Stopped`.

    Errata of another log are ignored.
    """
    folded: Folded | None = None
    try:
        folded = Folded(games, lines[0])
        for data in lines[1:]:
            folded.extend(data)
        about = [given for given in errata if given.erratum.head == folded.head]
        return corrected(summary(folded.match), about)
    except Exception as error:
        version = 1 if folded is None else min(len(folded.trail) + 1, len(lines))
        raise Stopped(match, version, why_not(error)) from error
