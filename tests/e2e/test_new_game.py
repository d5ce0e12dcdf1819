"""A game of one's own: written by `shiplog new-game`, installed, and served like any other."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from games import GAMES
from tests.e2e.package import SHIPLOG, installed, shell, written
from tests.e2e.service import Player, Running, refusal, running_with_worker, wait_until


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the package `shiplog-nim`."""
    if "nim" in GAMES:
        pytest.skip("a game nim is installed already: uninstall its package to run these tests")
    return written(tmp_path_factory.mktemp("new"), "nim", "Nim")


@pytest.fixture(scope="module")
def site(package: Path) -> Iterator[Path]:
    with installed(package) as site:
        yield site


@pytest.fixture(scope="module")
def service(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    data = tmp_path_factory.mktemp("nim")
    with running_with_worker(data, bot_pause_ms="0") as process:
        yield process


def test_its_own_tests_and_the_laws_pass(package, site):
    done = shell(sys.executable, "-m", "pytest", "-q", cwd=package)
    assert "passed" in done.stdout


def test_it_is_listed_and_documented(service):
    with Player(service.url) as ada:
        listed = {game["slug"]: game for game in ada.get("/games")}
        assert set(listed) == {*GAMES, "nim"}
        assert listed["nim"]["titles"] == {"en": "Nim", "cs": "Nim"}
        detail = ada.get("/games/nim")
        assert "R-1" in detail["rules_text"]
        assert detail["commands"]["$defs"]["TakeStones"]["properties"]["count"]
        assert "TakeStones" in json.dumps(ada.get("/schema/openapi.json"))


def test_its_codes_are_explained_like_those_of_other_games(service):
    page = httpx.get(f"{service.url}/problems/bad-count")
    assert page.status_code == 200
    assert "stones. (R-3)" in page.text
    assert "kamenů. (R-3)" in page.text
    assert "takes at least one stone and at most" in page.text, "the rule"
    assert 'href="/rules/nim#R-3"' in page.text


def test_its_board_is_served_to_everybody_and_revalidated(service, package):
    with Player(service.url) as ada:
        assert ada.get("/games/nim")["board"] == "/games/nim/board.js"
    answer = httpx.get(f"{service.url}/games/nim/board.js")
    assert answer.status_code == 200
    assert answer.content == (package / "shiplog_nim" / "board.js").read_bytes()
    assert answer.headers["Content-Type"].partition(";")[0] == "text/javascript"
    assert answer.headers["Cache-Control"] == "no-cache"
    etag = answer.headers["ETag"]
    again = httpx.get(answer.url, headers={"If-None-Match": etag})
    assert (again.status_code, again.content, again.headers["ETag"]) == (304, b"", etag)


@pytest.mark.parametrize("slug", ["tranquility", "nothing"])
def test_a_game_without_a_board_serves_none(service, slug):
    answer = httpx.get(f"{service.url}/games/{slug}/board.js")
    assert refusal(answer) == (404, "not-found")
    if slug != "nothing":
        assert httpx.get(f"{service.url}/games/{slug}").json()["board"] is None


def test_a_match_is_played_exported_and_audited(service, tmp_path):
    with Player(service.url, "Ada") as ada:
        match = ada.open_match("nim", 2, options={"stones": 9})
        ada.do(match, {"type": "take_seat"})
        ada.do(match, {"type": "add_bot"})
        while (shown := ada.get(f"/matches/{match}"))["status"] == "running":
            if legal := ada.legal(match):
                ada.do(match, legal[-1])
        assert shown["result"]["reason"] == "last_stone"
        log = wait_until(lambda: ada.http.get(f"/matches/{match}/export"))
        path = tmp_path / "nim.jsonl"
        path.write_bytes(log.content)
    words = ("audit", path, "--public-key", service.url)
    done = shell(sys.executable, "-c", SHIPLOG, *words, cwd=tmp_path)
    assert "holds" in done.stdout


def test_it_is_played_in_the_terminal(service, tmp_path):
    words = ("play", "nim", "--url", service.url, "--options", '{"stones": 5}')
    done = shell(sys.executable, "-c", SHIPLOG, *words, cwd=tmp_path, input="1\n" * 20)
    assert "last_stone" in done.stdout


@pytest.mark.parametrize(
    ("slug", "reason"),
    [
        ("go", "exists"),
        ("tranquility", "installed"),
        ("Nim!", "slug"),
        ("nim_", "slug"),
        ("class", "keyword"),
        ('chess --title "', "quotation mark"),
        ("chess --into /dev/null", "Cannot write /dev/null/shiplog-chess"),
    ],
)
def test_a_slug_that_cannot_be_used_is_refused(tmp_path, slug, reason):
    (tmp_path / "shiplog-go").mkdir()
    done = subprocess.run(
        [sys.executable, "-c", SHIPLOG, "new-game", *slug.split()],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert reason in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["shiplog-go"]
