"""The wheel is complete: installed away from the repository, it serves every game and the page."""

import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from games import GAMES
from hatch_build import DataFiles
from shiplog import PACKAGES
from tests.deploy.conftest import ROOT, told
from tests.e2e.service import Player, Running, running

pytestmark = pytest.mark.long

SCRIPT = "from shiplog import main; main()"
OFFLINE = ("--quiet", "--no-deps", "--no-index", "--disable-pip-version-check")
WITHOUT_GAMES = f"import games; games.entry_points = lambda group: []; {SCRIPT}"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    """Build the wheel of this tree."""
    target = tmp_path_factory.mktemp("wheel")
    pip = (sys.executable, "-m", "pip", "wheel", *OFFLINE, "--no-build-isolation")
    told(*pip, "--wheel-dir", target, ROOT)
    (built,) = target.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def site(wheel) -> Iterator[Path]:
    """Install it into a folder of its own that comes before all others; leave the repository."""
    folder = wheel.parent / "site"
    told(sys.executable, "-m", "pip", "install", *OFFLINE, "--target", folder, wheel)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(folder))
        patch.chdir(wheel.parent)
        yield folder


@pytest.fixture(scope="module")
def service(site, tmp_path_factory) -> Iterator[Running]:
    data = tmp_path_factory.mktemp("data")
    with running(data, "run", script=SCRIPT, demo="0", bot_pause_ms="0") as process:
        yield process


def shiplog(*words, script=SCRIPT, path=(), stdin=""):
    """Run the command with more folders in front of PYTHONPATH."""
    folders = os.pathsep.join([*map(str, path), os.environ["PYTHONPATH"]])
    return subprocess.run(
        [sys.executable, "-c", script, *words],
        env={**os.environ, "PYTHONPATH": folders, "SHIPLOG_DATA": "nothing"},
        input=stdin,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def files(folder):
    """List all files but compiled ones, relative to the folder."""
    found = [path for path in folder.rglob("*") if path.is_file()]
    return [path.relative_to(folder) for path in found if "__pycache__" not in path.parts]


def test_it_holds_the_packages_their_data_and_nothing_else(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {name.split("/")[0] for name in names if ".dist-info/" not in name} == {
        *PACKAGES,
        "shiplog.py",
    }
    for package in PACKAGES:
        assert names >= {f"{package}/{name}" for name in files(ROOT / package)}
    assert names >= {f"games/seeds/{path.name}" for path in (ROOT / "seeds").glob("*.toml")}
    assert names >= {f"service/page/{name}" for name in files(ROOT / "web" / "dist")}
    assert names >= {f"games/words/{slug}/rules.cs.md" for slug in GAMES}
    puzzles = {f"games/seeds/puzzles/{path.name}" for path in (ROOT / "seeds/puzzles").iterdir()}
    assert {name for name in names if name.endswith(".jsonl")} == puzzles
    assert not [name for name in names if name.endswith(".pyc")]


def test_it_serves_every_game_and_the_page(service):
    with Player(service.url) as ada:
        assert {game["slug"] for game in ada.get("/games")} == set(GAMES)
        assert ada.get("/games/tranquility")["rules_text"]
        assert ada.get("/games/tranquility")["components"]
        match = ada.open_match("tranquility", 1)
        ada.do(match, {"type": "take_seat"})
        ada.do(match, ada.legal(match)[0])
    explained = httpx.get(f"{service.url}/problems/hand-full").text
    assert explained.count("NAU-15") > 2
    page = httpx.get(service.url)
    (script,) = re.findall(r'src="(/assets/[^"]+\.js)"', page.text)
    assert httpx.get(service.url + script).status_code == 200


def test_a_match_is_played_in_the_terminal(service):
    words = ("play", "tranquility", "--url", service.url)
    played = shiplog(*words, stdin="1\nquit\n")
    assert played.returncode == 0, played.stdout + played.stderr
    assert "quit" in played.stdout


def test_what_runs_is_what_was_installed(site):
    where = "import service.http.web as web, games.components as c; print(c.SEEDS, web.DIST)"
    shown = subprocess.run(
        [sys.executable, "-c", where], capture_output=True, text=True, check=True
    )
    assert shown.stdout.split() == [str(site / "games/seeds"), str(site / "service/page")]


def test_a_wheel_without_the_page_is_not_built(tmp_path):
    hook = DataFiles(str(tmp_path), {}, None, None, str(tmp_path), "wheel")
    with pytest.raises(FileNotFoundError, match="make setup"):
        hook.initialize("standard", {})


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_that_hides_one_of_ours_is_named(site, tmp_path, package):
    hiding = tmp_path / package / "__init__.py"
    hiding.parent.mkdir()
    hiding.touch()
    refused = shiplog("--help", path=[tmp_path])
    assert refused.returncode == 2
    assert refused.stderr.startswith(f"shiplog: The package {package!r} would be imported from")
    assert str(hiding) in refused.stderr


def test_a_package_that_was_installed_over_ours_is_named(site, tmp_path):
    mixed = shutil.copytree(site, tmp_path / "site")
    record = mixed / "other_games-1.0.dist-info" / "RECORD"
    record.parent.mkdir()
    record.write_text("games/__init__.py,sha256=0,0\n")
    refused = shiplog("--help", path=[mixed])
    assert refused.returncode == 2
    assert "other_games-1.0 has installed a package 'games'" in refused.stderr


def test_a_folder_in_which_it_is_run_hides_nothing(site, tmp_path, monkeypatch):
    """`shiplog run` starts the other processes with Python's `-c`, which imports from there."""
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "__init__.py").touch()
    monkeypatch.chdir(tmp_path)
    program = [sys.executable, str(site / "bin" / "shiplog"), "run"]
    environ = {**os.environ, "SHIPLOG_DEMO": "0", "SHIPLOG_PORT": "0", "SHIPLOG_DATA": "data"}
    with subprocess.Popen(program, stdout=subprocess.PIPE, env=environ, text=True) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        process.terminate()
        process.communicate(timeout=60)
    assert line.startswith("Shiplog is at")
    assert process.returncode == 0, "it ends the processes that it has started"


@pytest.mark.parametrize("verb", ["serve", "worker", "doctor"])
def test_a_service_without_games_does_not_start(site, verb):
    refused = shiplog(verb, script=WITHOUT_GAMES)
    assert refused.returncode == 2
    assert refused.stderr.startswith("shiplog: No installed package declares a game")
    assert refused.stderr.count("\n") == 1


@pytest.mark.parametrize("verb", ["run", "serve", "worker", "doctor"])
def test_a_game_that_cannot_be_loaded_is_named(site, tmp_path, verb):
    declared = tmp_path / "shiplog_nim-1.0.dist-info"
    declared.mkdir()
    (declared / "METADATA").write_text("Metadata-Version: 2.1\nName: shiplog-nim\nVersion: 1.0\n")
    (declared / "entry_points.txt").write_text("[shiplog.games]\nnim = no_such_package:GAME\n")
    refused = shiplog(verb, path=[tmp_path])
    assert refused.returncode == 2
    assert refused.stderr.startswith("shiplog: Entry point nim = no_such_package:GAME")
    assert refused.stderr.count("\n") == 1


def test_another_folder_at_another_time_gives_the_same_bytes(wheel, tmp_path):
    """So anybody can build a release and compare it with the published one."""
    tree, target = tmp_path / "tree", tmp_path / "wheel"
    spare = shutil.ignore_patterns("__pycache__", "node_modules", "matches")
    for name in (*PACKAGES, "seeds", "web/dist", "web/src/boards"):
        shutil.copytree(ROOT / name, tree / name, ignore=spare, copy_function=shutil.copyfile)
    for name in ("pyproject.toml", "hatch_build.py", "shiplog.py", "README.md", "LICENSE"):
        shutil.copyfile(ROOT / name, tree / name)
    pip = (sys.executable, "-m", "pip", "wheel", *OFFLINE, "--no-build-isolation")
    told(*pip, "--wheel-dir", target, tree)
    (again,) = target.glob("*.whl")
    assert again.name == wheel.name
    assert again.read_bytes() == wheel.read_bytes()
