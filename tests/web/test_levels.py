"""The choice of a bot: five levels with faces and names, the middle one first."""

import pytest
from playwright.sync_api import expect

from games.search import LEVELS
from tests.web.conftest import Newcomer

NAMES = ("Shrimp", "Crab", "Otter", "Dolphin", "Shark")


def test_a_bot_is_chosen_by_its_face_and_sits_at_the_table(newcomer: Newcomer):
    page = newcomer("Ada", "phone").enter().page
    page.goto("/new?game=submarine")
    choice = page.get_by_role("group", name="Level of the bots")
    expect(choice.get_by_role("radio")).to_have_count(len(LEVELS))
    expect(choice.get_by_role("radio", name="Otter medium")).to_be_checked()
    for name in NAMES:
        expect(choice.locator("label").filter(has_text=name).locator("svg")).to_be_visible()
    choice.get_by_text("Crab").click()
    page.get_by_role("button", name="Create the match").click()
    seat = page.locator(".chips [data-seat='1']")
    expect(seat).to_contain_text("Crab 2 easy")
    expect(seat.locator("svg")).to_be_visible()


def test_a_bot_fills_a_free_seat_while_the_table_waits(newcomer: Newcomer):
    page = newcomer("Ada").enter().page
    page.goto("/new?game=nautilus")
    page.locator("[name=seats]").select_option("3")
    page.locator("[name=bots]").select_option("0")
    page.get_by_role("button", name="Create the match").click()
    page.get_by_role("button", name="Add Otter").first.click()
    expect(page.get_by_text("Otter 2", exact=True)).to_be_visible()
    page.get_by_text("Dolphin").click()
    page.get_by_role("button", name="Add Dolphin").click()
    expect(page.locator(".chips")).to_contain_text("Dolphin 3 hard")


@pytest.mark.parametrize("slug", ["ke_dnu", "nautilus", "tranquility"])
def test_a_new_match_is_balanced_unless_the_player_says_otherwise(newcomer: Newcomer, slug: str):
    ada = newcomer("Ada").enter()
    for chosen in ("balanced", "classic"):
        ada.page.goto(f"/new?game={slug}")
        ada.page.get_by_text("Game options").click()
        field = ada.page.locator('[name="field.house"]')
        expect(field).to_have_value('"balanced"')
        field.select_option(f'"{chosen}"')
        ada.page.get_by_role("button", name="Create the match").click()
        ada.page.wait_for_url("**/match/*")
        match = ada.page.url.rpartition("/")[2]
        assert ada.player.get(f"/matches/{match}")["options"]["house"] == chosen


def test_the_names_are_czech_too(newcomer: Newcomer):
    page = newcomer("Ada", "phone", locale="cs-CZ").enter().page
    page.goto("/new?game=ke_dnu")
    choice = page.get_by_role("group", name="Úroveň botů")
    expect(choice.get_by_role("radio", name="Vydra střední")).to_be_checked()
    choice.get_by_text("Žralok").click()
    expect(choice.get_by_role("radio", name="Žralok expert")).to_be_checked()
