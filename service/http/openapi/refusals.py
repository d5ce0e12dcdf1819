"""The refusals that each call documents, by status, with their codes.

Those that follow from the parameters of a handler are listed here. The others stand in the
handler's decorator as `refuses=(…)`.
"""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from litestar.handlers import HTTPRouteHandler

from service.http.openapi.schemas import Schema, Schemas, ref, told_apart
from service.http.problem_json import MEDIA_TYPE

RULES = "rules"
"""Stands for all codes of the rules."""

CODES = {
    "malformed": (400, "Not valid for this call."),
    "bad-name": (400, "Not a name: invisible, or with control characters."),
    "bad-path": (400, "Not a JSON Pointer."),
    "bad-condition": (400, "Not a JMESPath expression, or one that does not fit its subject."),
    "unauthenticated": (401, "No token, or not a token of this service."),
    "forbidden": (403, "Not allowed for you, or not yet."),
    "not-agreed": (403, "The other seats have not agreed."),
    "not-a-seat": (403, "Only for seats of the match."),
    "not-at-the-table": (403, "Only for players at the table."),
    "not-found": (404, "Does not exist, or is hidden from this caller."),
    "no-such-version": (404, "The match has no such version."),
    "not-analysed": (404, "There is no analysis of this version: request one with POST."),
    "too-slow": (408, "The body did not arrive in time."),
    "id-reused": (409, "This Idempotency-Key was used for another command."),
    "stale-version": (412, "The match is past the version in `If-Match`."),
    "too-large": (413, "The body exceeds the limit."),
    RULES: (422, "The rules refuse. The rules of the game list their codes."),
    "no-such-seat": (422, "The match has no such seat."),
    "no-such-level": (422, "The game has no bot of this level."),
    "already-seated": (422, "A player has one seat."),
    "seat-needed": (422, "Name the seat whose knowledge is kept."),
    "talk-closed": (422, "The game does not allow talk at this moment."),
    "too-costly": (422, "The answer takes too much time or memory."),
    "condition-too-costly": (422, "The condition takes too long to evaluate."),
    "rate-limited": (429, "Too many requests: wait for `Retry-After`."),
    "too-many-streams": (429, "Too many open streams: close one."),
    "too-many-jobs": (429, "Too many open jobs: wait for one or cancel one."),
    "too-many-open-matches": (429, "Too many of your matches wait for players: complete one."),
    "log-quota": (429, "You have added as much to the log as a day allows."),
    "log-nearly-full": (503, "Only running matches go on: try again later."),
    "log-unavailable": (503, "The log cannot be reached: retry with the same key."),
    "work-unavailable": (503, "The work Redis cannot be reached: retry later."),
    "queue-full": (503, "The queue of jobs is full: retry later."),
    "rules-version-not-here": (503, "This process lacks the match's rules version: retry."),
}
"""Status and meaning of each code."""

FOUND = ("not-found", "log-unavailable", "rules-version-not-here")
BY_PARAMETER = {
    "caller": ("unauthenticated", "rate-limited", "log-unavailable"),
    "callers": ("rate-limited", "log-unavailable"),
    "access": FOUND,
    "admission": ("log-nearly-full",),
    "commands": (*FOUND, "log-quota"),
    "data": ("malformed", "too-large", "too-slow"),
    "idempotency_key": ("id-reused",),
    "view": ("forbidden", "no-such-seat"),
    "eyes": ("no-such-seat",),
    "analyses": ("work-unavailable",),
    "readers": ("too-costly",),
    "erasure": ("work-unavailable",),
    "jobs": ("work-unavailable",),
    "matches": ("log-quota",),
    "open_matches": ("too-many-open-matches",),
    "listings": ("work-unavailable",),
    "talk": ("work-unavailable",),
}
"""Codes that follow from a parameter of a handler."""
SUBMITTED = ("too-many-jobs", "queue-full")
"""Codes of calls that submit a job."""

RETRY_AFTER = {
    "Retry-After": {
        "description": "Seconds to wait before the next try.",
        "schema": {"type": "integer", "minimum": 1},
    }
}
CHALLENGE = {"WWW-Authenticate": {"description": "Always `Bearer`.", "schema": {"type": "string"}}}
HEADERS: dict[int, Schemas] = {401: CHALLENGE, 429: RETRY_AFTER, 503: RETRY_AFTER}


def codes(handler: HTTPRouteHandler, parameters: Iterable[Schema]) -> set[str]:
    """Return the codes with which a handler may refuse, given its documented parameters."""
    found = set(handler.opt.get("refuses", ()))
    names = set(handler.parsed_fn_signature.parameters)
    for name in names & BY_PARAMETER.keys():
        found.update(BY_PARAMETER[name])
    if "jobs" in names and handler.status_code == 202:
        found.update(SUBMITTED)
    if any(_constrained(parameter) for parameter in parameters):
        found.add("malformed")
    return found


def by_status(found: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Return the response of each status for some codes."""
    grouped: defaultdict[int, list[str]] = defaultdict(list)
    for code in CODES:
        if code in found:
            grouped[CODES[code][0]].append(code)
    return {str(status): _response(status, grouped[status]) for status in sorted(grouped)}


def problems(base: Schema) -> Schemas:
    """Return the schema of the problem of each code, from that of all problems."""
    made: Schemas = {}
    for code, (status, meaning) in CODES.items():
        own = {
            "status": {"type": "integer", "const": status},
            "code": {"type": "string", "const": code},
        }
        described = {name: base["properties"][name] | own[name] for name in own}
        made[_problem(code)] = {
            **base,
            "title": _problem(code),
            "description": meaning,
            "properties": base["properties"] | described,
        }
    return made


def _response(status: int, group: list[str]) -> dict[str, Any]:
    if RULES in group:
        schema = ref("Problem")
    elif len(group) == 1:
        schema = ref(_problem(group[0]))
    else:
        schema = told_apart("code", {code: _problem(code) for code in group})
    said = [CODES[code][1] if code == RULES else f"`{code}`: {CODES[code][1]}" for code in group]
    return {
        "description": " ".join(said),
        "headers": HEADERS.get(status, {}),
        "content": {MEDIA_TYPE: {"schema": schema}},
    }


def _problem(code: str) -> str:
    return "".join(word.capitalize() for word in code.split("-")) + "Problem"


def _constrained(parameter: Schema) -> bool:
    """Return whether a value can be malformed: required, or more than any text."""
    anything = {"type", "description", "default", "title", "examples"}
    schema: Schema = parameter["schema"]
    return parameter["in"] != "path" and (
        bool(parameter.get("required"))
        or schema.get("type") != "string"
        or bool(schema.keys() - anything)
    )
