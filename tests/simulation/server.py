"""A model of a Redis server: memory, append file, disk, replica, and its connections.

It executes what has arrived, syncs the append file once for all of it, and then answers, as Redis
does with `appendfsync always`. A crash keeps what was synced, and of the rest a part that chance
decides.
"""

import random
from collections.abc import Callable
from typing import Any

import hiredis

from events.redis_store import DURABLE
from games.match.clocks import SECOND
from tests.events.lines import FIRST_AT
from tests.simulation.keyspace import Keyspace, Refusal, Status, Stream, Words, ident
from tests.simulation.loop import VirtualLoop
from tests.simulation.network import Link, Network

SYNC_S = 0.000_4
"""Mean duration of a sync (seconds)."""
INFO = "redis_version:7.0.15\r\nrun_id:{}\r\nserver_time_usec:{}\r\n"


class RedisModel:
    """One server. `durable` is whether it syncs each write before it answers."""

    def __init__(self, network: Network, chance: random.Random, *, durable: bool) -> None:
        self.network = network
        self.loop: VirtualLoop = network.loop
        self.durable = durable
        self.up = False
        self.gone = False
        """Whether it has been replaced, and never starts again."""
        self.loading = False
        self.sync_s = SYNC_S
        """Mean duration of a sync (seconds)."""
        self.broken = False
        """Whether writes to the disk or their sync fail, so that the server dies of the next."""
        self.replica: RedisModel | None = None
        self.lag_s = 0.001
        """Mean delay of the replica (seconds)."""
        self.written: list[Words] = []
        """The append file."""
        self.synced = 0
        """Number of its commands that are on disk."""
        self.on_synced: Callable[[list[Words], int], None] | None = None
        """Called with the commands that have reached the disk, and the server's time."""
        self.runs = 0
        self.crashes = 0
        self._chance = chance
        self._followed_at = 0.0
        """When the replica gets the last writes."""
        self._inbox: list[tuple[Link, bytes]] = []
        self._busy = False
        self._blocked: list[tuple[Link, dict[bytes, Any], int]] = []
        self._waiting: list[tuple[Link, int, int]] = []
        self.start()

    def now_us(self) -> int:
        """Return the server's time (microseconds since 1970)."""
        return FIRST_AT + round(self.loop.time() * SECOND)

    def start(self) -> None:
        """Start from the append file, unless the server has been replaced."""
        if self.gone:
            return
        self.runs += 1
        self.run_id = f"{self._chance.getrandbits(160):040x}"
        self.space = Keyspace(lambda: self.now_us() // 1_000)
        for words in self.written:
            self.space.execute(words)
        self._sync()
        self.up = True
        if self.replica is not None:
            self.replica.copy(self)

    def _sync(self) -> None:
        """Note that all of the append file is on disk."""
        fresh, self.synced = self.written[self.synced :], len(self.written)
        if fresh and self.on_synced is not None:
            self.on_synced(fresh, self.now_us())

    def crash(self, *, wipe: bool = False) -> None:
        """Die. Of what was not synced, some of the first commands may be on disk."""
        if not self.up:
            return
        self.up = False
        self.crashes += 1
        kept = self._chance.randint(self.synced, len(self.written))
        self.written = [] if wipe else self.written[:kept]
        self.synced = min(self.synced, len(self.written))
        self._inbox, self._busy = [], False
        self._blocked, self._waiting = [], []
        for link in self.network.links:
            if link.server is self:
                link.cut()

    def receive(self, link: Link, data: bytes) -> None:
        """Take bytes of a connection."""
        self._inbox.append((link, data))
        if not self._busy:
            self._busy = True
            self._turn()

    def _later(self, delay: float, callback: Any, *args: Any) -> None:
        """Call later, unless the server is restarted in between."""
        run = self.runs

        def do() -> None:
            if self.up and self.runs == run:
                callback(*args)

        self.loop.outside(delay, do)

    def _turn(self) -> None:
        """Execute what has arrived."""
        inbox, self._inbox = self._inbox, []
        answers: list[tuple[Link, bytes]] = []
        before = len(self.written)
        for link, data in inbox:
            if link.reader is None:
                link.reader = hiredis.Reader()
            link.reader.feed(data)
            replies = bytearray()
            while (words := link.reader.gets()) is not False:
                replies += self._execute(link, words)
            answers.append((link, bytes(replies)))
        if not self.durable:
            self._send(answers)
            if len(self.written) > before:
                self._later(1.0, self._sync)
                self._serve_blocked()
        elif len(self.written) == before:
            self._answer(before, answers)
        elif self.broken:
            self._later(self._sync_time(), self.crash)
        else:
            self._later(self._sync_time(), self._answer, before, answers)

    def _sync_time(self) -> float:
        return self._chance.expovariate(1 / self.sync_s)

    def _answer(self, before: int, answers: list[tuple[Link, bytes]]) -> None:
        """Answer what was executed, which is on disk now."""
        self._sync()
        if self.replica is not None and self.synced > before:
            now = self.loop.time()
            lag = self._chance.expovariate(1 / self.lag_s)
            self._followed_at = max(self._followed_at + 1e-9, now + lag)
            fresh = self.written[before:]
            self._later(self._followed_at - now, self.replica.follow, self, fresh)
        self._send(answers)

    def _send(self, answers: list[tuple[Link, bytes]]) -> None:
        for link, data in answers:
            if data:
                link.answer(data)
        self._busy = bool(self._inbox)
        if self._busy:
            self._later(0, self._turn)

    def _execute(self, link: Link, words: Words) -> bytes:
        name = words[0].upper()
        if name in (b"HELLO", b"INFO", b"PING") or not self.loading:
            if link.queued is not None and name != b"EXEC":
                link.queued.append(words)
                return encoded(Status("QUEUED"))
            own = OWN.get(name)
            reply = self._run(link, words) if own is None else own(self, link, words)
            return b"" if reply is LATER else encoded(reply)
        return encoded(Refusal("LOADING Redis is loading the dataset in memory"))

    def _run(self, link: Link, words: Words) -> Any:
        """Execute a command, and append it to the file if it wrote."""
        reply, wrote = self.space.execute(words)
        if wrote:
            self.written.append(_settled(words, reply))
            link.offset = len(self.written)
        return reply

    def info(self, *_: Any) -> bytes:
        return INFO.format(self.run_id, self.now_us()).encode()

    def hello(self, *_: Any) -> dict[bytes, Any]:
        return {b"server": b"redis", b"proto": 3}

    def config_get(self, _: Link, words: Words) -> dict[bytes, bytes]:
        name = words[2].decode()
        return {words[2]: DURABLE[name].encode()}

    # Replication

    def follow(self, primary: "RedisModel", commands: list[Words]) -> None:
        """Take writes of the primary, in order."""
        if primary.replica is not self or not self.up:
            return
        for words in commands:
            self.space.execute(words)
            self.written.append(words)
        self._sync()
        still: list[tuple[Link, int, int]] = []
        for link, offset, wanted in primary._waiting:
            if len(self.written) >= offset:
                link.answer(encoded(1))
            else:
                still.append((link, offset, wanted))
        primary._waiting = still

    def attach(self, lag_s: float) -> None:
        """Give the server a replica that has all it has."""
        replica = RedisModel(self.network, self._chance, durable=True)
        self.replica, self.lag_s = replica, lag_s
        replica.copy(self)

    def copy(self, primary: "RedisModel") -> None:
        """Take everything that a primary has."""
        self.written, self.synced = list(primary.written), 0
        self.start()

    def wait(self, link: Link, words: Words) -> Any:
        """Answer when the replica has the connection's last write, or after a time."""
        offset = link.offset
        if self.replica is not None and len(self.replica.written) >= offset:
            return 1
        waiter = (link, offset, int(words[1]))
        self._waiting.append(waiter)
        self._later(int(words[2]) / 1_000, self._give_up, waiter)
        return LATER

    def _give_up(self, waiter: tuple[Link, int, int]) -> None:
        if waiter in self._waiting:
            self._waiting.remove(waiter)
            waiter[0].answer(encoded(0))

    # Reads that wait

    def xread(self, link: Link, words: Words) -> Any:
        """Answer entries after positions, or wait for some."""
        at = [word.upper() for word in words].index(b"STREAMS")
        given = dict(zip((one.upper() for one in words[1:at:2]), words[2:at:2], strict=True))
        names = words[at + 1 :]
        half = len(names) // 2
        positions = {
            key: ident(one, 0) for key, one in zip(names[:half], names[half:], strict=True)
        }
        count = int(given[b"COUNT"])
        found = self._entries_after(positions, count)
        if found or b"BLOCK" not in given:
            return found or None
        waiter = (link, positions, count)
        self._blocked.append(waiter)
        self._later(int(given[b"BLOCK"]) / 1_000, self._unblock, waiter)
        return LATER

    def _entries_after(self, positions: dict[bytes, Any], count: int) -> dict[bytes, Any]:
        found: dict[bytes, Any] = {}
        for key, (milliseconds, sequence) in positions.items():
            stream = self.space.find(key, Stream)
            if stream is not None and stream.last > (milliseconds, sequence):
                start = (milliseconds, sequence + 1)
                found[key] = stream.between(start, stream.last, count)
        return found

    def _unblock(self, waiter: Any) -> None:
        if waiter in self._blocked:
            self._blocked.remove(waiter)
            waiter[0].answer(encoded(None))

    def _serve_blocked(self) -> None:
        for waiter in list(self._blocked):
            link, positions, count = waiter
            if found := self._entries_after(positions, count):
                self._blocked.remove(waiter)
                link.answer(encoded(found))

    # Transactions

    def watch(self, link: Link, words: Words) -> Any:
        """Note keys that must stay as they are."""
        for key in words[1:]:
            link.watched[key] = self.space.value(key)
        return Status("OK")

    def unwatch(self, link: Link, _: Words) -> Any:
        link.watched.clear()
        return Status("OK")

    def multi(self, link: Link, _: Words) -> Any:
        link.queued = []
        return Status("OK")

    def exec(self, link: Link, _: Words) -> Any:
        """Execute what was queued, unless a watched key has changed."""
        queued, link.queued = link.queued or [], None
        same = all(self.space.value(key) == was for key, was in link.watched.items())
        link.watched.clear()
        return [self._run(link, words) for words in queued] if same else None


LATER = object()
OWN = {
    b"WATCH": RedisModel.watch,
    b"UNWATCH": RedisModel.unwatch,
    b"MULTI": RedisModel.multi,
    b"EXEC": RedisModel.exec,
    b"HELLO": RedisModel.hello,
    b"INFO": RedisModel.info,
    b"WAIT": RedisModel.wait,
    b"XREAD": RedisModel.xread,
    b"CONFIG": RedisModel.config_get,
}


def _settled(words: Words, reply: Any) -> Words:
    """Return a write as the append file has it: with the id that the server chose."""
    if words[0].upper() == b"XADD" and isinstance(reply, bytes):
        return [reply if word == b"*" else word for word in words]
    return words


def encoded(reply: Any) -> bytes:
    """Encode an answer (RESP3)."""
    match reply:
        case None:
            return b"_\r\n"
        case Status(text):
            return b"+%s\r\n" % text.encode()
        case Refusal():
            return b"-%s\r\n" % str(reply).encode()
        case bytes():
            return b"$%d\r\n%s\r\n" % (len(reply), reply)
        case int():
            return b":%d\r\n" % reply
        case dict():
            pairs = b"".join(encoded(one) for pair in reply.items() for one in pair)
            return b"%%%d\r\n%s" % (len(reply), pairs)
        case _:
            return b"*%d\r\n%s" % (len(reply), b"".join(map(encoded, reply)))
