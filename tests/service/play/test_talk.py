"""Talk of a match: where it is kept, how much of it, and what an erasure leaves."""

import asyncio

import pytest
from freezegun import freeze_time
from msgspec.structs import replace

from events.memory_store import MemoryStore
from games.chance import Chance
from games.match.commands import CreateMatch
from service.base.keys import Keys
from service.base.problems import Problem
from service.play import talk as talk_module
from service.play.blocks import Blocks
from service.play.erasure import Erasure
from service.play.players import Players
from service.play.talk import BURST, KEPT_BYTES, Talk
from tests.service.table import ADA, SECRETS, parts

NOON = "2026-11-21 12:00:00"


class Untold:
    """Notices that reach nobody."""

    async def send(self, notices):
        pass


class Between(MemoryStore):
    """A store in which something else happens before a write of talk."""

    def __init__(self):
        super().__init__()
        self.between = None

    async def put_document(self, kind, name, data, before=None):
        if kind == "talk" and self.between is not None:
            between, self.between = self.between, None
            await between()
        return await super().put_document(kind, name, data, before)


@pytest.fixture
def store():
    return Between()


@pytest.fixture
async def match():
    """Open a match that waits for two players."""
    cached = await parts(MemoryStore()).matches.create(ADA, CreateMatch("submarine", 2), None)
    return cached.match


def process(store, archived_s=None):
    players = Players(store, Keys(SECRETS))
    return players, Talk(store, players, Untold(), Blocks(players), archived_s)


async def seated(store, match, *names):
    """Let players with records sit down; return their ids."""
    players, _ = process(store)
    ids = [(await players.create(name))[0] for name in names]
    match.chairs = [replace(match.chairs[0], player=player) for player in ids]
    return ids


def started(match):
    """Return the state with which a match begins."""
    game, seats, options = match.game, match.header.seats, match.options
    state = game.initial(seats, options)
    for event in game.setup(seats, options, Chance(bytes(32), 1)):
        game.apply(state, event)
    return state


async def texts(talk, match, viewer=None):
    return [message.text for message in await talk.heard(match, viewer)]


async def test_what_is_said_is_kept_beside_the_log(store, match):
    (ada, _) = await seated(store, match, "Ada", "Bob")
    _, talk = process(store)
    await talk.say(match, 0, "table", "ahoy")
    await talk.say(match, 1, "table", "hello")
    _, other = process(store)
    assert await texts(other, match) == ["ahoy", "hello"]
    assert [message.text for message in await other.written(match.header.match, ada)] == ["ahoy"]


async def test_two_processes_in_which_seats_talk_at_once_lose_nothing(store, match):
    await seated(store, match, "Ada", "Bob")
    talks = [process(store)[1] for _ in range(4)]
    said = [f"{number}" for number in range(16)]
    await asyncio.gather(
        *(
            talks[number % 4].say(match, number % 2, "table", text)
            for number, text in enumerate(said)
        )
    )
    assert sorted(await texts(talks[0], match)) == sorted(said)


async def test_whoever_says_most_makes_room(store, match, monkeypatch):
    monkeypatch.setattr(talk_module, "BURST", 1_000)
    await seated(store, match, "Ada", "Bob")
    _, talk = process(store)
    await talk.say(match, 1, "table", "keep me")
    for number in range(60):
        await talk.say(match, 0, "table", f"{number:03}" + "🦑" * 497)
    kept = await texts(talk, match)
    assert (kept[0], kept[-1][:3]) == ("keep me", "059")
    assert len((await store.document("talk", match.header.match)).data) <= KEPT_BYTES


async def test_what_a_crew_says_to_itself_makes_no_message_to_the_table_go(store, monkeypatch):
    """Otherwise whoever fills the table's room could count what the other crew says."""
    monkeypatch.setattr(talk_module, "KEPT", 3)
    cached = await parts(MemoryStore()).matches.create(ADA, CreateMatch("captain_sonar", 2), None)
    match = cached.match
    await seated(store, match, "Ada", "Bob")
    match.state = started(match)
    _, talk = process(store)
    for number in range(3):
        await talk.say(match, 0, "table", f"{number}")
    for number in range(4):
        await talk.say(match, 1, "crew", f"{number} in secret")
    assert await texts(talk, match, 0) == ["0", "1", "2"]
    assert await texts(talk, match, 1) == ["0", "1", "2", *(f"{n} in secret" for n in (1, 2, 3))]


async def test_talk_has_a_pace(store, match):
    await seated(store, match, "Ada", "Bob")
    _, talk = process(store)
    for _ in range(BURST):
        await talk.say(match, 0, "table", "hurry")
    with pytest.raises(Problem) as refused:
        await talk.say(match, 0, "table", "hurry")
    assert (refused.value.status, refused.value.code) == (429, "rate-limited")
    await talk.say(match, 1, "table", "others still talk")


async def test_only_the_latest_matches_of_a_player_are_kept(store, match, monkeypatch):
    monkeypatch.setattr(talk_module, "TALKED_MAX", 2)
    (ada, _) = await seated(store, match, "Ada", "Bob")
    players, talk = process(store)
    for number in range(3):
        match.header = replace(match.header, match=f"m_{number}")
        await talk.say(match, 0, "table", "ahoy")
    assert (await players.stored(ada)).talked == ("m_1", "m_2")
    found = [len(await talk.written(f"m_{number}", ada)) for number in range(3)]
    assert found == [0, 1, 1]


async def test_an_erasure_removes_what_was_said_by_the_player_alone(store, match):
    (ada, _) = await seated(store, match, "Ada", "Bob")
    players, talk = process(store)
    await talk.say(match, 0, "table", "mine")
    await talk.say(match, 1, "table", "theirs")
    await Erasure(players, talk, ()).erase(ada)
    assert await texts(talk, match) == ["theirs"]
    assert b"mine" not in (await store.document("talk", match.header.match)).data


async def test_an_erasure_finds_talk_of_a_seat_that_was_left(store, match):
    (ada, bob) = await seated(store, match, "Ada", "Bob")
    players, talk = process(store)
    await talk.say(match, 0, "table", "mine")
    match.chairs[0] = replace(match.chairs[0], player=bob)
    await Erasure(players, talk, ()).erase(ada)
    assert await texts(talk, match) == []


async def test_what_is_said_during_an_erasure_in_another_process_does_not_stay(store, match):
    (ada, _) = await seated(store, match, "Ada", "Bob")
    players, talk = process(store)
    elsewhere = Erasure(*process(store), ())
    store.between = lambda: elsewhere.erase(ada)
    with pytest.raises(Problem) as refused:
        await talk.say(match, 0, "table", "too late")
    assert refused.value.status == 401
    assert await texts(talk, match) == []
    assert (await players.stored(ada)).erased


async def test_talk_ends_when_the_match_is_archived(store, match):
    await seated(store, match, "Ada", "Bob")
    _, talk = process(store, archived_s=60)
    match.status = "finished"
    with freeze_time(NOON) as clock:
        match.at = int(clock().timestamp() * 1_000_000)
        await talk.say(match, 0, "table", "well played")
        clock.tick(61)
        with pytest.raises(Problem) as refused:
            await talk.say(match, 0, "table", "again?")
    assert refused.value.code == "talk-ended"
