"""E-mail: a way back to a player, and a way to hear of a turn, through a real mail server."""

import httpx
import pytest

from tests.e2e.mail_server import PUBLIC, link_of, mail_serving, token_of
from tests.e2e.people import sign_in, status, stranger
from tests.e2e.service import Player, own_name, refusal, running_with_worker, wait_until

MAIL = "/players/me/mail"


@pytest.fixture(scope="module")
def server():
    with mail_serving() as server:
        yield server


@pytest.fixture(scope="module")
def posting(tmp_path_factory, server):
    """Run a service that sends e-mail, and its worker."""
    folder = tmp_path_factory.mktemp("mail")
    with running_with_worker(folder, **server.settings, mail_delay_s="0") as service:
        yield service


def test_a_player_is_found_again_by_mail_and_hears_of_a_turn(posting, server):
    address = "ada@one.example"
    with Player(posting.url, own_name()) as ada, stranger(posting) as client:
        assert client.get("/sign-ins").json()["mail"] is True
        made = ada.http.post(MAIL, json={"address": address})
        assert (made.status_code, made.json()["confirmed"]) == (201, False)
        (mail,) = wait_until(lambda: server.to(address))
        assert ada.get("/players/me")["has_mail"] is False
        confirmed = client.post("/mail/confirm", json={"token": token_of(mail)})
        assert confirmed.status_code == 204, confirmed.text
        assert ada.get("/players/me")["has_mail"] is True

        for known in ("ada@one.example", "nobody@one.example"):
            answer = client.post("/sign-ins/mail/link", json={"address": known})
            assert (answer.status_code, answer.content) == (204, b"")
        _, link = wait_until(lambda: len(server.to(address)) > 1 and server.to(address))
        back = sign_in(client, "mail", {"token": token_of(link)})
        assert (back["player"], back["name"]) == (ada.id, ada.name)
        assert status(posting, back["token"]) == 200
        again = client.post("/sign-ins/mail", json={"token": token_of(link)})
        assert refusal(again) == (403, "wrong-link")
        assert server.to("nobody@one.example") == []

        chosen = ada.http.patch(MAIL, json={"events": ["turn"], "pace": "each"})
        assert chosen.json()["events"] == ["turn"]
        match = ada.open_match(seats=1)
        ada.do(match, {"type": "take_seat"})
        *_, turn = wait_until(lambda: len(server.to(address)) > 2 and server.to(address))
        assert link_of(turn) == f"{PUBLIC}/match/{match}"
        path = turn["List-Unsubscribe"].strip("<>").removeprefix(PUBLIC)
        stopped = client.post(path, data={"List-Unsubscribe": "One-Click"})
        assert stopped.status_code == 204, stopped.text
        assert ada.get(MAIL)["mailbox"]["events"] == []

        assert ada.http.delete(MAIL).status_code == 204
        assert ada.get(MAIL) == {"on": True, "mailbox": None}


def test_what_cannot_be_mailed_is_refused(posting, service, ada):
    assert ada.get(MAIL) == {"on": False, "mailbox": None}
    with stranger(service) as client:
        for answer in (
            ada.http.post(MAIL, json={"address": "ada@play.example"}),
            client.post("/sign-ins/mail/link", json={"address": "ada@play.example"}),
        ):
            assert refusal(answer) == (422, "mail-off")
    with Player(posting.url, own_name("Bob")) as bob:
        wrong = bob.http.post(MAIL, json={"address": "bob"})
        assert refusal(wrong) == (400, "bad-mail-address")
        assert wrong.json()["errors"][0]["pointer"] == "/address"
        nothing = bob.http.patch(MAIL, json={"events": ["turn"]})
        assert refusal(nothing) == (404, "not-found")
        for path in ("/mail/confirm", "/sign-ins/mail"):
            answer = httpx.post(posting.url + path, json={"token": "p_1.msg_1.1.x"}, timeout=20)
            assert refusal(answer) == (403, "wrong-link")
