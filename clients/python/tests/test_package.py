"""Retries, receipts, refusals and streams of the package, against a service that misbehaves."""

import hashlib
import json
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from shiplog_client import (
    Patience,
    Receipts,
    Refusal,
    accepted,
    follow,
    follow_async,
    follow_notices,
    follow_notices_async,
)
from shiplog_client.generated.api.matches import get_legal, send_command
from shiplog_client.generated.api.players import create_player
from shiplog_client.generated.client import AuthenticatedClient
from shiplog_client.generated.models import NewPlayer, Resign
from shiplog_client.patience import PASSING
from shiplog_client.transport import COUNTED, PatientTransport

DOCUMENT = Path(__file__).parents[1] / "openapi.json"
"""The document of this tree, written by `conftest.py`."""
QUICK = Patience(tries=3, first_s=0.001, longest_s=0.002)
RESIGN = Resign(type_="resign")
PROBLEM = {"type": "x", "title": "x", "status": 404, "code": "not-found", "detail": "Not here."}
ACCEPTED = {"game": "tranquility", "version": 4, "head": "aa", "events": [], "view": None}


class Script:
    """A service that answers as written, and remembers what it was sent."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.sent: list[httpx.Request] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.sent.append(request)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def client(self, receipts: Receipts | None = None) -> AuthenticatedClient:
        wrapped = httpx.MockTransport(self)
        transport = PatientTransport(QUICK, receipts, wrapped, wrapped)
        arguments = {"transport": transport}
        return AuthenticatedClient(base_url="http://shiplog", token="t", httpx_args=arguments)


def reply(status: int, body, **headers: str) -> httpx.Response:
    return httpx.Response(status, json=body, headers=headers)


def problem(status: int, code: str, **headers: str) -> httpx.Response:
    told = {"Content-Type": "application/problem+json", **headers}
    return reply(status, PROBLEM | {"status": status, "code": code}, **told)


def test_a_command_keeps_its_key_over_lost_connections_and_overload():
    script = Script(httpx.ReadError("cut"), problem(503, "log-unavailable"), reply(200, ACCEPTED))
    told = accepted(send_command.sync("m_1", client=script.client(), body=RESIGN))
    assert told.version == 4
    assert len({request.headers["Idempotency-Key"] for request in script.sent}) == 1
    assert len(script.sent) == 3


async def test_the_same_holds_for_async_calls():
    script = Script(httpx.ConnectError("down"), reply(200, ACCEPTED))
    client = script.client()
    told = accepted(await send_command.asyncio("m_1", client=client, body=RESIGN))
    assert told.version == 4
    assert len({request.headers["Idempotency-Key"] for request in script.sent}) == 1


def test_a_key_of_ones_own_is_kept():
    script = Script(reply(200, ACCEPTED))
    client = script.client()
    send_command.sync("m_1", client=client, body=RESIGN, idempotency_key="mine")
    assert script.sent[0].headers["Idempotency-Key"] == "mine"


def test_what_does_not_count_once_is_not_sent_again_blindly():
    """A player would be registered twice; a refusal says that none was."""
    script = Script(httpx.ReadError("cut"))
    with pytest.raises(httpx.ReadError):
        create_player.sync(client=script.client(), body=NewPlayer(name="Ada"))
    welcome = {"player": "p_1", "token": "t", "recovery": "r"}
    script = Script(problem(503, "log-unavailable"), reply(201, welcome))
    create_player.sync_detailed(client=script.client(), body=NewPlayer(name="Ada"))
    assert len(script.sent) == 2


def test_patience_ends():
    script = Script(*(httpx.ConnectError("down") for _ in range(3)))
    with pytest.raises(httpx.ConnectError):
        get_legal.sync("m_1", client=script.client())
    assert script.answers == []
    script = Script(*(problem(429, "rate-limited") for _ in range(3)))
    with pytest.raises(Refusal, match="rate-limited"):
        accepted(get_legal.sync("m_1", client=script.client()))


def test_a_bad_url_or_token_is_raised_at_once():
    bad = (httpx.UnsupportedProtocol("no scheme"), httpx.LocalProtocolError("line break"))
    script = Script(*bad)
    with pytest.raises(httpx.UnsupportedProtocol):
        get_legal.sync("m_1", client=script.client())
    with pytest.raises(httpx.LocalProtocolError):
        next(follow(script.client(), "m_1", patience=QUICK))
    assert len(script.sent) == 2


FOREIGN = {
    "proxy": (503, "text/html", "<h1>503 Service Temporarily Unavailable</h1>"),
    "other api": (404, "application/json", '{"detail":"Not Found"}'),
    "page": (200, "text/html; charset=utf-8", "<!doctype html>"),
    "nothing": (404, "", ""),
}


@pytest.mark.parametrize("answer", FOREIGN.values(), ids=FOREIGN)
async def test_an_answer_that_is_not_shiplogs_is_a_refusal(answer):
    """A URL of another server, or a proxy whose service is down, breaks no program otherwise."""
    status, kind, text = answer

    def client():
        headers = {"Content-Type": kind}
        return Script(
            *(httpx.Response(status, headers=headers, text=text) for _ in range(3))
        ).client()

    calls = (
        lambda: get_legal.sync("m_1", client=client()),
        lambda: list(follow(client(), "m_1", patience=QUICK)),
    )
    for call in calls:
        with pytest.raises(Refusal, match=f"unavailable: {status} with .*Check the URL") as caught:
            call()
        assert (caught.value.status, caught.value.code) == (status, "unavailable")
    with pytest.raises(Refusal):
        await get_legal.asyncio("m_1", client=client())
    with pytest.raises(Refusal):
        [record async for record in follow_async(client(), "m_1", patience=QUICK)]


def test_the_service_says_how_long_to_wait():
    answer = httpx.Response(503, headers={"Retry-After": "7"})
    assert Patience().wait_s(0, answer) == 7
    assert 0.2 <= Patience().wait_s(0) <= 0.4
    assert Patience().wait_s(20) <= 15
    assert {429, 503} <= PASSING


def test_a_refusal_has_the_code_and_the_problem():
    script = Script(problem(404, "not-found"))
    with pytest.raises(Refusal, match=r"not-found: Not here\.") as caught:
        accepted(get_legal.sync("m_1", client=script.client()))
    assert (caught.value.status, caught.value.code) == (404, "not-found")
    assert caught.value.problem["detail"] == "Not here."
    assert caught.value.errors == []


def test_a_refusal_names_the_places_that_are_wrong():
    wrong = [{"detail": "Expected `str`, got `int`", "pointer": "/name"}]
    told = PROBLEM | {"status": 404, "code": "not-found", "errors": wrong}
    script = Script(reply(404, told, **{"Content-Type": "application/problem+json"}))
    with pytest.raises(Refusal) as caught:
        accepted(get_legal.sync("m_1", client=script.client()))
    assert caught.value.errors == wrong


@pytest.fixture
def signed():
    """Return a way to sign receipts, each in a tree of one leaf, and the keys of the service."""
    key = Ed25519PrivateKey.from_private_bytes(b"1" * 32)
    raw = key.public_key().public_bytes_raw()
    service = hashlib.sha256(raw).hexdigest()[:16]

    def sign(version: int, head: str) -> str:
        receipt = {"salt": "00", "match": "m_1", "viewer": 1, "version": version, "head": head}
        receipt |= {"at": "2026-11-21T09:00:00.000000Z", "key": service}
        data = b"shiplog-receipt-1\n"
        for value in receipt.values():
            text = str(value).encode()
            data += len(text).to_bytes(4, "big") + text
        signature = key.sign(b"shiplog-receipts-1\n" + hashlib.sha256(data).digest()).hex()
        return json.dumps(receipt | {"index": 0, "path": [], "signature": signature})

    return sign, [SimpleNamespace(service=service, public_key=raw.hex(), revoked=None)]


def test_receipts_of_answers_are_kept_and_saved(signed, tmp_path):
    sign, keys = signed
    receipts = Receipts()
    texts = [sign(4, "aa"), sign(5, "bb"), sign(5, "bb")]
    script = Script(*(reply(200, ACCEPTED, Receipt=text) for text in texts))
    client = script.client(receipts)
    for _ in texts:
        send_command.sync_detailed("m_1", client=client, body=RESIGN)
    assert receipts.of("m_1") == [json.loads(text) for text in texts[:2]]
    assert receipts.of("m_2") == []
    assert len(receipts) == 2
    assert receipts.objections(keys) == []
    receipts.save(tmp_path / "kept.jsonl", "m_1")
    lines = (tmp_path / "kept.jsonl").read_text().splitlines()
    assert [json.loads(line) for line in lines] == receipts.of("m_1")


def test_a_client_asks_for_a_receipt_with_each_view_and_seldom_with_a_command(signed):
    sign, _ = signed
    receipts = Receipts(every_s=3600)
    answers = [reply(200, ACCEPTED), reply(200, ACCEPTED, Receipt=sign(4, "aa"))]
    script = Script(*answers, *(reply(200, ACCEPTED) for _ in range(3)))
    client = script.client(receipts)
    for _ in range(3):
        send_command.sync_detailed("m_1", client=client, body=RESIGN, prefer="return=minimal")
    client.get_httpx_client().get("/matches/m_1")
    client.get_httpx_client().get("/matches/m_1/legal")
    both = "return=minimal, receipt"
    wishes = [request.headers.get("Prefer") for request in script.sent]
    assert wishes == [both, both, "return=minimal", "receipt", None]
    silent = Script(reply(200, ACCEPTED))
    send_command.sync_detailed("m_1", client=silent.client(), body=RESIGN)
    assert "Prefer" not in silent.sent[0].headers


def test_forged_and_contradicting_receipts_are_named(signed):
    sign, keys = signed
    receipts = Receipts()
    for text in (sign(4, "aa"), sign(4, "bb"), sign(5, "cc").replace("cc", "dd")):
        receipts.keep(text)
    assert receipts.objections(keys) == [
        "m_1 version 4 of 1: the service signed two different heads",
        "m_1 version 5 of 1: no known key signed it",
    ]
    assert len(receipts.objections([])) == len(receipts)


@pytest.mark.parametrize(
    ("at", "objections"),
    [
        ("2026-11-21T09:00:00.000000Z", []),
        ("2026-11-21T08:59:59.999999Z", ["m_1 version 4 of 1: key {} had been revoked"]),
    ],
)
def test_what_a_key_signed_after_it_was_revoked_proves_nothing(signed, at, objections):
    sign, (key,) = signed
    receipts = Receipts()
    receipts.keep(sign(4, "aa"))
    key.revoked = SimpleNamespace(at=at)
    assert receipts.objections([key]) == [text.format(key.service) for text in objections]


def test_a_signature_in_upper_case_is_none(signed):
    sign, keys = signed
    receipt = json.loads(sign(4, "aa"))
    receipts = Receipts()
    receipts.keep(json.dumps(receipt | {"signature": receipt["signature"].upper()}))
    assert receipts.objections(keys) == ["m_1 version 4 of 1: no known key signed it"]


def test_receipts_of_a_stream_are_kept(signed):
    sign, _ = signed
    receipts = Receipts()
    stream = event(1) + f"event: receipt\ndata: {sign(1, 'aa')}\n\n" + "event: end\ndata: {}\n\n"
    client = Script(httpx.Response(200, text=stream)).client()
    assert [record.v for record in follow(client, "m_1", receipts=receipts)] == [1]
    assert [one["version"] for one in receipts] == [1]


def event(number: int) -> str:
    record = {
        "v": number, "game": "tranquility", "at": "2026-11-21T09:00:00.000000Z",
        "by": {"seat": 0}, "events": [{"type": "match_resumed"}],
    }  # fmt: skip
    return f"id: {number}\r\nevent: record\r\ndata: {json.dumps(record)}\r\n\r\n"


class Cut(httpx.SyncByteStream, httpx.AsyncByteStream):
    """A stream that ends in the middle of an event, as a lost connection does."""

    def __init__(self, text: str):
        self.text = text

    def __iter__(self):
        yield self.text.encode()
        raise httpx.ReadError("cut")

    async def __aiter__(self):
        for part in self:
            yield part


def streamed(*, cut: bool, text: str) -> httpx.Response:
    headers = {"Content-Type": "text/event-stream"}
    if cut:
        return httpx.Response(200, headers=headers, stream=Cut(text))
    return httpx.Response(200, headers=headers, text=text)


END = "event: end\r\ndata: {}\r\n\r\n"
FIRST = ": still here\r\n\r\n" + event(1) + event(2) + "id: 3\r\nevent: rec"


def test_a_stream_resumes_after_the_last_whole_record():
    script = Script(streamed(cut=True, text=FIRST), streamed(cut=False, text=event(3) + END))
    records = follow(script.client(), "m_1", patience=QUICK)
    assert [record.v for record in records] == [1, 2, 3]
    assert [request.headers["Last-Event-ID"] for request in script.sent] == ["0", "2"]


async def test_an_async_stream_resumes_too():
    script = Script(streamed(cut=True, text=FIRST), streamed(cut=False, text=event(3) + END))
    records = follow_async(script.client(), "m_1", patience=QUICK)
    assert [record.v async for record in records] == [1, 2, 3]
    assert [request.headers["Last-Event-ID"] for request in script.sent] == ["0", "2"]


def notice(place: str, kind: str, **members) -> str:
    data = json.dumps({"type": kind, **members})
    return f"id: {place}\r\nevent: {kind}\r\ndata: {data}\r\n\r\n"


RESET = notice("5-0", "reset", standing=[])
SEEK = notice("7-0", "seek_filled", seek="s_1", match="m_1", game="submarine")
NEWER = notice("6-0", "of_a_newer_service", match="m_1")


def notices() -> Script:
    cut = "id: 8-0\r\nevent: tu"
    return Script(
        streamed(cut=True, text=": still here\r\n\r\n" + RESET + NEWER + SEEK + cut),
        streamed(cut=False, text=SEEK.replace("7-0", "9-0")),
    )


def test_the_stream_of_a_player_resumes_after_the_last_notice():
    script = notices()
    followed = follow_notices(script.client(), patience=QUICK)
    placed = [next(followed) for _ in range(3)]
    assert [one.place for one in placed] == ["5-0", "7-0", "9-0"]
    assert [one.notice.type_ for one in placed] == ["reset", "seek_filled", "seek_filled"]
    assert ["Last-Event-ID" in script.sent[0].headers, script.sent[1].headers["Last-Event-ID"]] == [
        False,
        "7-0",
    ]


async def test_an_async_stream_of_a_player_resumes_too():
    script = notices()
    followed = follow_notices_async(script.client(), after="4-0", patience=QUICK)
    placed = [await anext(followed) for _ in range(3)]
    assert [one.place for one in placed] == ["5-0", "7-0", "9-0"]
    began = [request.headers["Last-Event-ID"] for request in script.sent]
    assert began == ["4-0", "7-0"]


def test_calls_with_a_key_in_the_document_count_once():
    """The paths are compared with the document: only those have an Idempotency-Key."""
    keyed = {
        path
        for path, item in json.loads(DOCUMENT.read_text())["paths"].items()
        if "Idempotency-Key" in {one["name"] for one in item.get("post", {}).get("parameters", ())}
    }
    paths = json.loads(DOCUMENT.read_text())["paths"]
    posted = {path for path, item in paths.items() if "post" in item}
    assert {path for path in posted if COUNTED.search(path)} == keyed
    assert "/invitations/{invitation}/accept" in keyed


def test_a_refused_stream_says_why():
    with pytest.raises(Refusal, match="not-found"):
        list(follow(Script(problem(404, "not-found")).client(), "m_1", patience=QUICK))
