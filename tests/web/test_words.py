"""Both languages say everything, with every plural form that the language has."""

import json
import re
from pathlib import Path

import msgspec
import pytest

from games import GAMES
from games.game import AnyGame, snake_case
from service.cli.scene import BOT_NAMES
from tests.games.laws import kinds, lacks
from tests.web.catalogue import FORM, PLURALS, flat

WEB = Path(__file__).parents[2] / "web" / "src"
CATALOGUES = sorted(path.parent for path in WEB.glob("**/en.json"))
FILLED = re.compile(r"\{\{(\w+)\}\}")


def read(folder: Path, language: str) -> dict[str, str]:
    return flat(json.loads((folder / f"{language}.json").read_text()))


@pytest.mark.parametrize("folder", CATALOGUES, ids=lambda path: path.name)
def test_both_languages_have_the_same_keys(folder: Path):
    stems = {
        language: {FORM.sub("", key) for key in read(folder, language)} for language in PLURALS
    }
    assert stems["cs"] == stems["en"]


@pytest.mark.parametrize("folder", CATALOGUES, ids=lambda path: path.name)
@pytest.mark.parametrize("language", PLURALS)
def test_every_plural_has_all_forms_of_its_language(folder: Path, language: str):
    forms: dict[str, set[str]] = {}
    for key in read(folder, language):
        if found := FORM.search(key):
            forms.setdefault(FORM.sub("", key), set()).add(found[1])
    # A context may be named `other` too; a plural has more than that.
    assert not {
        key
        for key, has in forms.items()
        if has != {"other"} and has - {"zero"} != PLURALS[language]
    }


@pytest.mark.parametrize("folder", CATALOGUES, ids=lambda path: path.name)
def test_both_languages_fill_in_the_same_values(folder: Path):
    filled: dict[str, dict[str, set[str]]] = {}
    for language in PLURALS:
        for key, text in read(folder, language).items():
            stem = filled.setdefault(FORM.sub("", key), {})
            stem.setdefault(language, set()).update(FILLED.findall(text))
    assert not {key for key, names in filled.items() if names["cs"] != names["en"]}


@pytest.mark.parametrize(("language", "noun"), [("cs", "záznam"), ("en", "record")])
def test_a_version_is_the_number_of_a_record(language: str, noun: str):
    """Steps are what a replay counts: records that have words."""
    texts = [text for folder in CATALOGUES for text in read(folder, language).values()]
    numbered = [text for text in texts if re.search(r"\{\{(version|v)\}\}", text)]
    assert numbered
    assert not [text for text in numbered if noun not in text.lower()]


def test_the_client_has_words_for_every_key_that_it_names():
    known = {FORM.sub("", key) for key in read(WEB / "i18n", "en")}
    named: set[str] = set()
    for path in [*WEB.glob("**/*.svelte"), *WEB.glob("**/*.ts")]:
        named |= set(re.findall(r"\bt\(\s*\"([\w.]+)\"", path.read_text()))
    assert named
    assert named <= known


def test_the_inspector_has_words_for_every_key_that_it_names():
    known = {FORM.sub("", key) for key in read(WEB / "inspect", "en")}
    sources = [path.read_text() for path in (WEB / "inspect").iterdir() if path.suffix != ".json"]
    named = {key for text in sources for key in re.findall(r"\bw\(\s*\"([\w.-]+)\"", text)}
    assert named
    assert named <= known


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_every_level_of_bots_has_a_name(game: AnyGame):
    words = read(WEB / "i18n", "en")
    keys = [f"{part}.{level}" for part in ("levels", "bots") for level in game.players.bots]
    if missing := [key for key in keys if key not in words]:
        lacks(game.slug, f"words {missing} in web/src/i18n")


def test_bots_have_the_same_names_in_the_terminal():
    words = read(WEB / "i18n", "en")
    assert {f"bots.{level}": name for level, name in BOT_NAMES.items()}.items() <= words.items()


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_every_reason_of_a_hint_has_words(game: AnyGame):
    if game.players.blueprint is None:
        pytest.skip(f"{game.slug} declares no blueprint")
    folder = WEB / "boards" / game.slug
    words = read(folder, "en") if folder.is_dir() else lacks(game.slug, "board in web/src/boards")
    assert {f"hints.{code}" for code in game.players.blueprint.reasons} <= words.keys()


@pytest.mark.parametrize(
    "slug", sorted(path.name for path in (WEB / "boards").iterdir() if path.is_dir())
)
def test_a_board_has_words_for_its_game(slug: str):
    """Commands, their fields and options; events may be silent."""
    words, game = read(WEB / "boards" / slug, "en"), GAMES[slug]
    commands = kinds(game.Command)
    wanted = {f"families.{snake_case(kind.__name__)}" for kind in commands}
    wanted |= {
        f"fields.{field.encode_name}" for kind in commands for field in msgspec.structs.fields(kind)
    }
    wanted |= {f"options.{field.name}.name" for field in msgspec.structs.fields(game.Options)}
    assert wanted <= words.keys()


@pytest.mark.parametrize(
    "folder",
    [path for path in CATALOGUES if path.parent.name == "boards"],
    ids=lambda path: path.name,
)
def test_a_board_says_every_word_that_it_has(folder: Path):
    """By its key, by a key that is put together, or by the key's last part, named elsewhere."""
    sources = "".join(path.read_text() for path in folder.iterdir() if path.suffix != ".json")
    begun = tuple(set(re.findall(r"`board\.(\w+)\$\{", sources)))
    keys = {FORM.sub("", key) for key in read(folder, "en") if key.startswith("board.")}
    assert not {
        key
        for key in keys
        if not re.search(rf'"({re.escape(key)}|{key.removeprefix("board.")})"', sources)
        and not (begun and key.removeprefix("board.").startswith(begun))
    }
