"""What receipts cost: processor time of a command over HTTP, with its receipt and without.

Both runs are in this process, on a log in memory, with so many players at the same time. The rules
take little in this game, so the share is an upper bound. `python -m tests.bench.bench_receipts`
"""

import asyncio
import time

from events.memory_store import MemoryStore
from games.match.commands import TakeSeat
from service.play.receipts import Receipts
from tests.service.table import ADA, BOB, RIVALS, parts

COMMANDS = 6
PLAYERS = (1, 16, 64)


async def play(players: int, *, signed: bool) -> float:
    """Return the processor time per command (microseconds)."""
    context = parts(MemoryStore())
    receipts = Receipts(context.keys)
    tables = [await context.matches.create(ADA, RIVALS, None) for _ in range(players)]
    for cached in tables:
        for seat, caller in enumerate((ADA, BOB)):
            await context.matches.play(cached, caller, TakeSeat(seat), None)
    count = 0

    async def send(cached):
        nonlocal count
        for _ in range(COMMANDS):
            match = cached.match
            seat = min(match.game.waiting(match.state))
            command = match.game.legal(match.state, seat)[0]
            accepted = await context.matches.play(cached, (ADA, BOB)[seat], command, None)
            count += 1
            if signed:
                await receipts.json(cached.folded, seat, accepted.version)

    begun = time.process_time()
    await asyncio.gather(*map(send, tables))
    return (time.process_time() - begun) / count * 1e6


def main() -> None:
    for players in PLAYERS:
        without, with_ = (
            min(asyncio.run(play(players, signed=signed)) for _ in range(5))
            for signed in (False, True)
        )
        print(f"{players} at once: {without:.0f} µs, with receipt {with_:.0f} µs")


if __name__ == "__main__":
    main()
