"""Webhooks tell a player's program of its turns, signed, and lose nothing while it is away."""

from base64 import b64decode

import pytest
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

from tests.e2e.people import app_token, using
from tests.e2e.played import start
from tests.e2e.receiver import receiving
from tests.e2e.service import Player, refusal, running_with_worker, wait_until

HOOKS = "/players/me/webhooks"


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """Run a service and its worker, which may reach the receivers of these tests."""
    folder = tmp_path_factory.mktemp("webhooks")
    settings = {"webhook_networks": "127.0.0.1/32"}
    with running_with_worker(folder, **settings) as service:
        yield service


@pytest.fixture
def owner(installed):
    with Player(installed.url, "Olga") as player:
        yield player


@pytest.fixture
def receiver():
    with receiving() as one:
        yield one


def hook(player: Player, url: str, **more) -> dict:
    answer = player.http.post(HOOKS, json={"url": url, **more})
    assert answer.status_code == 201, answer.text
    return answer.json()


def deliveries(player: Player, made: dict) -> list[dict]:
    return player.get(f"/webhooks/{made['id']}/deliveries")


def sent_test(player: Player, made: dict) -> dict:
    """Send a test, and return what came of it."""
    sent = player.http.post(f"/webhooks/{made['id']}/test")
    assert sent.status_code == 202, sent.text

    def ended():
        (one,) = [one for one in deliveries(player, made) if one["id"] == sent.json()["id"]]
        return one["state"] != "waiting" and one

    return wait_until(ended)


def test_turns_and_the_end_of_a_match_are_posted_and_signed(owner, receiver):
    made = hook(owner, f"{receiver.url}/turns?bot=1")
    match = start(owner)
    turn, *_ = wait_until(lambda: receiver.of("turn"))
    owner.do(match, {"type": "resign"})
    over, *_ = wait_until(lambda: receiver.of("match_over"))
    assert turn.path == "/turns?bot=1"
    assert turn.message["data"]["match"] == over.message["data"]["match"] == match
    assert turn.message["data"]["after"] == 0
    library = Webhook(made["secret"])
    assert 24 <= len(b64decode(made["secret"].removeprefix("whsec_"))) <= 64
    for arrived in (turn, over):
        assert library.verify(arrived.body, arrived.headers) == arrived.message
        with pytest.raises(WebhookVerificationError):
            library.verify(arrived.body + b" ", arrived.headers)
        assert arrived.headers["content-type"] == "application/json"
    assert {one.message["type"] for one in receiver.arrived} == {"turn", "match_over"}
    logged = wait_until(
        lambda: (
            [one for one in deliveries(owner, made) if one["state"] == "delivered"][1:]
            and deliveries(owner, made)
        )
    )
    assert [one["id"] for one in logged] == [over.id, turn.id], "newest first"
    assert [one["tries"][0]["status"] for one in logged] == [204, 204]


def test_an_invitation_and_a_proposal_are_posted_to_those_they_concern(owner, installed, receiver):
    with Player(installed.url, "Boris") as other:
        hook(other, receiver.url, events=["invitation", "proposal"])
        match = owner.open_match()
        owner.do(match, {"type": "take_seat", "seat": 0})
        owner.http.post(f"/matches/{match}/invitations", json={"player": other.id})
        invited, *_ = wait_until(lambda: receiver.of("invitation"))
        assert invited.message["data"]["by"] == owner.id
        other.do(match, {"type": "take_seat", "seat": 1})
        owner.do(match, {"type": "pause"})
        asked, *_ = wait_until(lambda: receiver.of("proposal"))
        assert asked.message["data"]["kind"] == "pause"
        assert not receiver.of("turn"), "it was not asked for"


def test_a_message_that_fails_is_sent_again_under_the_same_id(owner, receiver):
    tries = iter((503, 200))
    receiver.answer = lambda _: next(tries, 200)
    made = hook(owner, receiver.url, events=["match_started"])
    start(owner)
    wait_until(lambda: len(receiver.arrived) == 2)
    first, second = receiver.arrived
    assert first.id == second.id
    assert first.body == second.body
    (logged,) = wait_until(
        lambda: [one for one in deliveries(owner, made) if one["state"] == "delivered"]
    )
    assert [tried["status"] for tried in logged["tries"]] == [503, 200]


def test_a_receiver_that_was_down_gets_what_it_missed_after_a_test(owner, receiver):
    receiver.answer = lambda _: 500
    made = hook(owner, receiver.url, events=["match_started"])
    matches = [start(owner), start(owner)]
    wait_until(lambda: owner.get(HOOKS)[0]["failures"])
    receiver.answer = lambda _: 200
    assert sent_test(owner, made)["tries"][0]["status"] == 200

    def delivered():
        found = [one for one in deliveries(owner, made) if one["type"] == "match_started"]
        return [one["state"] for one in found] == ["delivered", "delivered"]

    wait_until(delivered)
    assert {one.message["data"]["match"] for one in receiver.of("match_started")} == set(matches)


def test_who_answers_gone_is_disabled_with_a_notice_until_a_test_succeeds(owner, receiver):
    receiver.answer = lambda _: 410
    made = hook(owner, receiver.url, events=["match_started"])
    with owner.http.stream("GET", "/players/me/stream", timeout=60) as stream:
        lines = stream.iter_lines()
        assert next(line for line in lines if line.startswith("event:")) == "event: reset"
        start(owner)
        wait_until(lambda: owner.get(HOOKS)[0]["disabled"] == "gone")
        told = next(line for line in lines if "webhook_disabled" in line and "data" in line)
        assert made["id"] in told
    wait_until(lambda: [one["state"] for one in deliveries(owner, made)] == ["dropped"])
    assert sent_test(owner, made)["state"] == "failed", "it is still gone"
    receiver.answer = lambda _: 200
    assert sent_test(owner, made)["state"] == "delivered"
    assert owner.get(HOOKS)[0]["disabled"] is None
    start(owner)
    wait_until(lambda: len(receiver.of("match_started")) == 2)


def test_a_redirect_is_not_followed(owner, receiver):
    receiver.answer = lambda _: 307
    made = hook(owner, receiver.url)
    assert sent_test(owner, made)["tries"][0]["status"] == 307
    assert [one.path for one in receiver.arrived] == ["/"]


def test_addresses_inside_the_network_are_not_reached(owner):
    for url in ("http://127.0.0.2:9000/", "http://10.0.0.1/", "http://[::1]:8000/"):
        assert refusal(owner.http.post(HOOKS, json={"url": url})) == (422, "bad-webhook-url")
    inside = sent_test(owner, hook(owner, "http://127.2:9000/"))
    unknown = sent_test(owner, hook(owner, "http://nobody.invalid/"))
    for refused in (inside, unknown):
        (tried,) = refused["tries"]
        assert (tried["status"], tried["error"]) == (None, "no-public-address")


def test_a_webhook_is_its_owners_alone(owner, installed, receiver):
    made = hook(owner, receiver.url)
    with Player(installed.url, "Eve") as eve:
        assert eve.get(HOOKS) == []
        for method, path in (("GET", "/deliveries"), ("POST", "/test"), ("DELETE", "")):
            refused = eve.http.request(method, f"/webhooks/{made['id']}{path}")
            assert refusal(refused) == (404, "not-found"), path
    assert made["secret"] not in owner.http.get(HOOKS).text
    assert owner.http.delete(f"/webhooks/{made['id']}").status_code == 204
    assert owner.get(HOOKS) == []


def test_a_webhook_needs_the_scope_of_streams_and_ends_with_its_token(owner, receiver):
    with using(owner, app_token(owner, "read", "play")["token"]) as app:
        refused = app.post(HOOKS, json={"url": receiver.url})
        assert refusal(refused) == (403, "missing-scope")
    own = hook(owner, receiver.url, events=["match_started"])
    token = app_token(owner, "stream")
    with using(owner, token["token"]) as app:
        made = app.post(HOOKS, json={"url": f"{receiver.url}/app", "events": ["match_started"]})
        assert made.status_code == 201
        assert [one["id"] for one in app.get(HOOKS).json()] == [made.json()["id"]]
        assert refusal(app.delete(f"/webhooks/{own['id']}")) == (404, "not-found")
    assert len(owner.get(HOOKS)) == 2
    owner.http.delete(f"/tokens/{token['id']}")
    assert [one["id"] for one in owner.get(HOOKS)] == [own["id"]]
    start(owner)
    wait_until(lambda: receiver.arrived)
    assert {one.path for one in receiver.arrived} == {"/"}
    fresh = owner.http.post("/players/me/token").json()["token"]
    owner.http.headers["Authorization"] = f"Bearer {fresh}"
    assert owner.get(HOOKS) == [], "a thief's webhook would outlive the stolen token"


def test_a_player_has_few_webhooks(owner, receiver):
    for _ in range(5):
        hook(owner, receiver.url)
    assert refusal(owner.http.post(HOOKS, json={"url": receiver.url})) == (422, "too-many-webhooks")
    for body in ({"url": "turns"}, {"url": receiver.url, "events": []}, {"events": ["turn"]}):
        assert refusal(owner.http.post(HOOKS, json=body)) == (400, "malformed")
