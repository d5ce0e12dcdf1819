"""A command gets the same answer on the short way and on Litestar's.

A query makes a call go Litestar's way. A match that is not private needs no join code.
"""

from typing import Any

import pytest

from tests.e2e.service import Player

OWN = {"x-request-id", "ratelimit", "receipt", "date", "connection"}
"""Headers that differ from call to call.

The server closes a connection if the answer came before the body.
"""
OTHER_WAY = "?join_code=none"
SEAT = b'{"type":"take_seat","seat":0}'
BAD_TOKEN = {"Authorization": "Bearer p_nobody.1.0"}


def answered(player: Player, path: str, body: bytes, headers: dict[str, str]) -> Any:
    answer = player.http.post(path, content=body, headers=headers)
    shown = {name: value for name, value in answer.headers.items() if name not in OWN}
    content = answer.json()
    if answer.status_code != 200:
        shown.pop("content-length")
        assert content.pop("instance") == answer.headers["X-Request-Id"]
    return answer.status_code, shown, content


@pytest.mark.parametrize(
    ("status", "body", "headers"),
    [
        (200, SEAT, {"Idempotency-Key": "seat"}),
        (200, SEAT, {"Idempotency-Key": "seat", "Prefer": "return=minimal"}),
        (200, SEAT, {"Idempotency-Key": "seat", "Prefer": "receipt"}),
        (200, SEAT, {"Idempotency-Key": "seat", "Accept-Encoding": "identity"}),
        (200, SEAT, {"Idempotency-Key": "seat", "If-Match": '"1"'}),
        (400, SEAT, {"If-Match": "one"}),
        (400, SEAT, {"Idempotency-Key": "a key"}),
        (400, b"{", {}),
        (401, SEAT, {"Authorization": ""}),
        (401, SEAT, BAD_TOKEN),
        (409, b'{"type":"leave_seat"}', {"Idempotency-Key": "seat"}),
        (412, b'{"type":"leave_seat"}', {"If-Match": '"1"'}),
        (413, b" " * 1_000_000, {}),
        (422, b'{"type":"resume"}', {}),
        (422, SEAT, {"Idempotency-Key": "another"}),
    ],
)
def test_both_ways_give_the_same_answer(
    ada: Player, status: int, body: bytes, headers: dict[str, str]
):
    match = ada.open_match("tranquility", 2)
    ada.send(match, {"type": "take_seat", "seat": 0}, "seat")
    path = f"/matches/{match}/commands"
    direct, other = (answered(ada, path + query, body, headers) for query in ("", OTHER_WAY))
    if "a key" in headers.values():
        direct[2].pop("detail"), other[2].pop("detail")
    assert direct == other
    assert direct[0] == status, direct


def test_a_match_that_does_not_exist_is_refused_alike(ada: Player):
    path = "/matches/m_0123456789abcdef01234567/commands"
    direct, other = (answered(ada, path + query, SEAT, {}) for query in ("", OTHER_WAY))
    assert direct == other
    assert direct[0] == 404


def test_the_join_code_opens_a_private_match(service: Any, ada: Player):
    made = ada.http.post("/matches", json={"game": "tranquility", "seats": 2, "private": True})
    path = f"/matches/{made.json()['match']}/commands"
    with Player(service.url) as bob:
        assert bob.http.post(path, content=SEAT).status_code == 404
        code = {"join_code": made.json()["join_code"]}
        joined = bob.http.post(path, params=code, content=b'{"type":"take_seat"}')
        assert joined.status_code == 200, joined.text
