"""How long the lobby and a match take to open for somebody who was never here."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from playwright.sync_api import Browser, CDPSession, Page

from tests.bench.trace import Trace
from tests.e2e.service import Player
from tests.web.conftest import SIZES
from tests.web.play import Person, seated

BITS_PER_S = 1_600_000
LATENCY_MS = 150
SETTLED_MS = 3_000
"""After this time nothing more comes."""
STAGE = "[data-board] .stage :is(svg, button)"
LOBBY = "main :is(form, a, button)"
WATCH = """
window.shown = 0; window.shifts = 0;
new PerformanceObserver(list => {
  for (const shift of list.getEntries()) if (!shift.hadRecentInput) shifts += shift.value;
}).observe({ type: "layout-shift", buffered: true });
addEventListener("DOMContentLoaded", () => new MutationObserver((_, watch) => {
  if (!document.querySelector("%s")) return;
  watch.disconnect();
  requestAnimationFrame(() => setTimeout(() => shown = performance.now()));
}).observe(document, { subtree: true, childList: true }));
"""


class Opening(NamedTuple):
    """One visit."""

    ms: float
    """Until it is shown (elapsed)."""
    kilobytes: float
    """Received until then, over the wire."""
    task_ms: float
    """Longest task (processor time)."""
    shift: float
    """Cumulative layout shift."""


@contextmanager
def visiting(browser: Browser, url: str, awaited: str, slow: int) -> Iterator[tuple[Page, Any]]:
    """Yield a fresh phone's page; with `slow`, a slow one on a slow network."""
    context = browser.new_context(
        viewport=SIZES["phone"], has_touch=True, base_url=url, service_workers="block"
    )
    context.add_init_script(WATCH % awaited)
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    if slow > 1:
        rate = BITS_PER_S / 8
        network = {"latency": LATENCY_MS, "downloadThroughput": rate, "uploadThroughput": rate}
        session.send("Network.emulateNetworkConditions", {"offline": False, **network})
        session.send("Emulation.setCPUThrottlingRate", {"rate": slow})
    yield page, session
    context.close()


def visit(page: Page, session: CDPSession, address: str) -> Opening:
    """Open an address and wait until what is awaited is shown, and until the page has settled."""
    asked: list[float] = []
    received: list[tuple[float, int]] = []
    session.on("Network.requestWillBeSent", lambda sent: asked.append(sent["timestamp"]))
    session.on(
        "Network.loadingFinished",
        lambda over: received.append((over["timestamp"], over["encodedDataLength"])),
    )
    trace = Trace(page, session)
    page.goto(address, wait_until="commit")
    while not (shown := page.evaluate("shown")):
        page.wait_for_timeout(20)
    page.wait_for_timeout(SETTLED_MS)
    until = asked[0] + shown / 1_000
    kilobytes = sum(length for at, length in received if at <= until) / 1_000
    return Opening(shown, kilobytes, trace.stop()[0], page.evaluate("shifts"))


def open_lobby(browser: Browser, url: str, slow: int) -> Opening:
    """Visit the first page as a newcomer."""
    with visiting(browser, url, LOBBY, slow) as (page, session):
        return visit(page, session, "/")


def open_board(browser: Browser, url: str, game: str, slow: int) -> Opening:
    """Visit a match that has just begun, at which one sits, with an empty cache."""
    with visiting(browser, url, STAGE, slow) as (page, session), Player(url, "Ada") as player:
        ada = Person(page, player, "Ada").enter()
        return visit(page, session, f"/match/{seated([ada], game, bots=1)}")
