"""Games of other packages in the page: one with a board of its own, one without any."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.docs.fences import named
from tests.e2e.package import installed, written
from tests.e2e.service import Running, running_with_worker
from tests.web.axe import breaches
from tests.web.catalogue import FORM, PLURALS, flat
from tests.web.conftest import Newcomer, forget
from tests.web.play import Person, by_list, changed, play_out, seated, shown_version

pytestmark = pytest.mark.long

BOARD = '        board=Path(__file__).with_name("board.js"),\n'
BOTS = '"heuristic": heuristic'
RASH = '"rash": heuristic'
STONES = {"stones": 9}
SAID = {
    "en-GB": ("9 stones left", "Take 3 stones", "Ada took 3 stones.", "Stones in the pile"),
    "cs-CZ": ("Zbývá 9 kamenů", "Vzít 3 kameny", "Ada bere 3 kameny.", "Kamenů v hromádce"),
}


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """Run a service with two games of other packages: Nim as it is, Stone Heap without a board."""
    folder = tmp_path_factory.mktemp("plugin")
    nim, heap = written(folder, "nim", "Nim"), written(folder, "stone_heap", "Stone Heap")
    declared = heap / "shiplog_stone_heap" / "__init__.py"
    assert BOARD in declared.read_text()
    text = declared.read_text().replace(BOARD, "").replace(BOTS, f"{BOTS}, {RASH}")
    assert RASH in text
    declared.write_text(text)
    data = tmp_path_factory.mktemp("plugin-data")
    with (
        installed(nim, heap),
        running_with_worker(data, bot_pause_ms="0", worker_poll_ms="20") as process,
    ):
        yield process


def by_stone(person: Person) -> None:
    """Take as many stones as can be taken."""
    person.page.locator("[data-board=nim] button.open").last.click()


@pytest.mark.parametrize("language", SAID)
def test_a_match_on_the_games_own_board(newcomer: Newcomer, language: str):
    ada = newcomer("Ada", "phone", locale=language).enter()
    page = ada.page
    match = seated([ada], "nim", bots=1, options={**STONES, "most": 3})
    left, take, took, _ = SAID[language]
    while ada.player.get(f"/matches/{match}")["waiting"] == [1]:
        page.wait_for_timeout(20)
    untouched = ada.player.get(f"/matches/{match}")["view"]["stones"] == STONES["stones"]
    ada.open(match)
    expect(page.get_by_role("heading", level=1)).to_have_text("Nim")
    if untouched:
        expect(page.get_by_text(left)).to_be_visible()
    expect(page.get_by_role("button", name=take).last).to_be_visible()
    expect(page.locator("[aria-keyshortcuts=h]")).to_have_count(0)  # the game has no hints
    for button in page.locator("[data-board=nim] button.open").all():
        box = button.bounding_box()
        assert box
        assert min(box["width"], box["height"]) >= 44
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert breaches(page) == []
    by_stone(ada)
    expect(page.locator("[role=log]").first).to_contain_text(took)
    while ada.player.get(f"/matches/{match}")["status"] == "running":
        version = shown_version(ada)
        if ada.player.legal(match):
            by_stone(ada)
            changed(ada, version)
        page.wait_for_timeout(20)
    expect(page.locator("[data-board=nim] .stone")).to_have_count(0)
    assert breaches(page) == []


def test_the_board_follows_the_language_and_is_played_by_keyboard(newcomer: Newcomer):
    ada, bob = newcomer("Ada", "phone").enter(), newcomer("Bob").enter()
    match = seated([ada, bob], "nim", options=STONES)
    for person in (ada, bob):
        person.open(match)
    on, off = (ada, bob) if ada.player.legal(match) else (bob, ada)
    expect(off.page.locator("[data-board=nim] button.open")).to_have_count(0)
    version = shown_version(on)
    on.page.get_by_role("button", name="Take 2 stones").focus()
    on.page.keyboard.press("Enter")
    changed(on, version)
    expect(off.page.get_by_text("7 stones left")).to_be_visible()
    off.look("Menu").page.get_by_role("button", name="Settings").click()
    off.page.get_by_label("Language").select_option("cs")
    expect(off.page.get_by_text("Zbývá 7 kamenů")).to_be_visible()
    expect(off.page.get_by_role("button", name="Vzít 3 kameny")).to_be_visible()


@pytest.mark.parametrize("language", SAID)
def test_the_form_of_a_new_match_says_the_games_words(newcomer: Newcomer, language: str):
    page = newcomer("Ada", "phone", locale=language).enter().page
    page.goto("/new")
    page.get_by_role("radio", name="Nim").check()
    page.locator("details > summary").click()
    expect(page.get_by_label(SAID[language][3])).to_have_value("21")
    page.get_by_role("radio", name="Stone Heap").check()
    page.locator("details > summary").click()
    expect(page.get_by_label("Turn seconds")).to_be_hidden()
    page.locator("[name=clock]").select_option("phases")
    expect(page.get_by_label("Turn seconds")).to_have_value("60")
    assert breaches(page) == []


def test_a_level_without_words_goes_by_its_name_alone(newcomer: Newcomer):
    ada = newcomer("Ada").enter()
    page = ada.page
    page.goto("/new?game=stone_heap")
    expect(page.get_by_role("radio", name="Rash", exact=True)).to_have_count(1)
    match = ada.player.open_match("stone_heap", 2)
    ada.player.do(match, {"type": "take_seat", "seat": 0})
    ada.player.do(match, {"type": "add_bot", "seat": 1, "level": "rash"})
    page.goto("/mine")
    expect(page.get_by_text("Ada and Rash (bot)", exact=True)).to_be_visible()
    ada.open(match)
    expect(page.locator(".chips [data-seat='1']")).to_contain_text("Rash 2 bot")


def test_a_game_without_a_board_is_played_by_the_list(newcomer: Newcomer):
    ada = newcomer("Ada", "phone").enter()
    page = ada.page
    match = seated([ada], "stone_heap", bots=1, options=STONES)
    ada.open(match)
    expect(page.get_by_role("heading", level=1)).to_have_text("Stone Heap")
    expect(ada.status).to_contain_text("Your turn")
    expect(ada.moves).to_be_visible()
    expect(page.locator("[data-board]")).to_contain_text("Stones")
    page.locator("details.form > summary").click()
    expect(page.get_by_role("form", name="field by field").get_by_label("Count")).to_be_visible()
    assert breaches(page) == []
    assert play_out([ada], by_list) > 0
    expect(ada.result).to_contain_text("Last stone")
    expect(ada.look("Log").story).to_contain_text("Stones taken, Seat: Ada, Count: 1.")
    assert "_" not in page.locator("main").inner_text()
    assert breaches(page) == []


@pytest.mark.parametrize(("slug", "shown"), [("nim", ".stone"), ("stone_heap", "p.card")])
def test_the_inspector_and_the_rules_show_such_a_game(newcomer: Newcomer, slug: str, shown: str):
    ada = newcomer("Ada", "phone").enter()
    page = ada.page
    match = seated([ada], slug, options=STONES, bots=1)
    while ada.player.get(f"/matches/{match}")["status"] == "running":
        if legal := ada.player.legal(match):
            ada.player.do(match, legal[0])
    page.goto(f"/inspect/{match}?view=full&at=4&eyes=0")
    expect(page.locator(f"[data-board={slug}] {shown}").first).to_be_visible()
    expect(page.locator("[data-record]")).to_contain_text("stone")
    assert breaches(page) == []
    page.goto(f"/rules/{slug}#R-3")
    expect(page.locator("[id='R-3']")).to_be_in_viewport()
    page.goto("/")
    title = slug.replace("_", " ").title()
    expect(page.get_by_role("link", name=f"Rules: {title}", exact=True)).to_be_visible()


def test_the_example_of_the_documentation_is_a_board(newcomer: Newcomer):
    ada = newcomer("Ada", "phone").enter()
    example = named("web.md")["board.js"]
    ada.page.route(
        "**/board.js", lambda route: route.fulfill(content_type="text/javascript", body=example)
    )
    ada.open(seated([ada], "nim", bots=1))
    expect(ada.page.locator("[data-board=nim]")).to_contain_text("stones left")
    version = shown_version(ada)
    ada.page.get_by_role("button", name="Take stones, Count: 1").click()
    changed(ada, version)


def test_both_languages_of_the_board_have_the_same_texts(newcomer: Newcomer):
    page = newcomer("Ada").page
    page.goto("/")
    words = page.evaluate("import('/games/nim/board.js').then(({ words }) => words)")
    stems = {language: {FORM.sub("", key) for key in flat(words[language])} for language in PLURALS}
    assert stems["cs"] == stems["en"]


def test_a_broken_board_leaves_the_list(newcomer: Newcomer, complaints: list[str]):
    ada = newcomer("Ada").enter()
    broken = "export const mount = ;"
    ada.page.route(
        "**/board.js", lambda route: route.fulfill(content_type="text/javascript", body=broken)
    )
    ada.open(seated([ada], "nim", bots=1))
    expect(ada.moves).to_be_visible()
    assert any("Unexpected token" in text for text in complaints)
    ada.page.goto("/")  # whatever comes after this is not about the board
    forget(complaints, "Unexpected token")
