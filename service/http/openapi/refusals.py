"""The refusals that each call documents, by status, with their codes.

Those that follow from the parameters of a handler, or from counting its calls, are listed here. The
others stand in the handler's decorator as `refuses=(…)`.
"""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from litestar.handlers import HTTPRouteHandler

from service.base.codes import CODES
from service.http.callers import counts_of
from service.http.openapi.schemas import Schema, Schemas, ref, told_apart
from service.http.problem_json import MEDIA_TYPE

RULES = "rules"
"""Stands for all codes of the rules."""

RULES_STATUS = 422
RULES_MEANING = "The rules refuse. The rules of the game list their codes."

FOUND = ("not-found", "log-unavailable", "rules-version-not-here")
BY_PARAMETER = {
    "caller": ("unauthenticated", "missing-scope", "rate-limited", "log-unavailable"),
    "callers": ("rate-limited", "log-unavailable"),
    "access": FOUND,
    "admission": ("log-nearly-full",),
    "match_cards": ("log-unavailable",),
    "commands": (*FOUND, "log-quota", "match-too-long"),
    "data": ("too-large", "too-slow"),
    "idempotency_key": ("id-reused",),
    "view": ("forbidden", "no-such-seat"),
    "eyes": ("no-such-seat",),
    "analyses": ("work-unavailable",),
    "best_moments": ("work-unavailable",),
    "readers": ("too-costly",),
    "erasure": ("work-unavailable",),
    "invitations": ("work-unavailable",),
    "jobs": ("work-unavailable",),
    "matches": ("log-quota",),
    "mailboxes": ("log-unavailable", "work-unavailable"),
    "move_codes": ("work-unavailable",),
    "open_matches": ("too-many-open-matches",),
    "listings": ("work-unavailable",),
    "rematches": ("work-unavailable",),
    "seeks": ("work-unavailable",),
    "series": ("work-unavailable",),
    "webhooks": ("work-unavailable",),
    "push": ("work-unavailable",),
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


def codes(handler: HTTPRouteHandler) -> set[str]:
    """Return the codes with which a handler may refuse. Each refuses unknown query parameters."""
    found = {"malformed", *handler.opt.get("refuses", ())}
    names = set(handler.parsed_fn_signature.parameters)
    if counts_of(handler) is not None:
        names.add("callers")
    for name in names & BY_PARAMETER.keys():
        found.update(BY_PARAMETER[name])
    if "jobs" in names and handler.status_code == 202:
        found.update(SUBMITTED)
    return found


def by_status(found: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Return the response of each status for some codes."""
    grouped: defaultdict[int, list[str]] = defaultdict(list)
    if RULES in found:
        grouped[RULES_STATUS].append(RULES)
    for code, known in CODES.items():
        if code in found:
            grouped[known.status].append(code)
    return {str(status): _response(status, grouped[status]) for status in sorted(grouped)}


def problems(base: Schema) -> Schemas:
    """Return the schema of the problem of each code, from that of all problems."""
    made: Schemas = {}
    for code, known in CODES.items():
        own = {
            "status": {"type": "integer", "const": known.status},
            "code": {"type": "string", "const": code},
        }
        described = {name: base["properties"][name] | own[name] for name in own}
        made[_problem(code)] = {
            **base,
            "title": _problem(code),
            "description": known.en[0],
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
    said = [RULES_MEANING if code == RULES else f"`{code}`: {CODES[code].en[0]}" for code in group]
    return {
        "description": " ".join(said),
        "headers": HEADERS.get(status, {}),
        "content": {MEDIA_TYPE: {"schema": schema}},
    }


def _problem(code: str) -> str:
    return "".join(word.capitalize() for word in code.split("-")) + "Problem"
