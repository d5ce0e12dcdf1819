"""Rebuild the rows from the logs in a new generation, then switch to it.

The new rows can be compared with the current ones first. A rebuild is strict: it stops at the
first record that cannot be folded, and names it.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from typing import Any

import msgspec

from events.archive import NotArchived
from events.errata import SignedErratum
from events.store import Store
from games.game import AnyGame
from projections.entries import unrated_index
from projections.folded import Folded
from projections.rows import POINTER, Rows
from projections.summary import Summary, corrected, summary
from projections.tables import settle

LOCK = "projections:rebuilding"
LOCK_S = 120
"""Time after which the lock of a rebuild that died expires (seconds)."""
BATCH = 64
"""Number of matches that are read, folded and written together."""
SCANNED = 500
"""Number of fields that are compared at a time."""
DIFFERENCES_MAX = 100
PATIENCE_S = 10.0
"""Time for which a difference may be a row that is about to be updated (seconds)."""

Errata = Mapping[str, Sequence[SignedErratum]]
"""Errata by match."""
LoadErrata = Callable[[], Awaitable[Errata]]

Progress = Callable[[int, int], None]
"""Called with the number of matches done, and of all matches."""


class Stopped(Exception):
    """A match has a record that cannot be folded."""

    def __init__(self, match: str, version: int, why: str) -> None:
        """Create the error for a record, with the reason."""
        super().__init__(f"{match} cannot be folded at record {version}: {why}")
        self.match = match
        self.version = version
        self.why = why


class Busy(Exception):
    """Another rebuild is running."""


class RowDifference(msgspec.Struct, frozen=True):
    """A field or member in which two generations differ."""

    key: str
    """Key in Redis without the generation."""
    field: str


class Rebuilt(msgspec.Struct, frozen=True):
    """The result of a rebuild."""

    matches: int
    """Number of matches in the logs."""
    differences: list[RowDifference]
    """Differences from the rows before, at most 100. Empty unless a comparison was requested."""


async def rebuild(
    store: Store,
    games: Mapping[str, AnyGame],
    rows: Rows,
    progress: Progress,
    errata: LoadErrata,
    *,
    verify: bool = False,
) -> Rebuilt:
    """Build all rows in a new generation and switch to it. Raises `Stopped`, `Busy`.

    `errata` loads the errata that a known key signed. `verify` compares the new rows with the
    current ones.
    """
    if not await rows.client.set(LOCK, "1", nx=True, ex=LOCK_S):
        raise Busy
    try:
        await rows.abandon()
        generation = await rows.begin("building")

        async def put(built: Sequence[Summary]) -> None:
            await rows.apply_all(built, generation)
            await rows.client.expire(LOCK, LOCK_S)

        matches = await refold(store, games, put, progress, _raise, errata)
        await settle_all(rows, generation, games)
        differences = await _differences(rows, generation, games) if verify else []
        await rows.switch(generation)
        return Rebuilt(matches, differences)
    finally:
        await rows.abandon()
        await rows.client.delete(LOCK)


async def refold(
    store: Store,
    games: Mapping[str, AnyGame],
    put: Callable[[Sequence[Summary]], Awaitable[Any]],
    progress: Progress,
    stopped: Callable[[Stopped], Awaitable[None]],
    errata: LoadErrata,
) -> int:
    """Fold every match of a store, pass the summaries to `put`, and return the number of matches.

    For a match that cannot be folded, `stopped` is called instead.
    """
    matches = sorted({match async for match in store.matches()})
    known = await errata()
    for done in range(0, len(matches), BATCH):
        progress(done, len(matches))
        batch = matches[done : done + BATCH]
        logs = await asyncio.gather(*(_read(store, match) for match in batch))
        built = await asyncio.to_thread(_summarise_all, games, batch, logs, known)
        for one in built:
            if isinstance(one, Stopped):
                await stopped(one)
        await put([one for one in built if isinstance(one, Summary)])
    progress(len(matches), len(matches))
    return len(matches)


async def _read(store: Store, match: str) -> list[bytes] | Stopped:
    try:
        return await store.read(match)
    except NotArchived as error:
        return Stopped(match, 0, str(error))


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
        version = 1 if folded is None else min(len(folded.heads) + 1, len(lines))
        raise Stopped(match, version, f"{type(error).__name__}: {error}") from error


async def settle_all(rows: Rows, generation: str, games: Mapping[str, AnyGame]) -> None:
    """Add all results that are not counted yet to the standings."""
    for game in games:
        await settle(rows, generation, game)


async def compare(rows: Rows, first: str, second: str) -> list[RowDifference]:
    """List the differences between two generations."""
    found: list[RowDifference] = []
    names = await _names(rows, first) | await _names(rows, second)
    for name in sorted(names):
        if name.startswith(unrated_index("")):
            continue
        left, right = f"{first}:{name}", f"{second}:{name}"
        for key, against in ((left, right), (right, left)):
            async for field in _differing(rows.client, key, against):
                found.append(RowDifference(name, field))
                if len(found) == DIFFERENCES_MAX:
                    return found
    return list(dict.fromkeys(found))


async def _differences(
    rows: Rows, generation: str, games: Mapping[str, AnyGame]
) -> list[RowDifference]:
    """Compare a generation with the current one.

    Changes to matches in play reach both generations, but not at the same moment. So a difference
    counts only if it persists.
    """
    current = await rows.client.hget(POINTER, "current")
    if current is None:
        return []
    until = asyncio.get_running_loop().time() + PATIENCE_S
    while True:
        await settle_all(rows, generation, games)
        found = await compare(rows, current.decode(), generation)
        if not found or asyncio.get_running_loop().time() > until:
            return found
        await asyncio.sleep(0.5)


async def _raise(stop: Stopped) -> None:
    raise stop


async def _names(rows: Rows, generation: str) -> set[str]:
    prefix = f"{generation}:"
    found = rows.client.scan_iter(match=f"{prefix}*", count=1_000)
    return {key.decode().removeprefix(prefix) async for key in found}


async def _differing(client: Any, key: str, against: str) -> AsyncIterator[str]:
    """Yield the fields or members of a key that another key lacks or has with another value."""
    kind = await client.type(key)
    scan, get = (client.hscan, client.hmget) if kind == b"hash" else (client.zscan, client.zmscore)
    cursor = 0
    while kind != b"none":
        found: Any
        cursor, found = await scan(key, cursor, count=SCANNED)
        pairs: dict[bytes, Any] = dict(found)
        others: list[Any] = await get(against, list(pairs)) if pairs else []
        for (field, value), other in zip(pairs.items(), others, strict=True):
            if other != value:
                yield field.decode()
        if cursor == 0:
            return
