"""The WebSocket: the same commands, records, notices, refusals and limits as over HTTP."""

import json
import socket as sockets

import msgspec
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from events.keyring import Keyring, PublicKey
from events.receipts import Receipt, objection
from service.http.calls import CALLS
from service.http.openapi import asyncapi
from tests.e2e.link import linked, opened
from tests.e2e.service import Player, running, wait_until

pytestmark = pytest.mark.long


def test_a_match_is_played_over_one_connection(ada):
    """Every command, all records and every notice of a match, without another call but `legal`."""
    match = ada.open_match("submarine")
    with Player(str(ada.http.base_url)) as rival, linked(ada) as hers, linked(rival) as his:
        assert hers.ask("subscribe", match=match)["type"] == "done"
        for link in (hers, his):
            assert link.ask("command", match=match, command={"type": "take_seat"})["accepted"]
        while True:
            for player, link in ((ada, hers), (rival, his)):
                if legal := player.legal(match):
                    answer = link.ask("command", match=match, command=legal[0])
                    assert answer["accepted"]["view"] is not None
            if ada.get(f"/matches/{match}")["status"] == "finished":
                break
        assert hers.until("over") == {"type": "over", "match": match}


def test_a_receipt_follows_a_command_that_asks_for_one(ada):
    match = ada.open_match(seats=1)
    keys = Keyring.checked(msgspec.convert(ada.get("/keys"), list[PublicKey]))
    with linked(ada) as link:
        sit = {"type": "take_seat"}
        accepted = link.ask("command", match=match, command=sit, receipt=True)["accepted"]
        frame = link.until("receipt")
        receipt = msgspec.convert(frame["receipt"], Receipt)
        assert (frame["match"], receipt.match, receipt.viewer) == (match, match, 0)
        assert (receipt.version, receipt.head) == (accepted["version"], accepted["head"])
        assert objection(receipt, keys) is None


def test_a_subscription_has_receipts_for_who_is_silent(ada, eve):
    match = ada.open_match(seats=1)
    keys = Keyring.checked(msgspec.convert(ada.get("/keys"), list[PublicKey]))
    with linked(eve) as link:
        link.ask("subscribe", match=match)
        ada.do(match, {"type": "take_seat"})
        last = ada.do(match, {"type": "resign"})
        kept = []
        while (frame := link.any())["type"] != "over":
            if frame["type"] == "receipt":
                kept.append(msgspec.convert(frame["receipt"], Receipt))
        assert [objection(one, keys) for one in kept] == [None] * len(kept)
        assert (kept[-1].viewer, kept[-1].version) == ("spectator", last["version"])


def test_the_service_shows_the_document_of_its_frames(ada):
    shown = ada.get("/schema/asyncapi.json")
    assert shown == json.loads(json.dumps(asyncapi.document(CALLS)))
    (channel,) = shown["channels"].values()
    assert channel["address"] == "/play"


def test_an_answer_is_the_one_over_http(ada):
    """A key counts once on either way, so that a retry may change the way."""
    match = ada.open_match(seats=1)
    with linked(ada) as link:
        sit = {"type": "take_seat", "seat": 0}
        first = link.ask("command", id="key-1", match=match, command=sit)
        again = link.ask("command", id="key-1", match=match, command=sit)
        assert first == again
        assert ada.send(match, sit, "key-1").json() == first["accepted"]
        reused = link.ask("command", id="key-1", match=match, command={"type": "leave_seat"})
        assert (reused["type"], reused["problem"]["code"]) == ("refused", "id-reused")
        short = link.ask("command", match=match, command=ada.legal(match)[0], minimal=True)
        assert "view" not in short["accepted"]


def test_refusals_are_those_of_http(ada, bob):
    match = ada.open_match(private=True)
    sit = {"type": "take_seat"}
    with linked(bob) as link:
        for frame, sent in (
            ({"match": match, "command": sit}, bob.send(match, sit)),
            ({"match": "m_none", "command": sit}, bob.send("m_none", sit)),
        ):
            told = link.ask("command", **frame)["problem"]
            expected = sent.json()
            assert told.pop("instance") != expected.pop("instance")
            assert told == expected
    with linked(ada) as link:
        stale = link.ask("command", match=match, command=sit, version=9)["problem"]
        assert (stale["status"], stale["code"], stale["version"]) == (412, "stale-version", 1)
        ruled = link.ask("command", match=match, command={"type": "resign"})["problem"]
        assert ruled["status"] in (403, 422)
        wrong = link.ask("command", match=match, command={"type": "fly"})["problem"]
        assert (wrong["status"], wrong["code"]) == (400, "malformed")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("hello", ""),
        ('{"type": "fly", "id": "a"}', "a"),
        ('{"type": "ping", "id": "a", "more": 1}', "a"),
        ('{"type": "ping", "id": "b c"}', ""),
        ("[" * 5_000, ""),
        ('{"type": "authenticate", "token": "x"}', ""),
    ],
)
def test_a_malformed_frame_is_refused_and_the_connection_goes_on(ada, text, name):
    with linked(ada) as link:
        link.send_text(text)
        refused = link.next()
        assert (refused["type"], refused["re"]) == ("refused", name)
        assert refused["problem"]["code"] == "malformed"
        assert link.ask("ping")["type"] == "pong"


def test_a_refused_frame_names_the_place_within_it(ada, match):
    with linked(ada) as link:
        (error,) = link.ask("ping", more=1)["problem"]["errors"]
        assert error["pointer"] == "/more"
        command = {"type": "discard_two", "cards": [7]}
        (error,) = link.ask("command", match=match, command=command)["problem"]["errors"]
        assert error == {"pointer": "/command/cards/0", "detail": "Expected `str`, got `int`"}


def test_records_resume_and_are_those_of_the_stream(ada):
    match = ada.open_match(seats=1)
    ada.do(match, {"type": "take_seat"})
    records = ada.get(f"/matches/{match}/events")["records"]
    with linked(ada) as link:
        beyond = link.ask("subscribe", match=match, after=9)["problem"]
        assert (beyond["code"], beyond["last"]) == ("no-such-version", len(records))
        assert link.ask("subscribe", match=match, after=1)["type"] == "done"
        assert link.next() == {"type": "record", "match": match, "record": records[1]}
        twice = link.ask("subscribe", match=match)["problem"]
        assert twice["detail"] == f"You are subscribed to {match} already."
        assert link.ask("unsubscribe", match=match)["type"] == "done"
        ada.do(match, ada.legal(match)[0])
        assert link.ask("ping")["type"] == "pong", "no record came before"
        none = link.ask("unsubscribe", match=match)["problem"]
        assert none["detail"] == f"You are not subscribed to {match}."


def test_notices_resume_by_their_place(ada):
    with linked(ada) as link:
        assert link.ask("notices")["type"] == "done"
        reset = link.next()
        assert reset["notice"] == {"type": "reset", "standing": []}
        match = ada.open_match(seats=1)
        ada.do(match, {"type": "take_seat"})
        started = link.next()["notice"]
        assert (started["type"], started["match"]) == ("match_started", match)
    with linked(ada) as link:
        link.ask("notices", after=reset["place"])
        assert link.next()["notice"] == started
    with linked(ada) as link:
        assert link.ask("notices", after="soon")["problem"]["code"] == "malformed"


def test_a_rival_is_shown_its_own_records_only(ada, bob, eve):
    """A spectator's subscription has no hand, and no more than its stream has."""
    match = ada.open_match("submarine")
    for player in (ada, bob):
        player.do(match, {"type": "take_seat"})
    with linked(eve) as link:
        link.ask("subscribe", match=match)
        shown = eve.get(f"/matches/{match}/events")["records"]
        assert [link.next()["record"] for _ in shown] == shown
        refused = link.ask("command", match=match, command={"type": "resign"})
        assert (refused["problem"]["status"], refused["problem"]["code"]) == (403, "not-a-seat")


@pytest.mark.parametrize(
    "first", ['{"type": "ping", "id": "a"}', '{"type": "authenticate", "token": "p_x.1.y"}', "?"]
)
def test_without_a_valid_token_the_connection_ends(ada, first):
    with opened(ada) as link:
        link.send_text(first)
        refused = link.next()["problem"]
        assert refused["status"] in (400, 401)
        assert link.closed() == (4001, refused["code"])


def test_the_token_may_come_in_the_header(ada):
    with opened(ada, Authorization=f"Bearer {ada.token}") as link:
        assert link.next()["player"] == ada.id


def test_a_revoked_token_ends_the_connection(service):
    with Player(service.url) as player, linked(player) as link:
        player.http.delete("/players/me/token")
        assert link.next()["problem"]["code"] == "unauthenticated"
        assert link.closed() == (4001, "unauthenticated")


def test_a_token_without_the_scope_may_not_play(ada):
    match = ada.open_match()
    made = ada.http.post("/tokens", json={"name": "watcher", "scopes": ["read", "stream"]})
    with opened(ada, Authorization=f"Bearer {made.json()['token']}") as link:
        link.next()
        refused = link.ask("command", match=match, command={"type": "take_seat"})["problem"]
        assert (refused["status"], refused["code"]) == (403, "missing-scope")
        assert link.ask("subscribe", match=match)["type"] == "done"


def test_pages_of_other_origins_may_not_connect(ada):
    host = str(ada.http.base_url).rstrip("/")
    with opened(ada, Origin=host) as link:
        link.send("authenticate", token=ada.token)
        assert link.next()["type"] == "connected"
    with (
        pytest.raises(InvalidStatus, match="403"),
        opened(ada, Origin="https://elsewhere.example"),
    ):
        pass


def test_a_long_frame_ends_the_connection(ada):
    with linked(ada) as link:
        link.send_text("x" * 70_000)
        assert link.closed() == (1009, "a frame is longer than 65536 bytes")


def test_a_message_without_an_end_is_cut_off(ada):
    """The service does not wait for the end of a message, nor keep much of it."""
    with linked(ada) as link:

        def parts():
            yield "x" * 1_000_000
            yield "x" * 1_000_000
            wait_until(link.is_closed)
            yield "x"

        with pytest.raises(ConnectionClosed) as cut:
            link.send_text(parts())
        assert cut.value.rcvd.code == 1009
        with linked(ada) as other:
            assert other.ask("ping")["type"] == "pong"


def test_connections_and_subscriptions_count_as_streams(tmp_path):
    with running(tmp_path, "serve", streams_max="2") as service, Player(service.url) as player:
        match, other = player.open_match(), player.open_match()
        with linked(player) as link:
            assert link.ask("subscribe", match=match)["type"] == "done"
            refused = link.ask("subscribe", match=other)["problem"]
            assert refused["code"] == "too-many-streams"
            with opened(player, Authorization=f"Bearer {player.token}") as second:
                assert second.closed() == (1013, "too-many-streams")
        with linked(player):
            pass


def test_frames_count_against_the_limit_on_calls(tmp_path):
    with (
        running(tmp_path, "serve", rate_limit="20/minute") as service,
        Player(service.url) as player,
        linked(player) as link,
    ):
        codes = {link.ask("ping").get("problem", {}).get("code") for _ in range(25)}
        assert codes == {None, "rate-limited"}


def test_strangers_are_few_and_leave_soon(tmp_path):
    with running(tmp_path, "serve") as service, Player(service.url) as player:
        opening = [opened(player) for _ in range(20)]
        links = [one.__enter__() for one in opening]
        with opened(player) as link:
            assert link.closed() == (1013, "too many connections without a token")
        assert links[0].closed() == (4001, "no token within 5 seconds")
        for one in opening:
            one.__exit__(None, None, None)
        with linked(player):
            pass


def test_who_does_not_read_is_dropped_and_may_resume(tmp_path):
    """A flood of answers fills the buffers of a client that reads nothing."""
    with running(tmp_path, "serve") as service, Player(service.url) as player:
        match = player.open_match("captain_sonar")
        host, port = service.url.removeprefix("http://").split(":")
        with sockets.create_connection((host, int(port))) as raw:
            raw.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 4_096)
            raw.sendall(upgrade(host, player.token))
            frame = masked(b'{"type": "command", "id": "a b", "match": "%s"}' % match.encode())
            raw.settimeout(60)
            with pytest.raises(OSError, match=r"(reset|timed out|Broken pipe)"):
                send_without_end(raw, frame * 1_000)
        with linked(player) as link:
            assert link.ask("ping")["type"] == "pong"


def send_without_end(raw, data):
    while True:
        raw.sendall(data)


def upgrade(host, token):
    lines = (
        "GET /play HTTP/1.1", f"Host: {host}", "Upgrade: websocket", "Connection: Upgrade",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13",
        f"Authorization: Bearer {token}", "", "",
    )  # fmt: skip
    return "\r\n".join(lines).encode()


def masked(text):
    """Return a text frame of a client, with a mask of zeros."""
    assert len(text) < 126
    return bytes([0x81, 0x80 | len(text), 0, 0, 0, 0]) + text


def test_a_stopping_service_tells_its_clients_to_come_back(tmp_path):
    with running(tmp_path, "serve") as service, Player(service.url) as player:
        match = player.open_match()
        with linked(player) as link:
            link.ask("subscribe", match=match)
            service.process.terminate()
            assert link.closed() == (1012, "the service restarts: connect again")
        wait_until(lambda: service.process.poll() == 0)
