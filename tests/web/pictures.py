"""Draw the picture of each game for previews of links: `python -m tests.web.pictures`.

Bots play the boards of the page for some turns, and each is photographed in the size that
messengers show.
"""

import tempfile
from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import ViewportSize, expect, sync_playwright

from games import GAMES
from games.game import AnyGame
from tests.e2e.service import Player, running
from tests.web import chromium
from tests.web.play import Person

PICTURES = Path(__file__).parents[2] / "web" / "public" / "pictures"
SIZE = ViewportSize(width=1200, height=630)
TURNS = 8
QUALITY = 82
BOARD_ONLY = """
.table .stage { position: fixed; inset: 0; z-index: 99; height: auto; background: var(--ground) }
"""


def played(people: Sequence[Player], game: AnyGame, turns: int) -> str:
    """Open a match of a game, take some turns of it, and return its id."""
    seats = next(count for count in (3, 2, 4) if count in game.seats)
    match = people[0].open_match(game.slug, seats)
    for seat, player in enumerate(people[:seats]):
        player.do(match, {"type": "take_seat", "seat": seat, "entropy": f"e{seat}"})
    for turn in range(turns):
        waiting = people[0].get(f"/matches/{match}")["waiting"]
        if waiting:
            mover = people[waiting[0]]
            legal = mover.legal(match)
            mover.do(match, legal[turn % len(legal)])
    return match


def main() -> None:
    """Draw all pictures."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as data,
        running(Path(data), "serve") as service,
        sync_playwright() as playwright,
        chromium.launched(playwright, chromium.find()) as browser,
    ):
        for slug, game in GAMES.items():
            context = browser.new_context(
                base_url=service.url,
                viewport=SIZE,
                locale="en-GB",
                reduced_motion="reduce",
                bypass_csp=True,
            )
            people = [Player(service.url, name) for name in ("Ada", "Bob", "Eve", "Joe", "Zoe")]
            match = played(people, game, TURNS)
            shown = Person(context.new_page(), people[-1], "Zoe").enter().open(match)
            expect(shown.page.locator(f"[data-board={slug}] *").first).to_be_visible()
            shown.page.add_style_tag(content=BOARD_ONLY)
            shown.page.wait_for_timeout(500)
            picture = PICTURES / f"{slug}.jpg"
            shown.page.screenshot(path=picture, type="jpeg", quality=QUALITY)
            context.close()


if __name__ == "__main__":
    main()
