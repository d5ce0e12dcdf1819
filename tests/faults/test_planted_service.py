"""The checks are checked: bugs of the service, planted one by one, are found."""

import json
from collections import Counter

import msgspec
import pytest
from redis.asyncio import Redis

from events.memory_store import MemoryStore
from games import GAMES
from games.match.commands import CreateMatch, TakeSeat
from projections import folded, rows
from replay.audit import audit
from replay.evidence import Evidence
from service.base.keys import Keys, SecretFile
from service.embedded.servers import Server, Supervisor
from service.play import matches
from service.play.caller import Caller
from service.play.match_cache import MatchCache
from service.play.matches import Matches
from tests.projections.recorded import history

KEYS = Keys(SecretFile({"k": "11" * 32}, "k", "22" * 32, "33" * 32))
ADA = Caller("p_ada")


class Deaf:
    """A feed that nobody reads."""

    async def announce(self, match: str, version: int) -> None:
        pass


class Lost(AssertionError):
    """The common checker found something."""


async def play_and_check() -> None:
    """Take a seat under one key, three times, and hold the log against the answers."""
    store = MemoryStore()
    service = Matches(MatchCache(store, KEYS, GAMES, 1 << 24), store, Deaf(), KEYS, GAMES)
    cached = await service.create(ADA, CreateMatch("tranquility", 1), "open")
    command = TakeSeat()
    answers = []
    for _ in range(3):
        try:
            answers.append(await service.play(cached, ADA, command, "seat"))
        except matches.Problem as problem:
            raise Lost(f"an accepted command is refused later: {problem.code}") from None
    lines = await store.read(cached.match.header.match)
    ids = Counter(json.loads(line)["id"] for line in lines)
    for answer in answers:
        if json.loads(lines[answer.version - 1])["id"] != "seat" or max(ids.values()) > 1:
            raise Lost("a receipt names another record, or a command counted twice")
    secret = KEYS.service_seed(cached.match.header.match, "k")
    report = audit(GAMES, Evidence("log", lines, secret=secret, own=True))
    if report.verdict != "holds":
        raise Lost(report.findings[0].rule)


async def test_a_sound_service_passes():
    await play_and_check()


async def test_skipping_the_dedup_is_found(monkeypatch):
    accept = folded.Folded.accept

    def forgetful(self, draft: folded.Draft) -> None:
        accept(self, draft)
        self.trail._senders[:] = bytes(len(self.trail._senders))

    monkeypatch.setattr(folded.Folded, "accept", forgetful)
    with pytest.raises(Lost):
        await play_and_check()


async def test_a_digest_without_the_key_is_found(monkeypatch):
    draft = folded.Folded.draft

    def unkeyed(self, decided, _service_seed, release, viewers=()):
        return draft(self, decided, b"", release, viewers)

    monkeypatch.setattr(folded.Folded, "draft", unkeyed)
    with pytest.raises(Lost, match="digest"):
        await play_and_check()


async def test_a_version_off_by_one_is_found(monkeypatch):
    told = folded.told_record

    def off(match, record, viewer, events):
        line = told(match, record, viewer, events)
        return line and msgspec.structs.replace(line, v=line.v - 1)

    monkeypatch.setattr(folded, "told_record", off)
    with pytest.raises(Lost):
        await play_and_check()


async def test_rows_without_their_version_are_found(monkeypatch, tmp_path):
    """An older row must never replace a newer one."""
    older, newer = history(0)[-2:]

    async def version_kept(work) -> int:
        await work.flushall()
        table = rows.Rows(work)
        generation = await table.begin("current")
        for one in (newer, older):
            await table.apply(one)
        return json.loads(await work.hget(f"{generation}:rows", newer.match))["version"]

    with Supervisor(Server.work(tmp_path / "work")) as server:
        async with Redis.from_url(server.url) as work:
            assert await version_kept(work) == newer.version
            monkeypatch.setattr(
                rows, "APPLY", rows.APPLY.replace("if old.version < row.version", "if true")
            )
            assert await version_kept(work) == older.version
