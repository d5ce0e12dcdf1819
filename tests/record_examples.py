"""Record the examples of the OpenAPI document: `python -m tests.record_examples`.

Two players make every call of the API on a service whose clock stands still and whose secrets are
known, so that its answers are the same each time.
"""

import asyncio
import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock, patch

import httpx

from events.chain import follow
from events.errata import Erratum, Explained, encoded
from events.record import at_micros, at_text
from games import GAMES
from projections.summary import summary
from replay.best import BestMoment
from service.base.clock import now_micros
from service.base.settings import Settings
from service.http.app import build
from service.http.openapi.document import EXAMPLES
from service.play.best_moments import BestMoments
from service.play.bots import bot_turn, choose, play
from service.play.projector import Projector, following
from service.process.context import Context, opened
from tests.e2e.identity_provider import CLIENT, NAME, SECRET
from tests.examples import account, learning
from tests.examples.recording import Examples, bearer
from tests.projections.recorded import no_errata

NOON = at_micros("2026-11-21T12:00:00.000000Z")
SECRETS = {"master": {"k1": "11" * 32}, "current": "k1", "tokens": "22" * 32, "signing": "33" * 32}
GAME = "submarine"
"""The game of calls that are shown for one game only."""
LOOK_S = 0.05


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
    return Settings(
        data=data,
        push_contact="mailto:ops@play.example",
        smtp_host="smtp.example",
        oidc_issuer=account.ISSUER,
        oidc_client_id=CLIENT,
        oidc_client_secret=SECRET,
        oidc_name=NAME,
        work_ms=1_000_000,
    )


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
    await _read_best_moments(examples, context, match, ada)
    await _offer_a_rematch(examples, match, ada, bob)
    eve = (await examples.http.post("/players", json={"name": "Eve"})).json()["token"]
    await _follow(examples, context, eve)
    await _meet(examples, ada, eve)
    await _block(examples, match, ada, eve)
    await _talk_in_the_audience(examples, match, eve)
    await account.use_programs(examples, ada)
    await learning.take_a_tutorial(examples)
    await learning.solve(examples, ada)
    await account.use_webhooks(examples, ada)
    await account.subscribe(examples, ada)
    await account.sign_in(examples, ada)
    await account.use_mail(examples, context, ada)
    await account.use_provider(examples, ada)
    renewed = await call("POST", "/players/me/token", who=bob)
    await call("DELETE", "/players/me", who=renewed["token"])
    await _watch_together(examples, context, match, ada)
    await _ask_a_bot(examples, context, ada)


async def _follow(examples: Examples, context: Context, eve: str) -> None:
    """Open a player's stream, which ends at once while the service is closing."""
    context.closing.set()
    await examples.call("GET", "/players/me/stream", who=eve)
    context.closing.clear()


async def _talk_in_the_audience(examples: Examples, match: str, eve: str) -> None:
    call = examples.call
    of = {"who": eve, "match": match}
    path = "/matches/{match}/audience"
    said = await call("POST", path, **of, body={"text": "What a dive!"})
    await call("GET", path, **of)
    await call("DELETE", path + "/{message}", **of, message=said["id"])


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


async def _ask_a_bot(examples: Examples, context: Context, ada: str) -> None:
    """Ask a bot why it moved, and about a version that is no move of a bot."""
    call, who = examples.call, bearer(ada)
    opened = {"game": GAME, "seats": 2}
    match = (await examples.http.post("/matches", json=opened, headers=who)).json()["match"]
    path = f"/matches/{match}/commands"
    for command in ({"type": "take_seat", "seat": 0}, {"type": "add_bot", "level": "easy"}):
        await examples.http.post(path, json=command, headers=who)
    cached = await context.cache.get(match)
    while (turn := bot_turn(cached, cached.match.version, context.keys)) is None:
        legal = await examples.http.get(f"/matches/{match}/legal", headers=who)
        await examples.http.post(path, json=legal.json()["commands"][0], headers=who)
    await play(context.matches, cached, turn, choose(turn))
    version = cached.folded.number(0)
    for asked in (version, 1):
        query = {"version": asked}
        await call("GET", "/matches/{match}/why", who=ada, match=match, query=query)


async def _read_the_service(examples: Examples, ada: str) -> None:
    call = examples.call
    await call("GET", "/games")
    await call("GET", "/games/{slug}/components", slug="submarine")
    await call("GET", "/keys")
    await call("GET", "/health/live")
    await call("GET", "/health/ready")
    await call("GET", "/players/me")
    me = await call("GET", "/players/me", who=ada)
    await call("PATCH", "/players/me", who=ada, body={"name": "Ada L."})
    await call("PATCH", "/players/me", who=ada, body={"name": "\u200b"})
    await call("GET", "/players/{player}", who=ada, player=me["player"])
    await call("GET", "/players/{player}", who=ada, player="p_nobody")


async def _meet(examples: Examples, ada: str, eve: str) -> None:
    """Invite to a match, and post and take seeks."""
    call = examples.call
    guest = (await examples.http.get("/players/me", headers=bearer(eve))).json()["player"]
    opened = {"game": GAME, "seats": 2, "private": True}
    matches = [
        (await examples.http.post("/matches", json=opened, headers=bearer(ada))).json()["match"]
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
    body = {"game": GAME, "seats": 2, "bots": {"level": "heuristic", "after_s": 30}}
    seek = await call("POST", "/seeks", who=ada, body=body)
    await call("GET", "/seeks", who=eve)
    await call("POST", "/seeks/{seek}/take", who=eve, body={}, seek=seek["seek"])
    await call("DELETE", "/seeks/{seek}", who=ada, seek=seek["seek"])


async def _block(examples: Examples, match: str, ada: str, eve: str) -> None:
    """Block a player and mute a match, and undo both."""
    call = examples.call
    other = (await examples.http.get("/players/me", headers=bearer(eve))).json()["player"]
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
    log = await examples.http.get(f"/matches/{match}/export", headers=bearer(ada))
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


async def _read_best_moments(examples: Examples, context: Context, match: str, ada: str) -> None:
    """Read the moments of a match, as if its analysis had found one."""
    cached = await context.cache.get(match)
    seat = cached.folded.players[ada.partition(".")[0]]
    found = BestMoment(seat, 4, "comeback", 0.1218)
    await BestMoments(context.work, context.players).keep(summary(cached.folded.match), [found])
    await examples.call("GET", "/players/{player}/moments", who=ada, player="me")


async def _read_lists(examples: Examples, match: str, ada: str) -> None:
    """Read the projections once they have the finished match."""
    call = examples.call
    path, query = "/matches", {"game": GAME, "status": "finished"}
    while True:
        found = await call("GET", path, who=ada, query=query)
        if found["matches"] and found["complete"]:
            break
        await asyncio.sleep(LOOK_S)
    others = {"params": {"status": "running"}, "headers": bearer(ada)}

    async def is_missing_some() -> bool:
        found = await examples.http.get("/matches", **others)
        return len(found.json()["matches"]) < len(GAMES) - 1

    while await is_missing_some():  # noqa: ASYNC110
        await asyncio.sleep(LOOK_S)
    await call("GET", "/featured", who=ada)
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
        patch("service.base.clock.local_micros", lambda: NOON),
        patch("service.process.timekeeping.compare", AsyncMock()),
        patch("secrets.token_urlsafe", made),
        patch(
            "secrets.token_bytes", lambda size: sha256(str(next(numbers)).encode()).digest()[:size]
        ),
        patch("secrets.token_hex", lambda size: sha256(b"hex").hexdigest()[: 2 * size]),
        patch("random.getrandbits", lambda bits: int(sha256(b"hex").hexdigest()[: bits // 4], 16)),
        patch("secrets.choice", lambda items: items[next(numbers) % len(items)]),
    ):
        yield


def _operations() -> dict[tuple[str, str], str]:
    from service.http.documents import document

    return {
        (method.upper(), path): operation["operationId"]
        for path, item in document()["paths"].items()
        for method, operation in item.items()
    }


def _projector(context: Context) -> Projector:
    return Projector(context.cache, context.store, context.feed, context.work, GAMES, no_errata)


if __name__ == "__main__":
    EXAMPLES.write_text(
        json.dumps(asyncio.run(record()), ensure_ascii=False, indent=1, sort_keys=True) + "\n"
    )
