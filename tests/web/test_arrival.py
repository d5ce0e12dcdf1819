"""Where a navigation leads: the title, the focus, and the place on the page."""

import re

import pytest
from playwright.sync_api import Page, expect

from games import GAMES
from replay.puzzle import puzzles_of
from tests.web.conftest import Newcomer, forget
from tests.web.play import Person, seated

PUZZLE = next(iter(puzzles_of(GAMES)))


def titled(page: Page, name: str) -> None:
    expect(page).to_have_title(f"{name} \N{EN DASH} Shiplog")


def led(page: Page, name: str) -> None:
    """Expect the focus on the heading of a view, without a ring."""
    heading = page.get_by_role("heading", level=1, name=name)
    expect(heading).to_be_focused()
    assert not heading.evaluate("e => e.matches(':focus-visible')")


def test_each_view_is_named_in_the_title_and_gets_the_focus(newcomer: Newcomer):
    page = newcomer("Ada", "phone").enter().page
    page.goto("/")
    titled(page, "Lobby")
    expect(page.locator("body")).to_be_focused()
    links = page.get_by_role("navigation")
    for name in ("New match", "My matches"):
        links.get_by_role("link", name=name).click()
        titled(page, name)
        led(page, name)
    page.go_back()
    led(page, "New match")
    page.goto("/profile")
    titled(page, page.get_by_role("heading", level=1).inner_text())
    page.get_by_role("link", name="Account").last.click()
    led(page, "Account: ")


def test_a_newcomer_is_led_from_the_form_to_the_lobby(newcomer: Newcomer):
    page = newcomer("Ada", "phone").page
    page.goto("/")
    titled(page, "Welcome aboard")
    page.get_by_label("Your name").fill("Hopper")
    page.get_by_role("button", name="Come aboard").click()
    titled(page, "Lobby")
    led(page, "Lobby")


def test_a_stranger_with_a_link_watches_without_giving_a_name(newcomer: Newcomer):
    ada, bob = newcomer("Ada").enter(), newcomer("Bob").enter()
    page = newcomer("Zoe", "phone").page
    page.goto(f"/match/{seated([ada, bob], 'tranquility')}")
    expect(page.get_by_label("Your name (optional)")).to_have_value("")
    page.get_by_role("button", name="Watch").click()
    expect(page.locator("[data-board=tranquility]")).to_be_visible()
    page.goto("/account")
    expect(page.get_by_role("heading", level=1)).to_contain_text(re.compile(r"Guest \d{6}"))


def test_what_a_tutorial_says_gets_the_focus_of_a_button_that_is_gone(newcomer: Newcomer):
    page = newcomer("Ada", "phone").page
    page.goto("/learn/tranquility")
    titled(page, "Tutorial: Tranquility")
    ways = page.locator(".ways")
    while not ways.get_by_role("button", name="Hint").is_visible():
        ways.get_by_role("button", name="Next").click()
        expect(page.locator(".speech")).to_be_focused()
    for name in ("Hint", "Show me"):
        ways.get_by_role("button", name=name).click()
        expect(page.locator(".speech")).to_be_focused()


def test_back_leads_to_the_place_in_a_list(newcomer: Newcomer):
    ada = newcomer("Ada", "phone").enter()
    for _ in range(6):
        seated([ada], "tranquility", bots=1)
    page = ada.page
    page.goto("/mine")
    rows = page.get_by_role("article").get_by_role("link", name="Open")
    expect(rows).to_have_count(6)
    before = page.evaluate("scrollTo(0, document.body.scrollHeight), scrollY")
    assert before > 0
    rows.last.click()
    led(page, "Tranquility")
    page.go_back()
    led(page, "My matches")
    # Bots have moved meanwhile, so the list may be shorter by a line.
    page.wait_for_function("y => scrollY > y / 2", arg=before)


def test_back_leads_to_the_list_as_it_was_filtered_and_extended(newcomer: Newcomer, bob: Person):
    ada = newcomer("Ada", "phone").enter()
    for _ in range(17):
        bob.player.do(bob.player.open_match("nautilus"), {"type": "take_seat", "seat": 0})
    page = ada.page
    page.goto("/")
    page.locator("select[name=game]").select_option("nautilus")
    page.locator("select[name=status]").select_option("waiting")
    rows = page.get_by_role("article")
    expect(rows).to_have_count(8)
    page.get_by_role("button", name="Show more").click()
    expect(rows).to_have_count(16)
    rows.last.get_by_role("link", name="Join").click()
    page.wait_for_url("**/match/*")
    page.go_back()
    expect(rows).to_have_count(16)
    expect(rows.last).to_be_in_viewport()
    expect(page.locator("select[name=game]")).to_have_value("nautilus")
    expect(page.locator("select[name=status]")).to_have_value("waiting")

    page.goto(f"/player/{bob.player.id}")
    page.locator("select[name=game]").select_option("nautilus")
    expect(rows).to_have_count(17)
    page.locator("select[name=status]").select_option("running")
    expect(rows).to_have_count(0)
    page.go_back()
    expect(rows).to_have_count(16)
    page.go_forward()
    expect(page.locator("select[name=status]")).to_have_value("running")
    expect(page.locator("select[name=game]")).to_have_value("nautilus")
    expect(rows).to_have_count(0)


def test_back_closes_what_is_open_over_the_board_of_a_phone(newcomer: Newcomer):
    ada = newcomer("Ada", "phone").enter()
    match = seated([ada], "tranquility")
    page = ada.page
    page.goto("/mine")
    page.get_by_role("article").get_by_role("link", name="Open").click()
    board = page.locator("[data-board=tranquility] .stage")
    side = page.get_by_role("complementary", name="Menu")
    expect(board).to_be_visible()
    for _ in range(2):
        ada.look("Menu")
        expect(side).to_be_visible()
        page.go_back()
        expect(side).to_be_hidden()
        expect(board).to_be_visible()
    ada.look("Menu").back()
    expect(side).to_be_hidden()
    page.go_back()
    led(page, "My matches")

    page.go_forward()
    expect(board).to_be_visible()
    ada.look("Menu")
    side.get_by_role("link", name="Replay").click()
    led(page, "Tranquility: replay")
    page.go_back()
    page.wait_for_url(f"**/match/{match}")
    page.go_back()
    page.wait_for_url("**/mine")


@pytest.mark.parametrize(
    ("address", "call"),
    [
        ("/match/{match}", "/matches/{match}"),
        ("/replay/{match}", "/matches/{match}"),
        ("/inspect/{match}", "/matches/{match}"),
        ("/puzzle/{puzzle}", "/puzzles/{puzzle}"),
        ("/learn/tranquility", "/games/tranquility/tutorial"),
        ("/rules/tranquility", "/games/tranquility"),
        ("/puzzle", "/puzzles/daily"),
    ],
)
def test_a_view_that_cannot_be_read_says_so_and_leads_back(
    newcomer: Newcomer, over: str, complaints: list[str], address: str, call: str
):
    page = newcomer("Cleo", "phone").enter().page
    ids = {"match": over, "puzzle": PUZZLE}
    blocked = re.compile(rf"{re.escape(call.format(**ids))}(\?|$)")
    page.route(blocked, lambda route: route.abort("internetdisconnected"))
    page.goto(address.format(**ids))
    expect(page.get_by_text("The server can't be reached. We keep trying.")).to_be_visible()
    expect(page.get_by_role("link", name=re.compile("lobby|Shiplog")).first).to_be_visible()
    page.unroute(blocked)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    forget(complaints, "ERR_INTERNET_DISCONNECTED")
