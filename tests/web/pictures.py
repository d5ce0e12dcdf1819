"""Draw the picture of each game for previews of links: `python -m tests.web.pictures`.

It is the cover of the game's box, in the size that messengers show.
"""

import tempfile
from pathlib import Path

from playwright.sync_api import ViewportSize, sync_playwright

from games import GAMES
from tests.e2e.service import running
from tests.web import chromium

PICTURES = Path(__file__).parents[2] / "web" / "public" / "pictures"
SIZE = ViewportSize(width=1200, height=630)
QUALITY = 82
COVER_ONLY = ".filling { position: fixed; inset: 0; z-index: 99 }"


def main() -> None:
    """Draw all pictures."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as data,
        running(Path(data), "serve") as service,
        sync_playwright() as playwright,
        chromium.launched(playwright, chromium.find()) as browser,
    ):
        page = browser.new_page(
            base_url=service.url,
            viewport=SIZE,
            locale="en-GB",
            reduced_motion="reduce",
            bypass_csp=True,
        )
        page.goto("/")
        page.add_style_tag(content=COVER_ONLY)
        for slug, game in GAMES.items():
            box = page.get_by_role("listitem").filter(has_text=game.titles["en"])
            cover = box.locator(".cover > svg").first
            cover.evaluate("cover => cover.classList.add('filling')")
            page.screenshot(path=PICTURES / f"{slug}.jpg", type="jpeg", quality=QUALITY)
            cover.evaluate("cover => cover.classList.remove('filling')")


if __name__ == "__main__":
    main()
