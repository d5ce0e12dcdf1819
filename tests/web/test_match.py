"""What a match page withstands: cut lines, lost replies, other tabs, others' moves, refusals."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import APIResponse, Route, expect

from games import GAMES
from tests.web.conftest import Newcomer, forget
from tests.web.play import Person, awaited, by_list, changed, picked, seated, shown_version

CONFIRMED = {"confirm_draw": True}
TURNS_WATCHED = 5


def lay_first(person: Person) -> None:
    """Lay the first card that can be laid for nothing: a tap on it, and one on the cell."""
    page = person.page
    for card in page.get_by_role("group", name="Your hand").get_by_role("button").all():
        card.click()
        free = page.get_by_role("button", name="free of charge")
        if free.count():
            free.first.click()
            return


def lay_last(person: Person) -> str:
    """Lay the last card that can be laid for nothing, on the last cell; return the card."""
    page = person.page
    for card in reversed(page.get_by_role("group", name="Your hand").get_by_role("button").all()):
        card.click()
        free = page.get_by_role("button", name="free of charge")
        if free.count():
            free.last.click()
            return str(card.get_attribute("data-card"))
    raise AssertionError("no card can be laid for nothing")


@pytest.mark.parametrize("game", GAMES)
def test_the_start_is_watched_from_the_waiting_room(newcomer: Newcomer, game: str):
    """The page that saw the seats fill shows the first turns; its console stays empty."""
    ada = newcomer("Ada", "phone").enter()
    match = ada.player.open_match(game, 2)
    ada.open(match)
    ada.player.do(match, {"type": "take_seat", "seat": 0})
    ada.player.do(match, {"type": "add_bot", "seat": 1})
    expect(ada.page.locator(f"[data-board={game}]")).to_be_visible()
    for _ in range(TURNS_WATCHED):
        if awaited([ada]) is None:
            break
        version = shown_version(ada)
        ada.player.do(match, ada.player.legal(match)[0])
        changed(ada, version)


def test_a_refusal_is_told_in_words_with_its_rule(newcomer: Newcomer, complaints: list[str]):
    ada = newcomer("Ada").enter()
    ada.open(seated([ada], "tranquility"))
    lay_first(ada)
    laid = ada.page.get_by_role("group", name="The sea").locator("button:has(svg)").first
    expect(laid).to_be_visible()
    ada.page.get_by_role("group", name="Your hand").get_by_role("button").first.click()
    laid.click()
    alert = ada.page.get_by_role("alert")
    expect(alert).to_contain_text("There is a card already")
    expect(alert.get_by_role("link", name="Rule TRA-2")).to_have_attribute(
        "href", "/rules/tranquility#TRA-2"
    )
    forget(complaints, "422")


def test_a_move_is_taken_back_while_the_turn_lasts(newcomer: Newcomer):
    ada = newcomer("Ada").enter()
    ada.open(seated([ada], "tranquility", options=CONFIRMED))
    lay_first(ada)
    sea = ada.page.get_by_role("group", name="The sea")
    expect(sea.locator("button:has(svg)")).to_have_count(1)
    ada.page.get_by_role("button", name="Take back").click()
    expect(sea.locator("button:has(svg)")).to_have_count(0)
    expect(ada.story).to_contain_text("took a move back")


def test_others_are_asked_before_a_pause(newcomer: Newcomer):
    ada, bob = newcomer("Ada").enter(), newcomer("Bob", "phone").enter()
    match = seated([ada, bob], "tranquility")
    ada.open(match)
    bob.open(match)
    ada.look("Menu").page.get_by_role("button", name="Ask for a pause").click()
    request = bob.page.get_by_role("region", name="Request")
    expect(request).to_contain_text("Ada asks for a pause.")
    bob.page.get_by_role("button", name="Agree").click()
    expect(ada.status).to_contain_text("Paused")
    bob.page.get_by_role("region", name="Paused").get_by_role("button", name="Go on").click()
    bob.look("Menu")
    expect(bob.page.get_by_role("button", name="Ask for a pause")).to_be_visible()


def test_two_tabs_of_one_player_show_the_same(newcomer: Newcomer):
    ada = newcomer("Ada").enter()
    match = seated([ada], "tranquility")
    ada.open(match)
    other = Person(ada.page.context.new_page(), ada.player, "Ada").open(match)
    before = shown_version(other)
    lay_first(ada)
    changed(other, before)
    expect(
        other.page.get_by_role("group", name="The sea").locator("button:has(svg)")
    ).to_have_count(1)


def test_a_lost_line_is_shown_and_taken_up_again(newcomer: Newcomer, complaints: list[str]):
    ada, bob = newcomer("Ada").enter(), newcomer("Bob").enter()
    match = seated([ada, bob], "tranquility", options={"communication": "open"})
    ada.open(match)
    bob.open(match)
    on, off = (ada, bob) if ada.status.get_by_text("Your turn").is_visible() else (bob, ada)
    off.page.route(f"**/matches/{match}/**", lambda route: route.abort())
    off.page.context.set_offline(True)
    before = shown_version(off)
    on_before = shown_version(on)
    lay_first(on)
    changed(on, on_before)
    expect(off.status).to_contain_text("Connection lost")
    off.page.context.set_offline(False)
    off.page.unroute(f"**/matches/{match}/**")
    changed(off, before)
    expect(off.status).to_contain_text("Your turn")
    forget(complaints, "ERR_")


def test_a_reply_that_is_lost_does_not_send_twice(newcomer: Newcomer, complaints: list[str]):
    ada = newcomer("Ada").enter()
    match = seated([ada], "tranquility")
    ada.open(match)
    sent: list[str] = []

    def lose_the_first_reply(route: Route) -> None:
        sent.append(route.request.headers["idempotency-key"])
        if len(sent) == 1:
            route.fetch()
            route.abort("connectionreset")
        else:
            route.continue_()

    ada.page.route("**/commands", lose_the_first_reply)
    version = shown_version(ada)
    lay_first(ada)
    changed(ada, version)
    expect(ada.page.get_by_role("group", name="The sea").locator("button:has(svg)")).to_have_count(
        1
    )
    for _ in range(3_000):
        if len(sent) > 1:
            break
        ada.page.wait_for_timeout(20)
    assert len(sent) == 2
    assert len(set(sent)) == 1, "the same key for the same move"
    assert len(laid(ada, match)) == 1
    forget(complaints, "ERR_")


def test_what_is_picked_before_the_answer_comes_stays(newcomer: Newcomer):
    """The stream brings the next turn before the command's answer.

    A quick player has picked by then.
    """
    ada = newcomer("Ada").enter()
    ada.open(seated([ada], "tranquility"))
    held: list[tuple[Route, APIResponse]] = []

    def hold(route: Route) -> None:
        held.append((route, route.fetch()))

    ada.page.route("**/commands", hold, times=1)
    first = shown_version(ada)
    by_list(ada)
    changed(ada, first)
    submit = picked(ada)
    second = shown_version(ada)
    [(route, answer)] = held
    route.fulfill(response=answer)
    submit.click()
    changed(ada, second)


def lay_two(person: Person) -> tuple[Route, str]:
    """Lay two cards so quickly that the first is still under way.

    Returns the route of the first command, and the second card.
    """
    under_way: list[Route] = []

    def hold(route: Route) -> None:
        under_way.append(route)

    person.page.route("**/commands", hold, times=1)
    lay_first(person)
    card = lay_last(person)
    expect(person.page.locator("[data-busy]")).to_be_visible()
    return under_way.pop(), card


def test_a_quick_second_move_waits_for_the_answer_to_the_first(newcomer: Newcomer):
    ada = newcomer("Ada").enter()
    match = seated([ada], "tranquility")
    ada.open(match)
    first, _ = lay_two(ada)
    first.continue_()
    sea = ada.page.get_by_role("group", name="The sea")
    expect(sea.locator("button:has(svg)")).to_have_count(2)
    assert len(laid(ada, match)) == 2


def test_a_quick_second_move_is_let_be_when_the_table_changes(newcomer: Newcomer):
    """What was picked stays picked."""
    ada = newcomer("Ada").enter()
    match = seated([ada], "tranquility")
    ada.open(match)
    version = shown_version(ada)
    first, card = lay_two(ada)
    answer = first.fetch()
    ada.player.do(match, discard_without(ada.player.legal(match), card))
    changed(ada, version + 1)
    first.fulfill(response=answer)
    expect(ada.page.get_by_role("alert")).to_contain_text("The table has changed")
    expect(ada.page.locator("[data-busy]")).to_have_count(0)
    assert len(laid(ada, match)) == 1
    expect(ada.page.locator(f".dock .hand [data-card={card}]")).to_have_attribute(
        "aria-pressed", "true"
    )


def discard_without(legal: list[dict[str, Any]], card: str) -> dict[str, Any]:
    """Return a discard that leaves a card in the hand."""
    return next(
        command
        for command in legal
        if command["type"] == "discard_two" and card not in command["cards"]
    )


def test_a_double_press_sends_one_command(newcomer: Newcomer):
    ada = newcomer("Ada").enter()
    match = seated([ada], "ke_dnu", bots=1, options={"first_seat": "0"})
    ada.open(match)
    act = ada.page.locator(".act [data-act]")
    expect(act).to_have_text(re.compile("Draw"))
    version = shown_version(ada)
    act.dblclick()
    changed(ada, version)
    act.click()
    expect(ada.page.locator("[data-busy]")).to_have_count(0)
    sent = [record["command"]["type"] for record in events(ada, match) if "command" in record]
    assert sent[-2:] == ["draw", "end_turn"]
    assert sent.count("draw") == 1


def test_the_second_half_of_a_double_press_is_not_for_what_came_in_between(newcomer: Newcomer):
    ada = newcomer("Ada").enter()
    ada.open(seated([ada], "ke_dnu", bots=1, options={"first_seat": "0"}))
    act = ada.page.locator(".act [data-act]")
    version = shown_version(ada)
    act.click()
    changed(ada, version)
    expect(act).not_to_have_text(re.compile("Draw"))
    act.dispatch_event("click", {"detail": 2})
    ada.page.wait_for_timeout(100)
    expect(ada.page.locator("[data-busy]")).to_have_count(0)
    expect(ada.status).to_contain_text("Your turn")


def test_picks_come_back_when_the_move_is_refused(newcomer: Newcomer, complaints: list[str]):
    ada = newcomer("Ada").enter()
    ada.open(seated([ada], "tranquility"))
    problem = json.dumps({"type": "about:blank", "status": 422, "code": "not-waiting"})
    refused = {"status": 422, "content_type": "application/problem+json", "body": problem}
    ada.page.route("**/commands", lambda route: route.fulfill(**refused))
    lay_first(ada)
    expect(ada.page.get_by_role("alert")).to_be_visible()
    ada.page.unroute("**/commands")
    expect(ada.page.locator("[data-cell][aria-pressed=true]")).to_be_visible()
    ada.page.locator("[data-act]").click()
    sea = ada.page.get_by_role("group", name="The sea")
    expect(sea.locator("button:has(svg)")).to_have_count(1)
    forget(complaints, "422")


def test_a_version_conflict_heals_by_itself(newcomer: Newcomer, complaints: list[str]):
    """The page sends what it saw; meanwhile the match went on, but the command is still legal."""
    ada, bob = newcomer("Ada").enter(), newcomer("Bob").enter()
    match = seated([ada, bob], "tranquility")
    ada.open(match)
    bob.open(match)
    on, off = (ada, bob) if ada.status.get_by_text("Your turn").is_visible() else (bob, ada)
    on.page.route("**/stream*", lambda route: route.abort())
    overtaken: list[int] = []

    def overtake(route: Route) -> None:
        if not overtaken:
            overtaken.append(1)
            off.player.do(match, {"type": "propose_abandon"})
        route.continue_()

    on.page.route("**/commands", overtake)
    version = shown_version(on)
    lay_first(on)
    changed(on, version)
    expect(on.page.get_by_role("group", name="The sea").locator("button:has(svg)")).to_have_count(1)
    forget(complaints, "412", "ERR_")


def test_taking_back_heals_a_conflict_unless_others_must_agree_now(
    newcomer: Newcomer, complaints: list[str]
):
    ada, bob = newcomer("Ada").enter(), newcomer("Bob").enter()
    match = seated([ada, bob], "submarine")
    on, off = (ada, bob) if ada.player.legal(match) else (bob, ada)
    on.open(match)
    changes: list[dict[str, Any]] = []

    def overtake(route: Route) -> None:
        if '"undo"' in (route.request.post_data or "") and changes:
            off.player.do(match, changes.pop())
        route.continue_()

    def place_and_take_back(change: Callable[[], dict[str, Any]]) -> None:
        version = shown_version(on)
        on.page.locator(".cell.open [data-cell]").first.click()
        changed(on, version)
        changes.append(change())
        on.page.get_by_role("button", name="Take back").click()

    on.page.route("**/commands", overtake)
    place_and_take_back(lambda: {"type": "propose_abandon"})
    expect(on.story.get_by_text("took a move back")).to_have_count(1)
    expect(on.story.locator("del")).to_have_count(1)
    place_and_take_back(lambda: off.player.legal(match)[0])
    expect(on.page.get_by_role("alert")).to_contain_text(f"Now {off.name} must agree")
    forget(complaints, "412")


def test_a_clock_that_runs_out_plays_the_default(newcomer: Newcomer):
    ada = newcomer("Ada").enter()
    clock = {"type": "per_move", "seconds": 2}
    match = seated([ada], "tranquility", clock=clock, away_after=0)
    ada.open(match)
    expect(ada.page.get_by_role("timer")).to_be_visible()
    expect(ada.story).to_contain_text("ran out of time")


def test_the_moves_of_a_player_who_left_are_automatic(newcomer: Newcomer):
    people = [newcomer("Ada").enter(), newcomer("Bob").enter()]
    match = seated(people, "tranquility")
    (seat,) = people[0].player.get(f"/matches/{match}")["waiting"]
    leaver, stayer = people[seat], people[1 - seat]
    stayer.open(match)
    leaver.player.do(match, {"type": "resign"})
    expect(stayer.story).to_contain_text(f"{leaver.name} moved automatically")
    expect(stayer.story).not_to_contain_text("ran out of time")


def test_a_clock_that_ran_out_before_a_player_left_is_still_told(newcomer: Newcomer):
    people = [newcomer("Ada").enter(), newcomer("Bob").enter(), newcomer("Cleo").enter()]
    clock = {"type": "per_move", "seconds": 2}
    match = seated(people, "submarine", clock=clock, away_after=0)
    ada = people[0].open(match)
    (seat,) = ada.player.get(f"/matches/{match}")["waiting"]
    leaver = people[seat]
    expect(ada.story).to_contain_text(f"{leaver.name} ran out of time")
    leaver.player.do(match, {"type": "resign"})
    expect(ada.story).to_contain_text(f"{leaver.name} left")
    expect(ada.story).to_contain_text(f"{leaver.name} ran out of time")


def test_talk_opens_and_closes_with_the_game(newcomer: Newcomer):
    ada, bob = newcomer("Ada").enter(), newcomer("Bob").enter()
    silent = seated([ada, bob], "tranquility")
    ada.open(silent)
    ada.look("Chat")
    expect(ada.page.get_by_text("No talking at this point in the game")).to_be_visible()

    match = seated([ada, bob], "tranquility", options={"communication": "open"})
    ada.open(match)
    bob.open(match)
    ada.look("Chat")
    ada.page.get_by_label("Say something").fill("Ahoy")
    ada.page.get_by_role("button", name="Send", exact=True).click()
    expect(bob.look("Chat").page.get_by_role("log", name="Chat")).to_contain_text("Ada: Ahoy")


def test_leaving_for_good_is_asked_about_first(newcomer: Newcomer):
    ada, bob = newcomer("Ada").enter(), newcomer("Bob").enter()
    match = seated([ada, bob], "nautilus")
    ada.open(match)
    ada.look("Menu").page.get_by_role("button", name="Leave the match").click()
    dialog = ada.page.get_by_role("dialog")
    expect(dialog).to_contain_text("for good")
    dialog.get_by_role("button", name="Leave the match").click()
    expect(ada.result).to_be_visible()


def test_a_game_without_a_board_is_played_from_the_list(newcomer: Newcomer):
    """Every game can be played before it has a board of its own."""
    ada = newcomer("Ada").enter()
    ada.open(seated([ada], "submarine", bots=1))
    expect(ada.status).to_contain_text("Your turn")
    version = shown_version(ada)
    by_list(ada)
    changed(ada, version)


def events(person: Person, match: str) -> list:
    return person.player.get(f"/matches/{match}/events")["records"]


def laid(person: Person, match: str) -> list:
    """Return the events of the cards that were laid."""
    told = [event for record in events(person, match) for event in record["events"]]
    return [event for event in told if event["type"] == "island_placed"]


def test_a_move_is_written_field_by_field(newcomer: Newcomer):
    """What the list gives one example of can be sent with any values."""
    ada = newcomer("Ada").enter()
    ada.open(seated([ada], "tranquility"))
    version = shown_version(ada)
    ada.look("Menu").page.get_by_text("All moves as a list").click()
    ada.page.get_by_text("Write a move field by field").click()
    form = ada.page.get_by_role("form", name="Write a move field by field")
    form.locator("[name='field.cell']").fill("[2, 4]")
    form.get_by_role("button", name="Send it").click()
    changed(ada, version)
    expect(ada.page.locator("[data-cell=C5]:has(svg)")).to_be_visible()


@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_the_settings_in_the_menu_of_a_match_fit_their_column(newcomer: Newcomer, size: str):
    ada = newcomer("Ada", size).enter()
    match = ada.player.open_match(seats=1)
    ada.player.do(match, {"type": "take_seat"})
    ada.open(match).look("Menu")
    side = ada.page.locator(".side")
    side.get_by_role("button", name="Settings").click()
    expect(side.get_by_text("Language")).to_be_visible()
    assert side.evaluate("e => e.scrollWidth <= e.clientWidth")


@pytest.mark.parametrize(
    ("locale", "written"),
    [
        ("cs-CZ", r"\d{1,2}:\d\d"),
        ("en-GB", r"\d\d:\d\d"),
        ("en-US", r"\d{1,2}:\d\d\s[AP]M"),
        ("de-DE", r"\d{1,2}:\d\d\s[AP]M"),
    ],
)
def test_times_are_written_as_the_browser_writes_them(
    newcomer: Newcomer, locale: str, written: str
):
    ada = newcomer("Ada", locale=locale).enter()
    match = seated([ada], "tranquility")
    ada.open(match)
    expect(ada.page.locator("time").first).to_have_text(re.compile(f"^{written}$"))
