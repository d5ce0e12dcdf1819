"""F22: streams whose readers have stopped reading, and readers that connect again and again."""

import json
import socket
from contextlib import ExitStack

from tests.e2e.service import Player, Running, running

ABANDONED = 100
MOVES = 15


def abandoned(service: Running, player: Player, match: str) -> socket.socket:
    """Open a stream of which nothing but the status is ever read."""
    host, port = service.url.removeprefix("http://").split(":")
    opened = socket.socket()
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
    opened.connect((host, int(port)))
    lines = (f"GET /matches/{match}/stream HTTP/1.1", f"Host: {host}")
    token = f"Authorization: Bearer {player.token}"
    opened.sendall("\r\n".join((*lines, token, "", "")).encode())
    assert opened.recv(12) == b"HTTP/1.1 200"
    return opened


def next_record(player: Player, match: str, after: int) -> tuple[int, dict] | None:
    """Connect, read one record, and go away. None if the match has no more."""
    headers = {"Last-Event-ID": str(after)}
    with player.http.stream("GET", f"/matches/{match}/stream", headers=headers) as answer:
        event: dict[str, str] = {}
        for line in answer.iter_lines():
            name, _, value = line.partition(": ")
            event[name] = value
            if not line and event.get("event") == "record":
                return int(event["id"]), json.loads(event["data"])
            if not line and event.get("event") == "end":
                return None
            if not line:
                event = {}
    return None


def test_abandoned_streams_hinder_nobody_and_readers_that_come_back_miss_nothing(tmp_path):
    limit = str(ABANDONED + 1)
    with (
        running(tmp_path, "serve", streams_max=limit) as service,
        Player(service.url) as player,
        ExitStack() as streams,
    ):
        match = player.open_match(seats=1)
        player.do(match, {"type": "take_seat"})
        for _ in range(ABANDONED):
            streams.enter_context(abandoned(service, player, match))
        for _ in range(MOVES):
            if legal := player.legal(match):
                player.do(match, legal[0])
        player.do(match, {"type": "resign"})
        streams.close()

        expected = player.get(f"/matches/{match}/events")["records"]
        read: list[dict] = []
        while (found := next_record(player, match, len(read))) is not None:
            number, record = found
            assert number == len(read) + 1, "neither missed nor told twice"
            read.append(record)
        assert read == expected
