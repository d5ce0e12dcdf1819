"""Puzzles on the real board: failed with the reason, solved, and counted once."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from games import GAMES
from replay.puzzle import puzzles_of
from tests.web import axe
from tests.web.conftest import SIZES, Newcomer

PUZZLES = puzzles_of(GAMES)
SHOT = next(puzzle for puzzle in PUZZLES.values() if puzzle.data.task == "hit")
(HERE,) = (command["target"] for command in SHOT.data.right)
TARGETS = [command.target for command in SHOT.board.legal if hasattr(command, "target")]


def cell_name(cell: Any) -> str:
    column, row = cell
    return f"{chr(ord('A') + column)}{row + 1}"


def fire(page: Page, cell: Any) -> None:
    page.locator(f"[data-cell={cell_name(cell)}]").click()


@pytest.mark.parametrize("size", SIZES)
def test_a_shot_is_missed_with_the_reason_then_hits_and_only_the_first_counts(
    newcomer: Newcomer, size: str
):
    ada = newcomer("Ada", size).enter()
    page = ada.page
    page.goto("/")
    page.get_by_role("link", name="Puzzles, and the puzzle of the day").click()
    expect(page.get_by_role("heading", name="Puzzle of the day")).to_be_visible()
    assert axe.breaches(page) == []
    page.locator("select[name=game]").select_option("captain_sonar")
    page.locator(f"a[href^='/puzzle/{SHOT.data.id}?']").click()
    expect(page.locator(".goal")).to_contain_text("only one place to be")
    assert axe.breaches(page) == []
    page.go_back()
    expect(page.locator("select[name=game]")).to_have_value("captain_sonar")
    page.go_forward()

    fire(page, next(cell for cell in [(0, 0), (9, 9)] if cell not in TARGETS))
    expect(page.get_by_role("alert").get_by_role("paragraph")).to_be_in_viewport(ratio=1)
    page.get_by_role("button", name="Close").click()
    since = page.locator("summary")
    since.click()
    expect(since.locator("xpath=following::li[3]")).to_be_in_viewport()
    since.click()
    fire(page, next(target for target in TARGETS if list(target) != list(HERE)))
    expect(page.locator(".speech")).to_contain_text("The enemy is not there")
    expect(page.locator(".good")).to_contain_text(cell_name(HERE))
    page.get_by_role("button", name="Try again").click()
    fire(page, HERE)
    expect(page.locator(".good")).to_have_text("Solved!")
    score = ada.player.get("/players/me/puzzles")
    assert (score["solved"], score["tried"]) == (0, [SHOT.data.id])
    page.get_by_role("link", name="Next puzzle").click()
    expect(page).to_have_url(re.compile(r"/puzzle/captain_sonar-.*\?game=captain_sonar"))
    expect(page.locator(".goal")).to_be_visible()
    page.get_by_role("link", name="All puzzles").click()
    expect(page.locator("select[name=game]")).to_have_value("captain_sonar")


def test_a_desktop_shows_all_players_of_a_puzzle(newcomer: Newcomer):
    page = newcomer("Ada").enter().page
    page.goto("/puzzle/submarine-1")
    players = page.locator(".people")
    expect(players).to_contain_text("Rival 2")
    assert players.evaluate("part => part.scrollHeight <= part.clientHeight")


def test_treasures_of_a_puzzle_can_be_hit_with_a_finger(newcomer: Newcomer):
    page = newcomer("Ada", "phone").enter().page
    page.goto("/puzzle/submarine-1")
    treasure = page.locator(".stage button[data-token]").first
    expect(treasure).to_be_visible()
    box = treasure.bounding_box()
    assert box
    assert min(box["width"], box["height"]) >= 24
    assert page.evaluate("document.scrollingElement.scrollHeight <= innerHeight")
