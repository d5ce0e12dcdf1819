"""The pages of the API document: it is made once, in a process of its own."""

import asyncio

import msgspec
from litestar import Litestar
from litestar.testing import RequestFactory, TestClient

from service.http.openapi.pages import handlers, made_apart

DOCUMENT = b'{"openapi":"3.1.0"}'


async def make():
    """Stand for what takes seconds."""
    await asyncio.sleep(0)
    return DOCUMENT


def served():
    return Litestar([*handlers(make)], openapi_config=None)


async def test_the_document_is_made_once_for_all_who_ask():
    times = 0

    async def counted():
        nonlocal times
        times += 1
        return await make()

    get_openapi, _ = handlers(counted)
    asks = RequestFactory().get()
    answers = await asyncio.gather(*(get_openapi.fn(asks) for _ in range(5)))
    assert {answer.content for answer in answers} == {DOCUMENT}
    assert times == 1


async def test_the_document_is_made_beside_the_event_loop():
    making = asyncio.create_task(made_apart())
    await asyncio.sleep(0)
    assert not making.done()
    assert msgspec.json.decode(await making)["info"]["title"] == "Shiplog"


def test_the_document_has_its_media_type():
    with TestClient(served()) as client:
        answer = client.get("/schema/openapi.json")
    assert answer.json() == {"openapi": "3.1.0"}
    assert answer.headers["Content-Type"] == "application/vnd.oai.openapi+json"


def test_the_page_shows_the_document():
    with TestClient(served()) as client:
        page = client.get("/schema").text
    assert '"/schema/openapi.json"' in page
    assert "/schema/static/swagger-ui-bundle.js" in page
