"""Bot accounts and tokens for apps: whose they are, what they may, and when they end."""

import pytest
from freezegun import freeze_time
from litestar.handlers import HTTPRouteHandler

from events.memory_store import MemoryStore
from service.base.keys import Keys
from service.base.problems import Problem
from service.http.calls import CALLS
from service.play.app_tokens import TOKENS_MAX, AppTokens
from service.play.players import Players
from tests.e2e.people import app_token, bot_of, using
from tests.e2e.service import Player, refusal, running, wait_until
from tests.service.table import SECRETS


def test_an_app_may_do_what_its_token_says_and_no_more(ada):
    match = ada.open_match(seats=1)
    sit = {"json": {"type": "take_seat"}}
    with using(ada, app_token(ada, "read")["token"]) as app:
        assert app.get("/players/me").json()["player"] == ada.id
        refused = app.post(f"/matches/{match}/commands", **sit)
        assert refusal(refused) == (403, "missing-scope")
        assert refused.json()["scope"] == "play"
        assert app.get("/players/me/stream").json()["scope"] == "stream"
        assert app.post("/bots", json={"name": "X"}).json()["scope"] == "bots"
    with using(ada, app_token(ada, "play")["token"]) as app:
        assert app.post(f"/matches/{match}/commands", **sit).status_code == 200
        assert app.get(f"/matches/{match}").json()["scope"] == "read"


def test_no_app_can_reach_the_account(ada):
    """Else an app could make itself a token with more scopes."""
    with using(ada, app_token(ada, "read", "stream", "play", "bots", "officer")["token"]) as app:
        for method, path in (
            ("GET", "/tokens"),
            ("POST", "/tokens"),
            ("DELETE", "/tokens/t_x"),
            ("PATCH", "/players/me"),
            ("POST", "/players/me/token"),
            ("DELETE", "/players/me/token"),
            ("DELETE", "/players/me"),
            ("GET", "/players/me/devices"),
            ("DELETE", "/devices/d_x"),
            ("POST", "/players/me/recovery-code"),
            ("DELETE", "/players/me/recovery-code"),
            ("POST", "/players/me/move-code"),
            ("GET", "/players/me/passkeys"),
            ("POST", "/players/me/passkeys/options"),
            ("POST", "/players/me/passkeys"),
            ("PATCH", "/passkeys/x"),
            ("DELETE", "/passkeys/x"),
            ("GET", "/players/me/blocks"),
            ("PUT", "/blocks/p_x"),
            ("DELETE", "/blocks/p_x"),
            ("GET", "/players/me/mutes"),
            ("PUT", "/mutes/m_x"),
            ("DELETE", "/mutes/m_x"),
        ):
            body = {"name": "X", "scopes": ["read"]} if method in ("POST", "PATCH") else None
            refused = app.request(method, path, json=body)
            assert refusal(refused) == (403, "missing-scope"), path
            assert refused.json()["scope"] == "account"
            assert "player's own token" in refused.json()["detail"]
    assert ada.get("/players/me")["name"] == "Ada"


def test_tokens_are_listed_without_their_secret_and_revoked_one_by_one(ada, bob):
    first, second = app_token(ada, "read"), app_token(ada, "play", "read")
    listed = ada.get("/tokens")
    assert [one["id"] for one in listed] == [first["id"], second["id"]]
    assert [one["scopes"] for one in listed] == [["read"], ["play", "read"]]
    assert first["token"] not in str(listed)
    assert bob.get("/tokens") == []
    assert refusal(bob.http.delete(f"/tokens/{first['id']}")) == (404, "not-found")
    assert ada.http.delete(f"/tokens/{first['id']}").status_code == 204
    with using(ada, first["token"]) as app:
        assert refusal(app.get("/players/me")) == (401, "unauthenticated")
    with using(ada, second["token"]) as app:
        assert app.get("/players/me").status_code == 200
    ada.http.delete("/players/me/token")
    with using(ada, second["token"]) as app:
        assert app.get("/players/me").status_code == 401, "those of apps end with the others"


def test_a_token_of_one_player_is_none_of_another(ada, bob):
    token = app_token(ada, "read")["token"].replace(ada.id, bob.id)
    with using(ada, token) as app:
        assert refusal(app.get("/players/me")) == (401, "unauthenticated")


@pytest.mark.parametrize(
    "body",
    [
        {"name": "app", "scopes": []},
        {"name": "app", "scopes": ["account"]},
        {"name": "app", "scopes": ["everything"]},
        {"name": "app", "scopes": ["read"], "expires_in_s": 1},
        {"name": "", "scopes": ["read"]},
        {"scopes": ["read"]},
    ],
)
def test_a_token_must_say_what_it_is_for(ada, body):
    assert refusal(ada.http.post("/tokens", json=body)) == (400, "malformed")


async def test_a_token_expires_and_tokens_are_limited():
    players = Players(MemoryStore(), Keys(SECRETS))
    player, _ = await players.create("Ada")
    tokens = AppTokens(players)
    with freeze_time("2026-11-21 12:00:00") as clock:
        _, token = await tokens.create(player, "app", ["play"], 60)
        caller = await players.caller(token)
        assert await players.stands(caller)
        clock.tick(61)
        assert not await players.stands(caller)
        with pytest.raises(Problem) as refused:
            await players.caller(token)
        assert refused.value.status == 401
        for _ in range(TOKENS_MAX):
            await tokens.create(player, "app", ["read"], None)
        with pytest.raises(Problem) as refused:
            await tokens.create(player, "app", ["read"], None)
        assert refused.value.code == "too-many-tokens"


async def test_the_roles_of_an_officer_need_their_scope():
    players = Players(MemoryStore(), Keys(SECRETS))
    player, _ = await players.create("Ada", roles=("operator",))
    tokens = AppTokens(players)
    _, plain = await tokens.create(player, "app", ["read"], None)
    _, officer = await tokens.create(player, "app", ["read", "officer"], None)
    assert (await players.caller(plain)).roles == ()
    assert (await players.caller(officer)).roles == ("operator",)


def test_every_call_that_changes_something_names_its_scope():
    """Only reading has a scope by default."""
    for handler in CALLS:
        assert isinstance(handler, HTTPRouteHandler)
        if "caller" in handler.parsed_fn_signature.parameters and handler.http_methods != {"GET"}:
            assert "scope" in handler.opt, handler.operation_id


def test_a_bot_plays_under_its_own_name_and_is_marked_everywhere(ada, bob):
    made = bot_of(ada, "Deep Blue")
    bot = made["player"]
    match = ada.open_match()
    ada.do(match, {"type": "take_seat", "seat": 0})
    with using(ada, made["token"]) as http:
        sit = {"type": "take_seat", "seat": 1}
        assert http.post(f"/matches/{match}/commands", json=sit).status_code == 200
        assert refusal(http.post("/bots", json={"name": "Child"})) == (403, "forbidden")
    seats = bob.get(f"/matches/{match}")["seats"]
    assert [(seat["name"], seat["program"]) for seat in seats] == [
        ("Ada", False),
        ("Deep Blue", True),
    ]
    shown = bob.get(f"/players/{bot}")
    assert shown == {"player": bot, "name": "Deep Blue", "owner": ada.id, "owns_name": False}
    assert bob.get(f"/players/{ada.id}")["owner"] is None
    listed = wait_until(lambda: bob.get(f"/players/{bot}/matches")["matches"])
    assert [seat["program"] for seat in listed[0]["seats"]] == [False, True]


def test_only_its_owner_has_a_hand_on_a_bot(ada, bob):
    made = bot_of(ada)
    bot = made["player"]
    assert [one["player"] for one in ada.get("/bots")] == [bot]
    assert bob.get("/bots") == []
    for method, path in (
        ("PATCH", f"/bots/{bot}"),
        ("POST", f"/bots/{bot}/token"),
        ("DELETE", f"/bots/{bot}/token"),
        ("DELETE", f"/bots/{bot}"),
    ):
        body = {"name": "Mine"} if method == "PATCH" else None
        assert refusal(bob.http.request(method, path, json=body)) == (404, "not-found"), path
    assert ada.http.patch(f"/bots/{bot}", json={"name": "Hal"}).json()["name"] == "Hal"
    assert refusal(ada.http.patch(f"/bots/{bot}", json={"name": "\u200b"})) == (400, "bad-name")
    renewed = ada.http.post(f"/bots/{bot}/token").json()["token"]
    for token, status in ((made["token"], 401), (renewed, 200)):
        with using(ada, token) as http:
            assert http.get("/players/me").status_code == status
    assert ada.http.delete(f"/bots/{bot}/token").status_code == 204
    with using(ada, renewed) as http:
        assert http.get("/players/me").status_code == 401
    assert ada.http.delete(f"/bots/{bot}").status_code == 204
    assert ada.get("/bots") == []
    assert bob.get(f"/players/{bot}")["name"] == "erased player"


def test_bots_are_limited_by_owner_and_by_address(tmp_path):
    limits = {"bots_max": "2", "guest_limit": "5/hour"}
    with running(tmp_path, "serve", **limits) as service, Player(service.url) as player:
        bots = [bot_of(player)["player"] for _ in range(2)]
        assert refusal(player.http.post("/bots", json={"name": "X"})) == (422, "too-many-bots")
        assert player.http.delete(f"/bots/{bots[0]}").status_code == 204
        assert bot_of(player)
        assert refusal(player.http.post("/bots", json={"name": "X"})) == (429, "rate-limited")


def test_new_names_of_bots_count_as_new_guests(tmp_path):
    with (
        running(tmp_path, "serve", guest_limit="4/hour") as service,
        Player(service.url) as player,
    ):
        bot = bot_of(player)["player"]
        answers = [player.http.patch(f"/bots/{bot}", json={"name": f"Robot {n}"}) for n in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]


def test_bots_are_erased_with_their_owner(ada, bob):
    made = bot_of(ada)
    assert ada.http.delete("/players/me").status_code == 204
    assert bob.get(f"/players/{made['player']}")["name"] == "erased player"
    with using(bob, made["token"]) as http:
        assert http.get("/players/me").status_code == 401
