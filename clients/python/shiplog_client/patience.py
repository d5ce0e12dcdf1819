"""How long and how often to try again."""

import random
from dataclasses import dataclass

import httpx

PASSING = frozenset((429, 502, 503, 504))
"""Statuses of refusals that may not last."""
LOST = (httpx.NetworkError, httpx.TimeoutException, httpx.RemoteProtocolError, httpx.ProxyError)
"""Errors that may not last. A bad URL or token fails every time, and is raised at once."""


@dataclass(frozen=True)
class Patience:
    """How often a request is tried, and how long to wait in between."""

    tries: int = 8
    """Maximum number of times that a request is sent."""
    first_s: float = 0.4
    """Longest wait before the second try (seconds). It doubles with every further one."""
    longest_s: float = 15.0
    """Longest wait between two tries (seconds), unless the service asks for more."""

    def wait_s(self, attempt: int, answer: httpx.Response | None = None) -> float:
        """Return how long to wait after an attempt (seconds); the first is number 0."""
        ceiling = min(self.longest_s, self.first_s * 2**attempt)
        asked = answer.headers.get("Retry-After", "") if answer is not None else ""
        wait = ceiling * random.uniform(0.5, 1)  # noqa: S311 - so that clients spread
        return max(wait, float(asked)) if asked.isdigit() else wait
