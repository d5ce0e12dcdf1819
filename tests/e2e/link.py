"""A player's WebSocket, each frame of which is checked against the document."""

import json
from contextlib import contextmanager
from functools import cache

import jsonschema
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from service.http.calls import CALLS
from service.http.openapi import asyncapi

FRAME_S = 30


@cache
def validators():
    """Return a validator of each kind of frame that the service sends, by the document."""
    components = asyncapi.document(CALLS)["components"]
    return {
        message["name"]: jsonschema.Draft7Validator(
            {"allOf": [message["payload"]], "components": components}
        )
        for message in components["messages"].values()
    }


class Link:
    """A player's WebSocket."""

    def __init__(self, connection):
        self._connection = connection
        self._names = iter(range(1_000))

    def send(self, kind, **fields):
        self._connection.send(json.dumps({"type": kind, **fields}))

    def send_text(self, text):
        self._connection.send(text)

    def any(self):
        """Return the next frame, which is as documented."""
        frame = json.loads(self._connection.recv(FRAME_S))
        validators()[frame["type"]].validate(frame)
        return frame

    def next(self):
        """Return the next frame except receipts."""
        while (frame := self.any())["type"] == "receipt":
            pass
        return frame

    def until(self, kind):
        while (frame := self.any())["type"] != kind:
            pass
        return frame

    def ask(self, kind, **fields):
        """Send a frame and return its answer; skip what else comes."""
        name = fields.setdefault("id", f"f{next(self._names)}")
        self.send(kind, **fields)
        while (frame := self.next()).get("re") != name:
            pass
        return frame

    def is_closed(self):
        return self._connection.protocol.close_rcvd is not None

    def closed(self):
        """Return the code with which the service closes, and its reason."""
        try:
            while True:
                self.next()
        except ConnectionClosed as error:
            return error.rcvd.code, error.rcvd.reason


@contextmanager
def opened(player, **headers):
    """Open a WebSocket without a token."""
    url = str(player.http.base_url).replace("http", "ws", 1)
    with connect(f"{url.rstrip('/')}/play", additional_headers=headers, proxy=None) as connection:
        yield Link(connection)


@contextmanager
def linked(player):
    with opened(player) as link:
        link.send("authenticate", token=player.token)
        assert link.next()["player"] == player.id
        yield link
