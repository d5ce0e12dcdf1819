"""The pages of the API document: it is made once, by a reading process."""

import asyncio

from litestar import Litestar
from litestar.testing import TestClient

from service.http.app import encoded_document
from service.http.openapi.pages import handlers


class Apart:
    """Stands for the reading processes, and notes what they are asked for."""

    def __init__(self):
        self.asked = []

    async def compute(self, caller, function):
        self.asked.append(function)
        await asyncio.sleep(0)
        return b'{"openapi":"3.1.0"}'


def served(readers):
    return Litestar([*handlers(readers, encoded_document)], openapi_config=None)


async def test_the_document_is_made_once_and_not_on_the_event_loop():
    apart = Apart()
    get_openapi, _ = handlers(apart, encoded_document)
    made = await asyncio.gather(*(get_openapi.fn() for _ in range(5)))
    assert apart.asked == [encoded_document]
    assert set(made) == {b'{"openapi":"3.1.0"}'}


def test_the_document_has_its_media_type():
    with TestClient(served(Apart())) as client:
        answer = client.get("/schema/openapi.json")
    assert answer.json() == {"openapi": "3.1.0"}
    assert answer.headers["Content-Type"] == "application/vnd.oai.openapi+json"


def test_the_page_shows_the_document():
    with TestClient(served(Apart())) as client:
        page = client.get("/schema").text
    assert '"/schema/openapi.json"' in page
    assert "/schema/static/swagger-ui-bundle.js" in page
