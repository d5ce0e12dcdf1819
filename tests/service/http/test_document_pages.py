"""The pages of the API document: it is made once, by a reading process."""

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
        return b'{"openapi":"3.1.0"}'


def served(readers):
    return Litestar([*handlers(readers, encoded_document)], openapi_config=None)


def test_the_document_is_made_once_and_not_on_the_event_loop():
    apart = Apart()
    with TestClient(served(apart)) as client:
        first, second = (client.get("/schema/openapi.json") for _ in range(2))
    assert apart.asked == [encoded_document]
    assert first.json() == second.json() == {"openapi": "3.1.0"}
    assert first.headers["Content-Type"] == "application/vnd.oai.openapi+json"


def test_the_page_shows_the_document():
    with TestClient(served(Apart())) as client:
        page = client.get("/schema").text
    assert '"/schema/openapi.json"' in page
    assert "/schema/static/swagger-ui-bundle.js" in page
