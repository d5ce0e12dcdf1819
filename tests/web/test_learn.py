"""Tutorials: learn a game on its real board, without a wall and without a name."""

import re

import pytest
from playwright.sync_api import Page, expect

from games import GAMES
from replay.tutorial import tutorials_of
from tests.web import axe
from tests.web.conftest import LARGE, SIZES, Newcomer, forget

pytestmark = pytest.mark.long

TUTORIALS = tutorials_of(GAMES)


def at_step(page: Page, number: int) -> None:
    expect(page.locator(f"[data-step='{number}']")).to_be_visible()


def button(page: Page, name: str) -> None:
    page.locator(".ways").get_by_role("button", name=name).click()


def fits(page: Page) -> bool:
    return page.evaluate("document.scrollingElement.scrollHeight <= innerHeight")


@pytest.mark.parametrize("slug", TUTORIALS)
def test_a_newcomer_is_shown_a_whole_tutorial(newcomer: Newcomer, slug: str):
    page = newcomer("Ada", "phone").page
    page.goto("/")
    page.get_by_role(
        "link", name=re.compile(f"^{re.escape(GAMES[slug].titles['en'])}: learn")
    ).click()
    steps = TUTORIALS[slug].syllabus.steps
    for number, step in enumerate(steps, 1):
        at_step(page, number)
        expect(page.locator(".speech p").first).to_have_text(step.text.en)
        for size, viewport in SIZES.items():
            page.set_viewport_size(viewport)
            expect(page.locator(".speech p").first).to_be_in_viewport(ratio=0.5)
            assert fits(page), f"step {number} scrolls on a {size}"
        if step.goal and step.hint and step.after:
            expect(page.locator(".goal")).to_contain_text(step.goal.en)
            button(page, "Hint")
            expect(page.locator(".hint")).to_have_text(step.hint.en)
            button(page, "Show me")
            expect(page.locator(".good")).to_have_text(step.after.en)
        if number < len(steps):
            button(page, "Next")
    for viewport in SIZES.values():
        page.set_viewport_size(viewport)
        assert axe.breaches(page) == []
    expect(page.get_by_role("link", name="Choose a name and play")).to_be_visible()


def test_a_tutorial_can_be_read_in_large_letters(newcomer: Newcomer):
    page = newcomer("Ada", "phone", locale="cs-CZ").page
    whole = "e => e.scrollWidth <= e.clientWidth && e.scrollHeight < e.clientHeight + 8"
    for slug in TUTORIALS:
        page.goto(f"/learn/{slug}")
        at_step(page, 1)
        title = page.get_by_role("heading", level=1)
        assert title.evaluate(whole), slug
        page.evaluate(LARGE)
        assert title.evaluate(whole), slug
        assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth"), slug
    page.goto("/learn/tranquility")
    at_step(page, 1)
    page.evaluate(LARGE)
    speech = page.locator(".speech")
    lines = "e => e.clientHeight / parseFloat(getComputedStyle(e).lineHeight)"
    assert speech.evaluate(lines) > 5
    board = page.locator("[data-cell=A1]")
    board.scroll_into_view_if_needed()
    expect(board).to_be_in_viewport()


def test_a_goal_is_reached_by_hand_after_a_miss_and_a_refusal(
    newcomer: Newcomer, complaints: list[str]
):
    page = newcomer("Ada", "phone").page
    page.goto("/learn/tranquility")
    for number in (1, 2):
        at_step(page, number)
        button(page, "Next")
    at_step(page, 3)
    assert axe.breaches(page) == []
    card, cell = page.locator("[data-card=island_52]"), page.locator("[data-cell=E4]")
    expect(cell).to_have_attribute("data-marked", "")

    card.click()
    page.locator("[data-cell=F6]").click()
    expect(page.get_by_role("alert")).to_contain_text("rise")

    page.locator("[data-cell=D4]").click()
    expect(page.locator(".speech")).to_contain_text("That is allowed, but it is not the task")
    button(page, "Take it back")
    expect(page.locator("[data-cell=D4] [data-thing]")).to_have_count(0)

    card.click()
    cell.click()
    expect(page.locator(".good")).to_be_visible()
    button(page, "Next")
    at_step(page, 4)
    forget(complaints, "422")


def test_marks_stay_until_they_are_used_and_a_turn_ended_too_early_is_taken_back(
    newcomer: Newcomer,
):
    page = newcomer("Ada", "phone").page
    page.goto("/learn/ke_dnu")
    at_step(page, 1)
    expect(page.locator(".dock [data-act]")).to_have_count(0)
    button(page, "Next")
    page.get_by_role("button", name="Draw").click()
    button(page, "Next")
    at_step(page, 3)
    page.get_by_role("button", name="End the turn").click()
    expect(page.locator(".speech")).to_contain_text("Player 1 ended the turn.")
    button(page, "Take it back")

    page.evaluate("localStorage.setItem('shiplog.learned', '{\"ke_dnu\": 4}')")
    page.reload()
    at_step(page, 4)
    page.locator(".hand [data-card=rats_1]").click()
    page.locator("[data-do=jettison]").click()
    expect(page.locator(".hand [data-card=rats_1]")).to_have_count(0)
    for card in ("baby_1", "baby_2", "passenger_1", "lifeboat_3"):
        expect(page.locator(f"[data-card={card}]")).to_have_attribute("data-marked", "")
    expect(page.locator("[data-card=rats_1][data-marked]")).to_have_count(0)

    page.evaluate("localStorage.setItem('shiplog.learned', '{\"ke_dnu\": 5}')")
    page.reload()
    at_step(page, 5)
    page.get_by_role("button", name="End the turn").click()
    page.locator(".hand [data-card=passenger_2]").click()
    page.get_by_role("button", name="Discard 1 card", exact=True).click()
    expect(page.locator(".good")).to_be_visible()


def test_a_place_to_launch_is_shown_however_far_it_is_from_the_base(newcomer: Newcomer):
    page = newcomer("Ada", "phone").page
    page.add_init_script("localStorage.setItem('shiplog.learned', '{\"nautilus\": 7}')")
    page.goto("/learn/nautilus")
    at_step(page, 7)
    expect(page.locator("[data-cell=P21]")).to_be_in_viewport()


def test_the_step_is_kept_and_the_end_leads_to_a_match(newcomer: Newcomer):
    ada = newcomer("Ada", locale="cs-CZ").enter()
    last = len(TUTORIALS["tranquility"].syllabus.steps)
    ada.page.add_init_script(
        "localStorage.getItem('shiplog.learned') ?? "
        f"""localStorage.setItem('shiplog.learned', '{{"tranquility": {last - 1}}}')"""
    )
    ada.page.goto("/learn/tranquility")
    at_step(ada.page, last - 1)
    button(ada.page, "Napovědět")
    button(ada.page, "Ukázat")
    button(ada.page, "Dál")
    at_step(ada.page, last)
    ada.page.reload()
    at_step(ada.page, last)
    button(ada.page, "Zahrát si hned proti botovi")
    expect(ada.page.locator("[data-shown]")).to_be_visible()
    expect(ada.page.locator(".chips")).to_contain_text("Ada")


def test_a_game_without_a_tutorial_is_not_found(newcomer: Newcomer, complaints: list[str]):
    page = newcomer().page
    with page.expect_console_message(lambda message: "404" in message.text):
        page.goto("/learn/nothing")
    expect(page.get_by_role("link", name="Back")).to_be_visible()
    forget(complaints, "404")
