"""Every reason to refuse a caller. `service/http/problem_json.py` converts them to HTTP.

Problem
├── 400 malformed              ├── 409 id-reused            ├── 429 rate-limited, too-many-jobs
│       bad-path, bad-condition, bad-name                     too-many-open-matches
├── 401 unauthenticated        ├── 412 stale-version        ├── 503 log-unavailable, queue-full
├── 403 forbidden, not-a-seat  ├── 413 too-large            ├── 503 work-unavailable
│       missing-scope          │
├── 404 not-found              ├── 422 the rules' own codes ├── 503 rules-version-not-here
├── 408 too-slow               │       too-costly           ├── 503 log-nearly-full
                               │       condition-too-costly ├── 503 checkpoints-unavailable
                               └── 429 log-quota            └── 503 provider-unavailable
"""

import math
from collections.abc import Mapping
from typing import Any, Self

from games.game import AnyGame, Illegal
from games.match.commands import CreateMatch
from service.base.codes import sentence
from service.base.input_errors import InputError, input_error, listed
from service.base.metrics import LIMITED

FORBIDDEN_CODES = frozenset(("not-a-seat", "not-at-the-table", "not-an-operator"))
"""Codes of the rules that refuse the actor rather than the command."""


class Problem(Exception):
    """A refusal with its HTTP status and stable code."""

    def __init__(self, status: int, code: str, detail: str, **extra: Any) -> None:
        """Store the reason; `extra` members become part of the response."""
        super().__init__(detail)
        self.status = status
        self.code = code
        self.detail = detail
        self.extra: Mapping[str, Any] = extra
        self.errors: tuple[InputError, ...] = ()
        """The places of the request that are wrong, as far as they are known."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Allow to send a problem between processes."""
        return _problem, (self.status, self.code, self.detail, dict(self.extra), self.errors)

    def at(self, **place: str) -> Self:
        """Name the place that is wrong: its `pointer`, `parameter` or `header`."""
        self.errors = (InputError(self.detail.removesuffix("."), **place),)
        return self


def _problem(
    status: int, code: str, detail: str, extra: dict[str, Any], errors: tuple[InputError, ...]
) -> Problem:
    problem = Problem(status, code, detail, **extra)
    problem.errors = errors
    return problem


def malformed(detail: str) -> Problem:
    """Refuse input that cannot be parsed."""
    return Problem(400, "malformed", detail)


def invalid(*errors: InputError) -> Problem:
    """Refuse input whose wrong places are known."""
    problem = malformed(" ".join(map(str, errors)))
    problem.errors = errors
    return problem


def bad_path(detail: str) -> Problem:
    """Refuse an invalid JSON Pointer."""
    return Problem(400, "bad-path", detail)


def bad_condition(detail: str) -> Problem:
    """Refuse invalid JMESPath, or a condition that does not fit its subject."""
    return Problem(400, "bad-condition", detail)


def unauthenticated(
    detail: str = "A token is needed: send `Authorization: Bearer <token>`.",
) -> Problem:
    """Refuse a caller without a valid token."""
    return Problem(401, "unauthenticated", detail)


def revoked() -> Problem:
    """Refuse a token that was valid once."""
    return unauthenticated("This token has been revoked.")


def forbidden(detail: str) -> Problem:
    """Refuse a caller without the permission."""
    return Problem(403, "forbidden", detail)


def missing_scope(scope: str) -> Problem:
    """Refuse a token that lacks a scope."""
    detail = f"This call needs a token with the scope `{scope}`."
    if scope == "account":
        detail = "Only the player's own token may make this call, not one made for an app."
    return Problem(403, "missing-scope", detail, scope=scope)


def not_found(what: str) -> Problem:
    """Refuse a thing that does not exist, or whose existence is hidden from the caller."""
    return Problem(404, "not-found", f"No such {what}.")


def no_such_seat(seat: int, seats: int) -> Problem:
    """Refuse a seat that the match does not have."""
    detail = f"Seat must be between 0 and {seats - 1}, got {seat}."
    return Problem(422, "no-such-seat", detail, seats=seats)


def not_a_cursor() -> Problem:
    """Refuse an `after` that no page has returned as `next`."""
    return malformed("`after` is not a cursor of this list.").at(parameter="after")


def no_such_version(number: int, last: int) -> Problem:
    """Refuse a version that the match never had."""
    return Problem(
        404, "no-such-version", f"Version must be between 1 and {last}, got {number}.", last=last
    )


def id_reused() -> Problem:
    """Refuse an Idempotency-Key that was used for another command."""
    return Problem(409, "id-reused", "This Idempotency-Key was used for another command.")


def too_large(limit: int) -> Problem:
    """Refuse a body above the limit."""
    return Problem(413, "too-large", f"The body is larger than {limit} bytes.")


def too_slow(seconds: float) -> Problem:
    """Refuse a body that does not arrive in time."""
    return Problem(408, "too-slow", f"The body did not arrive within {seconds:g} seconds.")


def too_costly() -> Problem:
    """Refuse a question whose answer takes too much time or memory."""
    return Problem(422, "too-costly", "The answer takes too much time or memory to compute.")


def limited(kind: str, code: str, detail: str, *, retry_after: int, **extra: Any) -> Problem:
    """Refuse a caller who has reached a limit, and count the refusal by the kind of limit."""
    LIMITED.labels(kind).inc()
    return Problem(429, code, detail, retry_after=retry_after, **extra)


def out_of_budget(kind: str, wait_s: float) -> Problem:
    """Refuse a caller who has used up its share of the process."""
    return limited(
        kind,
        "rate-limited",
        "You have used up your share of the service's work. Try again later.",
        retry_after=max(1, math.ceil(wait_s)),
    )


def stale_version(version: int) -> Problem:
    """Refuse a command that is meant for an earlier version."""
    return Problem(
        412, "stale-version", f"The match is at version {version} by now.", version=version
    )


def log_unavailable() -> Problem:
    """Refuse a call while the log cannot be reached."""
    return Problem(
        503,
        "log-unavailable",
        "The log cannot be reached. Try again with the same key.",
        retry_after=1,
    )


def rules_not_here() -> Problem:
    """Refuse a match whose game or rules version this process does not have.

    During an upgrade the next try may reach a process that has it.
    """
    return Problem(
        503,
        "rules-version-not-here",
        "This process does not have the rules of the match. Try again. If that does not help, the "
        "operator has to install the game, or a later release.",
        retry_after=2,
    )


def work_unavailable() -> Problem:
    """Refuse a call that needs derived data while the work Redis is down."""
    return Problem(
        503,
        "work-unavailable",
        "This call needs the work Redis, which is not available. Try again later.",
        retry_after=2,
    )


def checkpoints_unavailable() -> Problem:
    """Refuse a call while the checkpoint log cannot be read."""
    return Problem(
        503,
        "checkpoints-unavailable",
        "The checkpoint log cannot be read. Try again later.",
        retry_after=5,
    )


def match_too_long(records: int) -> Problem:
    """Refuse a command because its match is long, and its player has used up a share of it."""
    return Problem(
        422,
        "match-too-long",
        f"The match has reached {records} records and takes no more such commands from you. "
        "Resign, or propose to abandon it, and go on in a new match.",
    )


def ruled_out(error: Illegal, game: AnyGame | None = None) -> Problem:
    """Convert a refusal of the rules, in the words of the game if there are any."""
    status = 403 if error.code in FORBIDDEN_CODES else 422
    detail = sentence(error.code, error.details, game)
    return Problem(status, error.code, detail, **error.details)


def not_opened(error: Illegal, game: AnyGame, command: CreateMatch) -> Problem:
    """Convert a refusal to open a match, and name the field of the body that is wrong."""
    problem = ruled_out(error, game)
    match error.code, error.details:
        case "bad-option", {"reason": str(reason)}:
            problem.errors = (input_error(reason, game.Options, command.options, "/options"),)
        case "bad-player-count", {"least": least, "most": most}:
            expected = f"Expected {least} to {most}, got {command.seats}"
            problem.errors = (InputError(expected, pointer="/seats"),)
        case "bad-player-count", _:
            problem.at(pointer="/seats")
        case (("bad-option" | "option-conflict"), {"option": str(option)}):
            problem.at(pointer=f"/options/{option}")
        case "no-such-level", _:
            expected = f"Expected {listed(game.players.levels)}, got {command.stand_in!r}"
            problem.errors = (InputError(expected, pointer="/stand_in"),)
        case _:
            pass
    return problem
