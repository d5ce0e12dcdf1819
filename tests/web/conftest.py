"""A real service and worker, a real browser, and pages whose warnings and errors fail a test."""

from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import (
    Browser,
    ConsoleMessage,
    Error,
    Page,
    Playwright,
    ViewportSize,
    expect,
    sync_playwright,
)

from service.http.web import DIST
from tests.e2e.service import Player, Running, running_with_worker
from tests.web import chromium
from tests.web.hands import Finger, Hand, Mouse
from tests.web.play import PATIENCE_MS, Person, seated

HERE = Path(__file__).parent
ARTEFACTS = HERE / "artefacts"
STILL = {"locale": "en-GB", "reduced_motion": "reduce", "service_workers": "block"}
"""What a page is shown with where the test says nothing else. A service worker would fetch what
tests answer in the place of the service.
"""
BLOCKED = "Service Worker registration blocked by Playwright"
"""What Playwright itself writes to the console of such a page."""
UNCOACHED = """
localStorage.getItem("shiplog.settings")
  ?? localStorage.setItem("shiplog.settings", '{"coach": false}')
"""
"""The coach speaks in every first match, and each test is one."""
MOVING = {"reduced_motion": "no-preference"}
TRY_S = 300
"""For one try at a test."""
SHOT_MS = 10_000
"""For a picture of a page, which may be the one that hangs."""
SIZES = {
    "phone": ViewportSize(width=360, height=740),
    "desktop": ViewportSize(width=1280, height=800),
}

LARGE = """() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("html { font-size: 200% }");
    document.adoptedStyleSheets.push(sheet);
}"""
"""Letters of twice the size."""

FAILED = pytest.StashKey[bool]()

expect.set_options(timeout=PATIENCE_MS)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Keep whether the test itself failed, for its fixtures to know."""
    report = yield
    if report.when == "call":
        item.stash[FAILED] = report.failed
    return report


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Limit each try at a test: the first that hangs would use up a common limit."""
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.timeout(TRY_S, func_only=True))


Newcomer = Callable[..., Person]


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """Run service and worker; bots answer at once."""
    assert (DIST / "index.html").exists(), "build the page first: make setup"
    data = tmp_path_factory.mktemp("web")
    quick = {"bot_pause_ms": "0", "worker_poll_ms": "20"}
    pushing = {"push_contact": "mailto:ops@play.example", "push_delay_s": "0"}
    brief = {"analysis_commands": "1000", "webhook_networks": "127.0.0.1/32"}
    with running_with_worker(data, **quick, **pushing, **brief) as process:
        yield process


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    with chromium.launched(playwright, chromium.find()) as browser:
        yield browser


@pytest.fixture(scope="session")
def whole_browser(playwright: Playwright) -> Iterator[Browser]:
    """Yield a browser that shows notifications and keeps installed pages."""
    with chromium.launched(playwright, chromium.find_whole()) as browser:
        yield browser


@pytest.fixture
def complaints() -> list[str]:
    """Collect what pages log; a test that provokes some takes them out again."""
    return []


@pytest.fixture
def newcomer(
    browser: Browser, service: Running, complaints: list[str], request: pytest.FixtureRequest
) -> Iterator[Newcomer]:
    """Yield a way to create people with their own browser profile.

    Keeps a shot of each page of a test that fails: with all tests' it took a fifth of their time.
    """
    people: list[Person] = []
    with ExitStack() as stack:

        def come(
            name: str = "Ada",
            size: str = "desktop",
            *,
            hand: Hand | None = None,
            coached: bool = False,
            **more: Any,
        ) -> Person:
            touch = {"viewport": SIZES[size], "has_touch": size == "phone"}
            options = {**STILL, **touch, "base_url": service.url, **more}
            context = browser.new_context(**options)
            context.set_default_timeout(PATIENCE_MS)
            if not coached:
                context.add_init_script(UNCOACHED)
            stack.callback(context.close)
            page = context.new_page()
            listen(page, complaints)
            usual = Finger() if size == "phone" else Mouse()
            people.append(Person(page, Player(service.url, name), name, hand or usual))
            stack.callback(people[-1].player.http.close)
            return people[-1]

        yield come
        if request.node.stash.get(FAILED, True):
            shoot(people, f"{request.path.stem.removeprefix('test_')}-{request.node.name}")
    assert complaints == []


@pytest.fixture
def ada(newcomer: Newcomer) -> Person:
    return newcomer("Ada").enter()


@pytest.fixture
def bob(newcomer: Newcomer) -> Person:
    return newcomer("Bob").enter()


@pytest.fixture
def over(ada: Person, bob: Person) -> str:
    """Return a finished match: some turns, one of them taken back, then both leave."""
    match = seated([ada, bob], "tranquility")
    for turn in range(4):
        mover = (ada, bob)[ada.player.get(f"/matches/{match}")["waiting"][0]].player
        mover.do(match, mover.legal(match)[0])
        if turn == 0:
            other = bob.player if mover is ada.player else ada.player
            undo = mover.get(f"/matches/{match}/legal")["undo"]
            mover.do(match, {"type": "propose_undo", "to": undo["to"]})
            asked = other.get(f"/matches/{match}")["proposal"]["proposal"]
            other.do(match, {"type": "answer", "proposal": asked, "accept": True})
    for person in (ada, bob):
        person.player.do(match, {"type": "resign"})
    return match


def listen(page: Page, complaints: list[str]) -> None:
    """Collect errors and warnings of the console, breaches of the content policy among them."""
    page.on("pageerror", lambda error: complaints.append(str(error)))

    def hear(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and message.text != BLOCKED:
            complaints.append(message.text)

    page.on("console", hear)


def forget(complaints: list[str], *expected: str) -> None:
    """Take out what a test provoked: the browser logs refused and failed requests."""
    complaints[:] = [text for text in complaints if not any(part in text for part in expected)]


def shoot(people: list[Person], test: str) -> None:
    """Save a screenshot of each page at the end, unless the page is closed or hangs."""
    ARTEFACTS.mkdir(exist_ok=True)
    for number, person in enumerate(people):
        with suppress(Error):
            path = ARTEFACTS / f"{test}-{number}.png"
            person.page.screenshot(path=path, full_page=True, timeout=SHOT_MS)
