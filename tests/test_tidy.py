"""The project's style, as tests: what no linter checks."""

import re
import tomllib
from pathlib import Path

import pytest

from games import GAMES
from service.cli import VERBS
from service.cli.settings import table
from tests.games.laws import kinds

ROOT = Path(__file__).parent.parent
FOLDERS = (
    "games",
    "events",
    "projections",
    "replay",
    "service",
    "tests",
    "deploy",
    "docs",
    "examples",
)
LINES_MAX = 500
MODULES = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.py"))]
TESTS = [path for path in MODULES if path.is_relative_to(ROOT / "tests")]
WEB = ROOT / "web" / "src"
CLIENT = ROOT / "clients" / "typescript"
PAGES = [
    *(path for kind in ("svelte", "ts") for path in sorted(WEB.rglob(f"*.{kind}"))),
    *(path for folder in ("src", "tests") for path in sorted((CLIENT / folder).glob("*.ts"))),
]
LEFTOVERS = re.compile(r"\b(TODO|FIXME|XXX|NotImplementedError)\b")
TAKEN_FROM_A_TEST = re.compile(
    r"^ *from tests\b[\w.]*(?:\.test_| import (?:\([^)]*|.*)\btest_)", re.MULTILINE
)
DELETIONS = re.compile(r"\b(xdel|xtrim|flushall|flushdb|minid)\b", re.IGNORECASE)
CLI_IMPORTS = re.compile(r"^from service\.cli(?: import |\.)(\w+)", re.MULTILINE)
BANNED_NAMES = re.compile(r"(manager|helper|(?<!na)util)", re.IGNORECASE)


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_a_module_is_short_and_finished(path):
    """Files are cut by concept, not by length; this file names what must not be left over."""
    text = path.read_text()
    assert text.count("\n") <= LINES_MAX, "cut files by concept, not by length"
    assert path == Path(__file__) or not LEFTOVERS.search(text)
    assert not BANNED_NAMES.search(path.stem)


@pytest.mark.parametrize("path", TESTS, ids=name)
def test_tests_share_nothing_that_stands_among_tests(path):
    """A reader looks for a shared piece in a module that is named by what it holds."""
    assert not TAKEN_FROM_A_TEST.search(path.read_text())


@pytest.mark.parametrize("path", PAGES, ids=name)
def test_a_part_of_the_page_is_short_and_finished(path):
    """All but the types, which are generated."""
    text = path.read_text()
    assert path.name == "schema.ts" or text.count("\n") <= LINES_MAX
    assert not LEFTOVERS.search(text)


def test_nothing_deletes_records():
    """No module of the log trims or deletes an entry. Only documents have a maximal length."""
    for path in sorted((ROOT / "events").rglob("*.py")):
        found = DELETIONS.search(path.read_text())
        assert not found, f"{name(path)}: {found}"
        assert ("maxlen" in path.read_text().lower()) == (path.stem == "redis_documents"), path
    assert "log:" not in (ROOT / "events" / "redis_documents.py").read_text()


def test_no_verb_imports_another():
    """What verbs share is in modules named by what they hold."""
    verbs = {place.partition(".")[0] for place in VERBS.values()}
    for verb in sorted(verbs):
        imported = CLI_IMPORTS.findall((ROOT / "service" / "cli" / f"{verb}.py").read_text())
        assert not verbs & {*imported}, f"{verb}: {verbs & {*imported}}"


def test_the_import_contracts_name_every_game():
    """A contract that does not list a game does not hold it."""
    games = {f"games.{slug}" for slug in GAMES if (ROOT / "games" / slug).is_dir()}
    tool = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]
    contracts = {contract["name"]: contract for contract in tool["importlinter"]["contracts"]}
    independent = contracts["games do not know each other"]["modules"]
    layered = contracts["no rule file of a game imports its players or its solver"]["containers"]
    assert set(independent) == set(layered) == games | {"games.template"}


@pytest.mark.parametrize("slug", GAMES)
def test_no_name_of_a_game_is_a_name_of_every_match(slug):
    """Commands and events of a match and of its game share one field `type`."""
    from games.game import snake_case
    from games.match.commands import MATCH_COMMAND_TYPES
    from games.match.events import MATCH_EVENT_TYPES

    shared = {
        snake_case(kind.__name__).strip("_") for kind in MATCH_COMMAND_TYPES | MATCH_EVENT_TYPES
    }
    game = GAMES[slug]
    own = {kind.__struct_config__.tag for kind in (*kinds(game.Command), *kinds(game.Event))}
    assert not own & shared


def test_the_settings_page_is_that_of_the_code():
    """`shiplog settings > docs/settings.md` makes it."""
    assert (ROOT / "docs" / "settings.md").read_text() == table()


def test_the_lock_names_no_place():
    """Hashes and versions alone: no registry, no address, no path."""
    text = (ROOT / "requirements.lock").read_text()
    assert "--hash=sha256:" in text
    assert not re.search(r"https?:|file:|--index|--find-links|@ ", text)
