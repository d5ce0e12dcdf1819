"""What every answer carries: quotas, compression, and what apps of other origins may read."""

import gzip
import re

import brotli
import httpx
import pytest
import zstandard

from service.http.compression import BYTES_MIN, LEVELS, PADDING_MAX, chosen
from tests.e2e.service import Player, Running, refusal, running

ORIGIN = "https://play.example"
UNPACK = {
    "gzip": gzip.decompress,
    "br": brotli.decompress,
    "zstd": lambda body: zstandard.ZstdDecompressor().decompress(body),
}
STATE = re.compile(r'"calls-(\d+)s";r=(\d+);t=(\d+)')


def raw(client: httpx.Client, path: str, accepted: str) -> tuple[httpx.Response, bytes]:
    """Return an answer, and its body as it was sent."""
    with client.stream("GET", path, headers={"Accept-Encoding": accepted}) as answer:
        return answer, b"".join(answer.iter_raw())


def states(answer: httpx.Response) -> dict[int, int]:
    """Return what is left of each limit, by its window."""
    found = STATE.findall(answer.headers["RateLimit"])
    assert all(0 <= int(wait) <= int(window) for window, _, wait in found)
    return {int(window): int(left) for window, left, _ in found}


def test_every_answer_says_what_is_left(tmp_path):
    limits = {"rate_limit": "4/hour;100/day", "guest_limit": "7/hour"}
    with running(tmp_path, "serve", **limits) as service, Player(service.url) as ada:
        made = httpx.post(f"{service.url}/players", json={"name": "Bob"})
        assert made.headers["RateLimit-Policy"] == '"guests-3600s";q=7;w=3600'
        assert re.fullmatch(r'"guests-3600s";r=5;t=\d+', made.headers["RateLimit"])
        answers = [ada.http.get("/players/me") for _ in range(5)]
        policy = '"calls-3600s";q=4;w=3600, "calls-86400s";q=100;w=86400'
        assert answers[0].headers["RateLimit-Policy"] == policy
        assert [states(answer)[3600] for answer in answers] == [3, 2, 1, 0, 0]
        assert [states(answer)[86400] for answer in answers[:4]] == [99, 98, 97, 96]
        assert answers[4].status_code == 429
        reset = int(STATE.findall(answers[4].headers["RateLimit"])[0][2])
        assert int(answers[4].headers["Retry-After"]) >= reset > 0
        public = [httpx.get(service.url + path) for path in ("/games", "/", "/nowhere", "/schema")]
        assert [answer.headers["RateLimit-Policy"] for answer in public] == [policy] * 4
        assert {states(answer)[3600] for answer in public} == {4}, "they are not counted"
        refused = [httpx.get(f"{service.url}/players/me") for _ in range(2)]
        assert [states(answer)[3600] for answer in refused] == [3, 2]


@pytest.mark.parametrize("encoding", LEVELS)
@pytest.mark.parametrize("path", ["/games/nautilus", "/schema/openapi.json", "/"])
def test_public_answers_are_compressed(service: Running, path: str, encoding: str):
    with httpx.Client(base_url=service.url, timeout=60) as http:
        plain, body = raw(http, path, "identity")
        assert "Content-Encoding" not in plain.headers
        for _ in range(2):
            answer, packed = raw(http, path, encoding)
            assert answer.headers["Content-Encoding"] == encoding
            assert int(answer.headers["Content-Length"]) == len(packed) < len(body)
            assert UNPACK[encoding](packed) == body
        for each in (plain, answer):
            assert "Accept-Encoding" in each.headers["Vary"]
            assert "X-Padding" not in each.headers


def test_a_choice_of_encodings_that_takes_a_page_is_not_kept(service: Running):
    with httpx.Client(base_url=service.url) as http:
        for blanks, encoding in ((1, "gzip"), (1_000, None)):
            answer, _ = raw(http, "/games/nautilus", f"gzip;{' ' * blanks}q=1")
            assert answer.headers.get("Content-Encoding") == encoding


def test_the_files_of_the_page_are_compressed(service: Running):
    with httpx.Client(base_url=service.url) as http:
        found = re.findall(r'(?:src|href)="(/assets/[^"]+\.(?:js|css))"', http.get("/").text)
        bodies = {path: raw(http, path, "identity")[1] for path in found}
        long = {path: body for path, body in bodies.items() if len(body) >= BYTES_MIN}
        assert len(long) > 2
        for path, body in long.items():
            answer, packed = raw(http, path, "br")
            assert answer.headers["Content-Encoding"] == "br", path
            assert UNPACK["br"](packed) == body


@pytest.mark.parametrize("encoding", LEVELS)
def test_answers_to_a_caller_are_compressed_and_padded(ada: Player, match: str, encoding: str):
    for path in (f"/matches/{match}", f"/matches/{match}/events", f"/matches/{match}/timeline"):
        answer, packed = raw(ada.http, path, encoding)
        assert answer.headers["Content-Encoding"] == encoding
        assert UNPACK[encoding](packed) == raw(ada.http, path, "identity")[1]
    pads = {len(raw(ada.http, path, encoding)[0].headers["X-Padding"]) for _ in range(30)}
    assert len(pads) > 5
    assert max(pads) <= PADDING_MAX


def test_pages_that_repeat_what_was_sent_are_not_kept(service: Running, match: str):
    """Else a stranger with many codes could fill the memory, and push all other answers out."""
    with httpx.Client(base_url=service.url) as http:
        for path in (f"/match/{match}?code=x", f"/match/{match}/qr.svg?code=x"):
            answer, packed = raw(http, path, "br")
            assert "X-Padding" in answer.headers, path
            assert UNPACK["br"](packed) == raw(http, path, "identity")[1]


def test_short_answers_refusals_and_secrets_are_not_compressed(ada: Player, match: str):
    everything = {"Accept-Encoding": "zstd, br, gzip"}
    ada.http.headers.update(everything)
    options = {"game": "nautilus", "seats": 2, "private": True}
    for answer in (
        ada.http.get("/players/me"),
        ada.http.get("/nowhere"),
        ada.http.post("/players", json={"name": "Bob"}),
        ada.http.post("/matches", json=options),
    ):
        assert "Content-Encoding" not in answer.headers
    made = ada.http.post("/matches", json=options)
    assert made.headers["Cache-Control"] == "no-store"
    assert ada.http.post("/players/me/token").headers["Cache-Control"] == "no-store"


def test_a_stream_is_not_compressed_and_arrives_event_by_event(ada: Player, match: str):
    headers = {"Accept-Encoding": "zstd, br, gzip"}
    with ada.http.stream("GET", f"/matches/{match}/stream", headers=headers) as stream:
        assert stream.headers["Content-Type"].startswith("text/event-stream")
        assert "Content-Encoding" not in stream.headers
        found = []
        for line in stream.iter_lines():
            if line.startswith("id: "):
                found.append(int(line[4:]))
            if found == [1, 2, 3]:
                break


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [
        ("", None),
        ("identity", None),
        ("gzip", "gzip"),
        ("gzip, deflate, br, zstd", "zstd"),
        ("GZIP, br", "br"),
        ("br;q=0, gzip;q=0.1", "gzip"),
        ("br;q=0.5, gzip;q=0.8", "gzip"),
        ("*", "zstd"),
        ("zstd;q=0, *;q=0.5", "br"),
        ("identity, gzip;q=0.5", None),
        ("gzip;q=high", None),
    ],
)
def test_the_encoding_is_the_one_that_the_client_likes_best(accepted: str, encoding: str | None):
    assert chosen(accepted) == encoding


def test_options_names_every_method_of_an_address(service: Running):
    for path, methods in {
        "/players/me": "DELETE, GET, HEAD, OPTIONS, PATCH",
        "/matches": "GET, HEAD, OPTIONS, POST",
        "/matches/m_1/talk": "GET, HEAD, OPTIONS, POST",
    }.items():
        answer = httpx.options(service.url + path)
        assert (answer.status_code, answer.headers["Allow"]) == (204, methods)
    for path in ("/", "/nowhere", "/assets/none.js", "/schema/static/none.js", "/schema"):
        assert httpx.options(service.url + path).status_code < 500, path


@pytest.mark.parametrize("accepted", ["identity", "br"])
def test_head_has_the_headers_of_get_and_no_body(ada: Player, match: str, accepted: str):
    ada.http.headers["Accept-Encoding"] = accepted
    for path in (f"/matches/{match}", "/games", "/", "/schema/openapi.json", "/players/nobody"):
        got, head = ada.http.get(path), ada.http.head(path)
        assert (head.status_code, head.content) == (got.status_code, b""), path
        own = {"x-request-id", "ratelimit", "date", "x-padding"}
        if accepted == "br" or got.status_code == 404:
            own.add("content-length")  # what is personal is packed with another padding
        for name in (got.headers.keys() | head.headers.keys()) - own:
            assert head.headers.get(name) == got.headers.get(name), (path, name)
        assert int(head.headers["Content-Length"]) > 0
    known = {"If-None-Match": ada.http.head(f"/matches/{match}").headers["ETag"]}
    assert ada.http.head(f"/matches/{match}", headers=known).status_code == 304
    assert ada.http.head(f"/matches/{match}/commands").headers["Allow"] == "OPTIONS, POST"


@pytest.mark.parametrize("path", ["/schema/openapi.json", "/schema/asyncapi.json"])
def test_a_document_that_is_known_is_not_sent_again(ada: Player, path: str):
    known = ada.http.get(path).headers["ETag"]
    again = ada.http.get(path, headers={"If-None-Match": f"W/{known}"})
    assert (again.status_code, again.content) == (304, b"")


def test_a_stream_has_no_head(ada: Player, match: str):
    for path in (f"/matches/{match}/stream", "/players/me/stream"):
        answer = ada.http.head(path)
        assert (answer.status_code, answer.headers["Allow"]) == (405, "GET, OPTIONS")
        assert answer.content == b""


def test_null_is_no_value_of_a_query_parameter(ada: Player, match: str):
    for path in (f"/matches/{match}?at=null", "/matches?status=Null"):
        answer = ada.http.get(path)
        assert refusal(answer) == (400, "malformed")


@pytest.mark.parametrize(
    ("path", "name", "expected"),
    [
        ("/players/me?form=1", "form", "none"),
        ("/matches?gane=nautilus", "gane", "`after`, `count`, `game` or `status`"),
        ("/matches/{match}/diff?from=1&too=2", "too", "`from`, `join_code`, `to` or `view`"),
    ],
)
def test_an_unknown_query_parameter_is_refused(
    ada: Player, match: str, path: str, name: str, expected: str
):
    problem = ada.http.get(path.format(match=match)).json()
    assert (problem["status"], problem["code"]) == (400, "malformed")
    detail = f"Unknown query parameter, expected {expected}"
    assert problem["errors"] == [{"detail": detail, "parameter": name}]


def test_a_query_parameter_is_given_once(ada: Player):
    problem = ada.http.get("/matches?count=1&count=2").json()
    assert problem["errors"] == [{"detail": "Given more than once", "parameter": "count"}]


def test_pages_ignore_unknown_query_parameters(service: Running, match: str):
    for path in ("/", f"/match/{match}", "/problems/malformed", "/schema"):
        answer = httpx.get(service.url + path, params={"utm_source": "x"}, timeout=60)
        assert answer.status_code == 200, path


@pytest.mark.parametrize("allowed", [ORIGIN, "*"])
def test_an_app_of_another_origin_may_send_and_read_what_the_api_uses(tmp_path, allowed: str):
    sent = "authorization,content-type,idempotency-key,if-match,last-event-id,prefer"
    with running(tmp_path, "serve", cors_origins=allowed) as service, Player(service.url) as ada:
        for method in ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"):
            asks = {
                "Origin": ORIGIN,
                "Access-Control-Request-Method": method,
                "Access-Control-Request-Headers": sent,
            }
            preflight = httpx.options(f"{service.url}/matches", headers=asks)
            assert preflight.status_code == 204
            granted = preflight.headers["Access-Control-Allow-Headers"].lower()
            assert set(sent.split(",")) <= {name.strip() for name in granted.split(",")}
            assert method in preflight.headers["Access-Control-Allow-Methods"]
        match = ada.open_match("tranquility", 1)
        for answer, status in (
            (ada.http.get("/players/me", headers={"Origin": ORIGIN}), 200),
            (ada.send(match, {"type": "take_seat"}, Origin=ORIGIN), 200),
            (ada.send(match, {"type": "resume"}, Origin=ORIGIN), 422),
        ):
            assert answer.status_code == status
            assert answer.headers["Access-Control-Allow-Origin"] == allowed
            assert "Access-Control-Allow-Credentials" not in answer.headers
            shown = answer.headers["Access-Control-Expose-Headers"].lower()
            assert {"etag", "ratelimit", "ratelimit-policy", "retry-after", "x-request-id"} <= {
                name.strip() for name in shown.split(",")
            }
            varies = answer.headers["Vary"]
            assert allowed == "*" or "Origin" in varies, varies
        refused = ada.send(match, {"type": "resume"}, Origin="https://evil.example")
        assert refused.headers.get("Access-Control-Allow-Origin") == (
            "*" if allowed == "*" else None
        )


@pytest.mark.parametrize("allowed", [ORIGIN, "*"])
def test_caches_keep_answers_to_pages_of_other_origins_apart(tmp_path, allowed: str):
    with running(tmp_path, "serve", cors_origins=allowed) as service:
        for origin in (None, ORIGIN, "https://evil.example"):
            sent = {"Origin": origin} if origin else {}
            for path, others in {"/nowhere": [], "/games": ["Accept-Encoding"]}.items():
                answer = httpx.get(service.url + path, headers=sent)
                fields = answer.headers["Vary"].split(", ")
                assert sorted(fields) == [*others, "Origin"], (path, origin)


@pytest.mark.parametrize(
    ("prefer", "minimal"),
    [
        (None, False),
        ("return=minimal", True),
        ('respond-async, Return = "minimal"; foo', True),
        ("return=representation", False),
        ("return=representation, return=minimal", False),
        ("wait=5", False),
    ],
)
def test_who_prefers_a_minimal_answer_gets_no_view(
    ada: Player, bob: Player, match: str, prefer: str | None, minimal: bool
):
    mover = ada if ada.legal(match) else bob
    headers = {} if prefer is None else {"Prefer": prefer}
    command = mover.legal(match)[0]
    for _ in range(2):
        answer = mover.send(match, command, "the-key", **headers)
        assert ("view" not in answer.json()) == minimal
        assert answer.headers.get("Preference-Applied") == ("return=minimal" if minimal else None)
        assert {"game", "version", "head", "events"} <= answer.json().keys()
        assert answer.headers["ETag"] == f'"{answer.json()["version"]}"'
