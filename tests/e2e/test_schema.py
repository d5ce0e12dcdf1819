"""Whatever the OpenAPI document allows, and much else: never a 500, always a documented answer."""

import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.e2e.service import Player, Running

CHECKS = [
    not_a_server_error,
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
]
EXAMPLES = 25
"""Calls for each operation."""
LEFT_OUT = {
    ("DELETE", "/players/me"),
    ("POST", "/players/me/token"),
    ("GET", "/matches/{match}/stream"),
}
"""They would lock the caller out, or never end."""


def test_no_call_breaks_the_service(service: Running):
    document = schemathesis.openapi.from_url(f"{service.url}/schema/openapi.json")
    with Player(service.url) as player:
        match = player.open_match(seats=1)
        player.do(match, {"type": "take_seat"})
        operations = [found.ok() for found in document.get_all_operations()]
        assert len(operations) > 20
        for operation in operations:
            if (operation.method.upper(), operation.path) in LEFT_OUT:
                continue
            for mode in schemathesis.GenerationMode:
                if mode is schemathesis.GenerationMode.NEGATIVE and nothing_is_malformed(operation):
                    continue
                call_at_random(operation, mode, match, player.token)


def nothing_is_malformed(operation) -> bool:
    """Return whether a call is public and has nothing that could be wrong."""
    raw = operation.definition.raw
    return raw.get("security") == [] and "400" not in raw["responses"]


def call_at_random(operation, mode, match: str, token: str) -> None:
    @settings(
        max_examples=EXAMPLES,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def call(case):
        if "match" in (case.path_parameters or {}):
            case.path_parameters["match"] = match
        response = case.call(headers={"Authorization": f"Bearer {token}"})
        case.validate_response(response, checks=CHECKS)

    call()
