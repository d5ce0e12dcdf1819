"""Take the pictures of README and docs: `python -m tests.web.screens`.

They are the lobby, each board, a replay and the inspector of a running service, in Chromium. The
boards are those of matches between bots, which a player takes over in the middle.
"""

import base64
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, ViewportSize, expect, sync_playwright

from games import GAMES
from games.game import AnyGame
from tests.e2e.service import Player, running_with_worker, wait_until
from tests.web import chromium
from tests.web.conftest import SIZES
from tests.web.play import Person

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
BYTES_MAX = 60_000
QUALITIES = (85, 75, 65, 50, 35, 25)
LOBBY = ViewportSize(width=1280, height=850)
"""Room for all boxes of the lobby."""
PART = 0.6
"""Part of a match after which the player takes it over."""
AT = 100
"""Moment of the replay."""
DARK = ("captain_sonar", "inspector")
PATIENCE_S = 900
"""Time for the bots of one match."""


def between_bots(host: Player, game: AnyGame) -> str:
    """Let bots play a match, and return its id."""
    seats = next(count for count in (3, 2, 4) if count in game.seats)
    match = host.open_match(game.slug, seats, bot_pace="instant")
    for seat in range(seats):
        host.do(match, {"type": "add_bot", "seat": seat, "level": "heuristic"})
    return match


def taken_over(host: Player, match: str) -> str:
    """Return a branch of a match that is over, in which the player is to move in its first seat."""
    wait_until(lambda: host.get(f"/matches/{match}")["status"] == "finished", PATIENCE_S)
    over = host.get(f"/matches/{match}")
    seats = ["me", *["heuristic"] * (len(over["seats"]) - 1)]
    body = {"version": int(over["version"] * PART), "seat": 0, "seats": seats}
    answer = host.http.post(f"/matches/{match}/branches", json=body)
    assert answer.status_code == 201, answer.text
    branch = answer.json()["match"]
    wait_until(lambda: 0 in host.get(f"/matches/{branch}")["waiting"], PATIENCE_S)
    return branch


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


def page_of(browser: Browser, url: str, player: Player, name: str) -> Person:
    """Open a browser for a picture, in its theme and size."""
    context = browser.new_context(
        base_url=url,
        viewport=LOBBY if name == "lobby" else SIZES["desktop"],
        locale="en-GB",
        color_scheme="dark" if name in DARK else "light",
        reduced_motion="reduce",
        service_workers="block",
    )
    return Person(context.new_page(), player, "Ada").enter()


def main() -> None:
    """Take all pictures."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as data,
        running_with_worker(Path(data), bot_pause_ms="0", worker_poll_ms="20") as service,
        sync_playwright() as playwright,
        chromium.launched(playwright, chromium.find()) as browser,
    ):
        player = Player(service.url, "Ada")
        over = {slug: between_bots(player, game) for slug, game in GAMES.items()}
        branches = {slug: taken_over(player, match) for slug, match in over.items()}
        for slug, match in branches.items():
            ada = page_of(browser, service.url, player, slug).open(match)
            expect(ada.page.locator(f"[data-board={slug}] *").first).to_be_visible()
            tip = ada.page.locator("[data-tip] button")
            if tip.is_visible():
                tip.click()
            take(ada.page, slug)
        page = page_of(browser, service.url, player, "lobby").page
        page.goto("/")
        expect(page.locator(".cover > svg")).to_have_count(len(GAMES))
        expect(page.get_by_role("region", name="Your matches")).to_be_visible()
        take(page, "lobby")
        page = page_of(browser, service.url, player, "replay").page
        page.goto(f"/replay/{over['nautilus']}?at={AT}&view=full")
        expect(page.get_by_role("slider", name="Timeline")).to_be_visible()
        take(page, "replay")
        page = page_of(browser, service.url, player, "puzzle").page
        page.goto("/puzzle/nautilus-2")
        expect(page.locator("[data-board=nautilus] *").first).to_be_visible()
        take(page, "puzzle")
        page = page_of(browser, service.url, player, "inspector").page
        page.goto(f"/inspect/{over['tranquility']}?at=30&view=full")
        expect(page.locator("[data-board=tranquility] *").first).to_be_visible()
        page.locator("select[name=view]").evaluate("e => e.scrollIntoView()")
        take(page, "inspector")


if __name__ == "__main__":
    main()
