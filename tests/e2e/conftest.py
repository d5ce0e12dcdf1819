"""One service for all tests that leave it whole; those that break things start their own."""

import asyncio
from collections.abc import Iterator

import httpx
import pytest

from service.base.settings import Settings
from service.process.context import opened
from tests.e2e.played import end
from tests.e2e.service import Player, Running, running


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("service"), "serve") as process:
        yield process


@pytest.fixture
def ada(service: Running) -> Iterator[Player]:
    with Player(service.url, "Ada") as player:
        yield player


@pytest.fixture
def bob(service: Running) -> Iterator[Player]:
    with Player(service.url, "Bob") as player:
        yield player


@pytest.fixture
def eve(service: Running) -> Iterator[Player]:
    """Return a player who has no seat."""
    with Player(service.url, "Eve") as player:
        yield player


@pytest.fixture
def match(ada: Player, bob: Player) -> str:
    """Return a match of two players that has just started."""
    match = ada.open_match()
    ada.do(match, {"type": "take_seat", "seat": 0, "entropy": "a1"})
    bob.do(match, {"type": "take_seat", "seat": 1, "entropy": "b2"})
    return match


@pytest.fixture
def operator(service):
    """Return a player with the operator's role."""

    async def made() -> str:
        async with opened(Settings(data=service.data)) as context:
            return (await context.players.create("Op", roles=("operator",)))[1]

    with Player(service.url, "Op") as player:
        player.http.headers["Authorization"] = f"Bearer {asyncio.run(made())}"
        yield player


@pytest.fixture
def over(ada: Player, bob: Player, match: str) -> str:
    """Return a match that both players have abandoned."""
    end(ada, bob, match)
    return match


@pytest.fixture
def anyone(service: Running) -> Iterator[httpx.Client]:
    """Return a client without a token."""
    with httpx.Client(base_url=service.url) as http:
        yield http
