"""From the end of a match to the next one: the offer, the toast, and the series."""

import pytest
from playwright.sync_api import Route, ViewportSize, expect

from tests.web.axe import breaches
from tests.web.conftest import Newcomer, forget
from tests.web.play import seated


def test_a_rematch_is_one_tap_and_the_other_is_asked_wherever_they_are(newcomer: Newcomer):
    ada, bob = newcomer("Ada").enter(), newcomer("Bob", "phone").enter()
    match = seated([ada, bob], "submarine")
    ada.player.do(match, {"type": "resign"})
    ada.open(match)
    bob.page.goto("/new")
    expect(bob.page.get_by_role("heading", level=1)).to_be_visible()
    ada.page.get_by_role("button", name="Rematch").click()
    expect(ada.page.get_by_text("You offered a rematch. Waiting for Bob.")).to_be_visible()
    toast = bob.page.get_by_role("status").filter(has_text="Ada offers a rematch: Submarine")
    toast.get_by_role("link", name="Show").click()
    expect(toast).to_have_count(0)
    again = bob.page.get_by_role("button", name="Play again")
    expect(again).to_be_visible()
    assert breaches(bob.page) == []
    again.click()
    for one in (ada, bob):
        expect(one.page).not_to_have_url(f"/match/{match}")
        expect(one.page.locator("[data-board=submarine]")).to_be_visible()
        expect(one.page.locator(".series")).to_have_attribute(
            "title", "Match 2 of a series: Bob 1 and Ada 0"
        )
    ada.page.goto(f"/match/{match}")
    ada.page.get_by_role("link", name="Go to the rematch").click()
    expect(ada.page).to_have_url(bob.page.url)


def test_an_offer_heard_while_a_page_asks_for_offers_stays(newcomer: Newcomer):
    ada, bob = newcomer("Ada").enter(), newcomer("Bob", "phone").enter()
    match = seated([ada, bob], "submarine")
    ada.player.do(match, {"type": "resign"})
    late = []

    def hold(route: Route) -> None:
        if late:
            route.continue_()
        else:
            late.append((route, route.fetch()))

    bob.page.route("**/players/me/rematches", hold)
    with bob.page.expect_request("**/players/me/rematches"):
        bob.page.goto("/new")
    expect(bob.page.get_by_role("heading", level=1)).to_be_visible()
    ada.player.http.post(f"/matches/{match}/rematch", json={"entropy": ""})
    toast = bob.page.get_by_role("status").filter(has_text="Ada offers a rematch: Submarine")
    expect(toast).to_be_visible()
    ((route, before),) = late
    with bob.page.expect_response("**/players/me/rematches"):
        route.fulfill(response=before)
    bob.page.wait_for_timeout(300)
    expect(toast).to_be_visible()


def test_an_offer_is_shown_that_came_before_the_page_followed_its_stream(newcomer: Newcomer):
    ada, bob = newcomer("Ada").enter(), newcomer("Bob").enter()
    match = seated([ada, bob], "submarine")
    ada.player.do(match, {"type": "resign"})
    held: list[Route] | None = []

    def hold(route: Route) -> None:
        route.continue_() if held is None else held.append(route)

    bob.page.route("**/players/me/stream*", hold)
    bob.open(match)
    expect(bob.page.get_by_role("button", name="Rematch")).to_be_visible()
    ada.player.http.post(f"/matches/{match}/rematch", json={"entropy": ""})
    before, held = held, None
    for route in before:
        route.continue_()
    expect(bob.page.get_by_role("button", name="Play again")).to_be_visible()


def test_a_button_that_was_busy_keeps_the_focus(newcomer: Newcomer, complaints: list[str]):
    ada, bob = newcomer("Ada").enter(), newcomer("Bob").enter()
    match = seated([ada, bob], "submarine")
    ada.player.do(match, {"type": "resign"})
    ada.open(match)
    ada.page.route("**/rematch", lambda route: route.fulfill(status=422, json={"code": "x"}))
    offer = ada.page.get_by_role("button", name="Rematch")
    offer.focus()
    ada.page.keyboard.press("Enter")
    expect(ada.page.get_by_label("Result").get_by_role("alert")).to_be_visible()
    expect(offer).to_be_focused()
    forget(complaints, "422")


@pytest.mark.parametrize("game", ["submarine", "captain_sonar"])
def test_the_rematch_is_in_sight_on_a_phone_held_sideways(newcomer: Newcomer, game: str):
    sideways = ViewportSize(width=740, height=360)
    ada = newcomer("Ada", "phone", viewport=sideways, locale="cs-CZ").enter()
    bob = newcomer("Bob").enter()
    match = seated([ada, bob], game)
    bob.player.do(match, {"type": "resign"})
    ada.open(match)
    expect(ada.page.get_by_role("button", name="Odveta")).to_be_in_viewport(ratio=1)


def test_the_toast_alone_is_enough_to_play_again(newcomer: Newcomer):
    ada, bob = newcomer("Ada").enter(), newcomer("Bob", "phone").enter()
    match = seated([ada, bob], "submarine")
    ada.player.do(match, {"type": "resign"})
    bob.page.goto("/")
    expect(bob.page.get_by_role("heading", level=1)).to_be_visible()
    ada.open(match).page.get_by_role("button", name="Rematch").click()
    bob.page.get_by_role("button", name="Play again", exact=True).click()
    expect(bob.page.locator("[data-board=submarine]")).to_be_visible()


def test_a_crew_of_several_wins_in_the_plural(newcomer: Newcomer):
    people = [newcomer(name, locale="cs-CZ").enter() for name in ("Ada", "Bob", "Cleo", "Dan")]
    match = seated(people, "captain_sonar")
    for one in (people[1], people[3]):
        one.player.do(match, {"type": "resign"})
    people[0].open(match)
    result = people[0].page.get_by_role("region", name="Výsledek")
    expect(result).to_contain_text("Všichni kromě vítězů partii opustili.")


def test_who_played_alone_plays_again_at_once(newcomer: Newcomer):
    ada = newcomer("Ada").enter()
    match = seated([ada], "tranquility")
    ada.player.do(match, {"type": "resign"})
    ada.open(match)
    expect(ada.page.get_by_label("Result")).to_contain_text("Everybody left the match.")
    ada.page.get_by_role("button", name="Play again").click()
    expect(ada.page).not_to_have_url(f"/match/{match}")
    expect(ada.page.locator("[data-board=tranquility]")).to_be_visible()
