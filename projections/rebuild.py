"""Rebuild the rows from the logs in a new generation, then switch to it.

The new rows can be compared with the current ones first. A rebuild is strict: it stops at the
first record that cannot be folded, and names it.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

import msgspec

from events.store import Store
from games.game import AnyGame
from projections.entries import unrated_index
from projections.refold import LoadErrata, Progress, Stopped, refold
from projections.rows import POINTER, Rows
from projections.summary import Summary
from projections.tables import settle

LOCK = "projections:rebuilding"
LOCK_S = 120
"""Time after which the lock of a rebuild that died expires (seconds)."""
SCANNED = 500
"""Number of fields that are compared at a time."""
DIFFERENCES_MAX = 100
PATIENCE_S = 10.0
"""Time for which a difference may be a row that is about to be updated (seconds)."""


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
