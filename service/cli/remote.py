"""A player of a service, over its public API."""

import secrets
import time
from collections.abc import Iterator
from typing import Any

import httpx

POLL_S = 0.3
TIMEOUT_S = 30


class RequestRefused(Exception):
    """The service refused a request; the message has the code."""

    def __init__(self, code: str, detail: str) -> None:
        """Create the error with the code of the refusal."""
        super().__init__(f"{code}: {detail}")
        self.code = code


class RemotePlayer:
    """A player in a match, over HTTP."""

    def __init__(self, url: str, name: str, token: str = "") -> None:
        """Create a guest, unless a token is given."""
        self.http = httpx.Client(base_url=url, timeout=TIMEOUT_S)
        self.token = token or self.post("/players", {"name": name})["token"]
        self.http.headers["Authorization"] = f"Bearer {self.token}"

    def open(self, game: str, seats: int, options: dict[str, Any]) -> str:
        """Create a match and take its first seat; the others are for bots or people."""
        return self.post("/matches", {"game": game, "seats": seats, "options": options})["match"]

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
        version = 0
        while True:
            view = self.get(f"/matches/{match}")
            if view["version"] != version or view["you"] in view["waiting"]:
                version = view["version"]
                yield view
            else:
                time.sleep(POLL_S)

    @staticmethod
    def _json(answer: httpx.Response) -> Any:
        try:
            body = answer.json()
        except ValueError:
            raise RequestRefused(str(answer.status_code), "The answer is not JSON.") from None
        if answer.is_error:
            raise RequestRefused(body["code"], body["detail"])
        return body
