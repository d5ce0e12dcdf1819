"""Any calls in any order, a killed service among them: what the log has is what everybody is told.

Hypothesis chooses the calls. The model is what was acknowledged, and the log is the judge.
"""

import json
import socket
from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

import httpx
import msgspec
import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from hypothesis.strategies import integers, sampled_from
from redis import Redis

from events.chain import follow
from games import GAMES
from projections.folded import Folded
from projections.views import match_view
from service.embedded.servers import socket_path
from tests.e2e.service import Player, Running, refusal
from tests.e2e.streams import records

GAMES_PLAYED = ("captain_sonar", "ke_dnu", "tranquility")
TABLE = [
    {"type": "resign"},
    {"type": "pause"},
    {"type": "resume"},
    {"type": "propose_abandon"},
    {"type": "withdraw_proposal"},
]
NAMES = ("Ada", "Bob", "Eve")
WHO = integers(0, 2)
"""Two people with seats, as soon as they have taken them, and a stranger."""


class Given(NamedTuple):
    """An acknowledged command."""

    who: int
    key: str
    command: dict[str, Any]
    answer: dict[str, Any]
    content: bytes


class Service:
    """A service that can be killed, and its people."""

    def __init__(self, folder: Any) -> None:
        with socket.create_server(("127.0.0.1", 0)) as probe:
            port = probe.getsockname()[1]
        self._start = lambda: Running(folder, "serve", port=str(port))
        self.process = self._start()
        self.people = [Player(self.process.url, name) for name in NAMES]
        self.names = {one.id: name for one, name in zip(self.people, NAMES, strict=True)}
        self.log = Redis(unix_socket_path=str(socket_path(folder / "log")))

    def restart(self) -> None:
        self.process.kill()
        self.process = self._start()

    def lines(self, match: str) -> list[bytes]:
        """Read the records of a match, past the service."""
        entries = self.log.xrange(f"log:{match}")
        assert [place for place, _ in entries] == [b"0-%d" % v for v in range(1, len(entries) + 1)]
        return [fields[b"r"] for _, fields in entries]

    def close(self) -> None:
        for one in self.people:
            one.http.close()
        self.process.stop()


@pytest.fixture(scope="module")
def service(tmp_path_factory) -> Iterator[Service]:
    service = Service(tmp_path_factory.mktemp("machine"))
    yield service
    service.close()


class Table(RuleBasedStateMachine):
    """One match, and what its people were told of it."""

    service: Service
    count = 0

    @initialize(game=sampled_from(GAMES_PLAYED), seated=integers(0, 2))
    def open(self, game: str, seated: int) -> None:
        self.people = self.service.people
        self.given: list[Given] = []
        self.told: dict[tuple[int, int | None], list[Any]] = {}
        self.killed = False
        self.before = 0
        self.match = self.people[0].open_match(game, clock={"type": "per_move", "seconds": 3600})
        for who in range(seated):
            self.send(who, {"type": "take_seat", "seat": who})

    def send(self, who: int, command: dict[str, Any], **headers: str) -> httpx.Response:
        """Send a command under a new key. An answer is kept, a refusal changes nothing."""
        type(self).count += 1
        key = f"key-{self.count}"
        before = self.service.lines(self.match)
        answer = self.people[who].send(self.match, command, key, **headers)
        if answer.status_code == 200:
            self.given.append(Given(who, key, command, answer.json(), answer.content))
        else:
            assert answer.status_code in (403, 409, 412, 422), answer.text
            assert self.service.lines(self.match) == before, "a refused command left a record"
        return answer

    @rule(who=WHO, seat=sampled_from((None, 0, 1)))
    def join(self, who: int, seat: int | None) -> None:
        self.send(who, {"type": "take_seat", "seat": seat})

    @rule(who=WHO)
    def leave(self, who: int) -> None:
        self.send(who, {"type": "leave_seat"})

    @rule(who=integers(0, 1), choice=integers(0, 1000))
    def play(self, who: int, choice: int) -> None:
        """Play a legal move. The list is what the rules allow, so it is not refused."""
        if legal := self.people[who].legal(self.match):
            answer = self.send(who, legal[choice % len(legal)])
            assert answer.status_code == 200, answer.text

    @rule(who=WHO, command=sampled_from(TABLE))
    def speak(self, who: int, command: dict[str, Any]) -> None:
        self.send(who, command)

    @rule(who=WHO, back=integers(1, 3), kind=sampled_from(("undo", "propose_undo")))
    def take_back(self, who: int, back: int, kind: str) -> None:
        version = self.people[who].get(f"/matches/{self.match}")["version"]
        self.send(who, {"type": kind, "to": max(1, version - back)})

    @rule(who=WHO, accept=sampled_from((True, False)))
    def answer(self, who: int, accept: bool) -> None:
        if proposal := self.people[who].get(f"/matches/{self.match}")["proposal"]:
            command = {"type": "answer", "proposal": proposal["version"], "accept": accept}
            self.send(who, command)

    @precondition(lambda self: self.given)
    @rule(choice=integers(0, 1000))
    def repeat(self, choice: int) -> None:
        """Send a command again: the same answer, and no record. Its key fits no other command."""
        one = self.given[choice % len(self.given)]
        before = self.service.lines(self.match)
        again = self.people[one.who].send(self.match, one.command, one.key)
        assert again.content == one.content
        other = self.people[one.who].send(self.match, {"type": "add_bot"}, one.key)
        assert refusal(other) == (409, "id-reused")
        assert self.service.lines(self.match) == before

    @rule(who=integers(0, 1), choice=integers(0, 1000), back=integers(1, 3))
    def play_stale(self, who: int, choice: int, back: int) -> None:
        """Send a legal command for an earlier version than there is."""
        known = self.people[who].get(f"/matches/{self.match}")["version"]
        if legal := self.people[who].legal(self.match):
            command = legal[choice % len(legal)]
            answer = self.send(who, command, **{"If-Match": f'"{known - back}"'})
            assert answer.status_code == 412, answer.text

    @rule(who=WHO, after=integers(0, 6))
    def follow(self, who: int, after: int) -> None:
        """Read a stream from a version on: it has the records that a call returns."""
        wanted = self.records(who)[after:]
        stream = records(self.people[who], self.match, **{"Last-Event-ID": str(after)})
        found = [json.loads(event["data"]) for event in islice(stream, len(wanted))]
        assert found == wanted

    @precondition(lambda self: not self.killed and len(self.given) > 3)
    @rule()
    def kill(self) -> None:
        """Kill the service, its servers with it, and start it on the same folder."""
        self.killed = True
        self.service.restart()

    def records(self, who: int) -> list[Any]:
        return self.people[who].get(f"/matches/{self.match}/events")["records"]

    @invariant()
    def what_was_acknowledged_is_in_the_log_once_and_in_order(self) -> None:
        lines = self.service.lines(self.match)
        ids = [json.loads(line)["id"] for line in lines]
        places = [ids.index(one.key) for one in self.given]
        assert places == sorted(places)
        assert len(ids) == len(set(ids)) >= self.before
        self.before = len(ids)
        heads = list(follow(lines))
        for place, one in zip(places, self.given, strict=True):
            assert heads[place] == one.answer["head"], "the receipt is that of the record"

    @invariant()
    def everybody_is_told_what_the_log_gives_and_no_more(self) -> None:
        lines = self.service.lines(self.match)
        folded = Folded.of(GAMES, lines, (None, 0, 1))
        for who, person in enumerate(self.people):
            view = person.get(f"/matches/{self.match}")
            seat = folded.players.get(person.id)
            expected = match_view(folded.match, seat, folded.receipt(seat), self.service.names)
            assert view == json.loads(msgspec.json.encode(expected))
            records = self.records(who)
            assert records == [json.loads(one) for one in folded.told(seat) or ()]
            assert [one["v"] for one in records] == list(range(1, view["version"] + 1))
            own = {"seat": seat}
            assert all(one["by"] == own for one in records if "command" in one)
            before = self.told.get((who, seat), [])
            assert records[: len(before)] == before, "what was told is never told otherwise"
            self.told[who, seat] = records


@pytest.mark.timeout(900)
def test_no_order_of_calls_breaks_a_promise(service):
    Table.service = service
    run_state_machine_as_test(
        Table,
        settings=settings(
            max_examples=6,
            stateful_step_count=20,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        ),
    )
