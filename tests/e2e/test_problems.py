"""`type` of every problem opens a page: what the code means, the rule, the way out."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from games import GAMES
from service.base.codes import CODES, words
from service.http.problem_json import CODES as BY_STATUS
from service.http.problem_pages import RULE_ID, _codes, _numbered
from tests.e2e.service import Player, Running

ROOT = Path(__file__).parents[2]
AUDITED = {"another-fork", "closed-and-public"}
"""Found by an audit, and in no answer."""


def raised(*folders: str) -> set[str]:
    """Return the codes of all `Illegal` and `Problem` that some folders name."""
    return {
        code
        for folder in folders
        for path in (ROOT / folder).rglob("*.py")
        for code in named(ast.parse(path.read_text()))
    }


def named(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case (
                ast.Call(func=ast.Name(id="Illegal"), args=[ast.Constant(value=str(code)), *_])
                | ast.Call(func=ast.Name(id="Problem"), args=[_, ast.Constant(value=str(code)), *_])
            ):
                yield code
            case _:
                pass


def test_every_code_of_the_service_and_of_all_matches_is_explained():
    found = raised("service", "replay", "games/match") | set(BY_STATUS.values())
    assert len(found) > 40
    assert found - AUDITED - CODES.keys() == set()


@pytest.mark.parametrize("slug", GAMES)
def test_every_code_of_a_game_is_explained_in_both_languages(slug: str):
    files = GAMES[slug].files
    own, czech = _codes(GAMES[slug]), words(files.words, "cs")
    assert raised(f"games/{slug}") - CODES.keys() <= own.keys() == czech.keys()
    english, translated = _numbered(files.rules), _numbered(files.words / "rules.cs.md")
    for code, sentence in own.items():
        rules = RULE_ID.findall(sentence)
        assert set(rules) <= english.keys() & translated.keys(), code
        assert rules == RULE_ID.findall(czech[code]), code


def test_the_type_of_a_refusal_opens_its_page(service: Running, ada: Player, bob: Player, match):
    late = ada if ada.get(f"/matches/{match}")["waiting"] == [1] else bob
    problem = late.send(match, {"type": "discard_two", "cards": ["a", "b"]}).json()
    page = httpx.get(httpx.URL(service.url).join(problem["type"]))
    assert page.status_code == 200
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert f"<code>{problem['code']}</code>" in page.text


def test_a_refusal_of_the_rules_says_why_in_words(ada: Player, bob: Player, match):
    mover = bob if ada.get(f"/matches/{match}")["waiting"] == [1] else ada
    own = mover.send(match, {"type": "discard_two", "cards": ["a", "b"]}).json()
    assert own["detail"] == _codes(GAMES["tranquility"])[own["code"]]
    shared = mover.send(match, {"type": "add_bot"}).json()
    assert shared["detail"] == CODES[shared["code"]].en[0]


def test_a_page_names_the_rule_and_the_way_out_in_english_and_czech(service: Running):
    page = httpx.get(f"{service.url}/problems/hand-full").text
    for language, rules, way in (("en", "RULES.md", "What to do"), ("cs", "", "Co s tím")):
        (section,) = re.findall(f'<section lang="{language}">(.*?)</section>', page, re.DOTALL)
        assert 'href="/rules/nautilus#NAU-15"' in section
        assert way in section
        if rules:
            assert "A seat with four modules in hand cannot buy." in section
    several = httpx.get(f"{service.url}/problems/not-your-turn").text
    saying = [game for game in GAMES.values() if "not-your-turn" in _codes(game)]
    assert len(saying) > 2
    assert all(game.titles["cs"] in several for game in saying)


def test_all_pages_are_listed_and_say_what_they_are(service: Running):
    found = re.findall(r'href="(/problems/[a-z-]+)"', httpx.get(f"{service.url}/problems").text)
    assert len(found) > 250
    with httpx.Client(base_url=service.url) as http:
        for path in found:
            page = http.get(path)
            assert (page.status_code, page.text.count("<section")) == (200, 2), path
            assert page.text.count("<p>") > 4, path


def test_a_code_that_nobody_explains_names_the_rules_of_the_games(service: Running):
    page = httpx.get(f"{service.url}/problems/of-another-game")
    assert page.status_code == 404
    assert all(f'href="/rules/{slug}"' in page.text for slug in GAMES)
    assert "<script>" not in httpx.get(f"{service.url}/problems/<script>").text
