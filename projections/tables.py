"""The standings in the work Redis, kept up to date with the results that the rows list.

Every result is counted once, and the standings before it are kept. When a result arrives late, the
later ones are reverted and counted again, so that a table is always the fold over all results in
order.
"""

from collections.abc import Collection
from typing import Any, Literal, NamedTuple

import msgspec
from redis.exceptions import WatchError

from projections.entries import unrated_index
from projections.rows import PAGE_MAX, NoRows, Rows
from projections.standings import Before, Finished, Standing, fold, unfold
from projections.summary import Summary

BATCH = 500
"""Number of results that are counted in one transaction."""

Table = Literal["rated", "together"]

STANDING = msgspec.json.Decoder(Standing)
BEFORE = msgspec.json.Decoder(Before)
encode = msgspec.json.encode


class Place(msgspec.Struct, frozen=True):
    """One line of a table of standings."""

    place: int
    """Rank. 1 is the best."""
    name: str
    standing: Standing


class StandingsKeys(NamedTuple):
    """The keys of a game's standings in Redis."""

    unrated: str
    """Sorted set of the results that are not counted yet."""
    rated: str
    """Sorted set of the results that are counted, in order."""
    before: str
    """Hash of the standings before each result, by match."""
    standings: str
    """Hash of the standings by name."""
    tables: dict[Table, str]
    """Sorted sets of names by rating or share."""


def keys_of(generation: str, game: str) -> StandingsKeys:
    """Return the keys of a game's standings in a generation."""
    return StandingsKeys(
        f"{generation}:{unrated_index(game)}",
        f"{generation}:rated:{game}",
        f"{generation}:before:{game}",
        f"{generation}:standings:{game}",
        {
            "rated": f"{generation}:table:{game}:rated",
            "together": f"{generation}:table:{game}:together",
        },
    )


async def settle(rows: Rows, generation: str, game: str) -> int:
    """Count the results that are not counted yet, and return their number."""
    keys = keys_of(generation, game)
    counted = 0
    async with rows.client.pipeline(transaction=True) as pipe:
        while True:
            try:
                await pipe.watch(keys.unrated, keys.rated)
                fresh = await pipe.zrange(keys.unrated, 0, BATCH - 1)
                if not fresh:
                    return counted
                await _count(rows, pipe, generation, keys, fresh)
                counted += len(fresh)
            except WatchError:
                continue


async def _count(
    rows: Rows, pipe: Any, generation: str, keys: StandingsKeys, fresh: list[bytes]
) -> None:
    later: list[bytes] = await pipe.zrangebylex(keys.rated, b"[" + fresh[0], "+")
    redone = sorted({*fresh, *later})
    summaries = await rows.summaries(generation, [_match(member) for member in redone])
    finished = [match for match in map(_finished, summaries) if match is not None]
    befores = await _befores(pipe, keys, later)
    names = {name for before in befores for name in before}
    names |= {sitter.name for match in finished for sitter in match.sitters if sitter.name}
    standings = await _standings(pipe, keys, sorted(names))
    unfold(standings, reversed(befores))
    changes = dict(zip(map(_match, redone), fold(standings, finished), strict=True))
    pipe.multi()
    pipe.hset(keys.before, mapping={name: encode(change) for name, change in changes.items()})
    pipe.zadd(keys.rated, dict.fromkeys(fresh, 0))
    pipe.zrem(keys.unrated, *fresh)
    _remove(pipe, keys, names)
    _write(pipe, keys, standings)
    await pipe.execute()


def _remove(pipe: Any, keys: StandingsKeys, names: Collection[str]) -> None:
    """Remove names: an erratum may have removed the only match that counted for them."""
    if names:
        pipe.hdel(keys.standings, *names)
        for table in keys.tables.values():
            pipe.zrem(table, *names)


def _write(pipe: Any, keys: StandingsKeys, standings: dict[str, Standing]) -> None:
    if not standings:
        return
    encoded = {name: encode(standing) for name, standing in standings.items()}
    pipe.hset(keys.standings, mapping=encoded)
    rated = {name: standing.rating for name, standing in standings.items() if standing.rated}
    together = {name: standing.share for name, standing in standings.items() if standing.together}
    if rated:
        pipe.zadd(keys.tables["rated"], rated)
    if together:
        pipe.zadd(keys.tables["together"], together)


async def _befores(pipe: Any, keys: StandingsKeys, later: list[bytes]) -> list[Before]:
    if not later:
        return []
    found = await pipe.hmget(keys.before, [_match(member) for member in later])
    return [BEFORE.decode(data) for data in found]


async def _standings(pipe: Any, keys: StandingsKeys, names: list[str]) -> dict[str, Standing]:
    if not names:
        return {}
    found = await pipe.hmget(keys.standings, names)
    return {
        name: STANDING.decode(data)
        for name, data in zip(names, found, strict=True)
        if data is not None
    }


def _match(member: bytes) -> str:
    return member.decode().split(" ", 1)[1]


def _finished(summary: Summary) -> Finished | None:
    outcome = summary.outcome
    return None if outcome is None else Finished(summary.sitters, outcome)


async def places(rows: Rows, game: str, table: Table, start: int, count: int) -> list[Place]:
    """Return `count` lines of a table from index `start` on, best first. Raises `NoRows`."""
    keys = keys_of(await rows.generation(), game)
    count = max(1, min(count, PAGE_MAX))
    names = await rows.client.zrevrange(keys.tables[table], start, start + count - 1)
    if not names:
        return []
    found = await rows.client.hmget(keys.standings, names)
    if None in found:
        raise NoRows
    return [
        Place(start + place, name.decode(), STANDING.decode(data))
        for place, (name, data) in enumerate(zip(names, found, strict=True), start=1)
    ]
