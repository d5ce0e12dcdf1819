"""F20: two releases side by side on the same servers, while matches run."""

import asyncio
import json

import pytest

from events.codec import unseal_header
from games import GAMES
from replay.audit import audit
from replay.evidence import Evidence
from service.base.settings import Settings
from service.process.context import opened
from tests.e2e import next_release
from tests.e2e.service import Player, Running, refusal, wait_until
from tests.faults.crowd import Turncoats

SLOW_S = 180

pytestmark = pytest.mark.timeout(1_200)
"""Each wait ends by itself; together they may take long on a busy machine."""


def old(data, urls):
    return Running(data, "serve", **urls)


def new(data, urls, **more):
    return Running(data, "serve", script=next_release.SCRIPT, **urls, **more)


async def logs_of(data, urls, matches):
    """Return the logs of matches with their rules versions, checked under the new release."""
    games = GAMES | {"tranquility": next_release.second(GAMES["tranquility"])}
    found = {}
    async with opened(Settings(data=data, **urls)) as context:
        for match in matches:
            lines = await context.store.read(match)
            header = unseal_header(lines[0]).events[0]
            secret = context.keys.service_seed(match, header.key)
            head = await context.store.head(match, len(lines))
            evidence = Evidence(match, lines, head=head, secret=secret, own=True)
            report = audit(games, evidence, context.keys.ring)
            assert report.verdict == "holds", (match, report.findings)
            found[match] = (header.rules, lines)
    return found


def shapes(lines):
    """Return the logged fields of the event that has two shapes."""
    return {
        field
        for line in lines
        for event in json.loads(line)["events"]
        if event["type"] == "cards_drawn"
        for field in event
        if field in ("count", "size")
    }


async def test_a_release_is_rolled_out_while_matches_run(tmp_path, urls, chance):
    """Readers first: the new release opens matches under old rules until no old process is left."""
    first = await asyncio.to_thread(old, tmp_path, urls)
    crowd = Turncoats([first.url], chance, people=8)
    playing = asyncio.create_task(crowd.play())
    running = [first]
    try:
        await crowd.all_go_on()
        held = await asyncio.to_thread(new, tmp_path, urls, rules="tranquility=1")
        running.append(held)
        crowd.urls = [first.url, held.url]
        await crowd.all_go_on(more=10)

        crowd.urls = [held.url]
        await crowd.all_go_on(more=1)
        assert await asyncio.to_thread(first.stop) == 0
        before = set(crowd.receipts.kept)
        await crowd.all_go_on()

        free = await asyncio.to_thread(new, tmp_path, urls)
        running.append(free)
        crowd.urls = [held.url, free.url]
        await crowd.all_go_on(more=45)
        crowd.urls = [free.url]
        await crowd.all_go_on(more=1)
        assert await asyncio.to_thread(held.stop) == 0
        await crowd.all_go_on(more=45)
    finally:
        crowd.stop.set()
        await playing
        for process in running:
            await asyncio.to_thread(process.stop)

    found = await logs_of(tmp_path, urls, crowd.receipts.kept)
    assert {rules for rules, _ in found.values()} == {1, 2}
    assert all(found[match][0] == 1 for match in before)
    for rules, lines in found.values():
        assert shapes(lines) <= ({"count"} if rules == 1 else {"size"})
    for match, kept in crowd.receipts.kept.items():
        ids = [json.loads(line)["id"] for line in found[match][1]]
        assert all(ids.count(key) == 1 for key in kept)


def test_an_old_process_says_of_a_newer_match_that_it_is_not_for_it(tmp_path, urls):
    """In the wrong order: the old release plays on, and newer matches are listed later."""
    before, after = old(tmp_path, urls), new(tmp_path, urls)
    try:
        with Player(before.url) as ada:
            mine = ada.open_match(seats=1)
            ada.do(mine, {"type": "take_seat"})
            wait_until(lambda: ada.get("/matches")["matches"], SLOW_S)
            ada.http.base_url = after.url
            newer = ada.open_match(seats=1)
            ada.do(newer, {"type": "take_seat"})
            assert ada.get(f"/matches/{newer}")["rules"] == 2
            assert ada.get(f"/matches/{mine}")["rules"] == 1

            ada.http.base_url = before.url
            refused = ada.http.get(f"/matches/{newer}")
            assert refusal(refused) == (503, "rules-version-not-here")
            assert refused.headers["Retry-After"]
            assert ada.send(newer, {"type": "resign"}).status_code == 503
            ada.do(mine, ada.legal(mine)[0])
            ended = ada.do(mine, {"type": "resign"})
            assert ended["events"]
            assert before.stop() == 0

            ada.http.base_url = after.url

            def listed():
                answer = ada.http.get("/matches")
                rows = answer.json()["matches"] if answer.status_code == 200 else []
                return {mine, newer} <= {row["match"] for row in rows}

            wait_until(listed, SLOW_S)
    finally:
        after.stop()
        before.stop()
