"""The files that pages name in their heads."""

import json

from service.http.ahead import Ahead, language_of

CHUNKS = {
    "index.html": {"file": "assets/index.js", "imports": ["shell"]},
    "shell": {"file": "assets/shell.js", "css": ["assets/shell.css"]},
    "table": {"file": "assets/table.js", "css": ["assets/table.css"], "imports": ["shell"]},
    "src/match/MatchPage.svelte": {"file": "assets/MatchPage.js", "imports": ["table"]},
    "src/boards/nim/Board.svelte": {"file": "assets/nim.js", "imports": ["table", "shell"]},
    "src/boards/nim/words.ts": {"file": "assets/nim.js"},
    "src/boards/nim/cs.json": {"file": "assets/nim-cs.js"},
    "src/boards/nim/en.json": {"file": "assets/nim-en.js"},
    "src/i18n/cs.json": {"file": "assets/cs.js"},
    "src/i18n/en.json": {"file": "assets/en.js"},
}


def ahead(tmp_path) -> Ahead:
    (tmp_path / ".vite").mkdir()
    (tmp_path / ".vite" / "manifest.json").write_text(json.dumps(CHUNKS))
    return Ahead(tmp_path)


def test_every_page_names_the_words_of_one_language(tmp_path):
    tags = ahead(tmp_path).page("cs")
    assert tags.split() == ["<link", 'rel="modulepreload"', "crossorigin", 'href="/assets/cs.js">']


def test_a_match_names_the_table_and_its_board_once_each_and_not_what_every_page_has(tmp_path):
    tags = ahead(tmp_path).match("nim", "en")
    for name in ("en.js", "MatchPage.js", "table.js", "nim.js", "nim-en.js"):
        assert tags.count(f'rel="modulepreload" crossorigin href="/assets/{name}"') == 1, name
    assert 'rel="preload" as="style" crossorigin href="/assets/table.css"' in tags
    for name in ("shell", "index", "cs.js"):
        assert name not in tags


def test_a_match_that_strangers_may_not_see_names_no_board(tmp_path):
    tags = ahead(tmp_path).match(None, "en")
    assert "table.js" in tags
    assert "nim" not in tags


def test_a_game_without_a_board_and_a_page_without_a_manifest_name_what_there_is(tmp_path):
    assert "table.js" in ahead(tmp_path).match("chess", "en")
    assert Ahead(tmp_path / "empty").match("nim", "en") == ""


def test_the_language_is_czech_if_the_browser_speaks_it_at_all():
    assert [language_of(text) for text in ("cs", "en-GB, cs;q=0.5", "de", "")] == [
        "cs",
        "cs",
        "en",
        "en",
    ]
