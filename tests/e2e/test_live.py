"""Records as they come, over SSE, and what is said at the table."""

import json
import re

import httpx

from tests.e2e.service import Player, refusal
from tests.e2e.streams import events, records

PATHS = (
    "",
    "/events",
    "/legal",
    "/talk",
    "/timeline",
    "/card",
    "?at=3",
    "?at=4",
    "/diff?from=1&to=3",
)


def test_a_stream_gives_what_was_and_what_comes_without_gap(ada, bob, match):
    mover = (ada, bob)[ada.get(f"/matches/{match}")["waiting"][0]]
    with Player(str(mover.http.base_url)) as watcher:
        stream = records(watcher, match)
        assert [next(stream)["id"] for _ in range(3)] == ["1", "2", "3"]
        mover.do(match, mover.legal(match)[0])
        event = next(stream)
        assert (event["id"], event["event"]) == ("4", "record")
        assert (
            json.loads(event["data"])
            == watcher.get(f"/matches/{match}/events?after=3")["records"][0]
        )


def test_a_stream_resumes_after_the_last_event_id(ada, match):
    assert next(records(ada, match, **{"Last-Event-ID": "2"}))["id"] == "3"


def test_nothing_follows_a_version_that_the_viewer_never_had(ada, match):
    last = ada.get(f"/matches/{match}")["version"]
    assert ada.get(f"/matches/{match}/events?after={last}") == {
        "version": last, "records": [], "more": False,
    }  # fmt: skip
    for call in ("events", "stream"):
        answer = ada.http.get(f"/matches/{match}/{call}?after={last + 1}")
        assert refusal(answer) == (404, "no-such-version")
        assert answer.json()["last"] == last
    beyond = {"Last-Event-ID": str(last + 1)}
    answer = ada.http.get(f"/matches/{match}/stream", headers=beyond)
    assert answer.json()["code"] == "no-such-version"


def test_a_stream_ends_with_its_match(ada):
    match = ada.open_match(seats=1)
    ada.do(match, {"type": "take_seat"})
    ada.do(match, {"type": "resign"})
    *told, receipt, end = events(ada, match)
    assert (receipt["event"], end["event"]) == ("receipt", "end")
    assert "record" in {event["event"] for event in told}
    last = [event["id"] for event in told if event["event"] == "record"][-1]
    assert "id" not in receipt, "a stream resumes after a record"
    assert json.loads(receipt["data"])["version"] == int(last)


def test_talk_is_open_before_and_after_and_silent_in_between(ada, bob, eve):
    match = ada.open_match()
    ada.do(match, {"type": "take_seat"})
    assert ada.http.post(f"/matches/{match}/talk", json={"text": "ahoj"}).status_code == 201
    bob.do(match, {"type": "take_seat"})
    silent = bob.http.post(f"/matches/{match}/talk", json={"text": "I have the 12"})
    assert refusal(silent) == (422, "talk-closed")
    assert [message["text"] for message in eve.get(f"/matches/{match}/talk")] == ["ahoj"]
    bob.do(match, {"type": "resign"})
    ada.do(match, {"type": "resign"})
    assert bob.http.post(f"/matches/{match}/talk", json={"text": "well"}).status_code == 201


def test_what_is_said_before_the_start_is_heard_once_by_all(ada, bob, eve):
    """There are no crews yet, so a message to one's own crew is for the table too."""
    match = ada.open_match("captain_sonar", 4)
    ada.do(match, {"type": "take_seat"})
    for channel in ("table", "crew"):
        said = ada.http.post(f"/matches/{match}/talk", json={"text": channel, "channel": channel})
        assert said.json()["channel"] == "table"
    for player in (ada, bob, eve):
        heard = player.get(f"/matches/{match}/talk")
        assert [message["text"] for message in heard] == ["table", "crew"]


def test_what_spectators_are_told_stays_the_same_until_the_delay_is_over(ada, bob, eve):
    match = ada.open_match("submarine", spectator_delay=86_400)
    for player in (ada, bob):
        player.do(match, {"type": "take_seat"})

    def watched():
        conditional = {"If-Match": '"1"', "Idempotency-Key": "k"}
        body = {"type": "resign"}
        refused = eve.http.post(f"/matches/{match}/commands", json=body, headers=conditional)
        answers = [eve.http.get(f"/matches/{match}{path}") for path in PATHS]
        return [(answer.status_code, answer.headers.get("ETag")) for answer in answers], [
            re.sub(r'"instance":"\w+"', "", answer.text) for answer in (refused, *answers)
        ]

    before = watched()
    mover = next(one for one in (ada, bob) if one.legal(match))
    mover.do(match, mover.legal(match)[0])
    assert ada.http.post(f"/matches/{match}/talk", json={"text": "ahoy"}).status_code == 201
    assert watched() == before
    assert eve.get(f"/matches/{match}")["spectator_delay"] == 86_400
    for player in (ada, bob):
        player.send(match, {"type": "resign"})
    assert [message["text"] for message in eve.get(f"/matches/{match}/talk")] == ["ahoy"]
    assert eve.get(f"/matches/{match}")["status"] == "finished"


def test_a_client_that_hangs_up_finds_its_command_whole_or_not_at_all(service, ada):
    """It asks again with the same key, and learns which."""
    for cut in range(8):
        match = ada.open_match(seats=1)
        body = b'{"type":"take_seat"}'
        try:
            with httpx.Client(
                base_url=service.url, timeout=0.0005 * (cut + 1), headers=ada.http.headers
            ) as hasty:
                hasty.post(
                    f"/matches/{match}/commands", content=body, headers={"Idempotency-Key": "k"}
                )
        except httpx.HTTPError:
            pass
        answer = ada.send(match, {"type": "take_seat"}, "k")
        assert answer.json()["version"] == 2
        assert ada.get(f"/matches/{match}")["version"] == 2
