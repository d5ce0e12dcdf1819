"""Watching a finished match together: one leads, the others follow, none sees more than alone."""

import json
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from typing import Any

import httpx
from redis import Redis

from service.play.showings import DEVICES_MAX, MOMENTS_PER_S, OWN_MAX
from tests.e2e.played import end
from tests.e2e.service import Player, Running, refusal

START = {"version": 1, "view": "spectator"}
Shown = dict[str, Any]


def opened(player: Player, match: str) -> str:
    answer = player.http.post(f"/matches/{match}/showings", json=START)
    assert answer.status_code == 201, answer.text
    return answer.json()["showing"]


def show(player: Player, code: str, version: int = 3, view: str = "full") -> httpx.Response:
    body = {"version": version, "view": view}
    return player.http.put(f"/showings/{code}/moment", json=body)


def lead(player: Player, code: str, to: Player) -> httpx.Response:
    return player.http.put(f"/showings/{code}/leader", json={"player": to.id})


@contextmanager
def watching(player: Player, code: str) -> Iterator[Iterator[Shown]]:
    """Yield the showing as the player's stream tells it; the player is present for as long."""

    def told(response: httpx.Response) -> Iterator[Shown]:
        for line in response.iter_lines():
            if line.startswith("data: "):
                yield json.loads(line.removeprefix("data: "))

    with player.http.stream("GET", f"/showings/{code}/stream", timeout=60) as response:
        assert response.status_code == 200
        with closing(told(response)) as showings:
            yield showings


def until(showings: Iterator[Shown], **wanted: Any) -> Shown:
    """Return the first showing with these fields."""
    return next(
        one for one in showings if all(one[field] == value for field, value in wanted.items())
    )


def test_who_follows_is_told_each_moment_and_who_is_there(ada: Player, bob: Player, over: str):
    code = opened(ada, over)
    with watching(ada, code) as seen_by_ada, watching(bob, code) as seen_by_bob:
        together = sorted([ada.id, bob.id])
        assert until(seen_by_ada, people=together)["moment"] == START
        assert until(seen_by_bob, people=together)["match"] == over
        assert show(ada, code, 3, "1").status_code == 204
        assert until(seen_by_bob, moment={"version": 3, "view": "1"})["leader"] == ada.id
    with watching(ada, code) as seen_by_ada:
        until(seen_by_ada, people=[ada.id])


def test_a_typed_code_leads_to_the_match(bob: Player, ada: Player, over: str):
    code = opened(ada, over)
    assert bob.get(f"/showings/{code.lower()}")["match"] == over
    assert bob.http.get("/showings/00000").status_code == 404


def test_only_the_leader_shows_hands_over_and_ends(
    ada: Player, bob: Player, eve: Player, over: str
):
    code = opened(ada, over)
    with watching(ada, code) as seen_by_ada, watching(bob, code):
        until(seen_by_ada, people=sorted([ada.id, bob.id]))
        for refused in (
            show(bob, code),
            lead(bob, code, bob),
            bob.http.delete(f"/showings/{code}"),
        ):
            assert refusal(refused) == (403, "forbidden")
        absent = lead(ada, code, eve)
        assert refusal(absent) == (422, "not-present")
        assert lead(ada, code, bob).status_code == 204
        assert until(seen_by_ada, leader=bob.id)
        assert show(ada, code).status_code == 403
        assert show(bob, code).status_code == 204
        until(seen_by_ada, moment={"version": 3, "view": "full"})
        assert bob.http.delete(f"/showings/{code}").status_code == 204
        assert list(seen_by_ada) == [], "the stream has ended"
    assert ada.http.get(f"/showings/{code}").status_code == 404


def test_somebody_present_takes_the_lead_of_a_leader_who_is_away(
    ada: Player, bob: Player, over: str
):
    code = opened(ada, over)
    with watching(bob, code) as seen_by_bob:
        until(seen_by_bob, people=[bob.id])
        assert lead(bob, code, bob).status_code == 204
        assert until(seen_by_bob, leader=bob.id)


def test_a_running_match_has_no_showing(ada: Player, match: str):
    refused = ada.http.post(f"/matches/{match}/showings", json=START)
    assert refusal(refused) == (403, "forbidden")


def test_a_showing_opens_no_private_match_to_strangers(ada: Player, bob: Player, eve: Player):
    made = ada.http.post("/matches", json={"game": "tranquility", "seats": 2, "private": True})
    match, secret = made.json()["match"], made.json()["join_code"]
    ada.do(match, {"type": "take_seat", "seat": 0})
    bob.http.post(
        f"/matches/{match}/commands",
        params={"join_code": secret},
        json={"type": "take_seat", "seat": 1, "entropy": "bob"},
    ).raise_for_status()
    end(ada, bob, match)
    code = opened(ada, match)
    for path in (f"/showings/{code}", f"/showings/{code}/stream"):
        assert eve.http.get(path).status_code == 404
    assert eve.http.get(f"/showings/{code}", params={"join_code": secret}).status_code == 200


def test_moments_that_never_were_are_refused(ada: Player, over: str):
    code = opened(ada, over)
    assert show(ada, code, 9_999).json()["code"] == "no-such-version"
    assert show(ada, code, 1, "7").json()["code"] == "no-such-seat"
    assert show(ada, code, 0).status_code == 400
    assert show(ada, code, 1, "everybody").status_code == 400


def test_a_leader_has_few_showings(ada: Player, over: str):
    codes = [opened(ada, over) for _ in range(OWN_MAX)]
    refused = ada.http.post(f"/matches/{over}/showings", json=START)
    assert refusal(refused) == (429, "too-many-showings")
    assert ada.http.delete(f"/showings/{codes[0]}").status_code == 204
    opened(ada, over)


def test_moments_that_come_too_fast_are_refused(service: Running, ada: Player, over: str):
    code = opened(ada, over)
    with Redis(unix_socket_path=str(service.data / "work" / "redis.sock")) as work:
        work.set(f"showing:{code}:rate", MOMENTS_PER_S, ex=600)
    refused = show(ada, code)
    assert refusal(refused) == (429, "rate-limited")


def test_nobody_fills_a_showing_alone(ada: Player, bob: Player, over: str):
    code = opened(ada, over)
    with ExitStack() as stack:
        for _ in range(DEVICES_MAX):
            next(stack.enter_context(watching(bob, code)))
        refused = bob.http.get(f"/showings/{code}/stream")
        assert refusal(refused) == (409, "showing-full")
        assert next(stack.enter_context(watching(ada, code)))["match"] == over


def test_an_erased_player_leads_nothing(ada: Player, bob: Player, over: str):
    code = opened(ada, over)
    assert bob.http.get(f"/showings/{code}").status_code == 200
    ada.http.delete("/players/me").raise_for_status()
    assert bob.http.get(f"/showings/{code}").status_code == 404
