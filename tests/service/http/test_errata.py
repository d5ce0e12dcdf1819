"""`GET /matches/{m}/errata`: what this service signed about a match that has ended."""

import httpx
import msgspec
import pytest

from events import file
from events.errata import SignedErratum
from events.store import append_all
from games.match.commands import CreateMatch
from service.base.settings import Settings
from service.http.app import build
from service.process.context import opened
from tests.recorder import Recorder
from tests.replay.errata import changed, erratum_of, sealed, wrongly_won
from tests.service.cli.conftest import GAME, write_secrets

RACE = wrongly_won()
MATCH = RACE.match.header.match
GOOD = sealed(erratum_of(RACE))


@pytest.fixture
async def service(tmp_path):
    """Yield the parts of a service with that match and a running one, and a client of it."""
    write_secrets(tmp_path)
    async with opened(Settings(data=tmp_path)) as context:
        running = Recorder(GAME, CreateMatch("tranquility", 2), "m_running")
        await append_all(context.store, "m_running", running.lines)
        await append_all(context.store, MATCH, RACE.lines, head=RACE.head())
        transport = httpx.ASGITransport(build(context))
        async with httpx.AsyncClient(transport=transport, base_url="http://x") as http:
            token = (await http.post("/players", json={"name": "Ada"})).json()["token"]
            http.headers["Authorization"] = f"Bearer {token}"
            yield context, http


async def errata(http, match=MATCH):
    answer = await http.get(f"/matches/{match}/errata")
    assert answer.status_code == 200, answer.text
    return msgspec.convert(answer.json(), list[SignedErratum])


async def test_everybody_may_read_the_errata_of_a_match_that_has_ended(service):
    context, http = service
    assert await errata(http) == []
    await context.store.archive.add_erratum(MATCH, GOOD)
    (given,) = await errata(http)
    assert given.erratum.reason == "The release counted one too few."
    exported = (await http.get(f"/matches/{MATCH}/export")).content
    assert exported == file.write(RACE.lines, RACE.head(), [GOOD])


async def test_what_the_service_did_not_sign_about_this_log_is_not_shown(service):
    context, http = service
    for line in (
        changed(GOOD, reason="Nothing happened."),
        sealed(erratum_of(RACE, head="0" * 64)),
        b'{"erratum":',
    ):
        await context.store.archive.add_erratum(MATCH, line)
    assert await errata(http) == []


async def test_a_running_match_shows_none_whatever_is_stored(service):
    context, http = service
    await context.store.archive.add_erratum("m_running", GOOD)
    assert await errata(http, "m_running") == []


async def test_an_upload_shows_what_is_explained(service):
    _, http = service
    data = file.write(RACE.lines, RACE.head(), [GOOD])
    report = (await http.post("/replays", content=data)).json()["report"]
    assert (report["verdict"], report["findings"]) == ("holds", [])
    assert report["explained"][0]["finding"]["rule"] == "events"


async def test_an_unknown_match_is_not_found(service):
    _, http = service
    assert (await http.get("/matches/m_nobody/errata")).status_code == 404
