"""Schemathesis compares what the service answers with what its document says."""

from tests.clients.conftest import Run
from tests.e2e.service import Player, Running, own_name


def test_schemathesis_has_no_finding(run: Run, service: Running):
    """Check all calls with all of its checks, also in sequence, with a token and a match."""
    with Player(service.url, own_name()) as player:
        player.get("/schema/openapi.json")  # On a busy machine Schemathesis gives it up too soon.
        match = player.open_match(seats=1)
        player.do(match, {"type": "take_seat"})
        run(
            "schemathesis", "--config-file", "schemathesis.toml", "run", "--warnings=off",
            "--seed=1", "--max-time=45", f"{service.url}/schema/openapi.json",
            TOKEN=player.token, MATCH=match,
        )  # fmt: skip
