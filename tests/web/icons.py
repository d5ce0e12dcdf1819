"""Draw the PNG icons of the installed page from their SVG: `python -m tests.web.icons`."""

from pathlib import Path

from playwright.sync_api import sync_playwright

from games.components import ROOT
from tests.web import chromium

SOURCE = ROOT / "web" / "src"
ICONS = SOURCE / "offline" / "icons"
DRAWN = {
    "icon-192.png": (SOURCE / "ui" / "icon.svg", 192),
    "icon-512.png": (SOURCE / "ui" / "icon.svg", 512),
    "maskable-512.png": (ICONS / "maskable.svg", 512),
    "apple-touch-180.png": (ICONS / "maskable.svg", 180),
    "badge-96.png": (ICONS / "badge.svg", 96),
}
"""Each icon with its drawing and its size. iOS and masks cut the corners themselves."""


def draw(folder: Path) -> None:
    """Write all icons into a folder."""
    with (
        sync_playwright() as playwright,
        chromium.launched(playwright, chromium.find()) as browser,
    ):
        for name, (drawing, size) in DRAWN.items():
            page = browser.new_page(viewport={"width": size, "height": size})
            sized = drawing.read_text().replace("<svg ", f'<svg width="{size}" ', 1)
            page.set_content(f"<style>body {{ margin: 0 }} svg {{ display: block }}</style>{sized}")
            page.screenshot(path=folder / name, omit_background=True)
            page.close()


if __name__ == "__main__":
    draw(ICONS)
