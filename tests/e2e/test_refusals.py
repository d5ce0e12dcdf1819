"""What is wrong gets the documented code, leaves no record, and shows nothing of the inside."""

from unittest.mock import ANY

import httpx
import pytest

from tests.e2e.routes import OPEN_TO_ALL, SOME, routes
from tests.e2e.service import Player, refusal

UNMUTE = ("delete", "/mutes/{match}")
"""Changes the caller's own list, whatever the match."""
BODIES = {
    "talk": {"text": "hi"},
    "audience": {"text": "hi"},
    "branches": {"version": 1},
    "what-if": {"version": 1},
    "hints": {},
    "invitations": {"player": "p_nobody"},
    "rematch": {},
    "comments": {"version": 1, "text": "hi"},
    "showings": {"version": 1, "view": "full"},
}


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        (b"", {}),
        (b"{", {}),
        (b"[]", {}),
        (b'"play_card"', {}),
        (b"null", {}),
        (b"\xff\xfe", {}),
        (b"{}", {}),
        (b'{"type": "explode"}', {}),
        (b'{"type": 7}', {}),
        (b'{"type": "discard_two"}', {}),
        (b'{"type": "discard_two", "cards": "island_1"}', {}),
        (b'{"type": "discard_two", "cards": [1, 2]}', {}),
        (b'{"type": "discard_two", "cards": ["island_1", "island_2"], "more": 1}', {}),
        (b'{"type": "take_seat", "seat": -1}', {}),
        (b'{"type": "take_seat", "entropy": "' + b"x" * 65 + b'"}', {}),
        (b'{"type": "create_match", "game": "tranquility", "seats": 2}', {}),
        (b'{"type": "time_out", "seat": 0, "deadline": 1}', {}),
        (b'{"type": "abandon"}', {}),
        (b'{"type": "resign"}', {"Idempotency-Key": "no spaces"}),
        (b'{"type": "resign"}', {"Idempotency-Key": "x" * 65}),
        (b'{"type": "resign"}', {"If-Match": "soon"}),
    ],
)
def test_a_malformed_command_is_refused_and_leaves_no_record(ada, match, body, headers):
    before = ada.get(f"/matches/{match}/events")
    answer = ada.http.post(f"/matches/{match}/commands", content=body, headers=headers)
    assert refusal(answer) == (400, "malformed"), answer.text
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert answer.json()["instance"] == answer.headers["X-Request-ID"]
    assert "Traceback" not in answer.text
    assert ada.get(f"/matches/{match}/events") == before


def test_a_number_without_a_fraction_is_an_integer(ada):
    """Programs whose only numbers are floats write 2.0. JSON Schema calls that an integer."""
    opened = ada.http.post("/matches", content=b'{"game": "tranquility", "seats": 2.0}')
    assert opened.status_code == 201, opened.text
    match = opened.json()["match"]
    taken = ada.http.post(f"/matches/{match}/commands", content=b'{"type":"take_seat","seat":1.0}')
    assert taken.status_code == 200, taken.text
    event = taken.json()["events"][0]
    assert (event["type"], event["seat"]) == ("seat_taken", 1)


def test_absurd_sizes_are_refused(ada, match):
    big = b'{"type": "discard_two", "cards": ["' + b"x" * 200_000 + b'"]}'
    answer = ada.http.post(f"/matches/{match}/commands", content=big)
    assert refusal(answer) == (413, "too-large")
    assert answer.json()["detail"] == "The body is larger than 65536 bytes."
    many = b'{"type": "discard_two", "cards": [' + b'"island_1",' * 5_000 + b'"island_1"]}'
    assert ada.http.post(f"/matches/{match}/commands", content=many).status_code in (400, 422)
    deep = b'{"type":' + b"[" * 30_000
    assert ada.http.post(f"/matches/{match}/commands", content=deep).status_code == 400


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"game": "chess", "seats": 2}, "not-found"),
        ({"game": "tranquility", "seats": 6}, "bad-player-count"),
        ({"game": "tranquility", "seats": 0}, "malformed"),
        ({"game": "tranquility", "seats": 2, "options": {"variant": "upside_down"}}, "bad-option"),
        (
            {"game": "tranquility", "seats": 3, "options": {"variant": "competitive"}},
            "bad-player-count",
        ),
        (
            {"game": "tranquility", "seats": 2, "options": {"variant": "pyramid", "rocks": True}},
            "option-conflict",
        ),
        ({"game": "tranquility", "seats": 2, "clock": {"type": "sundial"}}, "malformed"),
        ({"game": "tranquility"}, "malformed"),
    ],
)
def test_a_match_that_cant_be_opened_says_why(ada, body, code):
    assert ada.http.post("/matches", json=body).json()["code"] == code


@pytest.mark.parametrize(
    ("method", "path", "more", "errors"),
    [
        ("post", "/matches", {"content": b"{"}, [{"pointer": ""}]),
        ("post", "/matches", {}, [{"pointer": "", "detail": "Expected a body in JSON, got none"}]),
        ("post", "/matches", {"json": {"game": "chess", "seats": 2}}, [{"pointer": "/game"}]),
        (
            "post",
            "/matches",
            {"json": {"game": "ke_dnu", "seats": "2"}},
            [{"pointer": "/seats", "detail": "Expected `int`, got `str`"}],
        ),
        (
            "post",
            "/matches",
            {"json": {"game": "ke_dnu", "seats": 2, "private": "true"}},
            [{"pointer": "/private", "detail": "Expected `bool`, got `str`"}],
        ),
        (
            "post",
            "/matches",
            {"json": {"game": "ke_dnu", "seats": 2, "clock": {"type": "per_move", "seconds": "9"}}},
            [{"pointer": "/clock/seconds", "detail": "Expected `int`, got `str`"}],
        ),
        (
            "post",
            "/seeks",
            {"json": {"game": "ke_dnu", "seats": 2, "join": 1}},
            [{"pointer": "/join", "detail": "Expected `bool`, got `int`"}],
        ),
        (
            "post",
            "/tokens",
            {"json": {"name": "App", "scopes": ["read"], "expires_in_s": "60"}},
            [{"pointer": "/expires_in_s", "detail": "Expected `int | null`, got `str`"}],
        ),
        (
            "post",
            "/matches",
            {"json": {"game": "ke_dnu", "seats": 9}},
            [{"pointer": "/seats", "detail": "Expected 2 to 4, got 9"}],
        ),
        (
            "post",
            "/matches",
            {"json": {"game": "tranquility", "seats": 2, "options": {"variant": "sideways"}}},
            [
                {
                    "pointer": "/options/variant",
                    "detail": "Expected `competitive`, `day_night`, `high_arch`, `pyramid` or "
                    "`standard`, got 'sideways'",
                }
            ],
        ),
        (
            "post",
            "/tokens",
            {"json": {"name": "x", "scopes": ["play", "fly"]}},
            [
                {
                    "pointer": "/scopes/1",
                    "detail": "Expected `bots`, `officer`, `play`, `read` or `stream`, got 'fly'",
                }
            ],
        ),
        ("post", "/players", {"json": {"name": "a\0b"}}, [{"pointer": "/name"}]),
        (
            "post",
            "/matches/{match}/commands",
            {"json": {"type": "discard_two", "cards": ["island_1", 2]}},
            [{"pointer": "/cards/1", "detail": "Expected `str`, got `int`"}],
        ),
        (
            "post",
            "/matches/{match}/commands",
            {"content": b'{"type": "discard_two", "cards": [1'},
            [{"pointer": ""}],
        ),
        (
            "post",
            "/matches/{match}/commands",
            {"json": {"type": "resign"}, "headers": {"Idempotency-Key": "no spaces"}},
            [{"header": "Idempotency-Key"}],
        ),
        (
            "post",
            "/matches/{match}/commands",
            {"json": {"type": "resign"}, "headers": {"If-Match": "soon"}},
            [{"header": "If-Match"}],
        ),
        ("get", "/matches/{match}/events", {"params": {"after": -1}}, [{"parameter": "after"}]),
        (
            "get",
            "/matches/{match}/diff",
            {"params": {"from": 1}},
            [{"parameter": "to", "detail": "Required, but missing"}],
        ),
        (
            "get",
            "/matches",
            {"params": {"status": "lost"}},
            [
                {
                    "parameter": "status",
                    "detail": "Expected `abandoned`, `finished`, `running` or `waiting`, "
                    "got 'lost'",
                }
            ],
        ),
    ],
)
def test_a_refusal_names_the_place_and_what_was_expected(ada, match, method, path, more, errors):
    refused = ada.http.request(method, path.format(match=match), **more).json()
    assert refused["errors"] == [{"detail": ANY} | error for error in errors]


@pytest.mark.parametrize("name", ["", "x" * 41, 7, None])
def test_a_name_must_be_one(ada, name):
    for answer in (
        ada.http.post("/players", json={"name": name}),
        ada.http.patch("/players/me", json={"name": name}),
    ):
        assert refusal(answer) == (400, "malformed")


@pytest.mark.parametrize("name", [" ", "line\nbreak", "a\0b", "\x1b[31mred", "Ada\u202e", "\u200b"])
def test_a_name_must_show_as_what_it_is(ada, name):
    for answer in (
        ada.http.post("/players", json={"name": name}),
        ada.http.patch("/players/me", json={"name": name}),
    ):
        assert refusal(answer) == (400, "bad-name")
    assert ada.get("/players/me")["name"] == "Ada"


def test_a_name_is_kept_in_its_normal_form(ada):
    renamed = ada.http.patch("/players/me", json={"name": "  Ada \u3000 Lovelace "}).json()
    assert renamed["name"] == ada.get("/players/me")["name"] == "Ada Lovelace"


@pytest.mark.parametrize(
    "token", ["x", "p_x.1.0", "p_x.99999999999999999999.0", "p_x.²." + "0" * 43, "a.b.c.d"]
)
def test_a_forged_token_is_refused(service, token):
    headers = {"Authorization": f"Bearer {token}".encode()}
    answer = httpx.get(f"{service.url}/players/me", headers=headers)
    assert refusal(answer) == (401, "unauthenticated")
    assert answer.headers["WWW-Authenticate"] == "Bearer"


def test_every_route_needs_a_token_but_the_open_ones(ada, service):
    for method, path, query in routes(ada):
        answer = httpx.request(method, service.url + path.format(**SOME), params=query)
        expected = (200, 400, 404) if (method, path) in OPEN_TO_ALL else (401,)
        if path == "/sign-ins/passkey/options":
            expected = (422,)  # Passkeys need a domain; the tests call 127.0.0.1.
        if (method, path) == ("get", "/sign-ins/oidc"):
            expected = (422,)  # The service has no identity provider.
        if path == "/mail/{token}":
            expected = (403,)
        assert answer.status_code in expected, (method, path, answer.text)


def test_a_strangers_token_opens_nothing_of_others(ada, bob, eve):
    """Every route of a private match is 404 for a stranger, whatever the method."""
    answer = ada.http.post(
        "/matches", json={"game": "tranquility", "seats": 2, "private": True}
    ).json()
    some = SOME | {"match": answer["match"]}
    for method, path, query in routes(ada):
        if "{match}" not in path or (method, path) == UNMUTE:
            continue
        more = {"params": query}
        if method == "post":
            more["json"] = BODIES.get(path.rpartition("/")[2], {"type": "take_seat", "text": "hi"})
        refused = eve.http.request(method, path.format(**some), **more)
        assert refusal(refused) == (404, "not-found"), (method, path)


def test_a_stranger_at_a_public_table_watches_and_no_more(eve, match):
    assert eve.get(f"/matches/{match}")["you"] is None
    assert eve.legal(match) == []
    for command in ({"type": "resign"}, {"type": "discard_two", "cards": ["island_1", "island_2"]}):
        answer = eve.send(match, command)
        assert refusal(answer) == (403, "not-a-seat")
    assert eve.http.get(f"/matches/{match}?view=full").json()["code"] == "forbidden"
    assert eve.http.get(f"/matches/{match}/export").json()["code"] == "forbidden"
    assert (
        eve.http.post(f"/matches/{match}/talk", json={"text": "hi"}).json()["code"] == "not-a-seat"
    )


def test_the_games_own_codes_come_through(ada, bob, match):
    waiting = ada.get(f"/matches/{match}")["waiting"][0]
    other = (ada, bob)[1 - waiting]
    answer = other.send(match, {"type": "discard_two", "cards": ["island_1", "island_2"]})
    body = answer.json()
    assert (answer.status_code, body["code"], body["type"]) == (
        422,
        "not-your-turn",
        "/problems/not-your-turn",
    )


def test_a_browser_shows_the_page_at_an_unknown_address(ada):
    accepted = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
    shown, start = (ada.http.get(path, headers=accepted) for path in ("/matchs/x", "/"))
    assert (shown.status_code, shown.text) == (404, start.text)
    assert shown.headers["Content-Security-Policy"] == start.headers["Content-Security-Policy"]
    missing = ada.http.get("/players/nobody", headers=accepted)
    assert missing.headers["Content-Type"] == "application/problem+json"


def test_unknown_paths_and_methods(ada):
    nowhere = ada.http.get("/nowhere").json()
    assert nowhere["code"] == "not-found"
    assert nowhere["detail"] == "No such address. `/schema` describes the API."
    answer = ada.http.put("/games")
    assert refusal(answer) == (405, "method-not-allowed")
    assert answer.headers["Allow"] == "GET, HEAD, OPTIONS"
    assert answer.json()["detail"] == "Expected `GET`, `HEAD` or `OPTIONS`, got PUT."
    assert ada.http.get("/play").json()["detail"] == "Expected a WebSocket, got GET."
    assert ada.http.get("/games/chess").status_code == 404
    assert ada.http.get("/matches/m_nowhere").status_code == 404
    assert ada.http.get("/players/p_nobody").status_code == 404


def test_a_revoked_or_erased_player_is_out(service):
    with Player(service.url) as player:
        fresh = player.http.post("/players/me/token").json()["token"]
        assert player.http.get("/players/me").status_code == 401
        player.http.headers["Authorization"] = f"Bearer {fresh}"
        assert player.http.patch("/players/me", json={"name": "Grace"}).json()["name"] == "Grace"
        assert player.http.delete("/players/me").status_code == 204
        assert player.http.get("/players/me").status_code == 401


def test_uploads_are_looked_at_closely(ada):
    for data in (b"", b"{}", b"\x28\xb5\x2f\xfd" + b"\0" * 50, b"x" * 1000):
        answer = ada.http.post("/replays", content=data)
        assert refusal(answer) == (400, "malformed"), answer.text
