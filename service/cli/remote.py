"""A player of a service, over its public API."""

import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import typer
from rich.console import Console

POLL_S = 0.3
TIMEOUT_S = 30
SILENCE = httpx.Timeout(TIMEOUT_S, read=40)
"""The service is never silent for longer than this on an open stream (seconds)."""
LOST_S = 60
"""Time for which a lost stream is opened again (seconds)."""
PASSING = (429, 502, 503, 504)
"""Statuses of refusals that may not last."""
OVER = ("finished", "abandoned")


class RequestRefused(Exception):
    """The service refused a request; the message has the code."""

    def __init__(self, code: str, detail: str) -> None:
        """Create the error with the code of the refusal."""
        super().__init__(f"{code}: {detail}")
        self.code = code


class RemotePlayer:
    """A player in a match, over HTTP."""

    def __init__(self, url: str, name: str, token: str) -> None:
        """Create a guest, unless the token is not empty."""
        self.http = httpx.Client(base_url=url, timeout=TIMEOUT_S)
        self.token = token or self.post("/players", {"name": name})["token"]
        self.http.headers["Authorization"] = f"Bearer {self.token}"

    def open(self, game: str, seats: int, options: dict[str, Any], pace: str | None) -> str:
        """Create a match and take its first seat; the others are for bots or people."""
        asked = {"game": game, "seats": seats, "options": options, "bot_pace": pace}
        return self.post("/matches", asked)["match"]

    def send(self, match: str, command: dict[str, Any]) -> dict[str, Any]:
        """Send a command until it is answered; it counts once."""
        key = {"Idempotency-Key": secrets.token_hex(8)}
        while True:
            try:
                answer = self.http.post(f"/matches/{match}/commands", json=command, headers=key)
            except httpx.TransportError:
                time.sleep(POLL_S)
                continue
            if answer.status_code != 503:
                return self._json(answer)
            time.sleep(float(answer.headers.get("Retry-After", "1")))

    def post(self, path: str, body: dict[str, Any]) -> Any:
        """Send a POST request and return the answer."""
        return self._json(self.http.post(path, json=body))

    def get(self, path: str) -> Any:
        """Send a GET request and return the answer."""
        return self._json(self.http.get(path))

    def changes(self, match: str) -> Iterator[dict[str, Any]]:
        """Yield the match at once, and whenever it has changed or the player is to move."""
        versions: Iterator[int] | None = None
        known = 0
        while True:
            view = self.get(f"/matches/{match}")
            if view["version"] < known:  # from a process that is behind the one of the stream
                time.sleep(POLL_S)
                continue
            yield view
            if view["status"] in OVER:
                return
            if view["you"] not in view["waiting"]:
                versions = versions or self._versions(match, view["version"])
                known = next((version for version in versions if version > view["version"]), 0)

    def _versions(self, match: str, after: int) -> Iterator[int]:
        """Yield the versions after one as their records come, until the match is over.

        A lost stream is opened again after the last version, so that none is missed.
        """
        seen = time.monotonic()
        while True:
            try:
                for event, version in self._events(match, after):
                    seen = time.monotonic()
                    if event == "end":
                        return
                    if event == "record":
                        after = version
                        yield version
            except httpx.TransportError:
                if time.monotonic() - seen > LOST_S:
                    raise
            time.sleep(POLL_S)

    def _events(self, match: str, after: int) -> Iterator[tuple[str, int]]:
        """Yield the type and the version of the events of one connection."""
        resuming = {"Accept": "text/event-stream", "Last-Event-ID": str(after)}
        path = f"/matches/{match}/stream"
        with self.http.stream("GET", path, headers=resuming, timeout=SILENCE) as answer:
            if answer.status_code in PASSING:
                raise httpx.ReadError(f"the service answered {answer.status_code}")
            if answer.is_error:
                answer.read()
                self._json(answer)
            fields = dict[str, str]()
            for line in answer.iter_lines():
                name, _, value = line.partition(":")
                if line:
                    fields[name] = value.removeprefix(" ")
                else:
                    yield fields.get("event", ""), int(fields.get("id", after))
                    fields.clear()

    @staticmethod
    def _json(answer: httpx.Response) -> Any:
        try:
            body = answer.json()
        except ValueError:
            raise RequestRefused(str(answer.status_code), "The answer is not JSON.") from None
        if answer.is_error:
            places = (f"{one['pointer']}: {one['detail']}" for one in _wrong(body))
            raise RequestRefused(body["code"], "; ".join(places) or body["detail"])
        return body


def _wrong(problem: dict[str, Any]) -> list[dict[str, str]]:
    """Return the places of the body that are wrong."""
    return [one for one in problem.get("errors", ()) if one.get("pointer")]


def no_address(url: str) -> str:
    """Return what is wrong with the address of a service that has no scheme."""
    return f"{url!r} is not an address: it must begin with http:// or https://."


@contextmanager
def exiting(console: Console, url: str) -> Iterator[None]:
    """Exit with 1 if the service refuses, and with 2 if it cannot be reached, and say why."""
    try:
        yield
    except RequestRefused as error:
        console.print(str(error), style="red")
        raise typer.Exit(1) from None
    except httpx.UnsupportedProtocol:
        console.print(no_address(url), style="red")
        raise typer.Exit(2) from None
    except httpx.TransportError as error:
        said = f"Cannot connect to {url}: {error}. Is the service running?"
        console.print(said, style="red")
        raise typer.Exit(2) from None
