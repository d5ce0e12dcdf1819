"""Rebuild the rows from the logs: beside the ones that are read, compared with them, then in their place.

A rebuild is strict: the first record that can't be folded stops it, and is named.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Any

import msgspec

from events.archive import NotArchived
from events.store import Store
from games.game import AnyGame
from projections.entries import unrated_index
from projections.folded import Folded
from projections.rows import POINTER, Rows
from projections.summary import Summary, summary
from projections.tables import settle

LOCK = "projections:rebuilding"
LOCK_S = 120
SCANNED = 500
"""Fields compared at a time."""
DIFFERENCES_MAX = 100
PATIENCE_S = 10.0
"""Seconds for which a difference may be a row that is just about to be brought up to date."""

Progress = Callable[[int, int], None]
"""(matches done, matches in all)"""


class Stopped(Exception):
    """A record that can't be folded."""

    def __init__(self, match: str, version: int, why: str) -> None:
        """Name it."""
        super().__init__(f"{match} can't be folded at record {version}: {why}")
        self.match = match
        self.version = version
        self.why = why


class Busy(Exception):
    """Another rebuild is under way."""


class Difference(msgspec.Struct, frozen=True):
    """Where two generations differ."""

    key: str
    """Without the generation."""
    field: str


class Rebuilt(msgspec.Struct, frozen=True):
    """What a rebuild did."""

    matches: int
    differences: list[Difference]
    """Between what was read and what the logs say, if that was asked; at most 100."""


async def rebuild(
    store: Store,
    games: Mapping[str, AnyGame],
    rows: Rows,
    progress: Progress,
    *,
    verify: bool = False,
) -> Rebuilt:
    """Build all rows anew and switch to them; raises `Stopped`, `Busy`."""
    if not await rows.client.set(LOCK, "1", nx=True, ex=LOCK_S):
        raise Busy
    try:
        await rows.abandon()
        generation = await rows.begin("building")

        async def put(one: Summary) -> None:
            await rows.apply(one, generation)
            await rows.client.expire(LOCK, LOCK_S)

        matches = await refold(store, games, put, progress, _raise)
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
    put: Callable[[Summary], Awaitable[Any]],
    progress: Progress,
    stopped: Callable[[Stopped], Awaitable[None]],
) -> int:
    """Fold every match of a store and put its summary somewhere; give how many there were.

    Those that can't be folded go to `stopped` instead.
    """
    matches = sorted({match async for match in store.matches()})
    for done, match in enumerate(matches):
        progress(done, len(matches))
        try:
            lines = await store.read(match)
            if not lines:
                continue
            one = await asyncio.to_thread(summarise, games, match, lines)
        except NotArchived as error:
            await stopped(Stopped(match, 0, str(error)))
        except Stopped as stop:
            await stopped(stop)
        else:
            await put(one)
    progress(len(matches), len(matches))
    return len(matches)


def summarise(games: Mapping[str, AnyGame], match: str, lines: list[bytes]) -> Summary:
    """Fold a match's log; raises `Stopped` at the first record that can't be."""
    folded: Folded | None = None
    try:
        folded = Folded(games, lines[0])
        for data in lines[1:]:
            folded.extend(data)
        return summary(folded.match)
    except Exception as error:
        version = 1 if folded is None else min(len(folded.hashes) + 1, len(lines))
        raise Stopped(match, version, f"{type(error).__name__}: {error}") from error


async def settle_all(rows: Rows, generation: str, games: Mapping[str, AnyGame]) -> None:
    """Bring all standings up to the results."""
    for game in games:
        await settle(rows, generation, game)


async def compare(rows: Rows, one: str, other: str) -> list[Difference]:
    """List where two generations differ."""
    found: list[Difference] = []
    names = await _names(rows, one) | await _names(rows, other)
    for name in sorted(names):
        if name.startswith(unrated_index("")):
            continue
        here, there = (f"{generation}:{name}" for generation in (one, other))
        for key, against in ((here, there), (there, here)):
            async for field in _unlike(rows.client, key, against):
                found.append(Difference(name, field))
                if len(found) == DIFFERENCES_MAX:
                    return found
    return list(dict.fromkeys(found))


async def _differences(
    rows: Rows, generation: str, games: Mapping[str, AnyGame]
) -> list[Difference]:
    """Compare with what is read; live changes reach both generations, if not at the same moment."""
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


async def _unlike(client: Any, key: str, against: str) -> AsyncIterator[str]:
    """Give the fields or members of a key that another has not, or has otherwise."""
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
