"""How long a browser takes to audit a match from a cold page, by part.

`python -m tests.bench.bench_page_audit` uploads the longest recorded match to a page that has
loaded nothing before. Elapsed times depend on how busy the machine is; the processor time of the
browser depends on it less.
"""

import statistics
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Browser, expect, sync_playwright

from service.http.web import DIST
from tests.e2e.service import Player, running
from tests.web import chromium
from tests.web.inspector import badge, upload
from tests.web.play import Person

LOG = Path(__file__).parents[2] / "seeds" / "matches" / "ke_dnu" / "orders-1.jsonl"
ROUNDS = 3
PARTS = ("fetched", "python", "unpacked", "imported")
"""What the worker notes when it is done (`audit.worker.ts`)."""
MARKS = "() => performance.getEntriesByType('mark').map(({ name, startTime }) => [name, startTime])"


def spent(browser: Browser) -> float:
    """Return the processor time of the browser so far (seconds)."""
    found = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")
    return sum(process["cpuTime"] for process in found["processInfo"])


def audit(browser: Browser, url: str, player: Player) -> dict[str, float]:
    """Return the elapsed time of each part of a cold audit, and its processor time (seconds)."""
    context = browser.new_context(base_url=url, service_workers="block")
    page = Person(context.new_page(), player, "Ada").enter().page
    page.goto("/upload")
    before, begun = spent(browser), time.perf_counter()
    upload(Person(page, player, "Ada"), LOG.name, LOG.read_bytes())
    expect(badge(page)).to_contain_text("records hold", timeout=120_000)
    whole = time.perf_counter() - begun
    (worker,) = page.workers
    marks = dict(worker.evaluate(MARKS))
    took: dict[str, float] = {}
    last = 0.0
    for part in PARTS:
        took[part], last = (marks[part] - last) / 1000, marks[part]
    took["page, service and audit"] = whole - last / 1000
    took["all"] = whole
    took["processor time"] = spent(browser) - before
    context.close()
    return took


def main() -> None:
    """Print the table."""
    assert (DIST / "audit").exists(), "build the page first: make setup"
    with (
        tempfile.TemporaryDirectory() as data,
        running(Path(data), "serve") as service,
        sync_playwright() as playwright,
        chromium.launched(playwright, chromium.find()) as browser,
    ):
        player = Player(service.url, "Ada")
        rounds = [audit(browser, service.url, player) for _ in range(ROUNDS)]
    for part in rounds[0]:
        times = sorted(one[part] for one in rounds)
        print(f"{part:24}{statistics.median(times):7.2f} s  ({times[0]:.2f} to {times[-1]:.2f})")


if __name__ == "__main__":
    main()
