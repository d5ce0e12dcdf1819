"""F2: kill -9 of the server under load. SOAK=1 runs 50 rounds."""

import asyncio
import os
import signal

from events.append_lane import Limits
from events.redis_store import RedisStore
from service.embedded.servers import Server, Supervisor
from tests.faults.ledger import Ledger, contend, play

ROUNDS = 50 if os.environ.get("SOAK") else 3


async def test_nothing_acknowledged_is_lost_by_killing_the_server(tmp_path, chance):
    ledger = Ledger()
    server = Server.log(tmp_path / "log")
    for round_ in range(ROUNDS):
        stop = asyncio.Event()
        with Supervisor(server) as running:
            async with RedisStore(running.url, Limits(reply_s=1.0)) as store:
                names = [f"m{round_}-{index}" for index in range(14)]
                players = [asyncio.create_task(play(store, ledger, name, stop)) for name in names]
                players += [
                    asyncio.create_task(contend(store, ledger, "shared", f"r{round_}-{i}", 50))
                    for i in range(2)
                ]
                await ledger.goes_on()
                await asyncio.sleep(chance.random() * 0.2)
                os.kill(running.pid, signal.SIGKILL)
                await ledger.goes_on(lambda: running.starts == 2)
                stop.set()
                await asyncio.gather(*players)
                assert running.starts == 2
                await ledger.check(store)
    with Supervisor(server) as running:
        async with RedisStore(running.url) as store:
            await ledger.check(store)
            assert len(await store.read("shared")) == ROUNDS * 100
    print(f"{ledger.count} acknowledged, {ROUNDS} kills")
