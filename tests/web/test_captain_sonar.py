"""Captain Sonar on its page: in turns by one seat with all posts, in real time by eight seats."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.web.axe import breaches
from tests.web.conftest import LARGE, MOVING, Newcomer, forget
from tests.web.gestures.captain_sonar import at_post
from tests.web.hands import Keys
from tests.web.play import LINES, Person, play_out, seated

pytestmark = pytest.mark.long

POSTS = ("captain", "first_mate", "engineer", "radio_operator")
OVER = """[...document.querySelectorAll("[data-board] *")]
    .filter(one => !one.closest(".box > .map"))
    .filter(one => one.getBoundingClientRect().right > innerWidth + 1).map(one => one.className)"""
"""What of the board would make the page scroll sideways; maps are panned in their box."""
LIVE = {"mode": "real_time", "min_course_gap_ms": 0, "min_trace_ms": 0}


def sheet(person: Person, post: str) -> None:
    """Turn to a sheet, where there are several."""
    expect(person.page.locator("[data-sheet]")).to_be_visible()
    tab = person.page.locator(f"#tab-{post}")
    if tab.count():
        person.press(tab)
    expect(person.page.locator(f"[data-sheet={post}]")).to_be_visible()


def test_a_whole_match_by_touch_and_by_keys(newcomer: Newcomer):
    ada = newcomer("Ada", "phone", **MOVING).enter()
    bob = newcomer("Bob", hand=Keys()).enter()
    match = seated([ada, bob], "captain_sonar", options={"max_turns": 8})
    for person in (ada, bob):
        person.open(match)
    turns = play_out([ada, bob], at_post)
    assert turns >= 2 + 8 * 3
    for person in (ada, bob):
        expect(person.result).to_contain_text("The limit was reached")
        for post in POSTS:
            sheet(person, post)
    ada.page.get_by_role("button", name="Blue").click()
    expect(ada.page.locator("[data-cell]").first).to_be_visible()


def test_a_hunt_to_a_sinking(newcomer: Newcomer):
    """Six courses beside an enemy whose track is known, and two torpedoes that hit."""
    ada, bob = newcomer("Ada", "phone").enter(), newcomer("Bob").enter()
    match = seated([ada, bob], "captain_sonar", options={"first_crew": 0})
    ada.player.do(match, {"type": "choose_start", "cell": [0, 6]})
    bob.player.do(match, {"type": "choose_start", "cell": [2, 7]})
    for person in (ada, bob):
        person.open(match)
        expect(person.page.locator(".chips li")).to_contain_text(["Yellow", "Blue"])
    hunter = (("n", "n1"), ("n", "n3"), ("n", "n4"), ("n", "n6"), ("e", "e1"), ("e", "e5"))
    hunted = (("n", "n1"), ("n", "n3"), ("n", "n4"), ("e", "e1"), ("e", "e5"))
    shots = {2: "C6", 5: "E5"}
    for turn, (way, symbol) in enumerate(hunter):
        course(ada, way, "torpedo", symbol)
        sheet(ada, "captain")
        if turn in shots:
            launch(ada, shots[turn])
        else:
            ada.page.locator("[data-act]", has_text="End the turn").click()
        if turn < len(hunted):
            expect(bob.status).to_contain_text("Your turn")
            flight, crossed = hunted[turn]
            order = {"type": "order_course", "direction": flight}
            do(bob, order, *tasks("silence", crossed), {"type": "end_turn"})
    for person in (ada, bob):
        expect(person.result).to_contain_text("sunk")
        expect(person.status).to_contain_text("Finished")


def course(person: Person, way: str, gauge: str, symbol: str) -> None:
    """Order a course, fill a gauge and cross a symbol out, each on its sheet."""
    expect(person.status).to_contain_text("Your turn")
    for post, thing in (
        ("captain", f"[data-way={way}]:not([aria-disabled=true])"),
        ("first_mate", f"[data-gauge={gauge}].open"),
        ("engineer", f"[data-symbol={symbol}].open"),
    ):
        sheet(person, post)
        person.press(person.page.locator(thing))
        # While a command is under way, no other can be sent.
        expect(person.page.locator("[data-shown][data-busy]")).to_have_count(0)


def launch(person: Person, cell: str) -> None:
    """Fire a torpedo at a cell: a tap on it sends it, and ends the turn."""
    person.page.locator("[data-system=launch_torpedo][aria-disabled=false]").click()
    person.page.locator(f"[data-cell={cell}]").click()


def test_a_match_against_a_bot_to_the_last_damage(newcomer: Newcomer):
    ada = newcomer("Ada", "phone").enter()
    ada.open(seated([ada], "captain_sonar", bots=1, options={"max_turns": 24}))
    assert play_out([ada], at_post) > 0
    expect(ada.result).to_contain_text("Courses")


def test_eight_pages_hunt_in_real_time(newcomer: Newcomer, complaints: list[str]):
    people = [newcomer(f"P{seat}", "phone" if seat % 2 else "desktop").enter() for seat in range(8)]
    match = seated(people, "captain_sonar", options={**LIVE, "max_turns": 10})
    for person in people:
        person.open(match)
    for captain in people[:2]:
        at_post(captain)
    for person in people:
        expect(person.page.locator(".phase").first).not_to_contain_text("Choose where")
    assert people[6].page.locator("[data-sheet=radio_operator]").is_visible()
    assert play_out(people, at_post) >= 10
    for person in people:
        expect(person.result).to_contain_text("Courses")
    forget(complaints, "412")  # A click that another seat's record has overtaken.


def test_the_answer_to_a_sonar_keeps_its_words_whole(newcomer: Newcomer):
    ada, bob = newcomer("Ada", "phone", locale="cs-CZ").enter(), newcomer("Bob")
    match = seated([ada, bob], "captain_sonar", options={"first_crew": 1})
    crews = ((bob.player, [2, 7]), (ada.player, [0, 6]))
    for player, cell in crews:
        player.do(match, {"type": "choose_start", "cell": cell})
    for symbol in ("n1", "n3", "n6"):
        for player, _ in crews:
            player.do(match, {"type": "order_course", "direction": "n"})
            for task in tasks("sonar", symbol):
                player.do(match, task)
            if symbol == "n6":
                break
            player.do(match, {"type": "end_turn"})
    bob.player.do(match, {"type": "ping_sonar"})
    ada.open(match)
    for word in ("Pravda", "Lež"):
        label = ada.page.locator(".kinds > span", has_text=word)
        assert label.evaluate(LINES) == 1


def open_match(newcomer: Newcomer, size: str, seats: int = 2, **options: Any) -> list[Person]:
    """Open a match, put the people's pages before them, both boats under way."""
    people = [newcomer(f"P{seat}", size).enter() for seat in range(seats)]
    match = seated(people, "captain_sonar", options={"first_crew": 0, **options})
    for seat, person in enumerate(people[:2]):
        person.player.do(match, {"type": "choose_start", "cell": [seat, 4]})
    for person in people:
        person.open(match)
    return people


def do(person: Person, *commands: dict[str, Any]) -> None:
    match = re.sub(r".*/", "", person.page.url)
    for command in commands:
        person.player.do(match, command)


def tasks(gauge: str, symbol: str) -> tuple[dict[str, Any], dict[str, Any]]:
    return ({"type": "mark_gauge", "gauge": gauge}, {"type": "cross_symbol", "symbol": symbol})


@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_every_sheet_obeys_wcag_and_fits(newcomer: Newcomer, size: str):
    ada, bob = open_match(newcomer, size, radio_assist="inference", map="echo", board_side="dark")
    do(ada, {"type": "order_course", "direction": "n"}, *tasks("mine", "n1"), {"type": "end_turn"})
    do(bob, {"type": "order_course", "direction": "s"}, *tasks("sonar", "s1"), {"type": "end_turn"})
    do(ada, {"type": "set_overlay", "origin": [4, 4]})
    for post in POSTS:
        sheet(ada, post)
        assert breaches(ada.page, "[data-board]") == [], post
        assert ada.page.evaluate(OVER) == [], post


def test_the_sheet_of_the_engineer_fits_in_large_letters(newcomer: Newcomer):
    ada, _ = open_match(newcomer, "phone")
    sheet(ada, "engineer")
    ada.page.evaluate(LARGE)
    assert ada.page.evaluate(OVER) == []


def test_a_start_and_a_course_by_keyboard_alone(newcomer: Newcomer):
    ada, bob = newcomer("Ada").enter(), newcomer("Bob").enter()
    match = seated([ada, bob], "captain_sonar", options={"first_crew": 0})
    bob.player.do(match, {"type": "choose_start", "cell": [9, 9]})
    ada.open(match)
    keys = ada.page.keyboard
    ada.page.locator("[data-cell=A1]").focus()
    for key in ("ArrowRight", "ArrowDown", "Enter"):
        keys.press(key)
    press(ada.page, "[data-way=e]")
    expect(ada.page.locator("[data-sheet=first_mate]")).to_be_visible()
    press(ada.page, "[data-gauge=torpedo]")
    expect(ada.page.locator("[data-sheet=engineer]")).to_be_visible()
    press(ada.page, "[data-symbol=e6]")
    expect(ada.page.locator("[data-act]")).to_have_text("End the turn")
    expect(ada.page.locator("[data-cell=C2]")).to_have_accessible_name("C2: sea, your boat")


def press(page: Page, there: str) -> None:
    """Come to a button by the Tab key, and press it."""
    expect(page.locator(there)).to_be_visible()
    for _ in range(60):
        if page.locator(f"{there}:focus").count():
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")


def test_what_is_barred_says_why(newcomer: Newcomer):
    ada, _ = open_match(newcomer, "phone")
    ways = ada.page.locator("[data-way=w]")
    ways.click(force=True)
    expect(ada.page.get_by_role("alert").first).to_contain_text("leave the map")
    expect(ada.page.get_by_role("link", name="SON-12")).to_be_visible()
    ada.page.locator("[data-system=launch_torpedo]").click(force=True)
    expect(ada.page.get_by_role("alert").first).to_contain_text("this point of the turn")
    ada.page.locator("[data-cell=F5]").click()
    expect(ada.page.get_by_role("alert").first).to_contain_text("one cell north")
    sheet(ada, "engineer")
    ada.page.locator("[data-symbol=n1]").click(force=True)
    expect(ada.page.get_by_role("alert").first).to_contain_text("this point of the turn")


def test_the_radio_operator_lays_the_track_draws_and_sees_what_can_be(newcomer: Newcomer):
    ada, bob = open_match(newcomer, "phone", radio_assist="inference")
    do(ada, {"type": "order_course", "direction": "e"}, *tasks("mine", "e1"), {"type": "end_turn"})
    expect(bob.status).to_contain_text("Your turn")
    sheet(bob, "radio_operator")
    expect(bob.page.get_by_role("list", name="Heard of the enemy")).to_contain_text("east")
    expect(bob.page.locator("[data-sheet]")).to_contain_text(re.compile(r"Show the \d+ cells"))
    bob.page.locator("[data-cell=B2]").click()
    expect(bob.page.locator("[data-cell=C2]")).to_have_accessible_name(re.compile("heard track"))
    bob.page.get_by_role("button", name="Slide the track south").click()
    expect(bob.page.locator("[data-cell=C3]")).to_have_accessible_name(re.compile("heard track"))
    bob.page.get_by_role("button", name="Pencil").click()
    bob.page.locator("[data-cell=E5]").click()
    expect(bob.page.locator("[data-cell=E5]")).to_have_accessible_name(re.compile("maybe here"))
    bob.page.reload()
    sheet(bob, "radio_operator")
    expect(bob.page.locator("[data-cell=E5]")).to_have_accessible_name(re.compile("maybe here"))
    sheet(ada, "radio_operator")
    expect(ada.page.locator("[data-cell=E5]")).not_to_have_accessible_name(re.compile("maybe"))


def test_against_bots_alone_the_table_begins_with_the_exact_tool(newcomer: Newcomer):
    """Among people the default is the heard track."""
    ada = newcomer("Ada", "phone").enter()
    page = ada.page
    page.goto("/new?game=captain_sonar")
    page.get_by_text("Game options").click()
    tool = page.locator("[name='field.radio_assist']")
    expect(tool).to_have_value('"inference"')
    page.locator("[name=bots]").select_option("0")
    expect(tool).to_have_value('"overlay"')
    page.locator("[name=bots]").select_option("1")
    page.get_by_role("button", name="Create the match").click()
    page.wait_for_url("**/match/*")
    match = page.url.rpartition("/")[2]
    assert ada.player.get(f"/matches/{match}")["options"]["radio_assist"] == "inference"


def test_without_help_the_radio_operator_draws(newcomer: Newcomer):
    ada, _ = open_match(newcomer, "phone", radio_assist="none")
    sheet(ada, "radio_operator")
    for mark in ("maybe here", "not here"):
        ada.page.locator("[data-cell=E5]").click()
        expect(ada.page.locator("[data-cell=E5]")).to_have_accessible_name(re.compile(mark))


def test_a_surfaced_crew_draws_around_its_hull_and_dives(newcomer: Newcomer):
    people = open_match(newcomer, "phone", seats=4, **LIVE)
    captain, radio = people[0], people[2]
    captain.page.locator("[data-system=surface]").click()
    captain.page.locator("[data-act]").click()
    for number, person in enumerate((captain, radio, captain, radio), 1):
        trace(person, number)
    captain.page.locator("[data-act]").click()
    expect(captain.page.locator("[data-way]").first).to_be_visible()
    expect(people[1].look("Log").story).to_contain_text("dived")


def trace(person: Person, section: int) -> None:
    """Drag once around a section's border."""
    page = person.page
    page.locator(f"[data-section='{section}'][aria-disabled=false]").click()
    columns, rows = {1: (5, 4), 2: (6, 3), 3: (6, 4), 4: (5, 5)}[section]
    right, bottom = columns - 1, rows - 1
    rim = [(column, 0) for column in range(right)] + [(right, row) for row in range(bottom)]
    rim += [(column, bottom) for column in range(right, 0, -1)]
    rim += [(0, row) for row in range(bottom, 0, -1)]
    page.locator("[data-hull='0,0']").scroll_into_view_if_needed()
    for at, (column, row) in enumerate(rim):
        box = page.locator(f"[data-hull='{column},{row}']").bounding_box()
        assert box
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        if at == 0:
            page.mouse.down()
    page.mouse.up()
    page.locator("section.card [data-act]").click()


def test_the_next_course_waits_for_the_engines(newcomer: Newcomer):
    options = {**LIVE, "min_course_gap_ms": 2_000}
    people = open_match(newcomer, "phone", seats=4, **options)
    captain = people[0]
    captain.page.locator("[data-way=n]").click()
    sheet(captain, "first_mate")
    captain.page.locator("[data-gauge].open").first.click()
    sheet(captain, "engineer")
    captain.page.locator("[data-symbol].open").first.click()
    expect(captain.look("Log").story).to_contain_text("crossed out")
    captain.back()
    sheet(captain, "captain")
    captain.page.locator("[data-way=n]").click()
    expect(captain.page.locator(".strip")).to_contain_text("to A3")
    expect(captain.page.get_by_role("alert").first).to_be_empty()


def test_a_stop_is_shown_to_all_and_holds_everybody(newcomer: Newcomer, complaints: list[str]):
    people = open_match(newcomer, "phone", seats=4, **LIVE)
    captain, rival = people[0], people[1]
    for symbol in ("n6", "n2", "n5"):
        do(captain, {"type": "order_course", "direction": "n"}, *tasks("sonar", symbol))
    expect(captain.page.locator("[data-system=ping_sonar][aria-disabled=false]")).to_be_visible()
    captain.page.locator("[data-system=ping_sonar]").click()
    captain.page.locator("[data-act]").click()
    expect(captain.page.locator(".stop")).to_contain_text("STOP!")
    expect(rival.page.locator(".stop")).to_contain_text("STOP!")
    captain.page.locator("[data-system=surface]").click(force=True)
    expect(captain.page.get_by_role("alert").first).to_contain_text("STOP was called")
    rival.page.get_by_role("button", name="column B").click()
    rival.page.locator("fieldset select").select_option(index=1)
    rival.page.locator("[data-act]").click()
    expect(captain.page.locator(".stop")).to_have_count(0)
    forget(complaints, "412", "422")


def test_the_crew_talks_among_itself(newcomer: Newcomer):
    people = open_match(newcomer, "desktop", seats=4, **LIVE)
    page = people[0].page
    people[0].look("Chat")
    page.get_by_label("Say something").fill("They are near us")
    page.get_by_role("button", name="Send").click()
    mate = people[2].look("Chat").page.get_by_role("log", name="Chat")
    expect(mate).to_contain_text("They are near us")
    expect(people[1].page.get_by_text("They are near us")).to_have_count(0)


def test_the_post_that_is_shown_is_told_apart(newcomer: Newcomer):
    ada, _ = open_match(newcomer, "phone")
    shown, other = (ada.page.get_by_role("tab", name=name) for name in ("Captain", "Engineer"))
    expect(shown).to_have_attribute("aria-selected", "true")
    ground = "tab => getComputedStyle(tab).backgroundColor"
    assert shown.evaluate(ground) != other.evaluate(ground)
    assert shown.evaluate("tab => getComputedStyle(tab).position") == "relative"


def test_who_is_the_whole_crew_talks_to_everyone(newcomer: Newcomer):
    ada, bob = open_match(newcomer, "phone")
    heard = bob.look("Chat").page.get_by_role("log", name="Chat")
    page = ada.look("Chat").page
    page.get_by_label("Say something").fill("Good luck!")
    page.get_by_role("button", name="Send").click()
    expect(heard).to_contain_text("Good luck!")
    expect(page.get_by_role("combobox", name="To")).to_have_count(0)


def test_spectators_see_fog_until_the_end(newcomer: Newcomer):
    ada, _ = open_match(newcomer, "desktop")
    eve = newcomer("Eve").enter()
    eve.page.goto(ada.page.url)
    expect(eve.page.get_by_text("Both boats are hidden")).to_be_visible()
    expect(eve.page.get_by_text("your boat")).to_have_count(0)
    assert eve.page.get_by_role("tab").count() == 0
