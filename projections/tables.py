"""The standings in the work Redis: kept up with the results that the rows list.

A result is counted once. What it changed is kept, so that when a late one comes in, the later ones are taken back and
counted again in order: the table is always the fold over all results in order.
"""

from typing import Any, Literal, NamedTuple

import msgspec
from redis.exceptions import WatchError

from projections.entries import unrated_index
from projections.rows import PAGE_MAX, NoRows, Rows
from projections.standings import Before, Finished, Standing, fold, unfold
from projections.summary import Summary

BATCH = 500
"""Results counted in one go."""

Table = Literal["rated", "together"]

STANDING = msgspec.json.Decoder(Standing)
BEFORE = msgspec.json.Decoder(Before)
encode = msgspec.json.encode


class Place(msgspec.Struct, frozen=True):
    """A line of a table."""

    place: int
    """1 is the best."""
    name: str
    standing: Standing


class Keys(NamedTuple):
    """Where a game's standings lie in a generation."""

    unrated: str
    rated: str
    """Results counted, in order."""
    before: str
    """By match, what its result changed."""
    standings: str
    """By name."""
    tables: dict[Table, str]


def keys_of(generation: str, game: str) -> Keys:
    """Name a game's keys in a generation."""
    return Keys(
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
    """Count the results that are not counted yet; give how many there were."""
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


async def _count(rows: Rows, pipe: Any, generation: str, keys: Keys, fresh: list[bytes]) -> None:
    later: list[bytes] = await pipe.zrangebylex(keys.rated, b"[" + fresh[0], "+")
    redone = sorted({*fresh, *later})
    summaries = await rows.summaries(generation, [_match(member) for member in redone])
    finished = [one for one in map(_finished, summaries) if one is not None]
    befores = await _befores(pipe, keys, later)
    names = {name for before in befores for name in before}
    names |= {sitter.name for one in finished for sitter in one.sitters if sitter.name}
    standings = await _standings(pipe, keys, sorted(names))
    unfold(standings, reversed(befores))
    changes = dict(zip(map(_match, redone), fold(standings, finished), strict=True))
    pipe.multi()
    pipe.hset(keys.before, mapping={name: encode(change) for name, change in changes.items()})
    pipe.zadd(keys.rated, dict.fromkeys(fresh, 0))
    pipe.zrem(keys.unrated, *fresh)
    _write(pipe, keys, standings)
    await pipe.execute()


def _write(pipe: Any, keys: Keys, standings: dict[str, Standing]) -> None:
    if not standings:
        return
    pipe.hset(keys.standings, mapping={name: encode(one) for name, one in standings.items()})
    rated = {name: one.rating for name, one in standings.items() if one.rated}
    together = {name: one.share for name, one in standings.items() if one.together}
    if rated:
        pipe.zadd(keys.tables["rated"], rated)
    if together:
        pipe.zadd(keys.tables["together"], together)


async def _befores(pipe: Any, keys: Keys, later: list[bytes]) -> list[Before]:
    if not later:
        return []
    found = await pipe.hmget(keys.before, [_match(member) for member in later])
    return [BEFORE.decode(data) for data in found]


async def _standings(pipe: Any, keys: Keys, names: list[str]) -> dict[str, Standing]:
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
    """Give the lines of a table from a place on, the best first; raises `NoRows`."""
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
