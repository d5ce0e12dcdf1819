"""What a Redis server keeps, and the commands that Shiplog sends, with their answers.

`test_keyspace.py` compares the answers with those of a real server.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable
from copy import copy
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

from tests.simulation.scripts import SCRIPTS, digest_of

TOO_SMALL = "ERR The ID specified in XADD is equal or smaller than the target stream top item"
WRONG_TYPE = "WRONGTYPE Operation against a key holding the wrong kind of value"
OUT_OF_MEMORY = "OOM command not allowed when used memory > 'maxmemory'."
NO_SCRIPT = "NOSCRIPT No matching script. Please use EVAL."

Words = list[bytes]
Id = tuple[int, int]


class Refusal(Exception):
    """An error that the server answers."""


class Status(NamedTuple):
    """A simple string."""

    text: str


OK = Status("OK")


class Stream:
    """Entries by id."""

    def __init__(self) -> None:
        self.ids: list[Id] = []
        self.fields: list[Words] = []
        self.last: Id = (0, 0)

    def between(self, start: Id, end: Id, count: int | None) -> list[list[Any]]:
        first, last = bisect_left(self.ids, start), bisect_right(self.ids, end)
        if count is not None:
            last = min(last, first + count)
        return [self.entry(place) for place in range(first, last)]

    def entry(self, place: int) -> list[Any]:
        return [b"%d-%d" % self.ids[place], self.fields[place]]


LAST: Id = (1 << 62, 1 << 62)
KINDS = {Stream: b"stream", bytes: b"string", dict: b"hash", list: b"list"}


class Keyspace:
    """Keys and values. `now_ms` reads the server's clock."""

    def __init__(self, now_ms: Callable[[], int]) -> None:
        self.now_ms = now_ms
        self.keys: dict[bytes, Any] = {}
        self.expires: dict[bytes, int] = {}
        self.scripts: set[bytes] = set()
        self.full = False
        """Whether the limit of memory is reached."""

    def execute(self, words: Words) -> tuple[Any, bool]:
        """Execute a command. Return its answer, and whether it changed anything."""
        name = words[0].upper().decode()
        run, writes = COMMANDS[name]
        if writes and self.full and name not in ("DEL", "UNLINK", "HDEL", "GETDEL"):
            return Refusal(OUT_OF_MEMORY), False
        try:
            return run(self, *words[1:]), writes
        except Refusal as refusal:
            return refusal, False

    def find(self, key: bytes, kind: type) -> Any:
        """Return a value, or None. Raises `Refusal`."""
        if key in self.expires and self.expires[key] <= self.now_ms():
            self.keys.pop(key, None)
            del self.expires[key]
        value = self.keys.get(key)
        if value is not None and type(value) is not kind:
            raise Refusal(WRONG_TYPE)
        return value

    def make(self, key: bytes, kind: type) -> Any:
        """Return a value, which is created if there is none. Raises `Refusal`."""
        value = self.find(key, kind)
        if value is None:
            value = self.keys[key] = kind()
        return value

    def value(self, key: bytes) -> Any:
        """Return a copy of a value, for comparison."""
        value = self.keys.get(key)
        return value.last if isinstance(value, Stream) else copy(value)

    def call(self, *words: Any) -> Any:
        """Execute a command of a script. Raises `Refusal`."""
        plain = [word if isinstance(word, bytes) else str(word).encode() for word in words]
        reply, _ = self.execute(plain)
        if isinstance(reply, Refusal):
            raise reply
        return reply


class Zset(dict[bytes, float]):
    """Scores by member."""

    def ordered(self) -> list[tuple[float, bytes]]:
        return sorted((score, member) for member, score in self.items())


KINDS[Zset] = b"zset"


def xadd(space: Keyspace, key: bytes, *words: bytes) -> Any:
    rest, limit, create = list(words), None, True
    while True:
        option = rest[0].upper()
        if option == b"NOMKSTREAM":
            create = False
            rest = rest[1:]
        elif option == b"MAXLEN":
            approximate = rest[1] == b"~"
            limit = int(rest[2 if approximate else 1])
            rest = rest[3 if approximate else 2 :]
        else:
            break
    if not create and space.find(key, Stream) is None:
        return None
    stream = space.make(key, Stream)
    if rest[0] == b"*":
        found = max((space.now_ms(), 0), (stream.last[0], stream.last[1] + 1))
    else:
        found = ident(rest[0], 0)
    if found <= stream.last:
        raise Refusal(TOO_SMALL)
    stream.last = found
    stream.ids.append(found)
    stream.fields.append(rest[1:])
    if limit is not None and len(stream.ids) > limit:
        extra = len(stream.ids) - limit
        del stream.ids[:extra], stream.fields[:extra]
    return b"%d-%d" % found


def ident(text: bytes, missing: int) -> Id:
    """Parse an id of a stream."""
    if text == b"-":
        return (0, 0)
    if text == b"+":
        return LAST
    milliseconds, _, sequence = text.partition(b"-")
    return int(milliseconds), int(sequence) if sequence else missing


def xrange(space: Keyspace, key: bytes, start: bytes, end: bytes, *rest: bytes) -> Any:
    stream = space.find(key, Stream)
    count = int(rest[1]) if rest else None
    first = ident(start.removeprefix(b"("), 0)
    if start.startswith(b"("):
        first = (first[0], first[1] + 1)
    return [] if stream is None else stream.between(first, ident(end, 1 << 62), count)


def xrevrange(space: Keyspace, key: bytes, end: bytes, start: bytes, *rest: bytes) -> Any:
    return xrange(space, key, start, end)[::-1][: int(rest[1]) if rest else None]


def xlen(space: Keyspace, key: bytes) -> Any:
    stream = space.find(key, Stream)
    return 0 if stream is None else len(stream.ids)


def get(space: Keyspace, key: bytes) -> Any:
    return space.find(key, bytes)


def set_(space: Keyspace, key: bytes, value: bytes, *options: bytes) -> Any:
    names = [option.upper() for option in options]
    if b"NX" in names and key in space.keys:
        return None
    space.keys[key] = value
    space.expires.pop(key, None)
    for name, factor in ((b"EX", 1_000), (b"PX", 1)):
        if name in names:
            after = int(options[names.index(name) + 1]) * factor
            space.expires[key] = space.now_ms() + after
    return OK


def getset(space: Keyspace, key: bytes, value: bytes) -> Any:
    before = space.find(key, bytes)
    set_(space, key, value)
    return before


def getdel(space: Keyspace, key: bytes) -> Any:
    before = space.find(key, bytes)
    space.keys.pop(key, None)
    return before


def delete(space: Keyspace, *keys: bytes) -> Any:
    return sum(space.keys.pop(key, None) is not None for key in keys)


def expire(space: Keyspace, key: bytes, seconds: bytes) -> Any:
    if key not in space.keys:
        return 0
    space.expires[key] = space.now_ms() + int(seconds) * 1_000
    return 1


def hset(space: Keyspace, key: bytes, *pairs: bytes) -> Any:
    found = space.make(key, dict)
    before = len(found)
    found.update(zip(pairs[::2], pairs[1::2], strict=True))
    return len(found) - before


def hsetnx(space: Keyspace, key: bytes, field: bytes, value: bytes) -> Any:
    return 0 if field in space.make(key, dict) else hset(space, key, field, value)


def hget(space: Keyspace, key: bytes, field: bytes) -> Any:
    return (space.find(key, dict) or {}).get(field)


def hmget(space: Keyspace, key: bytes, *fields: bytes) -> Any:
    found = space.find(key, dict) or {}
    return [found.get(field) for field in fields]


def hgetall(space: Keyspace, key: bytes) -> Any:
    return dict(space.find(key, dict) or {})


def hkeys(space: Keyspace, key: bytes) -> Any:
    return list(space.find(key, dict) or ())


def hdel(space: Keyspace, key: bytes, *fields: bytes) -> Any:
    found = space.find(key, dict) or {}
    count = sum(found.pop(field, None) is not None for field in fields)
    if not found:
        space.keys.pop(key, None)
    return count


def zadd(space: Keyspace, key: bytes, *pairs: bytes) -> Any:
    found = space.make(key, Zset)
    before = len(found)
    found.update(
        (member, float(score)) for score, member in zip(pairs[::2], pairs[1::2], strict=True)
    )
    return len(found) - before


def zrem(space: Keyspace, key: bytes, *members: bytes) -> Any:
    found = space.find(key, Zset)
    if found is None:
        return 0
    count = sum(found.pop(member, None) is not None for member in members)
    if not found:
        del space.keys[key]
    return count


def zrange(space: Keyspace, key: bytes, start: bytes, end: bytes) -> Any:
    found = space.find(key, Zset)
    members = [] if found is None else [member for _, member in found.ordered()]
    last = int(end) + 1
    return members[int(start) : last or None]


def zscore(space: Keyspace, key: bytes, member: bytes) -> Any:
    found = space.find(key, Zset)
    score = None if found is None else found.get(member)
    return None if score is None else b"%d" % score if score == int(score) else repr(score).encode()


def zrangebylex(space: Keyspace, key: bytes, start: bytes, end: bytes) -> Any:
    assert start.startswith(b"["), "the only form that is sent"
    assert end == b"+", "the only form that is sent"
    found = space.find(key, Zset)
    return [] if found is None else sorted(one for one in found if one >= start[1:])


def scan(space: Keyspace, cursor: bytes, *options: bytes) -> Any:
    given = dict(zip((one.upper() for one in options[::2]), options[1::2], strict=True))
    pattern, kind = given.get(b"MATCH", b"*").decode(), given.get(b"TYPE", b"").lower()
    keys = [
        key
        for key, value in space.keys.items()
        if fnmatchcase(key.decode(), pattern) and kind in (b"", KINDS[type(value)])
    ]
    return [b"0", keys]


def evalsha(space: Keyspace, sha: bytes, count: bytes, *words: bytes) -> Any:
    if sha not in space.scripts:
        raise Refusal(NO_SCRIPT)
    keys = int(count)
    return SCRIPTS[sha](space.call, list(words[:keys]), list(words[keys:]))


def script(space: Keyspace, verb: bytes, text: bytes, *more: bytes) -> Any:
    if verb.upper() == b"EXISTS":
        return [int(sha in space.scripts) for sha in (text, *more)]
    assert verb.upper() == b"LOAD", "the only other form that is sent"
    sha = digest_of(text.decode())
    space.scripts.add(sha)
    return sha


def time(space: Keyspace) -> Any:
    now = space.now_ms()
    return [b"%d" % (now // 1_000), b"%d" % (now % 1_000 * 1_000)]


def client(space: Keyspace, verb: bytes, *_: bytes) -> Any:
    raise Refusal(f"ERR unknown subcommand '{verb.decode()}'. Try CLIENT HELP.")


COMMANDS: dict[str, tuple[Callable[..., Any], bool]] = {
    "XADD": (xadd, True),
    "XRANGE": (xrange, False),
    "XREVRANGE": (xrevrange, False),
    "XLEN": (xlen, False),
    "GET": (get, False),
    "SET": (set_, True),
    "GETSET": (getset, True),
    "GETDEL": (getdel, True),
    "DEL": (delete, True),
    "UNLINK": (delete, True),
    "EXPIRE": (expire, True),
    "HSET": (hset, True),
    "HSETNX": (hsetnx, True),
    "HGET": (hget, False),
    "HMGET": (hmget, False),
    "HGETALL": (hgetall, False),
    "HKEYS": (hkeys, False),
    "HDEL": (hdel, True),
    "ZADD": (zadd, True),
    "ZREM": (zrem, True),
    "ZRANGE": (zrange, False),
    "ZRANGEBYLEX": (zrangebylex, False),
    "ZSCORE": (zscore, False),
    "SCAN": (scan, False),
    "EVALSHA": (evalsha, True),
    "SCRIPT": (script, False),
    "CLIENT": (client, False),
    "TIME": (time, False),
    "PING": (lambda _: Status("PONG"), False),
}
"""What each command does, and whether it writes."""
