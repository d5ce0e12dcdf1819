"""Take the pictures of README and docs: `python -m tests.web.screens`.

They are the lobby, each board, a replay and the inspector of a running service, in Chromium.
"""

import base64
import tempfile
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright

from games import GAMES
from tests.e2e.service import Player, running
from tests.web import chromium
from tests.web.conftest import SIZES
from tests.web.pictures import played
from tests.web.play import Person

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
BYTES_MAX = 60_000
QUALITIES = (85, 75, 65, 50, 35)
TURNS = 9


def take(page: Page, name: str) -> None:
    """Take a picture as WebP, in the best quality that is small enough."""
    page.wait_for_timeout(800)
    session = page.context.new_cdp_session(page)
    for quality in QUALITIES:
        shot = session.send("Page.captureScreenshot", {"format": "webp", "quality": quality})
        picture = base64.b64decode(shot["data"])
        if len(picture) <= BYTES_MAX:
            break
    (PICTURES / f"{name}.webp").write_bytes(picture)


def main() -> None:
    """Take all pictures."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as data,
        running(Path(data), "serve") as service,
        sync_playwright() as playwright,
        chromium.launched(playwright, chromium.find()) as browser,
    ):
        people = [Player(service.url, name) for name in ("Ada", "Bob", "Eve", "Joe", "Zoe")]
        matches = {slug: played(people, game, TURNS) for slug, game in GAMES.items()}
        context = browser.new_context(
            base_url=service.url,
            viewport=SIZES["desktop"],
            locale="en-GB",
            reduced_motion="reduce",
            service_workers="block",
        )
        ada = Person(context.new_page(), people[0], "Ada").enter()
        page = ada.page
        for slug, match in matches.items():
            ada.open(match)
            expect(page.locator(f"[data-board={slug}] *").first).to_be_visible()
            take(page, slug)
        page.goto("/")
        expect(page.locator(".cover > svg")).to_have_count(len(GAMES))
        expect(page.get_by_role("region", name="Your matches")).to_be_visible()
        take(page, "lobby")
        over = matches["submarine"]
        for player in people[:3]:
            player.send(over, {"type": "resign"})
        page.goto(f"/replay/{over}?at=9&view=full")
        expect(page.get_by_role("slider", name="Timeline")).to_be_visible()
        take(page, "replay")
        page.goto(f"/inspect/{over}?at=9&view=full")
        expect(page.locator("[data-board=submarine] *").first).to_be_visible()
        take(page, "inspector")


if __name__ == "__main__":
    main()
