"""What was acknowledged, and the check that every fault case ends with."""

import asyncio
import json
from collections import Counter

from events.chain import follow
from events.store import Taken, Unavailable
from tests.events.lines import next_line, put


class Broken(AssertionError):
    """A promise was broken."""


class Ledger:
    """Everything that callers were told is written."""

    def __init__(self):
        self.acknowledged: dict[str, dict[int, bytes]] = {}
        self.count = 0

    def note(self, match, version, data):
        self.acknowledged.setdefault(match, {})[version] = data
        self.count += 1

    async def goes_on(self, once=lambda: True, more=50):
        """Wait until something holds, and from then on for some more to be acknowledged."""
        async with asyncio.timeout(60):
            while not once():  # noqa: ASYNC110 - polls
                await asyncio.sleep(0.01)
            before = self.count
            while self.count < before + more:  # noqa: ASYNC110 - polls
                await asyncio.sleep(0.01)

    async def check(self, store):
        """Every acknowledged record is there, once; versions have no gap; the chain holds."""
        for match, records in self.acknowledged.items():
            lines = await store.read(match)
            for version, data in records.items():
                if len(lines) < version or lines[version - 1] != data:
                    raise Broken(f"{match}: acknowledged record {version} is not there")
            ids = Counter(json.loads(line)["id"] for line in lines)
            if doubled := [found for found, times in ids.items() if times > 1]:
                raise Broken(f"{match}: {doubled} more than once")
            for _ in follow(lines):
                pass


async def play(store, ledger, match, stop, *, moves=1_000_000):
    """Append to a match until stopped; retry the same bytes while the outcome is unknown."""
    lines = list(await store.read(match))
    for _ in range(moves):
        line = next_line(lines, match)
        while not stop.is_set():
            try:
                await put(store, match, lines, line)
            except Unavailable:
                await asyncio.sleep(0.01)
                continue
            lines.append(line)
            ledger.note(match, len(lines), line)
            break
        if stop.is_set():
            return


async def reading(store, match, after):
    """Read, asking again while there is no answer."""
    while True:
        try:
            return await store.read(match, after)
        except Unavailable:
            await asyncio.sleep(0.01)


async def contend(store, ledger, match, name, moves):
    """Append to a match that others append to as well, catching up after each refusal."""
    lines = list(await store.read(match))
    for _ in range(moves):
        line = next_line(lines, name)
        while True:
            try:
                await put(store, match, lines, line)
            except Taken:
                lines += await reading(store, match, len(lines))
                line = next_line(lines, name)
                continue
            except Unavailable:
                await asyncio.sleep(0.01)
                continue
            lines.append(line)
            ledger.note(match, len(lines), line)
            break
