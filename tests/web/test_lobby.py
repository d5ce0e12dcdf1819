"""From a name to a seat: what a newcomer does first."""

import re

from playwright.sync_api import expect

from games import GAMES
from tests.web.conftest import Newcomer, forget
from tests.web.play import seated


def test_a_newcomer_picks_a_name_and_opens_a_match_against_a_bot(newcomer: Newcomer):
    ada = newcomer("Ada", "phone")
    page = ada.page
    page.goto("/")
    page.get_by_label("Your name").fill("Grace")
    page.get_by_role("button", name="Come aboard").click()
    page.get_by_role("navigation").get_by_role("link", name="New match").click()
    page.get_by_text("Game options").click()
    page.locator("[name='field.variant']").select_option(label="Pyramid")
    page.get_by_role("button", name="Create the match").click()
    expect(page.locator("[data-board=tranquility]")).to_be_visible()
    expect(page.locator(".chips")).to_contain_text("Grace (you)")
    assert page.locator("[data-cell]").count() == 21, "the option was sent"


def test_a_newcomer_takes_a_game_from_the_shelf_and_plays_a_bot(newcomer: Newcomer):
    ada = newcomer("Ada", "phone")
    page = ada.page
    page.goto("/")
    for slug in GAMES:
        box = page.get_by_role("listitem").filter(has_text=GAMES[slug].titles["en"])
        expect(box.locator(".cover > svg")).to_be_visible()
    page.get_by_role("button", name="Play against a bot: Submarine").click()
    expect(page.get_by_label("Your name")).to_be_focused()
    page.keyboard.type("Grace")
    page.get_by_role("button", name="Play Submarine against a bot").click()
    expect(page.locator("[data-board=submarine]")).to_be_visible()

    page.goto("/")
    own = page.get_by_role("region", name="Your matches")
    expect(own.get_by_role("link", name="Submarine")).to_be_visible()
    page.get_by_role("link", name="With people: Nautilus").click()
    expect(page.get_by_role("radio", name="Nautilus")).to_be_checked()


def test_a_form_for_a_match_comes_as_soon_as_the_service_answers(
    newcomer: Newcomer, complaints: list[str]
):
    page = newcomer().enter().page
    for call in ("**/games", "**/games/submarine"):
        page.route(call, lambda route: route.abort("internetdisconnected"))
    page.goto("/new?game=submarine")
    expect(page.get_by_role("alert")).to_contain_text("We keep trying")
    page.unroute_all()
    expect(page.get_by_role("radio", name="Submarine")).to_be_checked()
    expect(page.get_by_role("button", name="Create the match")).to_be_enabled()
    expect(page.get_by_role("alert")).to_have_count(0)
    forget(complaints, "ERR_INTERNET_DISCONNECTED")


def test_a_game_that_cannot_be_opened_says_so_in_its_box(newcomer: Newcomer, complaints: list[str]):
    page = newcomer("Ada", "phone").enter().page
    page.goto("/")
    play = page.get_by_role("button", name="Play against a bot: Tranquility")
    expect(play).to_be_visible()
    page.route("**/matches", lambda route: route.fulfill(status=500, json={"code": "internal"}))
    play.click()
    box = page.get_by_role("listitem").filter(has=play)
    expect(box.get_by_role("alert")).to_have_text(
        "That did not work just now. Try again in a moment."
    )
    expect(box.get_by_role("alert")).to_be_in_viewport()
    expect(play).to_be_enabled()
    forget(complaints, "500")


def test_a_boat_is_named_by_choice(newcomer: Newcomer):
    ada = newcomer("Ada", "phone").enter()
    page = ada.page
    page.goto("/new?game=captain_sonar")
    page.get_by_text("Game options").click()
    page.get_by_label("Names of the boats 2").select_option("Kraken")
    page.get_by_role("button", name="Create the match").click()
    page.wait_for_url("**/match/*")
    match = page.url.rpartition("/")[2]
    assert ada.player.get(f"/matches/{match}")["options"]["boat_names"] == ["Yellow", "Kraken"]


def test_options_in_json_are_for_developers_and_a_setting_takes_no_choice_back(newcomer: Newcomer):
    page = newcomer("Ada", "phone").enter().page
    page.goto("/new?game=captain_sonar")
    page.get_by_text("Game options").click()
    page.get_by_label("Names of the boats 2").select_option("Kraken")
    expect(page.get_by_label("Posts")).to_have_count(0)
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Show pages for developers").check()
    expect(page.get_by_label("Posts")).to_be_visible()
    boat = page.get_by_label("Names of the boats 2").locator("option:checked")
    expect(boat).to_have_text("Kraken")
    page.get_by_label("Language").select_option("cs")
    expect(page.get_by_label("Jména ponorek 2").locator("option:checked")).to_have_text("Kraken")


def test_a_mistyped_address_leads_back_to_the_lobby(newcomer: Newcomer, complaints: list[str]):
    page = newcomer("Ada", "phone").page
    page.goto("/matchs")
    expect(page.get_by_role("heading", name="There is nothing here")).to_be_visible()
    page.get_by_role("link", name="Back to the lobby").click()
    expect(page.get_by_role("button", name="Play against a bot: Submarine")).to_be_visible()
    forget(complaints, "404")


def test_a_part_of_the_page_that_does_not_load_can_be_loaded_again(
    newcomer: Newcomer, complaints: list[str]
):
    """A release of the page may be gone, or the line cut; the page once stayed empty."""
    page = newcomer("Ada", "phone").enter().page
    page.goto("/")
    part = "**/assets/Profile-*.js"
    page.route(part, lambda route: route.abort())
    page.goto("/profile")
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("could not be loaded")
    page.unroute(part)
    alert.get_by_role("button", name="Load again").click()
    expect(page.get_by_role("heading", name="Ada")).to_be_visible()
    forget(complaints, "ERR_FAILED", "dynamically imported module")


def test_friends_join_a_private_match_by_its_link_and_strangers_do_not(
    newcomer: Newcomer, complaints: list[str]
):
    ada, bob, eve = (newcomer(name).enter() for name in ("Ada", "Bob", "Eve"))
    ada.page.goto("/new")
    ada.page.locator("[name=bots]").select_option("0")
    ada.page.get_by_label("Private").check()
    ada.page.get_by_role("button", name="Create the match").click()
    link = ada.page.get_by_label("Send this link").input_value()
    assert "?code=" in link

    eve.page.goto(link.split("?")[0])
    expect(eve.page.get_by_role("alert")).to_contain_text("private")
    stranger = newcomer("Zoe").page
    stranger.goto(link.split("?")[0])
    expect(stranger.get_by_role("alert")).to_contain_text("private")
    expect(stranger.get_by_label("Your name")).to_be_visible()

    bob.page.goto(link)
    bob.page.get_by_role("button", name="Sit down").click()
    for person in (ada, bob):
        expect(person.page.locator("[data-board=tranquility]")).to_be_visible()
    forget(complaints, "404")


def test_the_lobby_filters_and_leads_to_watching(newcomer: Newcomer):
    ada, eve = newcomer("Ada").enter(), newcomer("Eve").enter()
    match = seated([ada], "tranquility", bots=1)
    eve.page.goto("/")
    eve.page.locator("[name=game]").select_option(label="Tranquility")
    eve.page.locator("[name=status]").select_option(label="Running")
    eve.page.locator(f'a.button[href="/match/{match}"]').click()
    expect(eve.page.locator("[data-board=tranquility]")).to_be_visible()
    expect(eve.page.get_by_role("group", name="Your hand")).to_have_count(0)


def test_a_closed_tab_is_reopened_from_my_matches(newcomer: Newcomer):
    ada = newcomer("Ada").enter()
    match = seated([ada], "tranquility")
    ada.open(match)
    ada.page.close()

    ada.page = ada.page.context.new_page()
    ada.page.goto("/mine")
    expect(ada.page).to_have_title(re.compile("Your turn"))
    expect(ada.page.get_by_text("Your turn")).to_be_visible()
    ada.page.locator(f'a[href="/match/{match}"]').click()
    expect(ada.status).to_contain_text("Your turn")


def test_the_whole_client_speaks_czech(newcomer: Newcomer):
    ada = newcomer("Ada", locale="cs-CZ").enter()
    match = seated([ada], "tranquility")
    ada.open(match)
    expect(ada.status).to_contain_text("Jste na tahu")
    expect(ada.page.get_by_role("heading", level=1)).to_have_text("Poklidná plavba")
    ada.page.goto("/rules/tranquility#TRA-6")
    expect(ada.page.locator("[id='TRA-6']:target"), "it is marked").to_be_in_viewport()
    ada.page.get_by_role("button", name="Nastavení").click()
    ada.page.get_by_label("Jazyk").select_option("en")
    expect(ada.page.get_by_role("link", name="New match")).to_be_visible()
