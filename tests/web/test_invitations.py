"""Invitations and seeks in the lobby, and the toast elsewhere."""

import json
import re

import pytest
from playwright.sync_api import Locator, Route, expect

from tests.web.axe import breaches
from tests.web.conftest import Newcomer, forget
from tests.web.play import Person


@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_an_invitation_appears_and_leads_to_the_table(newcomer: Newcomer, size: str):
    ada, bob = newcomer("Ada").enter(), newcomer("Bob", size).enter()
    bob.page.goto("/new")
    expect(bob.page.get_by_role("heading", level=1)).to_be_visible()
    match = ada.player.open_match(private=True)
    ada.player.do(match, {"type": "take_seat", "seat": 0})
    invited = ada.player.http.post(
        f"/matches/{match}/invitations", json={"player": bob.player.id, "text": "A quick one?"}
    )
    assert invited.status_code == 201, invited.text
    toast = bob.page.get_by_role("status").filter(has_text="Ada invites you to Tranquility")
    toast.get_by_role("link", name="Show").click()
    place = bob.page.get_by_role("region", name="Invitations")
    expect(place).to_contain_text("A quick one?")
    expect(toast).to_have_count(0)
    place.get_by_role("button", name="Accept").click()
    expect(bob.page.locator("[data-board=tranquility]")).to_be_visible()


@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_a_player_is_invited_by_id_and_a_bot_by_name(newcomer: Newcomer, size: str):
    ada, bob = newcomer("Ada", size).enter(), newcomer("Bob").enter()
    bot = ada.player.http.post("/bots", json={"name": "Deep Ada"}).json()["player"]
    match = ada.player.open_match(seats=3)
    ada.player.do(match, {"type": "take_seat", "seat": 0})
    ada.open(match)
    invite = ada.page.get_by_role("group").filter(has_text="Invite a player or a bot")
    invite.get_by_text("Invite a player or a bot").click()
    invite.get_by_role("textbox", name="Player id").fill(bob.player.id)
    invite.get_by_label("A word to the player").fill("A quick one?")
    invite.get_by_role("button", name="Invite", exact=True).click()
    expect(invite).to_contain_text("Bob is invited.")
    assert breaches(ada.page) == []
    invite.get_by_role("combobox", name="Whom").select_option(label="Deep Ada (bot)")
    invite.get_by_role("button", name="Invite", exact=True).click()
    expect(invite).to_contain_text("Deep Ada is invited.")
    (received,) = bob.player.get("/players/me/invitations")["received"]
    assert (received["match"], received["text"]) == (match, "A quick one?")
    invite.get_by_role("button", name=": Bob").click()
    expect(invite).not_to_contain_text("Bob is invited.")
    assert [one["to"] for one in ada.player.get("/players/me/invitations")["sent"]] == [bot]


def test_an_unknown_id_is_refused_in_words(newcomer: Newcomer, complaints: list[str]):
    ada = newcomer("Ada").enter()
    match = ada.player.open_match()
    ada.player.do(match, {"type": "take_seat", "seat": 0})
    ada.open(match)
    ada.page.get_by_text("Invite a player or a bot").click()
    ada.page.get_by_role("textbox", name="Player id").fill("p_nobody")
    ada.page.get_by_role("button", name="Invite", exact=True).click()
    expect(ada.page.get_by_text("There is no player with this id.")).to_be_visible()
    forget(complaints, "404")


def test_a_seek_is_posted_and_withdrawn(newcomer: Newcomer):
    ada = newcomer("Ada").enter()
    ada.page.goto("/new")
    offer = ada.page.get_by_role("button", name="Offer it in the lobby")
    ada.page.get_by_label("How many are bots").select_option("0")
    offer.click()
    place = ada.page.get_by_role("region", name="Looking for players")
    mine = place.get_by_role("button", name="Withdraw")
    expect(mine).to_be_visible()
    (posted,) = [one for one in ada.player.get("/seeks") if one["by"] == ada.player.id]
    assert (posted["game"], posted["seats"]) == ("tranquility", 2)
    mine.click()
    expect(mine).to_have_count(0)
    assert [one for one in ada.player.get("/seeks") if one["by"] == ada.player.id] == []


def test_people_who_look_for_players_come_before_the_games(newcomer: Newcomer):
    ada, bob = newcomer("Ada", "phone").enter(), newcomer("Bob", "phone").enter()
    seek = bob.player.http.post("/seeks", json={"game": "submarine", "seats": 2}).json()["seek"]
    ada.page.goto("/")
    place = ada.page.get_by_role("region", name="Looking for players")
    expect(place.get_by_role("button", name="Bob: Submarine")).to_be_in_viewport()
    bob.player.http.delete(f"/seeks/{seek}")


def test_many_offers_do_not_push_the_games_away(newcomer: Newcomer):
    ada, *others = (newcomer(name).enter() for name in ("Ada", "Bob", "Cyd", "Dan"))
    games = ("submarine", "nautilus")
    made = [
        (one.player.http, one.player.http.post("/seeks", json={"game": game, "seats": 2}).json())
        for one in others
        for game in games
    ]
    ada.page.goto("/")
    place = ada.page.get_by_role("region", name="Looking for players")
    offers = place.get_by_role("listitem")
    expect(offers).to_have_count(4)
    place.get_by_role("button", name="Show all 6 offers").click()
    expect(offers).to_have_count(6)
    for http, seek in made:
        http.delete(f"/seeks/{seek['seek']}")


def test_an_offer_made_below_the_games_is_led_to(newcomer: Newcomer):
    ada = newcomer("Ada", "phone").enter()
    ada.page.goto("/")
    ada.page.get_by_role("region", name="Play now").get_by_role("button").click()
    heading = ada.page.get_by_role("heading", name="Looking for players")
    expect(heading).to_be_focused()
    expect(heading).to_be_in_viewport()
    ada.page.get_by_role("button", name="Withdraw").click()
    expect(heading).to_have_count(0)


def test_a_seek_that_is_over_names_its_game(newcomer: Newcomer, complaints: list[str]):
    ada = newcomer("Ada", "phone", locale="cs-CZ").enter()
    seek = ada.player.http.post("/seeks", json={"game": "submarine", "seats": 2}).json()["seek"]
    ada.page.goto("/")
    place = ada.page.get_by_role("region", name="Hledají se hráči")
    expect(place).to_contain_text("U stolu: Ada")
    ada.player.http.delete(f"/seeks/{seek}")
    over = place.get_by_text("nabídka skončila. Byla stažena, nebo")
    expect(over).to_contain_text("Submarine")
    forget(complaints, "404")


def test_a_declined_invitation_is_gone_in_czech_too(newcomer: Newcomer):
    ada, bob = newcomer("Ada").enter(), newcomer("Bob", locale="cs-CZ").enter()
    match = ada.player.open_match()
    ada.player.http.post(f"/matches/{match}/invitations", json={"player": bob.player.id})
    bob.page.goto("/")
    place = bob.page.get_by_role("region", name="Pozvánky")
    expect(place).to_contain_text("Ada vás zve do hry Poklidná plavba")
    place.get_by_role("button", name="Odmítnout").click()
    expect(place).to_have_count(0)
    assert ada.player.get("/players/me/invitations")["sent"] == []


def test_a_seek_is_taken_in_the_lobby_and_told_elsewhere(newcomer: Newcomer):
    ada, bob = newcomer("Ada", "phone").enter(), newcomer("Bob").enter()
    ada.page.goto("/account")
    expect(ada.page.get_by_role("heading", level=1)).to_be_visible()
    ada.player.http.post("/seeks", json={"game": "tranquility", "seats": 2})
    bob.page.goto("/")
    place = bob.page.get_by_role("region", name="Looking for players")
    expect(place).to_contain_text("1 seat left")
    place.get_by_role("button", name="Play").click()
    expect(bob.page.locator("[data-board=tranquility]")).to_be_visible()
    toast = ada.page.get_by_role("status").filter(has_text="Players found: Tranquility starts.")
    assert breaches(ada.page) == []
    toast.get_by_role("link", name="Go to the table").click()
    expect(ada.page.locator("[data-board=tranquility]")).to_be_visible()
    expect(toast).to_have_count(0)


def play_now(person: Person, pace: str) -> Locator:
    """Tap "play now" for Submarine; return the region where the player's seek is shown."""
    person.page.goto("/")
    form = person.page.get_by_role("region", name="Play now")
    form.get_by_label("Game").select_option("submarine")
    form.get_by_label("Pace").select_option(label=pace)
    assert breaches(person.page, "[aria-labelledby=play-now]") == []
    form.get_by_role("button", name="Play with people now").click()
    return person.page.get_by_role("region", name="Looking for players")


def bots_come_after(person: Person, seconds: int) -> None:
    """Let bots wait for another time than the page asks for."""

    def ask(route: Route) -> None:
        asked = route.request.post_data_json or {}
        if bots := asked.get("bots"):
            route.continue_(post_data=json.dumps({**asked, "bots": {**bots, "after_s": seconds}}))
        else:
            route.continue_()

    person.page.route("**/seeks", ask)


def test_two_who_want_to_play_now_meet(newcomer: Newcomer):
    ada, bob = newcomer("Ada").enter(), newcomer("Bob", "phone").enter()
    bots_come_after(ada, 300)
    pace = "10 min + 15 s per move"
    place = play_now(ada, pace)
    place.get_by_role("button", name="Withdraw").click()
    place = play_now(ada, pace)
    expect(place).to_contain_text("At the table: Ada")
    expect(place.get_by_role("timer")).to_contain_text("Bots")
    assert breaches(ada.page, "[aria-labelledby=seeks]") == []
    play_now(bob, pace)
    for one in (ada, bob):
        expect(one.page.locator("[data-board=submarine]")).to_be_visible()
    match = ada.page.url.rpartition("/")[2]
    seats = bob.player.get(f"/matches/{match}")["seats"]
    assert [seat["name"] for seat in seats] == ["Ada", "Bob"]


def test_who_finds_nobody_plays_bots(newcomer: Newcomer):
    ada = newcomer("Ada", "phone").enter()
    bots_come_after(ada, 10)
    place = play_now(ada, "90 s per move")
    expect(place.get_by_role("timer")).to_be_visible()
    expect(ada.page.locator("[data-board=submarine]")).to_be_visible()


def test_a_bot_account_is_marked(newcomer: Newcomer):
    ada = newcomer("Ada").enter()
    made = ada.player.http.post("/bots", json={"name": "Deep Ada"}).json()
    match = ada.player.open_match()
    ada.player.do(match, {"type": "take_seat", "seat": 0})
    bot = {"Authorization": f"Bearer {made['token']}"}
    sit = {"type": "take_seat", "seat": 1}
    path = f"/matches/{match}/commands"
    assert ada.player.http.post(path, json=sit, headers=bot).status_code == 200
    ada.open(match)
    expect(ada.page.locator(".chips [data-seat='1']")).to_contain_text("bot")
    ada.page.goto("/")
    expect(ada.page.get_by_text("Deep Ada (bot)").first).to_be_visible()


def test_who_signs_in_on_an_invitation_comes_back_to_it(newcomer: Newcomer):
    ada, bob = newcomer("Ada").enter(), newcomer("Bob", "phone", locale="cs-CZ")
    body = {"game": "submarine", "seats": 3, "private": True}
    made = ada.player.http.post("/matches", json=body).json()
    ada.player.do(made["match"], {"type": "take_seat", "seat": 0})
    code = bob.player.http.post("/players/me/move-code").json()["move_code"]
    page = bob.page
    page.goto(f"/match/{made['match']}?code={made['join_code']}")
    page.get_by_role("link", name="Vracím se sem").click()
    page.get_by_label("Kód").fill(code)
    page.get_by_role("button", name="Přihlásit se").click()
    expect(page.get_by_role("heading", level=2, name="Ada vás zve do hry")).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Submarine")
    expect(page.get_by_text("3 hráči, asi 45 minut")).to_be_visible()
    assert breaches(page) == []
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
    page.get_by_role("button", name="Přisednout").first.click()
    expect(page.get_by_text("(vy)")).to_be_visible()


def test_a_link_seats_a_newcomer_who_has_only_typed_a_name(newcomer: Newcomer):
    ada, guest = newcomer("Ada").enter(), newcomer("Guest", "phone")
    body = {"game": "submarine", "seats": 2, "private": True}
    made = ada.player.http.post("/matches", json=body).json()
    ada.player.do(made["match"], {"type": "take_seat", "seat": 0})
    link = f"/match/{made['match']}?code={made['join_code']}"
    ada.page.goto(link)
    ada.page.get_by_text("QR code for a phone").click()
    expect(ada.page.get_by_role("img", name="QR code of the link")).to_be_visible()
    guest.page.goto(link)
    expect(guest.page.get_by_role("heading", level=1)).to_have_text("Ada invites you to Submarine")
    expect(guest.page.get_by_text("2 players, about 45 minutes")).to_be_visible()
    assert breaches(guest.page) == []
    guest.page.get_by_label("Your name").fill("Bořek")
    guest.page.get_by_role("button", name="Sit down and play").click()
    for one in (ada, guest):
        expect(one.page.locator("[data-board=submarine]")).to_be_visible()
    seats = ada.player.get(f"/matches/{made['match']}")["seats"]
    assert [seat["name"] for seat in seats] == ["Ada", "Bořek"]


def test_the_link_to_a_private_match_is_whole_in_every_browser_of_its_host(newcomer: Newcomer):
    """This one did not create the match."""
    ada = newcomer("Ada", "phone").enter()
    made = ada.player.http.post(
        "/matches", json={"game": "tranquility", "seats": 2, "private": True}
    ).json()
    ada.page.goto(f"/match/{made['match']}")
    link = ada.page.locator(".link input")
    expect(link).to_have_value(re.compile(rf"\?code={made['join_code']}$"))
    expect(ada.page.locator(".table .open")).to_have_count(0)
