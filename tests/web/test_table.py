"""The table: a match on one screen, with its keys, its marks and what is played back."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from games import GAMES
from tests.web.conftest import LARGE, MOVING, Newcomer
from tests.web.play import Person, awaited, changed, seated, sent, shown_version

SCREENS = {"phone": (360, 740), "turned": (740, 360), "desk": (1280, 800), "wide": (1920, 1080)}
BOARD_SHARE = 0.28
"""Least part of the screen that is the board's."""
TURNS = 4
SMALL = """[...document.querySelectorAll('.table button, .table a, .table select, .table summary')]
    .filter(one => one.checkVisibility() && getComputedStyle(one).pointerEvents !== 'none')
    .map(one => [one, one.getBoundingClientRect()])
    .filter(([one, { width, height }]) => width > 0 && (width < 43.5 || height < 43.5))
    .map(([one, { width, height }]) => `${one.outerHTML.slice(0, 90)} ${width} x ${height}`)"""
"""What a finger would miss (CSS px)."""


@pytest.mark.parametrize("game", GAMES)
def test_a_match_is_one_screen_for_fingers(newcomer: Newcomer, game: str):
    ada = newcomer("Ada", "phone").enter()
    match = seated([ada], game, bots=1)
    ada.open(match)
    for _ in range(TURNS):
        assert awaited([ada]) is not None
        version = shown_version(ada)
        ada.player.do(match, ada.player.legal(match)[0])
        changed(ada, version)
    awaited([ada])
    for screen, (width, height) in SCREENS.items():
        ada.page.set_viewport_size({"width": width, "height": height})
        page: Any = ada.page.evaluate(
            """() => {
                const { scrollWidth, scrollHeight } = document.documentElement;
                const { width, height } = document.querySelector('.stage').getBoundingClientRect();
                return [scrollWidth, scrollHeight, width * height];
            }"""
        )
        assert page[:2] == [width, height], screen
        assert page[2] >= BOARD_SHARE * width * height, screen
        assert ada.page.evaluate(SMALL) == [], screen


def test_the_way_back_is_in_reach_on_a_turned_phone(newcomer: Newcomer):
    ada = newcomer("Ada", viewport={"width": 740, "height": 360}).enter()
    waiting = ada.player.open_match("ke_dnu", 2)
    for address in (f"/match/{waiting}", "/learn/ke_dnu", "/puzzle/ke_dnu-1"):
        ada.page.goto(address)
        expect(ada.page.get_by_role("heading", level=1)).to_be_visible()
        ada.page.locator(".head .leave").click(trial=True)


def two(newcomer: Newcomer, **more: Any) -> tuple[Person, Person, str]:
    """Open a match of two at Tranquility; return the person on turn first."""
    ada, bob = newcomer("Ada", **more).enter(), newcomer("Bob", **more).enter()
    match = seated([ada, bob], "tranquility", options={"communication": "open"})
    for person in (ada, bob):
        person.open(match)
    on = awaited([ada, bob])
    return (ada, bob, match) if on == 0 else (bob, ada, match)


def lay(person: Person, match: str) -> str:
    """Lay a card that costs nothing over the API; return its cell's name."""
    command = next(
        command
        for command in person.player.legal(match)
        if command["type"] == "play_card" and not command["discards"]
    )
    person.player.do(match, command)
    column, row = command["cell"]
    return f"{'ABCDEF'[column]}{row + 1}"


@pytest.mark.parametrize("game", GAMES)
def test_a_match_can_be_played_in_large_letters(newcomer: Newcomer, game: str):
    ada = newcomer("Ada", "phone", locale="cs-CZ", coached=True).enter()
    ada.open(seated([ada], game, bots=1))
    page = ada.page
    page.evaluate(LARGE)
    for part in (".head h1", ".head [role=status]", ".dock button >> nth=0", "[data-board] .stage"):
        thing = page.locator(part).first
        thing.scroll_into_view_if_needed()
        expect(thing).to_be_in_viewport(ratio=0.5)
    stage = page.locator("[data-board] .stage").bounding_box()
    assert stage
    assert stage["height"] > 240
    assert page.locator(".head h1").evaluate("e => e.scrollWidth <= e.clientWidth")
    page.goto("/mine")
    expect(page.get_by_role("article")).to_be_visible()
    page.evaluate(LARGE)
    assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")


def test_settings_fit_a_phone_in_large_letters(newcomer: Newcomer):
    page = newcomer("Ada", "phone", locale="cs-CZ").enter().page
    page.goto("/mine")
    page.get_by_role("button", name="Nastavení").click()
    expect(page.get_by_label("Jazyk")).to_be_visible()
    page.evaluate(LARGE)
    assert page.get_by_label("Jazyk").evaluate("e => e.getBoundingClientRect().right <= innerWidth")


def test_whose_turn_it_is_widens_no_page(newcomer: Newcomer):
    """Hidden words in the last of many chips once made a phone's page wider than its screen."""
    ada = newcomer("Ada", "phone").enter()
    others = [newcomer("Bartholomew the Navigator") for _ in range(3)]
    ada.open(seated([ada, *others], "ke_dnu", options={"first_seat": "3"}))
    expect(ada.page.locator(".chips .on")).to_be_in_viewport()
    sizes = "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
    assert ada.page.evaluate(sizes) == [360, 740]


def test_the_last_move_stays_marked_and_lines_of_the_log_mark_theirs(newcomer: Newcomer):
    on, off, match = two(newcomer)
    first = lay(on, match)
    marked = off.page.locator("[data-cell][data-marked]")
    expect(marked).to_have_count(1)
    expect(marked).to_have_attribute("data-cell", first)
    version = shown_version(on)
    second = lay(off, match)
    changed(on, version)
    expect(marked).to_have_attribute("data-cell", second)
    line = off.story.get_by_role("button").filter(has_text=first).first
    line.hover()
    expect(marked).to_have_attribute("data-cell", first)
    off.page.locator(f"[data-cell={second}]").hover()
    expect(off.story.locator(".pointed").filter(has_text=second)).to_be_visible()
    expect(marked).to_have_attribute("data-cell", second)


def test_what_was_missed_is_played_back_and_a_line_shows_its_board(newcomer: Newcomer):
    on, off, match = two(newcomer, **MOVING)
    lay(on, match)
    lay(off, match)
    laid = on.page.get_by_role("group", name="The sea").locator("button:has(svg)")
    expect(laid).to_have_count(2)
    on.page.keyboard.press("b")
    steps = on.page.get_by_role("region", name="Playback")
    expect(steps).to_contain_text("1 of 1")
    expect(on.page.locator("[data-act]")).to_have_count(0)
    on.page.keyboard.press("Escape")
    expect(steps).to_be_hidden()
    on.story.get_by_role("button").nth(1).click()
    expect(laid).to_have_count(1)
    steps.get_by_role("button", name="Back to the game").click()
    expect(laid).to_have_count(2)


def test_things_explain_themselves_to_pointer_focus_and_finger(newcomer: Newcomer):
    ada = newcomer("Ada").enter()
    ada.open(seated([ada], "tranquility"))
    tip = ada.page.locator("[data-explained]")
    cell = ada.page.locator("[data-cell=C2]")
    cell.hover()
    expect(tip).to_contain_text("a card here costs nothing")
    ada.page.keyboard.press("Escape")
    expect(tip).to_be_hidden()
    ada.page.locator("[data-card^=island]:enabled").first.focus()
    ada.page.keyboard.press("Shift")
    expect(tip).to_contain_text("as long as the numbers grow")

    phone = newcomer("Bob", "phone", is_mobile=True).enter()
    phone.open(seated([phone], "tranquility"))
    version = shown_version(phone)
    card = phone.page.locator("[data-card^=island]:enabled").first
    box = card.bounding_box()
    assert box is not None
    finger = phone.page.context.new_cdp_session(phone.page)
    at = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [at]})
    expect(phone.page.locator("[data-explained]")).to_contain_text("as long as the numbers grow")
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(phone.page.locator("[data-explained]")).to_be_visible()
    expect(card).to_have_attribute("aria-pressed", "false")
    assert shown_version(phone) == version


def test_a_move_takes_three_keys(newcomer: Newcomer):
    ada = newcomer("Ada").enter()
    ada.open(seated([ada], "tranquility"))
    keys = ada.page.keyboard
    keys.press("?")
    expect(ada.page.get_by_role("dialog", name="Keys")).to_contain_text("take back")
    keys.press("Escape")
    version = shown_version(ada)
    keys.press("1")
    keys.press("n")
    expect(ada.page.locator("[data-cell]:focus")).to_have_accessible_name(re.compile("lay here"))
    keys.press("Enter")
    assert sent(ada, version)
    changed(ada, version)
    expect(ada.page.locator("[data-cell]:focus")).to_be_visible()


def test_a_move_waits_for_its_button_where_that_is_wished(newcomer: Newcomer):
    ada = newcomer("Ada", "phone").enter()
    ada.page.add_init_script("localStorage.setItem('shiplog.settings', '{\"confirm\": true}')")
    ada.open(seated([ada], "submarine", bots=1))
    expect(ada.status).to_contain_text("Your turn")
    version = shown_version(ada)
    ada.page.locator(".cell.open [data-cell]").first.click(position={"x": 3, "y": 3})
    expect(ada.page.locator("[data-act]")).to_be_enabled()
    assert not sent(ada, version)
    ada.page.locator("[data-act]").click()
    changed(ada, version)


def test_picks_and_words_outlast_what_others_do(newcomer: Newcomer):
    on, off, match = two(newcomer)
    card = on.page.get_by_role("group", name="Your hand").get_by_role("button").first
    card.click()
    on.look("Chat").page.get_by_label("Say something").fill("Let me see")
    off.player.do(match, {"type": "propose_abandon"})
    expect(on.page.get_by_role("region", name="Request")).to_be_visible()
    expect(card).to_have_attribute("aria-pressed", "true")
    expect(on.page.get_by_label("Say something")).to_have_value("Let me see")
    expect(on.page.get_by_label("Say something")).to_be_focused()


def test_the_title_tells_turns_of_the_match_that_is_watched(newcomer: Newcomer):
    on, off, match = two(newcomer)
    seated([off], "tranquility")
    with off.page.expect_response("**/players/me/matches*"):
        off.open(match)
    expect(off.page).to_have_title("Tranquility \N{EN DASH} Shiplog")
    expect(on.page).to_have_title("● Your turn \N{EN DASH} Tranquility \N{EN DASH} Shiplog")
    lay(on, match)
    expect(off.page).to_have_title("● Your turn \N{EN DASH} Tranquility \N{EN DASH} Shiplog")


def test_the_icon_of_the_installed_page_counts_the_matches_that_wait(newcomer: Newcomer):
    on, _, match = two(newcomer)
    on.page.add_init_script("navigator.setAppBadge = async (turns) => { window.badge = turns }")
    on.page.goto("/")
    on.page.wait_for_function("() => window.badge === 1")
    on.player.do(match, on.player.legal(match)[0])
    on.page.wait_for_function("() => window.badge === 0")


def test_the_chip_of_a_long_name_stays_in_its_column(newcomer: Newcomer):
    ada, bob = newcomer("Ada").enter(), newcomer("Bartholomew the Navigator of Seven Seas")
    ada.open(seated([ada, bob], "tranquility"))
    row = ada.page.get_by_role("list", name="Players").first
    assert row.evaluate("e => e.scrollWidth <= e.clientWidth")


def test_a_long_name_on_a_phone_leaves_room_for_the_next_player(newcomer: Newcomer):
    ada, bob = newcomer("Bartholomew the Navigator of Seven Seas", "phone").enter(), newcomer("Bob")
    ada.open(seated([ada, bob], "ke_dnu", options={"first_seat": "0"}))
    expect(ada.page.locator(".chips li").nth(1)).to_be_in_viewport(ratio=0.5)


def test_unread_words_are_marked(newcomer: Newcomer):
    on, off, match = two(newcomer, size="phone")
    version = shown_version(on)
    on.look("Chat").page.get_by_label("Say something").fill("Ahoy")
    on.page.get_by_role("button", name="Send", exact=True).click()
    opener = off.page.locator(".head .open")
    expect(opener).to_have_accessible_name(re.compile("1 new message"))
    opener.click()
    expect(off.page.get_by_role("log", name="Chat")).to_contain_text("Ahoy")
    off.back()
    expect(opener).not_to_have_accessible_name(re.compile("new message"))
    assert shown_version(on) == version
    assert match


CALLS = """
localStorage.setItem("shiplog.settings", '{"coach": false, "sound": "%s", "vibrate": true}');
window.tones = []; window.buzzes = 0;
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...at) {
  tones.push(Math.round(this.frequency.value)); start.apply(this, at);
};
navigator.vibrate = () => { buzzes += 1; return true; };
"""


@pytest.mark.parametrize(
    ("sound", "tones"),
    [("off", []), ("bell", [523, 784]), ("horn", [196, 196]), ("drop", [1047, 698, 523])],
)
def test_a_turn_calls_by_the_chosen_sound_and_vibrates(
    newcomer: Newcomer, sound: str, tones: list[int]
):
    people = [newcomer(name).enter() for name in ("Ada", "Bob")]
    match = seated(people, "tranquility", options={"communication": "open"})
    for person in people:
        person.page.context.add_init_script(CALLS % sound)
        person.open(match)
    on = awaited(people)
    assert on is not None
    called = people[1 - on].page
    called.locator(".head").click(position={"x": 200, "y": 5})
    lay(people[on], match)
    called.wait_for_function("() => window.buzzes > 0")
    expect(called.locator("[data-marked]").first).to_be_visible()
    assert called.evaluate("[buzzes, tones]") == [1, tones]


def test_a_map_is_pinched_and_panned_without_a_move(newcomer: Newcomer):
    ada = newcomer("Ada", "phone", is_mobile=True).enter()
    ada.open(seated([ada], "nautilus", bots=1, options={"first_seat": "seat_0"}))
    version = shown_version(ada)
    chart = ada.page.locator(".stage .map")
    box = ada.page.locator(".stage .box")
    before = chart.bounding_box()
    assert before is not None
    finger = ada.page.context.new_cdp_session(ada.page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        at = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})

    touch("touchStart", (150, 350), (210, 350))
    for spread in range(10, 70, 10):
        touch("touchMove", (150 - spread, 350), (210 + spread, 350))
    touch("touchEnd")
    after = chart.bounding_box()
    assert after is not None
    assert after["width"] > 1.5 * before["width"]
    left = box.evaluate("box => box.scrollLeft")
    touch("touchStart", (250, 350))
    for x in range(240, 90, -15):
        touch("touchMove", (x, 350))
    touch("touchEnd")
    ada.page.wait_for_function(
        "left => document.querySelector('.stage .box').scrollLeft > left + 50", arg=left
    )
    assert shown_version(ada) == version


def test_words_on_a_phone_stay_while_records_come_in(newcomer: Newcomer):
    on, off, match = two(newcomer, size="phone")
    typed = on.look("Chat").page.get_by_label("Say something")
    typed.fill("Let me see")
    version = shown_version(on)
    off.player.do(match, {"type": "propose_abandon"})
    changed(on, version)
    expect(typed).to_be_visible()
    expect(typed).to_have_value("Let me see")
    expect(typed).to_be_focused()
