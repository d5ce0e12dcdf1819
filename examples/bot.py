"""A bot that plays any game by the list of legal commands.

    python bot.py URL TOKEN [MATCH …]   takes a seat in the matches, and plays until they are over
    python bot.py --stdio               plays in `shiplog bot-match`

Without a match it plays in all of its matches until it is stopped. It needs `pip install httpx`.
"""

import json
import random
import secrets
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import httpx


def choose(view: dict[str, Any], legal: list[dict[str, Any]]) -> dict[str, Any]:
    """Return one of the legal commands. A better bot looks at the view."""
    return random.choice(legal)


class Bot:
    def __init__(self, url: str, token: str) -> None:
        self.http = httpx.Client(base_url=url, timeout=60)
        self.http.headers["Authorization"] = f"Bearer {token}"

    def call(self, method: str, path: str, **more: Any) -> httpx.Response:
        """Send a request until it is answered."""
        while True:
            wait_s = 1.0
            try:
                answer = self.http.request(method, path, **more)
                if answer.status_code not in (429, 503):
                    return answer
                wait_s = float(answer.headers["Retry-After"])
            except httpx.TransportError as error:
                print(f"{self.http.base_url}: {error}. Trying again.", file=sys.stderr)
            time.sleep(wait_s)

    def send(self, match: str, command: dict[str, Any], version: str = "*") -> httpx.Response:
        """Send a command. Under its key it counts once."""
        more = {"Idempotency-Key": secrets.token_hex(8), "If-Match": version}
        return self.call("POST", f"/matches/{match}/commands", json=command, headers=more)

    def sit(self, match: str) -> None:
        """Take a seat, unless the bot has one already."""
        answer = self.send(match, {"type": "take_seat"})
        if answer.is_error and self.call("GET", f"/matches/{match}").json().get("you") is None:
            sys.exit(f"{match}: {answer.json()['detail']}")

    def notices(self) -> Iterator[dict[str, Any]]:
        """Yield the notices of the stream, which resumes where it was lost."""
        place = {}
        while True:
            with (
                suppress(httpx.TransportError),
                self.http.stream("GET", "/players/me/stream", headers=place) as answer,
            ):
                if answer.status_code in (401, 403):
                    sys.exit(json.loads(answer.read())["detail"])
                for line in answer.iter_lines() if answer.is_success else ():
                    name, _, value = line.partition(": ")
                    if name == "id":
                        place = {"Last-Event-ID": value}
                    elif name == "data":
                        yield json.loads(value)
            time.sleep(1)

    def turn(self, match: str) -> None:
        """Send one command if it is this bot's turn."""
        while (legal := self.call("GET", f"/matches/{match}/legal").json()).get("commands"):
            view = self.call("GET", f"/matches/{match}").json()["view"]
            answer = self.send(match, choose(view, legal["commands"]), f'"{legal["version"]}"')
            if answer.status_code == 403:
                sys.exit(f"{match}: {answer.json()['detail']}")
            if answer.is_success:
                return

    def is_over(self, match: str) -> bool:
        return self.call("GET", f"/matches/{match}").json()["status"] not in ("waiting", "running")

    def play(self, matches: set[str]) -> None:
        """Answer every notice, until all of the matches are over."""
        playing = matches
        for match in matches:
            self.sit(match)
        for notice in self.notices():
            for asked in notice.get("standing", (notice,)):
                if asked["type"] == "turn":
                    self.turn(asked["match"])
            if notice["type"] in ("match_over", "reset"):
                playing = {match for match in playing if not self.is_over(match)}
            if matches and not playing:
                return


if sys.argv[1:] != ["--stdio"]:
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    Bot(*sys.argv[1:3]).play(set(sys.argv[3:]))
else:
    for text in sys.stdin:
        message = json.loads(text)
        if message["type"] == "match_started":
            random.seed(message["seed"])
        elif message["type"] == "your_turn":
            print(json.dumps(choose(message["view"], message["legal"])), flush=True)
