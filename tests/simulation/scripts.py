"""The Lua scripts of the projections, in Python.

`test_keyspace.py` runs each beside its original on a real server.
"""

import hashlib
import json
from collections.abc import Callable
from typing import Any

from projections.rows import APPLY, DUE
from service.play.leases import SHARE

Call = Callable[..., Any]


def digest_of(text: str) -> bytes:
    """Return the name of a script."""
    return hashlib.sha1(text.encode()).hexdigest().encode()


def share(call: Call, keys: list[bytes], given: list[bytes]) -> list[Any]:
    members, lead, *leases = keys
    name, ms = given
    seconds, micros = call("TIME")
    now = int(seconds) * 1_000 + int(micros) // 1_000
    for member in call("ZRANGE", members, 0, -1):
        if float(call("ZSCORE", members, member)) <= now:
            call("ZREM", members, member)
    call("ZADD", members, now + int(ms), name)
    due = -(-len(leases) // len(call("ZRANGE", members, 0, -1)))
    leads = call("GET", lead) in (None, name)
    if leads:
        call("SET", lead, name, "PX", ms)
    holders = [call("GET", lease) for lease in leases]
    own = [place for place, holder in enumerate(holders) if holder == name]
    for place in own[due:]:
        call("DEL", leases[place])
    free = [place for place, holder in enumerate(holders) if holder is None]
    held = [*own[:due], *free][:due]
    for place in held:
        call("SET", leases[place], name, "PX", ms)
    return [int(leads), held]


def apply(call: Call, keys: list[bytes], given: list[bytes]) -> list[Any]:
    pointer, notices, written = keys
    only, kept, kept_s, written_kept, *rows = given
    generations = (
        [only] if only else [one for one in call("HMGET", pointer, "current", "building") if one]
    )

    def tell(player: str, notice: str) -> None:
        key = notices + b":" + player.encode()
        call("XADD", key, "MAXLEN", "~", kept, "*", "n", notice)
        call("EXPIRE", key, kept_s)
        call("XADD", notices, "MAXLEN", "~", kept, "*", "p", player)

    def applied(match: bytes, data: bytes, news: bytes) -> int:
        row, count = json.loads(data), 0
        for place, generation in enumerate(generations):
            found = call("HGET", generation + b":rows", match)
            old = json.loads(found) if found else {"version": 0, "entries": []}
            if old["version"] >= row["version"]:
                continue
            for index, _, member in old["entries"]:
                call("ZREM", generation + b":" + index.encode(), member)
            before = {(index, member) for index, _, member in old["entries"]}
            told = place == 0 and not only
            if told and old.get("summary", {}).get("status") != row["summary"]["status"]:
                for player, notice in json.loads(news):
                    tell(player, notice)
            for index, score, member in row["entries"]:
                call("ZADD", generation + b":" + index.encode(), score, member)
                if told and index.startswith("standing:") and (index, member) not in before:
                    tell(index.removeprefix("standing:"), member)
            call("HSET", generation + b":rows", match, data)
            count += 1
        return count

    threes = zip(rows[::3], rows[1::3], rows[2::3], strict=True)
    counts = [applied(*three) for three in threes]
    if written_kept:
        call("XADD", written, "MAXLEN", "~", written_kept, "*", "m", b" ".join(rows[::3]))
    return [len(generations), counts]


def due(call: Call, keys: list[bytes], given: list[bytes]) -> list[bytes] | None:
    generation = call("HGET", keys[0], "current")
    if not generation:
        return None
    index, until, start, count = given[0], float(given[1]), int(given[2]), int(given[3])
    key = generation + b":" + index
    found = [(call("ZSCORE", key, one), one) for one in call("ZRANGE", key, 0, -1)]
    page = [(score, one) for score, one in found if float(score) <= until]
    return [word for score, one in page[start : start + count] for word in (one, score)]


SCRIPTS: dict[bytes, Callable[[Call, list[bytes], list[bytes]], Any]] = {
    digest_of(SHARE): share,
    digest_of(APPLY): apply,
    digest_of(DUE): due,
}
