"""The page keeps receipts, and checks them by itself when the match is over."""

import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Route, expect

from tests.e2e.service import SCRIPT, Running
from tests.web.axe import breaches
from tests.web.conftest import Newcomer
from tests.web.inspector import exported
from tests.web.play import Person, seated


def receipts(person: Person) -> Locator:
    return person.page.locator("[data-receipts]")


def judged(person: Person, how: str) -> Locator:
    """Wait for the verdict, and return what the page shows of it in the menu."""
    expect(receipts(person)).to_have_attribute("data-receipts", how)
    person.look("Menu")
    return receipts(person)


def play(people: Sequence[Person], match: str, turns: int) -> None:
    for _ in range(turns):
        mover = people[people[0].player.get(f"/matches/{match}")["waiting"][0]].player
        mover.do(match, mover.legal(match)[0])


def end(people: Sequence[Person], match: str) -> None:
    for person in people:
        person.player.do(match, {"type": "resign"})


@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_receipts_are_checked_when_the_match_is_over(
    newcomer: Newcomer, bob: Person, service: Running, tmp_path: Path, size: str
):
    ada = newcomer("Ada", size).enter()
    match = seated([ada, bob], "tranquility")
    ada.open(match)
    expect(receipts(ada)).to_have_attribute("data-receipts", "kept")
    play([ada, bob], match, 3)
    end([ada, bob], match)
    shown = judged(ada, "good")
    expect(shown.get_by_role("status")).to_contain_text("The log has what")
    shown.locator("summary").click()
    expect(shown).to_contain_text("which this browser has known since")
    expect(shown).to_contain_text("Not checked here: moves and dice.")
    assert breaches(ada.page) == []

    with ada.page.expect_download() as download:
        shown.get_by_role("button", name="Download my receipts").click()
    kept, log = tmp_path / "receipts.jsonl", tmp_path / "match.jsonl"
    download.value.save_as(kept)
    log.write_bytes(exported(ada, match))
    audit = ["audit", str(log), "--receipts", str(kept), "--public-key", service.url]
    run = [sys.executable, "-c", SCRIPT, *audit]
    found = subprocess.run(run, capture_output=True, text=True, timeout=120, check=False)
    assert found.returncode == 0, found.stdout + found.stderr


def test_a_spectator_has_receipts_too(newcomer: Newcomer, bob: Person):
    ada, eve = newcomer("Ada").enter(), newcomer("Eve").enter()
    match = seated([ada, bob], "tranquility")
    eve.open(match)
    expect(receipts(eve)).to_have_attribute("data-receipts", "kept")
    play([ada, bob], match, 1)
    end([ada, bob], match)
    judged(eve, "good")
    eve.page.reload()
    judged(eve, "good")


@pytest.mark.parametrize(("year", "how"), [("2000", "open"), ("2999", "good")])
def test_receipts_that_a_key_signed_after_it_was_revoked_prove_nothing(
    newcomer: Newcomer, bob: Person, year: str, how: str
):
    ada = newcomer("Ada").enter()
    match = seated([ada, bob], "tranquility")
    ada.open(match)
    expect(receipts(ada)).to_have_attribute("data-receipts", "kept")
    revoked = {"at": f"{year}-01-01T00:00:00.000000Z", "reason": "stolen", "size": None}

    def revoke(route: Route) -> None:
        route.fulfill(json=[key | {"revoked": revoked} for key in route.fetch().json()])

    ada.page.route("**/keys", revoke)
    end([ada, bob], match)
    shown = judged(ada, how)
    shown.locator("summary").click()
    told = expect(shown).to_contain_text if how == "open" else expect(shown).not_to_contain_text
    told("a key that had been revoked")


def rewritten(log: bytes) -> bytes:
    """Change a record in the middle of a log. Its signature line goes."""
    *lines, _head = log.splitlines(keepends=True)
    place = len(lines) // 2
    lines[place] = re.sub(rb'"at":"\d{4}', b'"at":"2031', lines[place], count=1)
    return b"".join(lines)


@pytest.mark.parametrize(
    ("language", "words"),
    [("en-GB", "The log contradicts"), ("cs-CZ", "Záznam partie odporuje")],
)
def test_a_log_that_was_rewritten_is_found(
    newcomer: Newcomer, bob: Person, language: str, words: str
):
    ada = newcomer("Ada", locale=language).enter()
    match = seated([ada, bob], "tranquility")

    def tamper(route: Route) -> None:
        route.fulfill(body=rewritten(exported(ada, match)), content_type="application/jsonl")

    ada.page.route("**/export*", tamper)
    ada.open(match)
    play([ada, bob], match, 3)
    end([ada, bob], match)
    expect(receipts(ada)).to_have_attribute("data-receipts", "bad")
    expect(ada.page.get_by_role("alert").filter(has_text=words)).to_be_visible()


def forged(stream: str) -> str:
    """Change the head in the receipts of a stream."""
    return re.sub(
        r'("version":\d+,"head":")(.)', lambda part: part[1] + "10"[part[2] == "1"], stream
    )


def test_a_receipt_that_nobody_signed_proves_nothing(newcomer: Newcomer, bob: Person):
    ada = newcomer("Ada").enter()
    match = seated([ada, bob], "tranquility")
    end([ada, bob], match)

    def forge(route: Route) -> None:
        route.fulfill(body=forged(route.fetch().text()), content_type="text/event-stream")

    stream = f"**/matches/{match}/stream*"
    ada.page.route(stream, forge)
    ada.open(match)
    shown = judged(ada, "open")
    shown.locator("summary").click()
    expect(shown).to_contain_text("no known key signed")
    ada.page.unroute(stream)
    ada.page.reload()
    shown = judged(ada, "good")
    shown.locator("summary").click()
    expect(shown).to_contain_text("no known key signed")
