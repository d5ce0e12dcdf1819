"""The operator looks at what is in the log, and abandons what nobody will complete."""

import asyncio
import json

import msgspec
import pytest

from events.codec import unseal_header
from games import GAMES
from games.match.commands import Abandon, CreateMatch, TakeSeat
from projections.folded import Folded
from service.base.settings import Settings
from service.process.context import opened
from tests.service.table import ADA, BOB


@pytest.fixture
def log(tmp_path, monkeypatch):
    """Fill a service's log: a match that waits, a running one, and one of another player."""
    monkeypatch.setenv("SHIPLOG_DATA", str(tmp_path))

    async def fill():
        async with opened(Settings(data=tmp_path)) as context:
            matches = context.matches
            waiting = await matches.create(ADA, CreateMatch("tranquility", 2), "a")
            running = await matches.create(ADA, CreateMatch("tranquility", 1), "b")
            await matches.play(running, ADA, TakeSeat(), None)
            other = await matches.create(BOB, CreateMatch("tranquility", 2), "c")
            return [cached.match.header.match for cached in (waiting, running, other)]

    return asyncio.run(fill())


def found(shiplog, *words):
    result = shiplog("matches", "list", *words, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def lines_of(folder, match):
    async def read():
        async with opened(Settings(data=folder)) as context:
            return await context.store.read(match)

    return asyncio.run(read())


def test_matches_are_listed_by_size_and_filtered(shiplog, log, tmp_path):
    waiting, running, other = log
    everything = found(shiplog)
    assert {one["match"] for one in everything} == set(log)
    assert everything[0]["match"] == running
    sizes = [one["bytes"] for one in everything]
    assert sizes == sorted(sizes, reverse=True)
    lines = lines_of(tmp_path, running)
    assert (sizes[0], everything[0]["records"]) == (sum(map(len, lines)), 2)
    assert {one["match"] for one in found(shiplog, "--waiting")} == {waiting, other}
    assert {one["match"] for one in found(shiplog, "--player", "p_bob")} == {other}
    assert {one["match"] for one in found(shiplog, "--larger", sizes[0])} == {running}
    assert found(shiplog, "--older", 1) == []
    assert "3 matches" in shiplog("matches", "list").stdout


def test_a_waiting_match_is_abandoned_with_a_reason_that_is_recorded(shiplog, log, tmp_path):
    waiting, *_ = log
    result = shiplog("matches", "abandon", waiting, "--reason", "spam")
    assert result.exit_code == 0, result.output
    lines = lines_of(tmp_path, waiting)
    folded = Folded.of(GAMES, lines)
    assert folded.match.status == "abandoned"
    assert b'"reason":"spam"' in lines[-1]
    assert b'"operator":"p_console"' in lines[-1]
    assert unseal_header(lines[0]).by.player == ADA.player


def test_a_running_match_is_abandoned_only_on_demand(shiplog, log, tmp_path):
    _, running, _ = log
    refused = shiplog("matches", "abandon", running, "--reason", "spam")
    assert (refused.exit_code, "--running" in refused.stdout) == (1, True)
    assert len(lines_of(tmp_path, running)) == 2
    done = shiplog("matches", "abandon", running, "--running", "--reason", "spam")
    assert (done.exit_code, "abandoned" in done.stdout) == (0, True)
    again = shiplog("matches", "abandon", running, "--reason", "spam")
    assert (again.exit_code, "is abandoned already" in again.stdout) == (1, True)


@pytest.mark.parametrize("words", [("--reason", " "), ("--reason", "x" * 201), ()])
def test_a_reason_is_needed(shiplog, words):
    assert shiplog("matches", "abandon", "m_1", *words).exit_code == 2


def test_an_unknown_match_is_named(shiplog, log):
    result = shiplog("matches", "abandon", "m_nobody", "--reason", "spam")
    assert (result.exit_code, "m_nobody: No such match." in result.stdout) == (1, True)


def test_a_record_without_a_reason_is_as_before():
    assert msgspec.json.encode(Abandon()) == b'{"type":"abandon"}'
