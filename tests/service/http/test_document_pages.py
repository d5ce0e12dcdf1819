"""The first request for the API document has it made beside the event loop, once."""

import asyncio
import threading
from typing import Any

from litestar import Litestar

from service.http.openapi.pages import Finished


class Making(Finished):
    """Notes the threads in which the document is made."""

    def __init__(self) -> None:
        super().__init__(())
        self.threads: list[int] = []

    def document(self, made: dict[str, Any]) -> dict[str, Any]:
        self.threads.append(threading.get_ident())
        return made


async def test_the_document_is_made_once_and_not_on_the_event_loop():
    finished, app = Making(), Litestar()
    await asyncio.gather(*(finished.make(app) for _ in range(5)))
    assert len(finished.threads) == 1
    assert threading.get_ident() not in finished.threads
