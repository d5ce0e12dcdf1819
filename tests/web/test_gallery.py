"""The gallery: every board at three sizes in both themes. Only pixels differ by machine."""

from playwright.sync_api import expect

from games import GAMES
from tests.web.conftest import Newcomer

SIZES = ("small", "middle", "large")
GROUND = "e => getComputedStyle(e).backgroundColor"
TOO_WIDE = "e => e.querySelector('.stage').scrollWidth - e.querySelector('.stage').clientWidth"


def test_every_board_is_shown_at_three_sizes_in_both_themes(newcomer: Newcomer):
    ada = newcomer("Ada").enter()
    page = ada.page
    page.goto("/")
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Show pages for developers").check()
    page.get_by_role("link", name="Gallery of boards").click()
    frames = page.locator("[data-frame]")
    expect(frames).to_have_count(len(GAMES) * len(SIZES) * 2)
    for slug in GAMES:
        for size in SIZES:
            light = page.locator(f"[data-frame={slug}-{size}-light]")
            dark = page.locator(f"[data-frame={slug}-{size}-dark]")
            for frame in (light, dark):
                expect(frame.locator(".stage > *").first).to_be_visible()
                assert frame.evaluate(TOO_WIDE) <= 0
            assert light.evaluate(GROUND) != dark.evaluate(GROUND)
