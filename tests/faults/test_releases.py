"""F20 with real releases: fixtures of two of them run beside this one, or are replaced by it."""

import asyncio
import contextlib
from asyncio import to_thread

import httpx
import pytest

from events.codec import unseal_header
from service.base.settings import Settings
from service.process.context import opened
from tests.e2e.service import Running, wait_until
from tests.faults.crowd import Turncoats, check, key
from tests.faults.releases import Release

SLOW_S = 180

pytestmark = pytest.mark.timeout(1_200)
"""Each wait ends by itself; together they may take long on a busy machine."""


class Tables(Turncoats):
    """People who play alone, but for the first, who plays with a bot of the workers."""

    async def _match(self, http, token, person):
        if person > 0:
            await super()._match(http, token, person)
            return
        opened = await self._post(
            http, "/matches", {"game": "tranquility", "seats": 2}, token | key()
        )
        if opened is None:
            return
        path = f"/matches/{opened['match']}"
        moves = [({"type": "take_seat"}, {}), ({"type": "add_bot"}, {})]
        while moves and not self.stop.is_set():
            move, only = moves.pop(0)
            header = key()
            answer = await self._post(http, f"{path}/commands", move, token | header | only)
            if answer is not None:
                self.receipts.note(opened["match"], header["Idempotency-Key"], answer)
                self.answered[person] += 1
            moves = moves or await self._next(http, f"{path}/legal", token)

    async def _next(self, http, path, token):
        """Return the first legal move, for the version that it was listed for.

        A bot may act in between: its pledge for a Start can be the last that was missing.
        """
        while not self.stop.is_set():
            with contextlib.suppress(httpx.HTTPError):
                answer = await http.get(self.where() + path, headers=token)
                if answer.status_code == 200 and (found := answer.json()["commands"]):
                    return [(found[0], {"If-Match": f'"{answer.json()["version"]}"'})]
            await asyncio.sleep(0.05)
        return []


@contextlib.asynccontextmanager
async def crowded(chance, url):
    """Let people play at the service until the end of the block."""
    crowd = Tables([url], chance, people=6)
    playing = asyncio.create_task(crowd.play())
    try:
        yield crowd
    finally:
        crowd.stop.set()
        await playing


class Pair:
    """A service and a worker of a release."""

    def __init__(self, start, data, urls):
        self.service = start(data, "serve", **urls)
        self.worker = start(data, "worker", **urls)
        self.url = self.service.url

    def stop(self):
        self.worker.stop()
        assert self.service.stop() == 0


@pytest.fixture
def pair(tmp_path, urls):
    """Return how to start the processes of a release, which end with the test."""
    with contextlib.ExitStack() as stack:

        def start(release):
            pair = Pair(release, tmp_path, urls)
            stack.callback(pair.service.stop)
            stack.callback(pair.worker.stop)
            return pair

        yield lambda release: to_thread(start, release)


def rows_are_right(data, urls):
    """Return whether the rows are those that a rebuild writes."""
    return Running(data, "rebuild", "--verify", **urls).close() == 0


async def formats(data, urls, receipts):
    """Audit every match, compare it with its receipts, and return the formats of the logs."""
    async with opened(Settings(data=data, **urls)) as context:
        assert await check(context, receipts) > receipts.acknowledged
        headers = [(await context.store.read(match))[0] for match in receipts.kept]
        return {unseal_header(header).events[0].format for header in headers}


async def test_a_release_is_replaced_process_by_process_and_back(tmp_path, urls, pair, chance):
    """Both play at once; the new release is taken away again, and comes back for good."""
    release = await to_thread(Release, "0.2.0-first", tmp_path)
    old = await pair(release.start)
    async with crowded(chance, old.url) as crowd:
        await crowd.all_go_on()

        new = await pair(Running)
        crowd.urls = [old.url, new.url]
        await crowd.all_go_on(more=25)

        crowd.urls = [old.url]
        await crowd.all_go_on(more=1)
        await to_thread(new.stop)
        await crowd.all_go_on()

        new = await pair(Running)
        crowd.urls = [new.url]
        await crowd.all_go_on(more=1)
        await to_thread(old.stop)
        await crowd.all_go_on(more=25)
    await to_thread(wait_until, lambda: rows_are_right(tmp_path, urls), SLOW_S)
    await to_thread(new.stop)
    assert await formats(tmp_path, urls, crowd.receipts) == {2}


async def test_0_1_0_is_replaced_after_a_pause(tmp_path, chance):
    """`shiplog run` of 0.1.0 ends before that of this release starts, in the same folder."""
    release = await to_thread(Release, "0.1.0", tmp_path)
    old = await to_thread(release.start, tmp_path, "run")
    with contextlib.ExitStack() as stack:
        stack.callback(old.stop)
        async with crowded(chance, old.url) as crowd:
            await crowd.all_go_on()
            assert await to_thread(old.stop) == 0
            before = {match: len(kept) for match, kept in crowd.receipts.kept.items()}

            new = await to_thread(Running, tmp_path, "run")
            stack.callback(new.stop)
            crowd.urls = [new.url]
            await crowd.all_go_on(more=25)
        kept = crowd.receipts.kept
        assert sum(len(kept[match]) > count for match, count in before.items()) >= crowd.people
        await to_thread(wait_until, lambda: rows_are_right(tmp_path, {}), SLOW_S)
        assert await formats(tmp_path, {}, crowd.receipts) == {1, 2}
