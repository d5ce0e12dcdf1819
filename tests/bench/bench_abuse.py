"""Measure what hostile guests do to other players: `python -m tests.bench.bench_abuse`.

A service runs with the limits of `deploy/`. Some players play at the pace of fast people, first
alone, then beside hostile guests, in turn. Each guest sends calls of all kinds as fast as it can,
from an address of its own. The ratio of the players' latencies is from the same run. On a busy
machine the processor time and the memory of the service say more.
"""

import argparse
import asyncio
import itertools
import os
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import uvloop
from msgspec.json import encode

from tests.bench.bench_http import next_move
from tests.bench.load import Clock, Connection, Figures, connect, request
from tests.e2e.service import running

PLAYERS, GUESTS = 20, 50
THINK_S = 0.5
CONNECTIONS = 2
"""Connections of each guest."""
RECORDS = 150
"""Length of the finished match that the guests look at."""
PAUSE_S = 0.2
ROUNDS, PHASE_S, WARM_S = 3, 8.0, 4.0
LIMITS = {
    "rate_limit": "100/second;3000/minute",
    "work_ms": "300",
    "matches_open_max": "20",
    "matches_open_address_max": "100",
    "trusted_proxy": "true",
}
"""As in `deploy/`."""
FIRST = -10
"""Priority of the service and of the players, if allowed: guests have machines of their own."""
NEW = b'{"game":"tranquility","seats":1}'
LONG = "\u03a9" * 200
PUZZLE = "nautilus-1"
LARGE = b" " * 500_000
JUNK = b"[" * 5_000


class Caller:
    """A guest with a connection."""

    def __init__(self, connection: Connection, token: str, address: str) -> None:
        self.connection = connection
        self.headers = {"Authorization": f"Bearer {token}", "X_Forwarded_For": address}

    @classmethod
    async def of(cls, port: int, address: str) -> "Caller":
        connection = await connect("127.0.0.1", port)
        body = request("POST", "/players", b'{"name":"guest"}', X_Forwarded_For=address)
        _, answer = await connection.send(body)
        return cls(connection, msgspec.json.decode(answer)["token"], address)

    def text(self, method: str, path: str, body: bytes = b"", **headers: str) -> bytes:
        return request(method, path, body, **self.headers, **headers)

    async def send(self, method: str, path: str, body: bytes = b"") -> tuple[int, Any]:
        """Send a call, again if it was refused for a limit."""
        while True:
            status, answer = await self.connection.send(self.text(method, path, body))
            if status != 429:
                return status, msgspec.json.decode(answer)
            await asyncio.sleep(PAUSE_S)


async def finished_match(port: int) -> str:
    """Play a match at random, then resign."""
    callers = [await Caller.of(port, f"10.9.9.{seat}") for seat in range(2)]
    _, made = await callers[0].send("POST", "/matches", b'{"game":"nautilus","seats":2}')
    path = f"/matches/{made['match']}"
    for seat, caller in enumerate(callers):
        await caller.send("POST", f"{path}/commands", b'{"type":"take_seat","seat":%d}' % seat)
    chance = random.Random(2)
    version, moved = 0, True
    while moved and version < RECORDS:
        moved = False
        for caller in callers:
            _, legal = await caller.send("GET", f"{path}/legal")
            if legal["commands"]:
                command = encode(chance.choice(legal["commands"]))
                _, answer = await caller.send("POST", f"{path}/commands", command)
                version, moved = answer["version"], True
    await callers[0].send("POST", f"{path}/commands", b'{"type":"resign"}')
    for caller in callers:
        caller.connection.close()
    return made["match"]


async def play(caller: Caller, clock: Clock) -> None:
    """Play solo matches: think, move, look at what is legal."""
    key = itertools.count()
    while not clock.over:
        _, made = await caller.send("POST", "/matches", NEW)
        path = f"/matches/{made['match']}"
        _, answer = await caller.send("POST", f"{path}/commands", b'{"type":"take_seat"}')
        while not clock.over and (move := next_move(answer["view"])) is not None:
            await asyncio.sleep(random.uniform(0.5, 1.5) * THINK_S)
            body = encode(move)
            text = caller.text("POST", f"{path}/commands", body, Idempotency_Key=f"k{next(key)}")
            status, data = await clock.timed(caller.connection, text)
            if status == 200:
                answer = msgspec.json.decode(data)
            await clock.timed(caller.connection, caller.text("GET", f"{path}/legal"))


def calls(match: str, own: str, chance: random.Random) -> list[tuple[str, str, bytes]]:
    """Return calls of all kinds, with fresh arguments."""
    at, to = chance.randint(1, RECORDS), chance.randint(1, RECORDS)
    seen, mine = f"/matches/{match}", f"/matches/{own}"
    what_if = b'{"version":%d,"skip":true}' % at
    code = "-".join(str(chance.randint(10_000, 99_999)) for _ in range(4))
    seek = {"game": "nautilus", "seats": 2, "undo_limit": at, "join": to % 2 == 0}
    return [
        ("POST", "/seeks", encode(seek)),
        ("GET", "/seeks", b""),
        ("POST", "/players", encode({"name": f"Eve {at}"})),
        ("PATCH", "/players/me", encode({"name": f"Eve {at}"})),
        ("GET", "/players/me", b""),
        ("POST", "/players/me/move-code", b""),
        ("POST", "/sign-ins/move", encode({"code": code[:11]})),
        ("POST", "/sign-ins/recovery", encode({"code": code})),
        ("POST", "/tokens", encode({"name": "app", "scopes": ["read"]})),
        ("POST", "/bots", encode({"name": f"Bot {at}"})),
        ("POST", "/players/me/webhooks", encode({"url": "https://192.0.2.1/", "events": ["turn"]})),
        ("POST", f"{seen}/comments", encode({"version": at, "text": LONG})),
        ("GET", f"{seen}/comments", b""),
        ("POST", f"{seen}/showings", encode({"version": at, "view": "full"})),
        ("POST", f"{seen}/audience", encode({"text": LONG})),
        ("GET", f"{seen}/audience", b""),
        ("GET", f"{seen}/card", b""),
        ("GET", f"{seen}/leaves", b""),
        ("POST", f"/puzzles/{PUZZLE}/attempts", encode({"attempt": [{"type": "pass"}]})),
        ("GET", "/puzzles", b""),
        (
            "POST",
            "/games/tranquility/tutorial/steps/1/try",
            encode({"attempt": [{"type": "pass"}]}),
        ),
        ("GET", "/featured", b""),
        ("POST", "/replays", LARGE),
        ("GET", f"{seen}?at={at}", b""),
        ("GET", f"{seen}?view=full&at={at}&eyes=0", b""),
        ("GET", f"{seen}/timeline?view=full&after={at}", b""),
        ("GET", f"{seen}/blame?path=&view=full&limit={1 + at}", b""),
        ("GET", f"{seen}/blame?path=/x{at}", b""),
        ("GET", f"{seen}/diff?from={at}&to={to}&view=full", b""),
        ("GET", f"{seen}/bisect?when=a{at}", b""),
        ("POST", f"{seen}/what-if", what_if),
        ("GET", f"{seen}/export?packed=true", b""),
        ("POST", f"{seen}/branches", b'{"version":%d,"seat":0}' % at),
        ("POST", f"{seen}/analysis", b""),
        ("POST", f"{seen}/solve", b""),
        ("POST", f"{seen}/audit", b""),
        ("GET", f"{seen}/events", b""),
        ("POST", "/replays", JUNK),
        ("GET", "/matches?count=200", b""),
        ("GET", "/players/me/matches?count=200", b""),
        ("GET", "/standings/nautilus", b""),
        ("GET", "/games/nautilus", b""),
        ("GET", "/schema/openapi.json", b""),
        ("GET", "/jobs", b""),
        ("GET", "/health/ready", b""),
        ("GET", "/nowhere", b""),
        ("POST", "/matches", NEW),
        ("GET", mine, b""),
        ("GET", f"{mine}/legal", b""),
        ("POST", f"{mine}/commands", b'{"type":"pass"}'),
        ("POST", f"{mine}/commands", JUNK),
        ("POST", f"{mine}/hints", b"{}"),
        ("POST", f"{mine}/talk", b'{"text":"hello"}'),
    ]


async def attack(
    port: int, caller: Caller, match: str, own: str, seed: int, only: str, told: Counter[str]
) -> None:
    """Send calls of the chosen kinds, each as soon as the one before is answered."""
    chance = random.Random(seed)
    while True:
        mix = [call for call in calls(match, own, chance) if re.search(only, call[1])]
        method, path, body = chance.choice(mix)
        try:
            status, _ = await caller.connection.send(caller.text(method, path, body))
        except OSError:  # a large body that was refused before it had been sent
            told["cut"] += 1
            caller.connection.close()
            caller.connection = await connect("127.0.0.1", port)
        else:
            told[str(status)] += 1


async def attackers(port: int, guests: int, match: str, seconds: float, only: str) -> None:
    """Attack for a time, and print the answers by status."""
    told: Counter[str] = Counter()
    tasks: list[asyncio.Task[None]] = []
    for number in range(guests):
        address = f"10.0.{number // 250}.{number % 250}"
        first = await Caller.of(port, address)
        _, made = await first.send("POST", "/matches", NEW)
        own = made["match"]
        await first.send("POST", f"/matches/{own}/commands", b'{"type":"take_seat"}')
        for place in range(CONNECTIONS):
            caller = Caller(await connect("127.0.0.1", port), "", address)
            caller.headers = first.headers
            seed = number * CONNECTIONS + place
            tasks.append(asyncio.create_task(attack(port, caller, match, own, seed, only, told)))
    done, _ = await asyncio.wait(tasks, timeout=seconds)
    for task in done:
        task.result()
    print(encode(dict(sorted(told.items()))).decode())


async def phase(port: int, players: list[Caller], clock: Clock) -> Figures:
    for player in players:  # the service has closed connections that were idle for long
        player.connection.close()
        player.connection = await connect("127.0.0.1", port)
    await asyncio.gather(*(play(player, clock) for player in players))
    return clock.figures


class Used(NamedTuple):
    """What a process has used."""

    cpu_s: float
    memory_mb: float

    @classmethod
    def by(cls, pid: int) -> "Used":
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        ticks, pages = int(fields[11]) + int(fields[12]), int(fields[21])
        return cls(ticks / os.sysconf("SC_CLK_TCK"), pages * os.sysconf("SC_PAGE_SIZE") / 1_000_000)


async def measure(port: int, guests: int, pid: int, only: str) -> None:
    """Alternate quiet phases and attacks, and print the latencies and their ratio."""
    match = await finished_match(port)
    players = [await Caller.of(port, f"10.8.0.{place}") for place in range(PLAYERS)]
    quiet, attacked = Figures(0.0), Figures(0.0)
    for _ in range(ROUNDS):
        before = Used.by(pid)
        collect(quiet, await phase(port, players, Clock(1.0, PHASE_S)))
        between = Used.by(pid)
        words = ("attack", str(port), str(guests), match, str(WARM_S + PHASE_S + 2), only)
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", __spec__.name, *words, stdout=subprocess.PIPE
        )
        collect(attacked, await phase(port, players, Clock(WARM_S, PHASE_S)))
        told, _ = await process.communicate()
        after = Used.by(pid)
        print(f"  the guests got {told.decode().strip()}")
        print(
            f"  the service used {between.cpu_s - before.cpu_s:.1f} s of processor time alone, "
            f"{after.cpu_s - between.cpu_s:.1f} s beside them, and {after.memory_mb:.0f} MB"
        )
    for name, figures in (("alone", quiet), (f"beside {guests} hostile guests", attacked)):
        print(
            f"{name:26} {figures.rate:6.1f} calls/s  p50 {figures.percentile(0.5):6.2f} ms  "
            f"p99 {figures.percentile(0.99):6.2f} ms  refused {figures.refused}"
        )
    for share in (0.5, 0.99):
        ratio = attacked.percentile(share) / quiet.percentile(share)
        print(f"ratio of p{100 * share:.0f}: {ratio:.2f}")


def collect(all_: Figures, some: Figures) -> None:
    all_.seconds += some.seconds
    all_.latencies_ms += some.latencies_ms
    all_.refused += some.refused


def main() -> None:
    """Print the table."""
    if sys.argv[1:2] == ["attack"]:
        _, _, port, guests, match, seconds, only = sys.argv
        os.setpriority(os.PRIO_PROCESS, 0, 5)
        uvloop.run(attackers(int(port), int(guests), match, float(seconds), only))
        return
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--guests", type=int, default=GUESTS)
    parser.add_argument("--only", default="", metavar="PATTERN", help="paths of the guests' calls")
    parser.add_argument("--set", nargs="*", default=[], metavar="NAME=VALUE")
    chosen = parser.parse_args()
    limits = LIMITS | dict(pair.split("=", 1) for pair in chosen.set)
    with suppress(PermissionError):
        os.setpriority(os.PRIO_PROCESS, 0, FIRST)
    with (
        tempfile.TemporaryDirectory() as folder,
        running(Path(folder), "serve", **limits) as service,
    ):
        port = int(service.url.rpartition(":")[2])
        uvloop.run(measure(port, chosen.guests, service.process.pid, chosen.only))
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
