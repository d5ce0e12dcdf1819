"""Replay: a match looked back at on its real board."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.web import axe
from tests.web.conftest import SIZES, Newcomer
from tests.web.play import Person, seated


def place(page: Page, number: int) -> None:
    expect(page.locator(".strip")).to_have_text(re.compile(rf"^\s*{number} of "))


def last(page: Page) -> int:
    found = re.search(r" of (\d+)", page.locator(".strip").inner_text())
    assert found
    return int(found[1])


@pytest.mark.parametrize("size", SIZES)
def test_a_finished_match_is_replayed_by_keys_timeline_and_link(
    newcomer: Newcomer, over: str, size: str
):
    page = newcomer("Cleo", size).enter().page
    page.goto(f"/match/{over}")
    page.get_by_role("region", name="Result").get_by_role("link", name="Replay").click()
    place(page, 1)
    sea = page.get_by_role("group", name="The sea").locator("button:has(svg)")
    expect(sea).to_have_count(0)
    end = last(page)
    keys = page.keyboard
    keys.press("End")
    place(page, end)
    expect(sea.first).to_be_visible()
    laid = sea.count()
    keys.press("ArrowLeft")
    place(page, end - 1)
    keys.press("Home")
    place(page, 1)
    keys.press(" ")
    expect(page.locator(".strip")).to_have_text(re.compile(r"^\s*[3-9] of "))
    keys.press(" ")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    page.get_by_role("slider", name="Timeline").fill(str(end - 1))
    place(page, end)
    expect(sea).to_have_count(laid)
    page.get_by_role("combobox", name="Seen by").select_option(label="As seen by Ada")
    expect(page.get_by_role("group", name="Your hand")).to_be_visible()
    place(page, end)
    expect(page).to_have_url(re.compile(r"at=\d+&view=0"))
    page.reload()
    place(page, end)
    keys.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_contain_text("play or pause")
    keys.press("Escape")
    expect(page.get_by_role("dialog", name="Keys")).to_be_hidden()
    if size == "phone":
        keys.press("l")
    story = page.get_by_role("log", name="What happened")
    expect(story.locator("[aria-current]")).to_be_in_viewport()
    beside = page.get_by_role("group", name="Besides the board")
    for tab in ("Moments", "Log"):
        beside.get_by_role("button", name=tab).click()
    expect(story.locator("[aria-current]")).to_be_in_viewport()
    assert axe.breaches(page) == []
    story.get_by_role("button").first.click()
    place(page, 1)
    assert page.evaluate("document.scrollingElement.scrollHeight <= innerHeight")


def under_way(route: Route) -> None:
    """Answer that a quarter of the job is done."""
    job = route.fetch().json()
    progress = {"done": 1, "total": 4}
    route.fulfill(json={**job, "state": "running", "progress": progress, "result": None})


def test_the_analysis_marks_the_moments_that_mattered(newcomer: Newcomer, over: str):
    page = newcomer("Cleo").enter().page
    page.goto(f"/replay/{over}")
    place(page, 1)
    beside = page.get_by_role("group", name="Besides the board")
    beside.get_by_role("button", name="Moments").click()
    asked = re.compile(r"/analysis$|/jobs/")
    page.route(asked, under_way)
    page.get_by_role("button", name="Find the key moments").click()
    searching = page.get_by_role("progressbar", name="Looking for key moments…")
    expect(searching).to_have_attribute("value", "0.25")
    page.unroute(asked)
    moments = page.get_by_role("list", name="Moments")
    expect(moments).to_be_visible()
    expect(page.locator(".line line")).to_have_count(moments.locator("[data-moment]").count())


@pytest.mark.parametrize("size", SIZES)
def test_the_last_position_with_a_chance_is_shown_and_can_be_played_on(
    newcomer: Newcomer, over: str, size: str
):
    cleo = newcomer("Cleo", size).enter()
    page = cleo.page
    page.goto(f"/replay/{over}")
    place(page, 1)
    beside = page.get_by_role("group", name="Besides the board")
    if size == "phone":
        page.get_by_role("button", name="Log and moments").click()
    beside.get_by_role("button", name="Moments").click()
    page.get_by_role("button", name="Find the key moments").click()
    panel = page.get_by_role("region", name="Where to go back to")
    answer = {"seat": 0, "chance": 0.5, "to": 4, "had": {"mean": 0.6, "low": 0.5, "high": 0.7}}
    never = {"seat": 0, "chance": 0.2, "to": None, "had": None}
    page.route("**/analysis/undo?*chance=0.5*", lambda route: route.fulfill(json=answer))
    page.route("**/analysis/undo?*chance=0.2*", lambda route: route.fulfill(json=never))
    panel.get_by_role("button", name="20%").click()
    expect(panel.get_by_role("status")).to_contain_text("Ada never had a chance of 20%")
    panel.get_by_role("button", name="50%").click()
    expect(panel.get_by_role("status")).to_contain_text("still won 60% of the games")
    assert axe.breaches(page) == []
    panel.get_by_role("button", name="Show the position").click()
    expect(page).to_have_url(re.compile(r"at=\d+"))
    if size == "phone":
        page.get_by_role("button", name="Log and moments").click()
    expect(beside.get_by_role("button", name="Moments")).to_have_attribute("aria-pressed", "true")
    panel.get_by_role("button", name="Play on from there").click()
    expect(page).to_have_url(re.compile(f"/match/(?!{over})"))
    expect(page.locator("[data-board]")).to_be_visible()
    cleo.look("Menu")
    page.get_by_role("link", name="Original match").click()
    expect(page).to_have_url(re.compile(f"/replay/{over}.*view=full"))


def test_the_place_to_go_back_to_is_looked_up_in_the_analysis(newcomer: Newcomer, over: str):
    page = newcomer("Cleo").enter().page
    page.goto(f"/replay/{over}")
    beside = page.get_by_role("group", name="Besides the board")
    beside.get_by_role("button", name="Moments").click()
    page.get_by_role("button", name="Find the key moments").click()
    panel = page.get_by_role("region", name="Where to go back to")
    with page.expect_response(re.compile(r"/analysis/undo\?.*chance=0\.2")) as answered:
        panel.get_by_role("button", name="20%").click()
    assert answered.value.ok
    expect(panel.get_by_role("status")).to_contain_text("Ada")


def test_a_reader_comments_on_a_moment_and_others_are_shown_it_there(
    newcomer: Newcomer, over: str, ada: Person
):
    page = newcomer("Cleo").enter().page
    page.goto(f"/replay/{over}")
    place(page, 1)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    place(page, 3)
    beside = page.get_by_role("group", name="Besides the board")
    beside.get_by_role("button", name="Comments").click()
    page.get_by_label("Comment on step 3").fill("Here it turned.")
    page.get_by_role("button", name="Comment", exact=True).click()
    comments = page.get_by_role("list", name="Comments")
    expect(comments).to_contain_text("Step 3, Cleo: Here it turned.")

    ada.page.set_viewport_size(SIZES["phone"])
    ada.page.goto(f"/replay/{over}")
    place(ada.page, 1)
    ada.page.keyboard.press("n")
    place(ada.page, 3)
    expect(ada.page.locator("main .toasts")).to_have_text("Cleo: Here it turned.")
    ada.page.locator(".head .open").click()
    tabs = ada.page.locator(".tabs")
    assert tabs.evaluate("row => row.scrollWidth <= row.clientWidth"), "all tabs fit"
    ada.page.locator(".head .open").click()
    assert axe.breaches(ada.page) == []

    page.get_by_role("button", name="Delete the comment").click()
    expect(comments).to_have_text("No comments yet.")


def test_a_running_match_is_replayed_as_its_viewer_saw_it(newcomer: Newcomer, ada: Person):
    match = seated([ada], "tranquility", bots=1)
    ada.page.goto(f"/replay/{match}?view=1&at=9999")
    place(ada.page, 1)
    expect(ada.page.get_by_role("group", name="Your hand")).to_be_visible()
    eyes = ada.page.get_by_role("combobox", name="Seen by")
    expect(eyes).to_be_disabled()
    expect(eyes.locator("option")).to_have_text(["As seen by Ada"])


def test_two_watch_together_and_the_lead_is_handed_over(newcomer: Newcomer, over: str):
    cleo, dan = newcomer("Cleo").enter().page, newcomer("Dan", "phone").enter().page
    cleo.goto(f"/replay/{over}")
    place(cleo, 1)
    beside = cleo.get_by_role("group", name="Besides the board")
    beside.get_by_role("button", name="Together").click()
    cleo.get_by_role("button", name="Watch together").click()
    expect(cleo.get_by_text("You lead.")).to_be_visible()
    cleo.context.grant_permissions(["clipboard-read", "clipboard-write"])
    cleo.get_by_role("button", name="Copy the link", exact=True).click()
    expect(cleo.get_by_role("button", name="Copied")).to_be_visible()
    link = cleo.evaluate("navigator.clipboard.readText()")
    assert link == cleo.get_by_label("Send this link").input_value()
    dan.goto(link)
    expect(dan.get_by_text("You follow Cleo.")).to_be_visible()
    here = cleo.get_by_role("list", name="Who is here")
    expect(here.get_by_role("listitem")).to_have_count(2)

    end = last(cleo)
    cleo.keyboard.press("End")
    place(dan, end)
    cleo.get_by_role("combobox", name="Seen by").select_option(label="As seen by Ada")
    expect(dan.get_by_role("combobox", name="Seen by")).to_have_value("0")
    dan.keyboard.press("Home")
    place(dan, 1)
    expect(dan.get_by_text("You look around alone.")).to_be_visible()
    place(cleo, end)
    dan.get_by_role("button", name="Follow again").click()
    place(dan, end)
    assert axe.breaches(dan) == []

    here.get_by_role("button", name="Let them lead: Dan").click()
    expect(dan.get_by_text("You lead.")).to_be_visible()
    dan.keyboard.press("Home")
    place(cleo, 1)
    expect(cleo.get_by_text("You follow Dan.")).to_be_visible()


def test_back_closes_what_is_open_over_the_board_at_the_moment_that_is_shown(
    newcomer: Newcomer, over: str
):
    page = newcomer("Cleo", "phone").enter().page
    page.goto("/")
    page.goto(f"/replay/{over}")
    place(page, 1)
    expect(page).to_have_url(re.compile("at="))
    begun = page.url
    page.get_by_role("button", name="Log and moments").click()
    expect(page.locator("aside.side")).to_be_visible()
    page.keyboard.press("End")
    end = last(page)
    place(page, end)
    expect(page).not_to_have_url(begun)
    expect(page).to_have_url(re.compile("at="))
    page.go_back()
    expect(page.locator("aside.side")).to_be_hidden()
    place(page, end)
    page.reload()
    place(page, end)
    page.go_back()
    expect(page).to_have_url(re.compile("/$"))
