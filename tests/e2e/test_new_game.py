"""A game of one's own: written by `shiplog new-game`, installed, and served like any other."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from games import GAMES
from tests.e2e.service import Player, Running, running, wait_until

SHIPLOG = "from service.cli import main; main()"


def shell(*words: str | Path, cwd: Path, **more: str) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [*map(str, words)], cwd=cwd, capture_output=True, text=True, check=False, **more
    )
    assert done.returncode == 0, done.stdout[-2_000:] + done.stderr[-2_000:]
    return done


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the package `shiplog-nim`."""
    if "nim" in GAMES:
        pytest.skip("a game nim is installed already: uninstall its package to run these tests")
    folder = tmp_path_factory.mktemp("new")
    shell(sys.executable, "-c", SHIPLOG, "new-game", "nim", "--title", "Nim", cwd=folder)
    return folder / "shiplog-nim"


@pytest.fixture(scope="module")
def installed(package: Path) -> Iterator[Path]:
    """Install it into a folder of its own, beside Shiplog, for all processes of this module."""
    site = package.parent / "site"
    quiet = ("-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation")
    shell(sys.executable, *quiet, "--target", site, package, cwd=package)
    with pytest.MonkeyPatch.context() as patch:
        before = os.environ.get("PYTHONPATH", "")
        patch.setenv("PYTHONPATH", os.pathsep.join(filter(None, [str(site), before])))
        yield site


@pytest.fixture(scope="module")
def service(installed: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    data = tmp_path_factory.mktemp("nim")
    with running(data, "serve") as process, running(data, "worker", bot_pause_ms="0"):
        yield process


def test_its_own_tests_and_the_laws_pass(package, installed):
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
    done = shell(sys.executable, "-c", SHIPLOG, "audit", path, cwd=tmp_path)
    assert "holds" in done.stdout


def test_it_is_played_in_the_terminal(service, tmp_path):
    words = ("play", "nim", "--url", service.url, "--options", '{"stones": 5}')
    done = shell(sys.executable, "-c", SHIPLOG, *words, cwd=tmp_path, input="1\n" * 20)
    assert "last_stone" in done.stdout


@pytest.mark.parametrize(
    ("slug", "reason"),
    [("go", "exists"), ("tranquility", "installed"), ("Nim!", "slug"), ("class", "slug")],
)
def test_a_slug_that_cannot_be_used_is_refused(tmp_path, slug, reason):
    (tmp_path / "shiplog-go").mkdir()
    done = subprocess.run(
        [sys.executable, "-c", SHIPLOG, "new-game", slug],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert reason in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["shiplog-go"]
