"""Record the examples of the OpenAPI document: `python -m tests.record_examples`.

Two players make every call of the API on a service whose clock stands still and whose secrets are
known, so that its answers are the same each time.
"""

import asyncio
import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock, patch

import httpx

from events.chain import follow
from events.errata import Erratum, Explained, encoded
from events.record import at_text
from games import GAMES
from service.base.clock import now_micros
from service.base.settings import Settings
from service.http.app import build
from service.http.openapi.document import EXAMPLES
from service.play.outbox import Address as Outgoing
from service.play.projector import Projector, following
from service.process.context import Context, opened
from tests.e2e.authenticator import Authenticator
from tests.projections.recorded import no_errata

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
SECRETS = {"master": {"k1": "11" * 32}, "current": "k1", "tokens": "22" * 32, "signing": "33" * 32}
GAME = "submarine"
"""The game of calls that are shown for one game only."""
LOOK_S = 0.05
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:148.0) Gecko/20100101 Firefox/148.0"


class Examples:
    """Requests and answers by operation, status and name."""

    def __init__(self, http: httpx.AsyncClient, operations: dict[tuple[str, str], str]) -> None:
        """Record calls of documented operations."""
        self.http = http
        self._operations = operations
        self.recorded: dict[str, dict[str, dict[str, Any]]] = {}

    async def call(
        self,
        method: str,
        template: str,
        name: str = "example",
        *,
        who: str = "",
        body: Any = None,
        content: bytes | None = None,
        query: dict[str, Any] | None = None,
        headers: dict[str, str] | None = None,
        **path: str,
    ) -> Any:
        """Make a call and record it; return the body of the answer."""
        operation = self._operations[method, template]
        given = {**(_bearer(who) if who else {}), **(headers or {})}
        answer = await self.http.request(
            method,
            template.format(**path),
            json=body,
            content=content,
            params=query,
            headers=given,
        )
        found = self.recorded.setdefault(operation, {})
        if body is not None and answer.is_success:
            found.setdefault("request", {})[name] = body
        if answer.content:
            value = _event(answer.text) if "event-stream" in _kind(answer) else answer.json()
            name = name if answer.is_success else value["code"]
            found.setdefault(str(answer.status_code), {})[name] = value
            return value
        return None


async def record() -> dict[str, Any]:
    """Make all calls and return what they answered."""
    with tempfile.TemporaryDirectory() as folder, _still():
        data = Path(folder)
        secret_file = data / "secrets.json"
        secret_file.write_text(json.dumps(SECRETS))
        secret_file.chmod(0o600)
        async with opened(_settings(data)) as context, following(_projector(context)):
            app = build(context)
            transport = httpx.ASGITransport(app)
            async with httpx.AsyncClient(transport=transport, base_url="http://x") as http:
                examples = Examples(http, _operations())
                await _play(examples, context)
                return examples.recorded


def _settings(data: Path) -> Settings:
    return Settings(data=data, push_contact="mailto:ops@play.example", smtp_host="smtp.example")


async def _play(examples: Examples, context: Context) -> None:
    call = examples.call
    ada, bob = [
        (await call("POST", "/players", body={"name": name}))["token"] for name in ("Bob", "Ada")
    ][::-1]
    await _read_the_service(examples, ada)
    matches = {slug: await _start(examples, slug, ada, bob) for slug in GAMES}
    match = matches[GAME]
    await _refusals(examples, match, ada)
    await _read_a_match(examples, match, ada)
    await _leave(examples, match, ada, bob)
    await _read_a_finished_match(examples, match, ada)
    await _read_errata(examples, context, match, ada)
    await _read_lists(examples, match, ada)
    await _offer_a_rematch(examples, match, ada, bob)
    eve = (await examples.http.post("/players", json={"name": "Eve"})).json()["token"]
    await _follow(examples, context, eve)
    await _meet(examples, ada, eve)
    await _block(examples, match, ada, eve)
    await _own(examples, ada)
    await _learn(examples)
    await _solve(examples, ada)
    await _post(examples, ada)
    await _subscribe(examples, ada)
    await _sign_in(examples, ada)
    await _mail(examples, context, ada)
    renewed = await call("POST", "/players/me/token", who=bob)
    await call("DELETE", "/players/me", who=renewed["token"])
    await _watch_together(examples, context, match, ada)


async def _follow(examples: Examples, context: Context, eve: str) -> None:
    """Open a player's stream, which ends at once while the service is closing."""
    context.closing.set()
    await examples.call("GET", "/players/me/stream", who=eve)
    context.closing.clear()


async def _watch_together(examples: Examples, context: Context, match: str, ada: str) -> None:
    """Lead a showing. Its stream ends at once while the service is closing."""
    call = examples.call
    moment = {"version": 4, "view": "full"}
    shown = await call("POST", "/matches/{match}/showings", who=ada, match=match, body=moment)
    showing = {"who": ada, "showing": shown["showing"]}
    await call("GET", "/showings/{showing}", **showing)
    context.closing.set()
    await call("GET", "/showings/{showing}/stream", **showing)
    context.closing.clear()
    await call("PUT", "/showings/{showing}/moment", **showing, body=moment)
    await call("DELETE", "/showings/{showing}", **showing)


async def _read_the_service(examples: Examples, ada: str) -> None:
    call = examples.call
    await call("GET", "/games")
    await call("GET", "/keys")
    await call("GET", "/health/live")
    await call("GET", "/health/ready")
    await call("GET", "/players/me")
    me = await call("GET", "/players/me", who=ada)
    await call("PATCH", "/players/me", who=ada, body={"name": "Ada L."})
    await call("PATCH", "/players/me", who=ada, body={"name": "\u200b"})
    await call("GET", "/players/{player}", who=ada, player=me["player"])
    await call("GET", "/players/{player}", who=ada, player="p_nobody")


async def _learn(examples: Examples) -> None:
    """Take the first goal of a tutorial: reach it, miss it, and break a rule."""
    call, of = examples.call, {"slug": "tranquility"}
    syllabus = await call("GET", "/games/{slug}/tutorial", **of)
    step = str(next(n for n, one in enumerate(syllabus["steps"], 1) if one["goal"]))
    place = "/games/{slug}/tutorial/steps/{step}"
    shown = (await call("GET", place, **of, step=step))["shown"]
    for name, command in (
        ("reached", shown[0]),
        ("missed", shown[0] | {"cell": [0, 0]}),
        ("refused", shown[0] | {"cell": [4, 5]}),
    ):
        await call("POST", place + "/try", name, body={"attempt": [command]}, **of, step=step)
    shown = examples.recorded["getTutorialStep"]["200"]["example"]
    shown["legal"] = shown["legal"][:4]


async def _solve(examples: Examples, ada: str) -> None:
    """Fail a puzzle, solve it, and break a rule."""
    call, of = examples.call, {"puzzle": "captain_sonar-1"}
    await call("GET", "/puzzles", query={"game": "captain_sonar"})
    del examples.recorded["listPuzzles"]["200"]["example"][2:]
    await call("GET", "/puzzles/daily")
    shown = await call("GET", "/puzzles/{puzzle}", **of)
    shots = [each for each in shown["legal"] if each["type"] == "launch_torpedo"]
    place, right = "/puzzles/{puzzle}/attempts", shots[:1]
    for name in ("failed", "solved"):
        made = await call("POST", place, name, who=ada, body={"attempt": right}, **of)
        right = made["attempt"]["right"]
    await call("POST", place, who=ada, body={"attempt": [{"type": "dive"}]}, **of)
    await call("GET", "/players/me/puzzles", who=ada)
    kept = examples.recorded["getPuzzle"]["200"]["example"]
    kept["legal"], kept["records"] = kept["legal"][:2], kept["records"][-2:]


async def _own(examples: Examples, ada: str) -> None:
    """Make tokens for apps, and bot accounts."""
    call = examples.call
    bot = (await call("POST", "/bots", who=ada, body={"name": "Deep Ada"}))["player"]
    await call("GET", "/bots", who=ada)
    await call("PATCH", "/bots/{bot}", who=ada, body={"name": "Deeper Ada"}, bot=bot)
    await call("GET", "/players/{player}", "bot", who=ada, player=bot)
    await call("POST", "/bots/{bot}/token", who=ada, bot=bot)
    await call("DELETE", "/bots/{bot}/token", who=ada, bot=bot)
    await call("DELETE", "/bots/{bot}", who=ada, bot=bot)
    made = {"name": "Phone", "scopes": ["read", "stream"], "expires_in_s": 86_400}
    token = await call("POST", "/tokens", who=ada, body=made)
    await call("GET", "/tokens", who=ada)
    await call("PATCH", "/players/me", who=token["token"], body={"name": "Bob"})
    await call("DELETE", "/tokens/{token_id}", who=ada, token_id=token["id"])


async def _sign_in(examples: Examples, ada: str) -> None:
    """Make codes and a passkey, and sign in with them."""
    call = examples.call
    here, firefox = {"Host": "localhost"}, {"User-Agent": FIREFOX}
    code = (await call("POST", "/players/me/recovery-code", who=ada))["recovery_code"]
    await call("POST", "/sign-ins/recovery", body={"code": code})
    await call("POST", "/sign-ins/recovery", body={"code": code})
    await call("DELETE", "/players/me/recovery-code", who=ada)
    code = (await call("POST", "/players/me/move-code", who=ada, headers=here))["move_code"]
    await call("POST", "/sign-ins/move", body={"code": code}, headers=firefox)
    await call("POST", "/sign-ins/move", body={"code": code})
    listed = await call("GET", "/players/me/devices", who=ada)
    place = "/devices/{device}"
    await call("DELETE", place, who=ada, device=listed[-1]["id"])
    await call("DELETE", place, who=ada, device=listed[-1]["id"])
    path, one = "/players/me/passkeys", "/passkeys/{passkey}"
    key = Authenticator("http://localhost")
    options = await call("POST", path + "/options", who=ada, headers=here)
    created = key.create(options)
    made = await call("POST", path, who=ada, body=created, headers=here)
    await call("POST", path, who=ada, body=created, headers=here)
    await call("POST", path + "/options", who=ada)
    challenge = await call("POST", "/sign-ins/passkey/options", headers=here)
    await call("POST", "/sign-ins/passkey/options")
    await call("POST", "/sign-ins/passkey", body=key.sign(challenge), headers=here)
    await call("POST", "/sign-ins/passkey", body=key.sign(challenge), headers=here)
    await call("PATCH", one, who=ada, body={"name": "Old laptop"}, passkey=made["id"])
    await call("GET", path, who=ada)
    await call("DELETE", one, who=ada, passkey=made["id"])


async def _mail(examples: Examples, context: Context, ada: str) -> None:
    """Confirm an address, choose what is mailed, sign in with a link, and delete the address."""
    call = examples.call
    path, address = "/players/me/mail", {"address": "ada@play.example"}
    await call("GET", "/sign-ins")
    await call("POST", path, who=ada, body={"address": "ada"})
    await call("POST", path, who=ada, body={**address, "language": "cs"})
    player = (await call("GET", "/players/me", who=ada))["player"]
    mailbox = await context.mailboxes.of(player)
    assert mailbox is not None, "the address was added"
    to = Outgoing(player, mailbox.id)
    confirm = {"token": context.mailboxes.token("confirm", to, "msg_1")}
    await call("POST", "/mail/confirm", body=confirm)
    await call("POST", "/mail/confirm", body={"token": "p_1.msg_1.1.x"})
    night = {"start": "22:00", "end": "07:00", "zone": "Europe/Prague"}
    choice = {"events": ["turn", "reminder"], "pace": "hour", "quiet": night, "language": "cs"}
    await call("PATCH", path, who=ada, body=choice)
    await call("GET", path, who=ada)
    await call("POST", "/sign-ins/mail/link", body=address)
    link = {"token": context.mailboxes.token("sign_in", to, "msg_2")}
    await call("POST", "/sign-ins/mail", body=link)
    await call("POST", "/sign-ins/mail", body=link)
    await call("POST", "/mail/{token}", token=context.mailboxes.stop_token(to))
    await call("POST", "/mail/{token}", token="x")
    await call("DELETE", path, who=ada)


async def _post(examples: Examples, ada: str) -> None:
    """Make a webhook, test it, and delete it."""
    call = examples.call
    one = "/webhooks/{webhook}"
    body = {"url": "https://bot.example/turns", "events": ["turn", "match_over"]}
    made = await call("POST", "/players/me/webhooks", who=ada, body=body)
    inside = {"url": "http://127.0.0.1/"}
    await call("POST", "/players/me/webhooks", who=ada, body=inside)
    await call("GET", "/players/me/webhooks", who=ada)
    await call("POST", one + "/test", who=ada, webhook=made["id"])
    await call("GET", one + "/deliveries", who=ada, webhook=made["id"])
    await call("DELETE", one, who=ada, webhook=made["id"])


async def _subscribe(examples: Examples, ada: str) -> None:
    """Subscribe a browser, send it a test, and remove it."""
    call = examples.call
    point = (
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
    )
    body = {
        "endpoint": "https://push.example/v1/3hZ9",
        "p256dh": point,
        "auth": "BTBZMqHH6r4Tts7J_aSIgg",
        "events": ["turn", "reminder", "invitation"],
        "language": "cs",
        "quiet": {"start": "22:00", "end": "07:00", "zone": "Europe/Prague"},
    }
    made = await call("POST", "/players/me/push", who=ada, body=body)
    unreadable = body | {"p256dh": "AAAA", "auth": "AAAA"}
    await call("POST", "/players/me/push", who=ada, body=unreadable)
    await call("GET", "/players/me/push", who=ada)
    one = "/push/{subscription}"
    await call("POST", one + "/test", who=ada, subscription=made["id"])
    await call("DELETE", one, who=ada, subscription=made["id"])


async def _meet(examples: Examples, ada: str, eve: str) -> None:
    """Invite to a match, and post and take seeks."""
    call = examples.call
    guest = (await examples.http.get("/players/me", headers=_bearer(eve))).json()["player"]
    opened = {"game": GAME, "seats": 2, "private": True}
    matches = [
        (await examples.http.post("/matches", json=opened, headers=_bearer(ada))).json()["match"]
        for _ in range(2)
    ]
    path, body = "/matches/{match}/invitations", {"player": guest, "text": "A quick one?"}
    first = await call("POST", path, who=ada, body=body, match=matches[0])
    await call("POST", path, who=ada, body=body, match=matches[0])
    await call("GET", "/players/me/invitations", who=eve)
    accept = "/invitations/{invitation}/accept"
    await call("POST", accept, who=eve, body={"entropy": "e1"}, invitation=first["id"])
    second = await call("POST", path, "again", who=ada, body=body, match=matches[1])
    await call("DELETE", "/invitations/{invitation}", who=ada, invitation=second["id"])
    await call("POST", "/invitations/{invitation}/decline", who=eve, invitation=second["id"])
    seek = await call("POST", "/seeks", who=ada, body={"game": GAME, "seats": 2})
    await call("GET", "/seeks", who=eve)
    await call("POST", "/seeks/{seek}/take", who=eve, body={}, seek=seek["seek"])
    await call("DELETE", "/seeks/{seek}", who=ada, seek=seek["seek"])


async def _block(examples: Examples, match: str, ada: str, eve: str) -> None:
    """Block a player and mute a match, and undo both."""
    call = examples.call
    other = (await examples.http.get("/players/me", headers=_bearer(eve))).json()["player"]
    await call("PUT", "/blocks/{player}", who=ada, player=other)
    await call("PUT", "/blocks/{player}", who=ada, player="p_nobody")
    await call("GET", "/players/me/blocks", who=ada)
    await call("DELETE", "/blocks/{player}", who=ada, player=other)
    await call("PUT", "/mutes/{match}", who=ada, match=match)
    await call("GET", "/players/me/mutes", who=ada)
    await call("DELETE", "/mutes/{match}", who=ada, match=match)


async def _offer_a_rematch(examples: Examples, match: str, ada: str, bob: str) -> None:
    call, path = examples.call, "/matches/{match}/rematch"
    await call("POST", path, who=ada, body={"entropy": "a1"}, match=match)
    await call("GET", "/players/me/rematches", who=bob)
    await call("GET", path, who=bob, match=match)
    await call("DELETE", path, who=bob, match=match)


async def _start(examples: Examples, slug: str, ada: str, bob: str) -> str:
    """Create a match of a game, take both seats, and play the first legal command."""
    call = examples.call
    key = {"Idempotency-Key": f"create-{slug}"}
    made = {"game": slug, "seats": 2}
    created = await call("POST", "/matches", slug, who=ada, body=made, headers=key)
    match = created["match"]
    for seat, who in enumerate((ada, bob)):
        sit = {"type": "take_seat", "seat": seat, "entropy": f"a{seat}"}
        await call("POST", "/matches/{match}/commands", "take_seat", who=who, body=sit, match=match)
    waiting = (await call("GET", "/matches/{match}", slug, who=ada, match=match))["waiting"]
    mover = ada if 0 in waiting else bob
    legal = await call("GET", "/matches/{match}/legal", slug, who=mover, match=match)
    if len(legal["commands"]) > 4:
        examples.recorded["getLegal"]["200"][slug] = legal | {"commands": legal["commands"][:4]}
    move = legal["commands"][0]
    await call("POST", "/matches/{match}/commands", slug, who=mover, body=move, match=match)
    await call("GET", "/matches/{match}", slug, who=mover, match=match)
    return match


async def _refusals(examples: Examples, match: str, ada: str) -> None:
    call = examples.call
    sit = {"type": "take_seat", "seat": 0}
    path = "/matches/{match}/commands"
    await call("POST", path, body=sit, match=match)
    await call("POST", path, who=ada, body=sit, match="m_none")
    await call("POST", path, who=ada, body={"type": "fly"}, match=match)
    await call("POST", path, who=ada, body=sit, match=match)
    stale = {"If-Match": '"1"'}
    await call("POST", path, who=ada, body=sit, headers=stale, match=match)
    reused = {"Idempotency-Key": f"create-{GAME}"}
    other = {"game": GAME, "seats": 3}
    await call("POST", "/matches", who=ada, body=other, headers=reused)
    await call("GET", "/matches/{match}", who=ada, query={"view": "full"}, match=match)


async def _read_a_match(examples: Examples, match: str, ada: str) -> None:
    call = examples.call
    of = {"who": ada, "match": match}
    await call("GET", "/matches/{match}/card", match=match)
    await call("GET", "/matches/{match}/events", **of)
    await call("POST", "/matches/{match}/talk", **of, body={"channel": "table", "text": "Ahoy!"})
    await call("GET", "/matches/{match}/talk", **of)
    await call("GET", "/matches/{match}/timeline", **of)
    await call("GET", "/matches/{match}/diff", **of, query={"from": 3, "to": 4})
    await call("GET", "/matches/{match}/blame", **of, query={"path": "/turn"})
    await call("GET", "/matches/{match}/blame", **of, query={"path": "turn"})
    await call("GET", "/matches/{match}/bisect", **of, query={"when": "turn > `0`"})


async def _leave(examples: Examples, match: str, ada: str, bob: str) -> None:
    call = examples.call
    path = "/matches/{match}"
    mover, other = ada, bob
    if not (await call("GET", path + "/legal", GAME, who=ada, match=match))["commands"]:
        mover, other = bob, ada
    hint = await call("POST", path + "/hints", who=mover, body={}, match=match)
    await call("GET", "/jobs/{job}", "hint", who=mover, job=hint["job"]["id"])
    resign = {"type": "resign"}
    await call("POST", path + "/commands", "resign", who=other, body=resign, match=match)


async def _read_a_finished_match(examples: Examples, match: str, ada: str) -> None:
    call = examples.call
    of = {"who": ada, "match": match}
    await call("GET", "/matches/{match}", "full", **of, query={"view": "full"})
    await call("GET", "/matches/{match}", "finished", **of)
    await call("GET", "/matches/{match}/stream", **of)
    log = await examples.http.get(f"/matches/{match}/export", headers=_bearer(ada))
    await call("POST", "/replays", who=ada, content=log.content)
    await call("GET", "/matches/{match}/analysis", **of)
    await call("GET", "/matches/{match}/explanation", **of, query={"record": 4})
    for kind in ("analysis", "audit", "solve"):
        job = await call("POST", f"/matches/{{match}}/{kind}", **of)
        if "id" in job:
            await call("GET", "/jobs/{job}", kind, who=ada, job=job["id"])
            await call("DELETE", "/jobs/{job}", kind, who=ada, job=job["id"])
    await call("GET", "/jobs", who=ada)
    await call("POST", "/matches/{match}/what-if", **of, body={"version": 4})
    remark = {"version": 4, "text": "Here I should have waited."}
    said = await call("POST", "/matches/{match}/comments", **of, body=remark)
    await call("GET", "/matches/{match}/comments", **of)
    await call("DELETE", "/matches/{match}/comments/{comment}", **of, comment=said["id"])
    branch = {"version": 3, "seats": ["me", "heuristic"]}
    await call("POST", "/matches/{match}/branches", **of, body=branch)


async def _read_errata(examples: Examples, context: Context, match: str, ada: str) -> None:
    """Read an erratum about the last event, as if an earlier release had named it otherwise."""
    lines = await context.store.read(match)
    *_, head = follow(lines)
    wrong = Explained("events", len(lines), 1, "/events/0/type", "resigned", "seat_left")
    reason = "Release 0.1.9 gave an event the wrong name."
    erratum = Erratum(
        match, len(lines), head, (wrong,), reason, "0.1.9", "0.2.0", None, True,
        at_text(now_micros()), context.keys.service,
    )  # fmt: skip
    assert context.store.archive is not None, "the embedded log has one"
    line = encoded(context.keys.sign_erratum(erratum))
    await context.store.archive.add_erratum(match, line)
    await examples.call("GET", "/matches/{match}/errata", who=ada, match=match)


async def _read_lists(examples: Examples, match: str, ada: str) -> None:
    """Read the projections once they have the finished match."""
    call = examples.call
    path, query = "/matches", {"game": GAME, "status": "finished"}
    while not (await call("GET", path, who=ada, query=query))["matches"]:  # noqa: ASYNC110
        await asyncio.sleep(LOOK_S)
    await call("GET", "/players/{player}/matches", who=ada, query={"count": 1}, player="me")
    path = "/standings/{slug}"
    while not (await call("GET", path, who=ada, slug=GAME))["lines"]:  # noqa: ASYNC110
        await asyncio.sleep(LOOK_S)
    for path in ("/players/{player}/opponents", "/players/{player}/ratings"):
        await call("GET", path, who=ada, player="me")
    await call("GET", "/players/{player}/ratings/{slug}", who=ada, player="me", slug=GAME)


@contextmanager
def _still() -> Iterator[None]:
    """Stop the clock, and make up all random ids: in order, and the same for all requests."""
    numbers = count()

    def made(size: int) -> str:
        return sha256(str(next(numbers)).encode()).hexdigest()[:size]

    with (
        patch("service.base.clock.datetime") as clock,
        patch("service.process.timekeeping.compare", AsyncMock()),
        patch("secrets.token_urlsafe", made),
        patch(
            "secrets.token_bytes", lambda size: sha256(str(next(numbers)).encode()).digest()[:size]
        ),
        patch("secrets.token_hex", lambda size: sha256(b"hex").hexdigest()[: 2 * size]),
        patch("secrets.choice", lambda items: items[next(numbers) % len(items)]),
    ):
        clock.now.return_value = NOON
        yield


def _operations() -> dict[tuple[str, str], str]:
    from service.http.app import document

    return {
        (method.upper(), path): operation["operationId"]
        for path, item in document()["paths"].items()
        for method, operation in item.items()
    }


def _projector(context: Context) -> Projector:
    return Projector(context.cache, context.store, context.feed, context.work, GAMES, no_errata)


def _bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def _kind(answer: httpx.Response) -> str:
    return answer.headers.get("content-type", "")


def _event(text: str) -> dict[str, Any]:
    """Return the last record, notice or showing of a stream in the fields of server-sent events.

    The places of notices follow from the clock of Redis.
    """
    parts = [
        dict(line.split(": ", 1) for line in part.splitlines() if ": " in line)
        for part in text.replace("\r\n", "\n").split("\n\n")
    ]
    placed = [fields for fields in parts if "id" in fields]
    if not placed:
        return next(fields for fields in parts if fields.get("event") == "showing")
    fields = placed[-1]
    place = int(fields["id"]) if fields["event"] == "record" else "1795262400000-0"
    return {"event": fields["event"], "id": place, "data": fields["data"]}


if __name__ == "__main__":
    EXAMPLES.write_text(
        json.dumps(asyncio.run(record()), ensure_ascii=False, indent=1, sort_keys=True) + "\n"
    )
