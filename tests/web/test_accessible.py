"""WCAG 2.2 AA in both themes and at both sizes; and a turn by keyboard alone."""

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.web.axe import breaches
from tests.web.conftest import Newcomer
from tests.web.play import changed, seated, shown_version

HEAR = """() => {
    window.heard = [];
    new MutationObserver(changes => heard.push(
        ...changes.flatMap(({ type, target, addedNodes }) =>
            (type === "characterData" ? [target] : [...addedNodes]).map(node => node.textContent)),
    )).observe(
        document.querySelector("p[aria-live=polite]"),
        { childList: true, characterData: true, subtree: true },
    );
}"""
"""Keep what changes in the live region of the match, which screen readers say."""


@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_every_page_obeys_wcag(newcomer: Newcomer, size: str):
    stranger = newcomer("Eve", size)
    stranger.page.goto("/")
    expect(stranger.page.get_by_label("Your name")).to_be_visible()
    assert breaches(stranger.page) == []

    ada = newcomer("Ada", size).enter()
    match = seated([ada], "tranquility")
    for path, there in (
        ("/", "main h1"),
        ("/new", "[name=seats]"),
        ("/mine", "main li"),
        ("/rules/tranquility", "[id='TRA-1']"),
    ):
        ada.page.goto(path)
        expect(ada.page.locator(there).first).to_be_visible()
        assert breaches(ada.page) == [], path
    waiting = ada.player.open_match()
    ada.open(waiting)
    assert breaches(ada.page) == [], "waiting room"
    ada.open(match)
    ada.page.locator("[data-card]:enabled").first.click()
    assert breaches(ada.page) == [], "board"
    for tab in ("Log", "Chat", "Menu"):
        ada.look(tab)
        assert breaches(ada.page) == [], tab
    ada.page.locator("details.all > summary").click()
    ada.page.get_by_role("button", name="Settings").click()
    assert breaches(ada.page) == [], "settings"


def test_a_turn_by_keyboard_alone(newcomer: Newcomer):
    ada = newcomer("Ada").enter()
    ada.open(seated([ada], "tranquility"))
    version = shown_version(ada)
    keys = ada.page.keyboard
    ada.page.locator("[data-card]").first.focus()
    keys.press("Space")
    ada.page.locator("[data-cell=A1]").focus()
    for key in ("ArrowRight", "ArrowUp", "ArrowRight"):
        keys.press(key)
    expect(ada.page.locator("[data-cell=C2]")).to_be_focused()
    keys.press("Enter")
    changed(ada, version)
    expect(ada.page.locator("[data-cell=C2]")).to_have_accessible_name("C2: " + number_of(ada))


def test_a_press_that_removes_its_button_leaves_the_focus_at_the_dock(newcomer: Newcomer):
    ada, bob = newcomer("Ada").enter(), newcomer("Bob").enter()
    match = seated([ada, bob], "ke_dnu", options={"first_seat": "0"})
    page = ada.open(match).page
    draw = page.get_by_role("button", name="Draw")
    draw.focus()
    page.keyboard.press("Enter")
    expect(draw).to_have_count(0)
    expect(page.locator(".dock")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.locator(".dock :focus")).to_have_count(1)


def test_what_happens_twice_is_said_twice(newcomer: Newcomer):
    ada, bob = newcomer("Ada").enter(), newcomer("Bob").enter()
    match = seated([ada, bob], "ke_dnu", options={"first_seat": "0"})
    page = bob.open(match).page
    expect(page.locator("p[aria-live=polite]")).to_contain_text("Ada is to move.")
    page.evaluate(HEAR)
    ada.player.do(match, {"type": "draw"})
    hand = ada.player.get(f"/matches/{match}")["view"]["seats"][0]["hand"]
    kinds = ([card for card in hand if card.startswith(kind)] for kind in ("passenger", "baby"))
    for card in max(kinds, key=len)[:2]:
        version = shown_version(bob)
        ada.player.do(match, {"type": "jettison", "card": card})
        changed(bob, version)
    said = page.evaluate("heard.filter(words => words.includes('overboard'))")
    assert said == [said[0]] * 2


def test_forced_colours_show_what_is_chosen_and_what_can_be_picked(newcomer: Newcomer):
    ada, bob = newcomer("Ada", forced_colors="active").enter(), newcomer("Bob")
    page = ada.open(seated([ada, bob], "captain_sonar")).page
    for thing, line in (
        (page.get_by_role("tab", name="Captain"), "solid"),
        (page.get_by_role("tab", name="Engineer"), "none"),
        (page.locator("[data-cell=C3]"), "dashed"),
        (page.get_by_role("button", name="Log", exact=True), "solid"),
        (page.get_by_role("button", name="Chat", exact=True), "none"),
    ):
        expect(thing).to_have_css("outline-style", line)


def number_of(person: Any) -> str:
    return person.page.locator("[data-cell=C2] text").text_content()


@pytest.mark.parametrize("width", [360, 1280])
def test_nothing_scrolls_sideways(newcomer: Newcomer, width: int):
    ada = newcomer("Ada", viewport={"width": width, "height": 740}).enter()
    match = seated([ada], "tranquility", bots=3)
    for path in ("/", "/new", "/mine", f"/match/{match}", "/rules/tranquility"):
        ada.page.goto(path)
        expect(ada.page.locator("main h1").first).to_be_visible()
        wide = ada.page.evaluate("document.documentElement.scrollWidth")
        assert wide <= width, path


FAINT = """theme => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(
        `@media (prefers-color-scheme: ${theme}) { .faint { color: #777; background: #888 } }`
    );
    document.adoptedStyleSheets.push(sheet);
    const text = document.createElement("p");
    text.className = "faint";
    text.textContent = "Hard to read";
    document.querySelector("main").prepend(text);
}"""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_what_can_be_read_in_one_theme_only_is_found(newcomer: Newcomer, theme: str):
    page = newcomer("Eve").page
    page.goto("/")
    expect(page.get_by_label("Your name")).to_be_visible()
    page.evaluate(FAINT, theme)
    assert [breach.partition(":")[0] for breach in breaches(page)] == ["color-contrast"]
