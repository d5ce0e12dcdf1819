"""Sixteen people who play over HTTP, keep every receipt, and retry when no answer comes."""

import asyncio
import json
import random
import secrets
import time
from collections import Counter
from dataclasses import dataclass, field

import httpx

from events.chain import follow
from games import GAMES
from projections.folded import Folded
from replay.audit import audit
from replay.evidence import Evidence
from service.process.context import Context
from tests.bench.bench_http import next_move

RETRY_S = 0.05


@dataclass
class Receipts:
    """What was acknowledged: by match, the key of a command and the answer to it."""

    tried: int = 0
    kept: dict[str, dict[str, tuple[int, str]]] = field(default_factory=dict)

    def note(self, match: str, key: str, answer: dict) -> None:
        self.kept.setdefault(match, {})[key] = (answer["version"], answer["head"])

    @property
    def acknowledged(self) -> int:
        return sum(len(keys) for keys in self.kept.values())


class Crowd:
    """Plays solo matches of Tranquility through whatever happens to the service."""

    def __init__(self, url: str, dice: random.Random, people: int = 16) -> None:
        self.url = url
        self.people = people
        self.receipts = Receipts()
        self.stop = asyncio.Event()
        self.answered: Counter[int] = Counter()
        """By person, how many of its commands were acknowledged."""
        self._dice = dice

    def where(self) -> str:
        """Return the service that gets the next try."""
        return self.url

    async def play(self) -> None:
        """Play until `stop`. Whoever cannot go on ends the playing of all, with the reason."""
        try:
            async with asyncio.TaskGroup() as people:
                for number in range(self.people):
                    people.create_task(self._person(number))
        finally:
            self.stop.set()

    async def _person(self, number: int) -> None:
        async with httpx.AsyncClient(timeout=30) as http:
            welcome = await self._post(http, "/players", {"name": f"p{number}"}, {})
            if welcome is None:
                return
            token = {"Authorization": f"Bearer {welcome['token']}"}
            while not self.stop.is_set():
                await self._match(http, token, number)

    async def all_go_on(self, more: int = 3, seconds: float = 180) -> None:
        """Wait until everybody has had some more commands acknowledged than now."""
        goals = {number: self.answered[number] + more for number in range(self.people)}
        end = time.monotonic() + seconds
        while late := [n for n, goal in goals.items() if self.answered[n] < goal]:
            assert not self.stop.is_set(), "somebody cannot go on"
            assert time.monotonic() < end, f"no {more} more commands of {late} in {seconds} s"
            await asyncio.sleep(0.05)

    async def _match(self, http: httpx.AsyncClient, token: dict[str, str], person: int) -> None:
        body = {"game": "tranquility", "seats": 1}
        opened = await self._post(http, "/matches", body, token | key())
        if opened is None:
            return
        match = opened["match"]
        move = {"type": "take_seat"}
        while move is not None and not self.stop.is_set():
            header = key()
            answer = await self._post(http, f"/matches/{match}/commands", move, token | header)
            if answer is None:
                return
            self.receipts.note(match, header["Idempotency-Key"], answer)
            self.answered[person] += 1
            move = next_move(answer["view"])

    async def _post(self, http, path, body, headers) -> dict | None:
        """Send until there is an answer; the same key every time.

        None if the match is no longer at the version that the command was meant for, or at `stop`.
        """
        while not self.stop.is_set():
            self.receipts.tried += 1
            try:
                answer = await http.post(self.where() + path, json=body, headers=headers)
            except httpx.HTTPError:
                await asyncio.sleep(RETRY_S)
                continue
            if answer.status_code == 503:
                assert "Retry-After" in answer.headers
                await asyncio.sleep(RETRY_S)
                continue
            if answer.status_code == 412:
                return None
            assert answer.status_code < 300, (answer.status_code, answer.text)
            return answer.json()
        return None


class Turncoats(Crowd):
    """People who send each command to another process than the last; `urls` may change."""

    def __init__(self, urls: list[str], dice: random.Random, people: int = 16) -> None:
        super().__init__(urls[0], dice, people)
        self.urls = urls

    def where(self) -> str:
        """Choose anew for every try."""
        return self._dice.choice(self.urls)


def key() -> dict[str, str]:
    return {"Idempotency-Key": secrets.token_hex(8)}


async def check(context: Context, receipts: Receipts) -> int:
    """Run the common checker; return how many records it looked at."""
    records = 0
    for match, kept in receipts.kept.items():
        lines = await context.store.read(match)
        heads = list(follow(lines))
        ids = Counter(json.loads(line)["id"] for line in lines)
        for name, (version, head) in kept.items():
            assert ids[name] == 1, f"{match}: an acknowledged command is there {ids[name]} times"
            assert json.loads(lines[version - 1])["id"] == name, (
                f"{match}: {name} is not at {version}"
            )
            assert heads[version - 1] == head, (
                f"{match}: the receipt of {version} is for other bytes"
            )
        assert max(ids.values()) == 1, f"{match}: a command counted twice"
        first, again = Folded.of(GAMES, lines), Folded.of(GAMES, lines)
        assert first.match.state == again.match.state
        secret = context.keys.service_seed(match, first.match.header.key)
        head = await context.store.head(match, len(lines))
        evidence = Evidence(match, lines, head=head, secret=secret, own=True)
        report = audit(GAMES, evidence, context.keys.ring)
        assert not report.findings, match
        if first.match.header.format > 1:
            assert report.verdict == "holds", match
        records += len(lines)
    return records
