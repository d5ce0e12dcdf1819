"""Devices and codes of players, without a service."""

import pytest
from freezegun import freeze_time

from events.memory_store import MemoryStore
from service.base.keys import Keys
from service.base.problems import Problem
from service.http.user_agent import device_name
from service.play.player_record import Player
from service.play.players import DEVICES_MAX, Players
from service.play.recovery_codes import RecoveryCodes
from tests.service.table import SECRETS

NOON = "2026-11-21 12:00:00"


class Counting(MemoryStore):
    """A store that counts writes of players."""

    writes = 0

    async def put_document(self, *words):
        self.writes += 1
        return await super().put_document(*words)


@pytest.fixture
def store():
    return Counting()


@pytest.fixture
def players(store):
    return Players(store, Keys(SECRETS))


async def record_of(players: Players, player: str) -> Player:
    record = await players.get(player)
    assert record is not None
    return record


async def test_a_device_is_seen_once_a_day(players, store):
    with freeze_time(NOON) as clock:
        player, token = await players.create("Ada")
        writes = store.writes
        for _ in range(3):
            await players.caller(token)
        assert store.writes == writes, "no write on the day of the sign-in"
        clock.move_to("2026-11-23 09:00:00")
        for _ in range(3):
            await players.caller(token)
        assert store.writes == writes + 1
        (device,) = (await record_of(players, player)).devices
        assert device.day - 20_000 == 780, "2026-11-23"


async def test_one_device_too_many_signs_out_the_one_that_was_seen_least_recently(players):
    with freeze_time(NOON) as clock:
        player, first = await players.create("Ada")
        clock.move_to("2026-11-22 12:00:00")
        tokens = [(await players.sign_in(player, f"{n}"))[1] for n in range(DEVICES_MAX)]
        with pytest.raises(Problem) as refused:
            await players.caller(first)
        assert refused.value.status == 401
        for token in tokens:
            assert (await players.caller(token)).player == player


async def test_a_token_of_an_earlier_release_stays_valid_until_it_is_ended(players, store):
    await store.put_document(
        "player", "p_old", b'{"name":"Ada","created":"2026-01-01T00:00:00.000000Z"}'
    )
    token = players.token("p_old", "1")
    caller = await players.caller(token)
    assert await players.stands(caller)
    renewed = await players.rotate("p_old")
    assert not await players.stands(caller)
    assert (await players.caller(renewed)).player == "p_old"


async def test_a_watched_record_tells_of_changes(players):
    player, _ = await players.create("Ada")
    changed = players.changed(player)
    assert not changed.is_set()
    await players.revoke(player)
    assert changed.is_set()


async def test_the_store_has_no_recovery_code_and_nothing_of_it_after_an_erasure(
    players, store, work
):
    codes = RecoveryCodes(players, Keys(SECRETS), work)
    player, _ = await players.create("Ada")
    code = await codes.make(player)
    leads = (await record_of(players, player)).code_lead
    kept = [(await store.document("player", one)).data for one in (player, leads)]
    for group in code.split("-"):
        assert not any(group.encode() in data for data in kept)
    await players.erase(player)
    assert player.encode() not in (await store.document("player", leads)).data
    with pytest.raises(Problem) as refused:
        await codes.use(code)
    assert refused.value.code == "wrong-code"


async def test_the_record_of_a_code_is_no_player(players, work):
    codes = RecoveryCodes(players, Keys(SECRETS), work)
    player, _ = await players.create("Ada")
    await codes.make(player)
    leads = (await record_of(players, player)).code_lead
    for token in (players.token(leads, "1"), players.token(leads, "d_x")):
        with pytest.raises(Problem) as refused:
            await players.caller(token)
        assert refused.value.status == 401


@pytest.mark.parametrize(
    ("agent", "name"),
    [
        ("Mozilla/5.0 (X11; Linux x86_64; rv:148.0) Firefox/148.0", "Firefox (Linux)"),
        ("Mozilla/5.0 (Linux; Android 16) Chrome/148.0 Safari/537.36", "Chrome (Android)"),
        ("Mozilla/5.0 (iPhone; like Mac OS X) Mobile Safari/604.1", "Safari (iPhone)"),
        ("Mozilla/5.0 (Windows NT 10.0) Chrome/148.0 Safari/537.36 Edg/148.0", "Edge (Windows)"),
        ("python-httpx/0.28.1", "python-httpx"),
        ("<script>", "Program"),
        ("", "Program"),
    ],
)
def test_devices_have_names_that_players_recognise(agent, name):
    assert device_name(agent) == name
