"""The documents of the API are made once, in a process of their own, and its page shows them."""

import asyncio

import msgspec
import pytest
from litestar import Litestar
from litestar.testing import RequestFactory, TestClient

from service.http.openapi.pages import ASYNCAPI, OPENAPI, handlers, made_apart

DOCUMENT = b'{"openapi":"3.1.0"}'


async def make(path):
    """Stand for what takes seconds."""
    await asyncio.sleep(0)
    return DOCUMENT


def served():
    return Litestar([*handlers(make)], openapi_config=None)


async def test_the_document_is_made_once_for_all_who_ask():
    made = []

    async def noted(path):
        made.append(path)
        return await make(path)

    get_openapi, get_asyncapi, _ = handlers(noted)
    asks = RequestFactory().get()
    answers = await asyncio.gather(
        *(get.fn(asks) for _ in range(5) for get in (get_openapi, get_asyncapi))
    )
    assert {answer.content for answer in answers} == {DOCUMENT}
    assert made == [OPENAPI, ASYNCAPI]


@pytest.mark.parametrize("path", [OPENAPI, ASYNCAPI])
async def test_a_document_is_made_beside_the_event_loop(path):
    making = asyncio.create_task(made_apart(path))
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
