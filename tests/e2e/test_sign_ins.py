"""Ways back to a player: devices, the recovery code, the move code and passkeys."""

import httpx
import pytest

from tests.e2e.authenticator import Authenticator
from tests.e2e.link import linked
from tests.e2e.people import sign_in, status, stranger
from tests.e2e.service import Player, own_name, refusal, running

PUBLIC = "https://play.example"


@pytest.fixture
def ada(service):
    """Return a player who may come to own the name."""
    with Player(service.url, own_name()) as player:
        yield player


def test_a_recovery_code_brings_a_lost_player_back_once(service, ada):
    assert ada.get("/players/me")["has_recovery_code"] is False
    code = ada.http.post("/players/me/recovery-code").json()["recovery_code"]
    assert len(code.replace("-", "")) * 5 >= 100, "bits"
    assert ada.get("/players/me")["has_recovery_code"] is True
    with stranger(service) as client:
        typed = code.lower().replace("-", " ").replace("0", "o").replace("1", "l")
        back = sign_in(client, "recovery", {"code": typed})
        assert (back["player"], back["name"]) == (ada.id, ada.name)
        assert status(service, back["token"]) == 200
        assert status(service, ada.token) == 200, "other devices stay signed in"
        assert sign_in(client, "recovery", {"code": back["recovery_code"]})["player"] == ada.id
        again = client.post("/sign-ins/recovery", json={"code": code})
        assert refusal(again) == (403, "wrong-code")


def test_a_recovery_whose_answer_was_lost_may_be_sent_again(service, ada):
    code = ada.http.post("/players/me/recovery-code").json()["recovery_code"]
    with stranger(service) as client:
        lost, back = (sign_in(client, "recovery", {"code": code}) for _ in range(2))
        assert back["recovery_code"] == lost["recovery_code"]
        assert status(service, back["token"]) == 200
        ada.http.delete("/players/me/recovery-code")
        again = client.post("/sign-ins/recovery", json={"code": code})
        assert refusal(again) == (403, "wrong-code")


def test_a_recovery_code_ends_when_it_is_replaced_deleted_or_its_player_erased(service, ada):
    def make() -> str:
        return ada.http.post("/players/me/recovery-code").json()["recovery_code"]

    def refused(code: str) -> bool:
        with stranger(service) as client:
            answer = client.post("/sign-ins/recovery", json={"code": code})
            return refusal(answer) == (403, "wrong-code")

    first, second = make(), make()
    assert refused(first)
    assert ada.http.delete("/players/me/recovery-code").status_code == 204
    assert refused(second)
    third = make()
    assert ada.http.delete("/players/me").status_code == 204
    assert refused(third)


def test_devices_are_listed_in_words_and_ended_one_by_one(service, ada, bob, match):
    code = ada.http.post("/players/me/move-code").json()["move_code"]
    with stranger(service) as client:
        made = sign_in(client, "move", {"code": code})
    first, second = ada.get("/players/me/devices")
    assert (first["name"], first["current"]) == ("python-httpx", True)
    assert (second["name"], second["current"]) == ("Firefox (Linux)", False)
    assert second["last_seen"] == second["created"][:10]
    assert bob.http.delete(f"/devices/{second['id']}").status_code == 404
    with Player(service.url, own_name("Phone")) as phone:
        phone.http.headers["Authorization"] = f"Bearer {made['token']}"
        phone.id, phone.token = ada.id, made["token"]
        paths = (f"/matches/{match}/stream", "/players/me/stream")
        with (
            linked(phone) as link,
            phone.http.stream("GET", paths[0]) as records,
            phone.http.stream("GET", paths[1]) as notices,
        ):
            streams = [records.iter_lines(), notices.iter_lines()]
            assert all(next(lines) is not None for lines in streams)
            assert ada.http.delete(f"/devices/{second['id']}").status_code == 204
            assert link.next()["problem"]["code"] == "unauthenticated"
            assert link.closed() == (4001, "unauthenticated")
            for lines in streams:
                list(lines)
    assert status(service, made["token"]) == 401
    assert [one["id"] for one in ada.get("/players/me/devices")] == [first["id"]]


def test_a_move_code_signs_in_one_device_once_and_the_others_are_told(service, ada):
    earlier = ada.http.post("/players/me/move-code").json()
    made = ada.http.post("/players/me/move-code").json()
    assert made["url"] == f"{service.url}/move#{made['move_code']}"
    assert made["qr"].startswith("<svg")
    with ada.http.stream("GET", "/players/me/stream") as stream, stranger(service) as client:
        lines = stream.iter_lines()
        assert "event: reset" in lines
        moved = sign_in(client, "move", {"code": made["move_code"]})
        assert (moved["player"], moved["name"]) == (ada.id, ada.name)
        assert "event: device" in lines
        for code in (made["move_code"], earlier["move_code"], "AAAAA-AAAAA"):
            answer = client.post("/sign-ins/move", json={"code": code})
            assert refusal(answer) == (403, "wrong-code")


def test_attempts_to_sign_in_are_limited_by_address(tmp_path):
    with running(tmp_path, "serve", sign_in_limit="3/hour") as service, stranger(service) as client:
        guesses = [
            client.post(f"/sign-ins/{way}", json={"code": "AAAAA-AAAAA-AAAAA-AAAAA"})
            for way in ("recovery", "move", "recovery", "move")
        ]
        assert [one.status_code for one in guesses] == [403, 403, 403, 429]
        with Player(service.url) as ada:
            assert ada.get("/players/me")["name"] == "Ada", "players who are signed in play on"


@pytest.fixture(scope="module")
def public(tmp_path_factory):
    with running(tmp_path_factory.mktemp("public"), "serve", public_url=PUBLIC) as service:
        yield service


def test_a_player_signs_in_with_a_passkey(public):
    with Player(public.url, own_name()) as ada, stranger(public) as client:
        key = Authenticator(PUBLIC)
        options = ada.http.post("/players/me/passkeys/options").json()
        assert (options["domain"], options["name"]) == ("play.example", ada.name)
        added = ada.http.post("/players/me/passkeys", json=key.create(options, "Laptop"))
        assert added.status_code == 201, added.text
        passkey = added.json()["id"]
        assert ada.get("/players/me")["passkeys"] == 1
        known = ada.http.post("/players/me/passkeys/options").json()["known"]
        assert known == [passkey]

        answered = key.sign(client.post("/sign-ins/passkey/options").json())
        back = sign_in(client, "passkey", answered)
        assert (back["player"], back["name"]) == (ada.id, ada.name)
        assert status(public, back["token"]) == 200
        assert refusal(client.post("/sign-ins/passkey", json=answered)) == (403, "passkey-refused")

        path = f"/passkeys/{passkey}"
        assert ada.http.patch(path, json={"name": "Old laptop"}).json()["name"] == "Old laptop"
        assert [one["name"] for one in ada.get("/players/me/passkeys")] == ["Old laptop"]
        assert ada.http.delete(path).status_code == 204
        assert refusal(ada.http.delete(path)) == (404, "not-found")
        gone = key.sign(client.post("/sign-ins/passkey/options").json())
        assert refusal(client.post("/sign-ins/passkey", json=gone)) == (403, "passkey-refused")


def test_only_a_passkeys_own_answer_to_our_challenge_is_accepted(public):
    with (
        Player(public.url, own_name()) as ada,
        Player(public.url, own_name("Eve")) as eve,
        stranger(public) as client,
    ):
        key = Authenticator(PUBLIC)
        created = key.create(ada.http.post("/players/me/passkeys/options").json())
        other = eve.http.post("/players/me/passkeys", json=created)
        assert refusal(other) == (403, "passkey-refused"), "a challenge is of one player"
        assert ada.http.post("/players/me/passkeys", json=created).status_code == 201
        assert refusal(ada.http.post("/players/me/passkeys", json=created))[1] == "passkey-refused"

        def attempt(authenticator: Authenticator, **changed: str) -> tuple[int, str]:
            options = client.post("/sign-ins/passkey/options").json()
            answer = client.post("/sign-ins/passkey", json=authenticator.sign(options) | changed)
            return (answer.status_code, "") if answer.is_success else refusal(answer)

        for wrong in (
            {"client_data": "e30"},
            {"client_data": "AAAA"},
            {"user_handle": "AAAA"},
            {"signature": "AAAA"},
            {"authenticator_data": "AAAA"},
        ):
            assert attempt(key, **wrong) == (403, "passkey-refused"), wrong
        key.origin = "https://evil.example"
        assert attempt(key) == (403, "passkey-refused")
        key.origin = PUBLIC
        assert attempt(key) == (201, "")
        key.count = 0
        assert attempt(key) == (403, "passkey-refused"), "a copy counts from an earlier number"
        assert attempt(Authenticator(PUBLIC), user_handle="cF94") == (403, "passkey-refused")


def test_without_a_public_url_passkeys_work_at_localhost_alone(service, ada):
    refused = ada.http.post("/players/me/passkeys/options")
    assert refusal(refused) == (422, "no-passkeys-here")
    port = httpx.URL(service.url).port
    here = {"Host": f"localhost:{port}"}
    options = ada.http.post("/players/me/passkeys/options", headers=here).json()
    assert options["domain"] == "localhost"
    created = Authenticator(f"http://localhost:{port}").create(options)
    added = ada.http.post("/players/me/passkeys", json=created, headers=here)
    assert added.status_code == 201, added.text


def test_ending_all_credentials_leaves_a_thief_none(service, ada):
    code = ada.http.post("/players/me/recovery-code").json()["recovery_code"]
    app = ada.http.post("/tokens", json={"name": "app", "scopes": ["read"]}).json()["token"]
    renewed = ada.http.post("/players/me/token").json()["token"]
    assert [status(service, one) for one in (ada.token, app, renewed)] == [401, 401, 200]
    with stranger(service) as client:
        assert refusal(client.post("/sign-ins/recovery", json={"code": code}))[1] == "wrong-code"
