"""Everything that a caller can be refused for, in one place; `service/http/problem_json.py` makes it HTTP.

Problem
├── 400 malformed              ├── 409 id-reused            ├── 429 rate-limited, too-many-jobs
│       bad-path, bad-condition
├── 401 unauthenticated        ├── 412 stale-version        ├── 503 log-unavailable, queue-full
├── 403 forbidden, not-a-seat  ├── 413 too-large            ├── 503 work-unavailable
├── 404 not-found              ├── 422 the rules' own codes └── 503 rules-version-not-here
│                              │       condition-too-costly
"""

from collections.abc import Mapping
from typing import Any

from games.game import Illegal

FORBIDDEN_CODES = frozenset(("not-a-seat", "not-at-the-table", "not-an-operator"))
"""Rule codes that say who may not, rather than what."""


class Problem(Exception):
    """A refusal with its HTTP status and stable code."""

    def __init__(self, status: int, code: str, detail: str, **extra: Any) -> None:
        """Say what went wrong; `extra` members go into the answer."""
        super().__init__(detail)
        self.status = status
        self.code = code
        self.detail = detail
        self.extra: Mapping[str, Any] = extra


def malformed(detail: str) -> Problem:
    """Refuse what can't be read."""
    return Problem(400, "malformed", detail)


def bad_path(detail: str) -> Problem:
    """Refuse what is no JSON Pointer."""
    return Problem(400, "bad-path", detail)


def bad_condition(detail: str) -> Problem:
    """Refuse what is no JMESPath, or does not fit what it is held against."""
    return Problem(400, "bad-condition", detail)


def unauthenticated(detail: str = "a token is needed") -> Problem:
    """Refuse a caller without a valid token."""
    return Problem(401, "unauthenticated", detail)


def forbidden(detail: str) -> Problem:
    """Refuse a caller who may not."""
    return Problem(403, "forbidden", detail)


def not_found(what: str) -> Problem:
    """Refuse what isn't there, or must not be known to be."""
    return Problem(404, "not-found", f"no such {what}")


def no_such_version(number: int, last: int) -> Problem:
    """Refuse a version that the match never was at."""
    return Problem(404, "no-such-version", f"no version {number}: there are 1 to {last}", last=last)


def id_reused() -> Problem:
    """Refuse an Idempotency-Key that came with another command before."""
    return Problem(409, "id-reused", "this Idempotency-Key came with another command")


def too_large(limit: int) -> Problem:
    """Refuse a body beyond the limit."""
    return Problem(413, "too-large", f"at most {limit} bytes")


def stale_version(version: int) -> Problem:
    """Refuse a command meant for an earlier version."""
    return Problem(412, "stale-version", "the match has gone on", version=version)


def log_unavailable() -> Problem:
    """Refuse what can't be put on disk now."""
    return Problem(
        503,
        "log-unavailable",
        "the log can't be reached; try again with the same key",
        retry_after=1,
    )


def rules_not_here() -> Problem:
    """Refuse a match that another release can play: while one replaces the other, the next try may reach it."""
    return Problem(
        503,
        "rules-version-not-here",
        "this process does not have the rules that the match is played by; try again",
        retry_after=2,
    )


def work_unavailable() -> Problem:
    """Refuse what needs derived data that is not here now."""
    return Problem(503, "work-unavailable", "this part is not available now", retry_after=2)


def ruled_out(error: Illegal) -> Problem:
    """Tell which rule refused."""
    status = 403 if error.code in FORBIDDEN_CODES else 422
    return Problem(status, error.code, f"the rules refuse this: {error.code}", **error.details)
