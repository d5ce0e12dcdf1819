"""What people ask of each other and of the service: taking back, the solver's answer, hints."""

import re
from typing import Any

from playwright.sync_api import Locator, expect

from tests.web.axe import breaches
from tests.web.conftest import Newcomer
from tests.web.play import Person, changed, seated, shown_version

SURE = "[data-hint=close], [data-hint=clear]"
OUTCOMES = re.compile("^(won|line|proof|not-shown)$")
EXPIRED = "30:00:00"
"""Later than a request that nobody answers."""
ASKED_AGAIN_MS = 1_000
"""Longer than a page waits between two looks at a job."""


def on_turn(people: list[Person], match: str) -> list[Person]:
    """Return the people, the one on turn first."""
    (seat,) = people[0].player.get(f"/matches/{match}")["waiting"]
    return [people[seat], *(person for other, person in enumerate(people) if other != seat)]


def play(people: list[Person], match: str, turns: int) -> None:
    """Lay cards over the API, each the first that goes."""
    for _ in range(turns):
        mover = on_turn(people, match)[0].player
        mover.do(match, mover.legal(match)[0])


def begun(people: list[Person], turns: int) -> str:
    """Return a match in which only islands were laid so far: a Start asks everybody for cards."""
    while True:
        match = seated(people, "tranquility")
        for _ in range(turns):
            mover = on_turn(people, match)[0].player
            first = mover.legal(match)[0]
            if first["type"] == "play_start":
                break
            mover.do(match, first)
        else:
            return match


def laid(person: Person) -> Locator:
    return person.page.get_by_role("group", name="The sea").locator("button:has(svg)")


def request(person: Person) -> Locator:
    return person.page.get_by_role("region", name="Request")


def test_an_undo_is_shown_to_all_before_they_answer_and_their_votes_are_seen(newcomer: Newcomer):
    people = [newcomer(name).enter() for name in ("Ada", "Bob", "Eve")]
    match = seated(people, "tranquility")
    asker, asked, third = on_turn(people, match)
    play(people, match, 1)
    for person in (asker, asked):
        person.open(match)
        expect(laid(person)).to_have_count(1)
    asker.page.get_by_role("button", name="Ask to take back").click()
    shown = request(asked)
    expect(shown).to_contain_text(f"{asker.name} asks to take a move back")
    expect(shown.get_by_role("list", name="One move would be taken back")).to_contain_text("laid")
    votes = shown.get_by_role("list", name="Answers")
    expect(votes).to_contain_text("You have not answered yet")
    expect(votes).to_contain_text(f"{third.name} has not answered yet")
    imagine = shown.get_by_role("button", name="Show the board as it would be")
    imagine.click()
    expect(laid(asked)).to_have_count(0)
    expect(asked.page.get_by_text("The board as it would be after taking back.")).to_be_visible()
    assert breaches(asked.page) == []
    imagine.click()
    expect(laid(asked)).to_have_count(1)

    number = third.player.get(f"/matches/{match}")["proposal"]["proposal"]
    third.player.do(match, {"type": "answer", "proposal": number, "accept": True})
    for person in (asker, asked):
        expect(request(person)).to_contain_text(f"{third.name} agrees")
    request(asked).get_by_role("button", name="Agree").click()
    for person in (asker, asked):
        expect(request(person)).to_be_hidden()
        expect(laid(person)).to_have_count(0)
        expect(person.story).to_contain_text(f"{asker.name} asks to take a move back")


def test_a_request_is_withdrawn(newcomer: Newcomer):
    ada, bob = newcomer("Ada").enter(), newcomer("Bob")
    match = seated([ada, bob], "tranquility")
    ada.open(match)
    ada.look("Menu").page.get_by_role("button", name="Ask to end the match").click()
    expect(request(ada)).to_contain_text("Bob has not answered yet")
    ada.page.get_by_role("button", name="Withdraw the request").click()
    expect(request(ada)).to_be_hidden()
    expect(ada.look("Log").story).to_contain_text("The request was withdrawn")


def test_a_message_does_not_cover_a_request_which_goes_when_it_expires(newcomer: Newcomer):
    ada, bob = newcomer("Ada"), newcomer("Bob", "phone").enter()
    match = seated([ada, bob], "submarine")
    bob.page.clock.install()
    bob.open(match)
    ada.player.do(match, {"type": "pause"})
    shown = request(bob)
    expect(shown.get_by_role("button", name="Agree")).to_be_visible()
    said = {"text": "Back in a minute"}
    assert ada.player.http.post(f"/matches/{match}/talk", json=said).status_code == 201
    toast = bob.page.get_by_role("status").filter(has_text="Back in a minute")
    expect(toast).to_be_visible()
    below, above = toast.bounding_box(), shown.bounding_box()
    assert below is not None
    assert above is not None
    assert below["y"] >= above["y"] + above["height"]
    bob.page.clock.fast_forward(EXPIRED)
    expect(shown).to_be_hidden()
    expect(toast).to_be_visible()


def test_a_crew_that_agrees_is_told_the_best_point_to_go_back_to_and_no_card(newcomer: Newcomer):
    ada, bob = newcomer("Ada", "phone").enter(), newcomer("Bob").enter()
    match = begun([ada, bob], 5)
    for person in (ada, bob):
        person.open(match)
    ada.look("Menu")
    ada.page.get_by_role("button", name="Ask the computer where to go back to").click()
    request(bob).get_by_role("button", name="Agree").click()
    solver = ada.page.get_by_role("region", name="Best point to go back to")
    solver.get_by_role("button", name="Find the best point to go back to").click()
    expect(solver).to_have_attribute("data-solved", OUTCOMES)
    assert breaches(ada.page) == []
    told = solved(ada, match)
    assert "line" not in told
    if told["outcome"] == "line":
        expect(solver).to_contain_text(f"could still be won: {told['to']}")
    play([ada, bob], match, 1)
    expect(solver).to_be_hidden()


def solved(person: Person, match: str) -> Any:
    """Return the service's answer to a player's last question about a match."""
    job = next(job["id"] for job in person.player.get("/jobs") if job["match"] == match)
    return person.player.get(f"/jobs/{job}")["result"]


def test_a_hint_is_given_at_once_thought_over_and_played(newcomer: Newcomer):
    ada = newcomer("Ada", "phone").enter()
    match = seated([ada], "submarine", bots=1)
    ada.open(match)
    ada.page.evaluate(
        "document.querySelectorAll('[aria-live]').forEach(one => one.className += ' early')"
    )
    ada.page.get_by_role("button", name="Ask for a hint").click()
    hint = ada.page.get_by_role("region", name="Hint")
    expect(ada.page.locator(".early [data-hint]"), "a screen reader says it").to_have_count(1)
    expect(hint.get_by_role("button", name="Play it")).to_be_enabled()
    expect(ada.page.locator(SURE)).to_contain_text("of the games")
    assert breaches(ada.page) == []
    version = shown_version(ada)
    hint.get_by_role("button", name="Play it").click()
    changed(ada, version)
    expect(hint).to_be_hidden()


def test_a_hint_is_marked_on_the_board_and_can_be_closed(newcomer: Newcomer):
    ada = newcomer("Ada", "phone").enter()
    ada.open(seated([ada], "submarine", bots=1))
    ada.page.get_by_role("button", name="Ask for a hint").click()
    hint = ada.page.get_by_role("region", name="Hint")
    column = re.search(r"column ([A-F])", hint.inner_text())
    assert column
    marked = ada.page.locator(f"[data-cell={column[1]}2][data-marked]")
    expect(marked).to_be_in_viewport()
    hint.get_by_role("button", name="Close the hint").click()
    expect(hint).to_be_hidden()
    expect(marked).to_be_visible()
    ada.page.get_by_role("button", name="Ask for a hint").click()
    expect(hint).to_be_visible()


def test_a_hint_that_comes_too_late_is_not_waited_for(newcomer: Newcomer):
    """Who moves before the hint is thought over leaves nothing behind: no request, no warning."""
    ada = newcomer("Ada").enter()
    match = seated([ada], "submarine", bots=1)
    ada.open(match)
    version = shown_version(ada)
    with ada.page.expect_response("**/hints"):
        ada.page.get_by_role("button", name="Ask for a hint").click()
    ada.player.do(match, ada.player.legal(match)[0])
    changed(ada, version)
    asked: list[str] = []
    ada.page.wait_for_timeout(ASKED_AGAIN_MS)
    ada.page.on("request", lambda one: asked.append(one.url) if "/jobs/" in one.url else None)
    ada.page.wait_for_timeout(2 * ASKED_AGAIN_MS)
    assert asked == []


def test_advice_and_solver_speak_czech(newcomer: Newcomer):
    ada = newcomer("Ada", "phone", locale="cs-CZ").enter()
    ada.open(seated([ada], "tranquility", bots=1))
    ada.page.get_by_role("button", name="Poradit").click()
    hint = ada.page.get_by_role("region", name="Rada")
    expect(hint.get_by_role("button", name="Zahrát")).to_be_visible()


def test_requests_and_talk_reach_a_player_on_another_page_and_behind_a_drawer(newcomer: Newcomer):
    ada, bob = newcomer("Ada").enter(), newcomer("Bob", "phone").enter()
    match = seated([ada, bob], "tranquility", options={"communication": "open"})
    ada.open(match)
    bob.page.goto("/new")
    expect(bob.page.get_by_role("heading", level=1)).to_be_visible()
    asked = toast(bob, "Ada asks to end the match without a result")

    abandon = ada.look("Menu").page.get_by_role("button", name="Ask to end the match")
    abandon.click()
    expect(asked).to_be_visible()
    assert breaches(bob.page) == []
    ada.page.get_by_role("button", name="Withdraw the request").click()
    expect(asked).to_have_count(0)

    abandon.click()
    asked.get_by_role("button", name="Refuse").click()
    expect(asked).to_have_count(0)
    expect(request(ada)).to_be_hidden()

    ada.look("Chat").page.get_by_label("Say something").fill("Ahoy")
    ada.page.get_by_role("button", name="Send", exact=True).click()
    said = toast(bob, "Ada (Tranquility): Ahoy")
    said.get_by_role("link", name="Show").click()
    expect(bob.page.get_by_role("log", name="Chat")).to_contain_text("Ada: Ahoy")
    expect(said).to_have_count(0)

    bob.look("Log")
    ada.look("Menu")
    abandon.click()
    opener = bob.page.get_by_role("button", name="a request waits for your answer")
    expect(opener).to_be_visible()
    asked.get_by_role("link", name="Show").click()
    expect(asked).to_have_count(0)
    request(bob).get_by_role("button", name="Agree").click()
    expect(bob.result).to_be_visible()
    expect(opener).to_have_count(0)


def toast(person: Person, text: str) -> Locator:
    """Find what the page shows of a match that is not in view."""
    shown = person.page.get_by_role("status").filter(has_text=text)
    return shown.filter(has=person.page.get_by_role("button", name="Close"))
