"""People to one another: blocked in the chat, seen in the profile, and gone when they wish."""

import json
import re

from playwright.sync_api import Route, expect

from tests.e2e.service import wait_until
from tests.web.axe import breaches
from tests.web.conftest import Newcomer, forget
from tests.web.play import Person

BLOCK = re.compile("^Block")


def played(ada: Person, bob: Person) -> str:
    """Return a match that Ada has won against Bob, once it is in her list."""
    match = ada.player.open_match("submarine")
    for seat, person in enumerate((ada, bob)):
        person.player.do(match, {"type": "take_seat", "seat": seat})
    said = {"text": "You were lucky"}
    assert bob.player.http.post(f"/matches/{match}/talk", json=said).status_code == 201
    bob.player.do(match, {"type": "resign"})

    def is_listed() -> bool:
        met = ada.player.get("/players/me/opponents")["opponents"]
        rated = ada.player.get("/players/me/ratings")
        return bool(rated) and [one["won"] for one in met] == [1]

    wait_until(is_listed)
    return match


MOMENTS = [
    {"kind": "comeback", "share": 0.12, "version": 4},
    {"kind": "find", "share": 0.31, "version": 9},
]


def test_best_moments_lead_to_their_replays(newcomer: Newcomer):
    ada, bob = newcomer("Ada", "phone", locale="cs-CZ").enter(), newcomer("Bob")
    match = played(ada, bob)
    found = {"match": match, "game": "submarine", "seat": 0, "ended": "2026-11-23T12:00:00.000000Z"}
    answer = [{**found, **one} for one in MOMENTS]
    ada.page.route("**/moments", lambda route: route.fulfill(json=answer))
    ada.page.goto("/profile")
    card = ada.page.get_by_role("region", name="Nejlepší okamžiky")
    expect(card.get_by_role("listitem")).to_have_count(2)
    assert breaches(ada.page) == []
    assert not ada.page.evaluate("document.documentElement.scrollWidth > innerWidth")
    met = ada.page.get_by_role("region", name="Vzájemná bilance")
    assert met.evaluate("table => table.scrollWidth <= table.clientWidth")
    link = card.get_by_role("link").first
    expect(link).to_contain_text("12")
    link.click()
    expect(ada.page).to_have_url(f"/replay/{match}?at=4&view=full")
    expect(ada.page.locator("[data-board=submarine]")).to_be_visible()


def test_a_finished_match_in_a_list_says_who_won(newcomer: Newcomer):
    ada, bob, eve = (newcomer(name, "phone").enter() for name in ("Ada", "Bob", "Eve"))
    played(ada, bob)
    name = ada.player.get(f"/players/{ada.player.id}")["name"]
    for person, result in (
        (ada, "You won!"),
        (bob, f"You lost · Winner: {name}"),
        (eve, f"Winner: {name}"),
    ):
        person.page.goto(f"/player/{bob.player.id}")
        expect(person.page.locator("[data-result]")).to_have_text(result)


def test_a_list_tells_a_defeat_of_all_from_a_draw(newcomer: Newcomer, ada: Person, over: str):
    result = ada.page.locator("[data-result]")
    ada.page.goto("/mine")
    expect(result).to_have_text("You lost")
    eve = newcomer("Eve").enter()
    eve.page.goto(f"/player/{ada.player.id}")
    expect(eve.page.locator("[data-result]")).to_have_text("Nobody won")

    def draw(route: Route) -> None:
        listed = route.fetch().json()
        (match,) = listed["matches"]
        assert match["match"] == over
        match |= {"teams": [[0], [1]], "places": [1, 1]}
        route.fulfill(json=listed)

    ada.page.route("**/players/me/matches*", draw)
    ada.page.goto("/mine")
    expect(result).to_have_text("A draw")


def test_the_page_of_a_player_who_does_not_exist_leads_back(
    newcomer: Newcomer, complaints: list[str]
):
    page = newcomer("Ada", "phone").enter().page
    page.goto("/player/nobody")
    expect(page.get_by_role("heading", name="There is no such player")).to_be_visible()
    expect(page.get_by_role("button", name=BLOCK)).to_have_count(0)
    page.get_by_role("link", name="Back to the lobby").click()
    expect(page.get_by_role("heading", name="Lobby")).to_be_visible()
    forget(complaints, "404")


def test_a_rival_is_blocked_looked_up_and_forgotten(newcomer: Newcomer, complaints: list[str]):
    ada, bob = newcomer("Ada").enter(), newcomer("Bob")
    match = played(ada, bob)
    ada.open(match).look("Chat")
    log = ada.page.get_by_role("log", name="Chat")
    expect(log.get_by_text("You were lucky")).to_be_visible()
    ada.page.get_by_text("Mute and block").click()
    ada.page.get_by_role("button", name=BLOCK).click()
    folded = log.get_by_role("group")
    expect(folded).not_to_have_attribute("open", "")
    log.get_by_text("message of a blocked player").click()
    expect(folded).to_have_attribute("open", "")
    assert breaches(ada.page) == []

    ada.page.goto("/profile")
    row = ada.page.get_by_role("row").filter(has_text="Bob")
    expect(row.get_by_role("cell")).to_have_text(["1", "1", "0", "0", "0"])
    results = ada.page.get_by_role("combobox", name="Result")
    results.select_option("lost")
    expect(ada.page.get_by_text("No matches like this.")).to_be_visible()
    results.select_option("won")
    replay = ada.page.get_by_role("main").get_by_role("link", name="Replay")
    expect(replay).to_have_attribute("href", f"/replay/{match}")
    assert breaches(ada.page) == []
    row.get_by_role("link", name="Bob").click()
    ada.page.get_by_role("button", name=re.compile("^Unblock")).click()
    expect(ada.page.get_by_role("button", name=BLOCK)).to_be_visible()

    ada.page.goto("/account")
    own = ada.page.get_by_role("region", name="Your data")
    with ada.page.expect_download() as download:
        own.get_by_role("button", name="Download my data").click()
    lines = download.value.path().read_text().splitlines()
    assert json.loads(lines[-1]) == {"type": "end", "matches": 1}
    own.get_by_role("button", name="Delete my account").click()
    final = ada.page.get_by_role("button", name="Delete my account for good")
    expect(final).to_be_disabled()
    ada.page.get_by_label("Type your name, Ada").fill("Ada")
    assert breaches(ada.page) == []
    final.click()
    expect(ada.page.get_by_text("Your account is deleted.")).to_be_visible()
    assert bob.player.get(f"/players/{ada.player.id}")["name"] == "erased player"
    bob.page.goto(f"/match/{match}")
    expect(bob.page.get_by_text("deleted player").first).to_be_visible()
    bob.enter().page.goto("/profile")
    expect(bob.page.get_by_text("deleted player").first).to_be_visible()
    forget(complaints, "401")
