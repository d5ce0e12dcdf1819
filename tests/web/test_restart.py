"""A service that restarts, and loses its work Redis, while pages are open."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import expect

from games import GAMES
from tests.e2e.service import Running, running
from tests.events.cluster import free_port
from tests.web.conftest import Newcomer, forget
from tests.web.play import seated

pytestmark = pytest.mark.long

DOWN = ("Failed to load resource", "net::ERR")


class Restarting:
    """A service that can be taken away, and comes back at its address."""

    def __init__(self, stack: ExitStack, data: Path) -> None:
        self._stack = stack
        self._data = data
        self._port = str(free_port())
        self.start()

    def start(self) -> None:
        self.process = self._stack.enter_context(
            running(self._data, "serve", port=self._port, bot_pause_ms="0")
        )
        self.url = self.process.url

    def stop(self) -> None:
        self.process.stop()


@pytest.fixture
def restarting(tmp_path: Path) -> Iterator[Restarting]:
    with ExitStack() as stack:
        yield Restarting(stack, tmp_path)


@pytest.fixture
def service(restarting: Restarting) -> Running:
    return restarting.process


def test_an_offered_rematch_that_is_lost_is_offered_again(
    newcomer: Newcomer, restarting: Restarting, complaints: list[str]
):
    ada, bob = newcomer("Ada", "phone").enter(), newcomer("Bob").enter()
    match = seated([ada, bob], "submarine")
    ada.player.do(match, {"type": "resign"})
    for one in (ada, bob):
        one.open(match)
    ada.page.get_by_role("button", name="Rematch").click()
    expect(bob.page.get_by_text("Ada offers a rematch")).to_be_visible()
    restarting.stop()
    restarting.start()
    for one in (ada, bob):
        expect(one.page.get_by_text("The offer of a rematch is gone.")).to_be_visible()
    ada.page.get_by_role("button", name="Rematch").click()
    bob.page.get_by_role("button", name="Play again").click()
    for one in (ada, bob):
        expect(one.page.locator(".series")).to_be_visible()
    forget(complaints, *DOWN)


@pytest.mark.parametrize(
    ("page", "there"),
    [
        ("/programs", "Webhooks"),
        ("/account", "Devices"),
        ("/profile", "Matches"),
    ],
)
def test_a_page_that_could_not_be_read_is_read_when_the_service_is_back(
    newcomer: Newcomer, restarting: Restarting, complaints: list[str], page: str, there: str
):
    ada = newcomer("Ada").enter()
    ada.page.goto(page)
    expect(ada.page.get_by_role("heading", name=there).first).to_be_visible()
    expect(ada.page.get_by_role("alert")).to_have_count(0)
    ada.page.get_by_role("link", name="Shiplog").click()
    expect(ada.page.get_by_role("region", name="Play now")).to_be_visible()
    expect(ada.page.locator(".boxes .cover > svg")).to_have_count(len(GAMES))
    restarting.stop()
    ada.page.go_back()
    expect(ada.page.get_by_role("alert").first).to_be_visible()
    restarting.start()
    expect(ada.page.get_by_role("alert")).to_have_count(0)
    expect(ada.page.get_by_role("heading", name=there).first).to_be_visible()
    forget(complaints, *DOWN)
