"""The coach: each kind of decision is explained once, in the first match of a game."""

from playwright.sync_api import expect

from tests.web.axe import breaches
from tests.web.conftest import Newcomer
from tests.web.play import Person, changed, seated, shown_version


def first_seat(person: Person) -> str:
    """Open a match in which the person begins, beside a bot."""
    options = {"first_seat": "0"}
    return seated([person], "ke_dnu", bots=1, options=options)


def test_a_first_match_explains_each_kind_of_decision_once(newcomer: Newcomer):
    ada = newcomer("Ada", "phone", coached=True).enter()
    page, tip = ada.page, ada.page.get_by_role("region", name="Tip")
    first, second = first_seat(ada), first_seat(ada)

    ada.open(first)
    expect(tip).to_contain_text("A turn starts with a draw")
    expect(tip.get_by_role("link", name="KED-10")).to_be_visible()
    assert breaches(page) == []
    box, stage = tip.bounding_box(), page.locator(".stage").bounding_box()
    assert box
    assert stage
    assert box["y"] + box["height"] <= stage["y"] + 1, "the tip stands above the board"
    assert stage["height"] > box["height"]
    version = shown_version(ada)
    page.locator("[data-act]").click()
    changed(ada, version)

    expect(tip).not_to_contain_text("A turn starts with a draw")
    explained = tip.filter(has_text=tip.inner_text())
    tip.get_by_role("button", name="Got it").click()
    expect(tip).to_have_count(0)
    page.reload()
    expect(page.locator("[data-board]").first).to_be_visible()
    expect(ada.status).to_contain_text("Your turn")
    expect(explained).to_have_count(0)

    ada.open(second)
    expect(ada.status).to_contain_text("Your turn")
    expect(tip).to_have_count(0)
    ada.look("Menu")
    page.get_by_role("button", name="Explain moves as I play").click()
    ada.back()
    expect(tip).to_contain_text("A turn starts with a draw")
    ada.look("Menu")
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Explain new decisions").uncheck()
    ada.back()
    expect(tip).to_have_count(0)
