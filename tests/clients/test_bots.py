"""The sample bots are short, typed, and play every game: at a service and in bot-match."""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from games import GAMES
from tests.clients.conftest import NODE, RUN_S, Run, ran
from tests.docs.fences import named
from tests.e2e.service import Player, Running

EXAMPLES = Path(__file__).parents[2] / "examples"
PYTHON_BOT = (sys.executable, EXAMPLES / "bot.py")
TYPESCRIPT_BOT = (NODE / "node", EXAMPLES / "bot.mts")
LINES_MAX = 115
QUICK = {"captain_sonar": {"radio_assist": "none", "max_turns": 40}}
"""Options that shorten random play."""


@pytest.mark.parametrize("name", ["bot.py", "bot.mts"])
def test_a_sample_bot_is_short(name: str):
    assert len((EXAMPLES / name).read_text().splitlines()) <= LINES_MAX


def test_the_typescript_bot_is_typed(typescript: Path):
    shutil.copy(EXAMPLES / "bot.mts", typescript)
    config = {"extends": "./tsconfig.json", "files": ["bot.mts"]}
    (typescript / "bots.json").write_text(json.dumps(config))
    ran(typescript, "node", "node_modules/typescript/bin/tsc", "-p", "bots.json", "--noEmit")


def test_the_guides_program_in_typescript_is_typed(typescript: Path):
    (typescript / "guide.ts").write_text(named("http.md")["play.ts"])
    usual = {"noUncheckedIndexedAccess": False}
    config = {"extends": "./tsconfig.json", "files": ["guide.ts"], "compilerOptions": usual}
    (typescript / "guide.json").write_text(json.dumps(config))
    ran(typescript, "node", "node_modules/typescript/bin/tsc", "-p", "guide.json", "--noEmit")


def test_the_sample_bots_play_every_game_to_its_end(service: Running):
    """Each has a token, its own stream, and a seat in one match of each game at once."""
    with Player(service.url, "Ada") as ada, Player(service.url, "Bob") as bob:
        matches = {ada.open_match(game, 2, options=QUICK.get(game, {})): game for game in GAMES}
        with (
            started(*PYTHON_BOT, service.url, ada.token, *matches) as first,
            started(*TYPESCRIPT_BOT, service.url, bob.token, *matches) as second,
        ):
            assert [first.wait(RUN_S), second.wait(RUN_S)] == [0, 0]
        for match, game in matches.items():
            view = ada.get(f"/matches/{match}")
            assert (view["game"], view["status"]) == (game, "finished")


@pytest.mark.parametrize("bot", [PYTHON_BOT, TYPESCRIPT_BOT], ids=["python", "typescript"])
def test_a_sample_bot_says_why_it_cannot_play(bot: tuple[object, ...], service: Running):
    with Player(service.url, "Ada") as ada, Player(service.url, "Bob") as bob:
        full = bob.open_match("tranquility", 1)
        bob.do(full, {"type": "take_seat"})
        cannot_follow, cannot_play = (
            player.http.post("/tokens", json={"name": "App", "scopes": ["read", scope]}).json()
            for player, scope in ((ada, "play"), (bob, "stream"))
        )
        for words, why in (
            ([], "bot"),
            ([service.url, "p_nobody.1.x"], "not a token of this service"),
            ([service.url, cannot_follow["token"]], "scope `stream`"),
            ([service.url, cannot_play["token"]], f"{full}: This call needs a token with"),
            ([service.url, ada.token, "m_none"], "m_none: No such match."),
            ([service.url, ada.token, full], f"{full}: "),
        ):
            started = [*map(str, bot), *words]
            done = subprocess.run(started, capture_output=True, text=True, timeout=60, check=False)
            assert (done.returncode, why in done.stderr) == (1, True), done.stderr


@pytest.mark.parametrize("game", GAMES)
def test_the_sample_bots_play_in_bot_match(run: Run, game: str):
    words = [" ".join(map(str, bot)) + " --stdio" for bot in (PYTHON_BOT, TYPESCRIPT_BOT)]
    options = json.dumps(QUICK.get(game, {}))
    told = run(
        sys.executable, "-c", "from service.cli import main; main()",
        "bot-match", game, *words, "--matches", 2, "--options", options, "--seconds", 60, "--json",
        PYTHONPATH=str(EXAMPLES.parent),
    )  # fmt: skip
    report = json.loads(told)
    assert (report["matches"], report["forfeits"]) == (2, [])


@contextmanager
def started(*words: object) -> Iterator[subprocess.Popen[bytes]]:
    """Run a program for as long as a test takes."""
    with subprocess.Popen([str(word) for word in words]) as program:
        try:
            yield program
        finally:
            program.kill()


@pytest.mark.parametrize("bot", [PYTHON_BOT, TYPESCRIPT_BOT], ids=["python", "typescript"])
def test_a_sample_bot_says_that_it_cannot_reach_the_service(bot: tuple[object, ...]):
    nowhere = "http://127.0.0.1:1"
    trying = subprocess.Popen(
        [*map(str, bot), nowhere, "token", "m_none"], stderr=subprocess.PIPE, text=True
    )
    assert trying.stderr is not None
    said = trying.stderr.readline()
    trying.kill()
    trying.communicate()
    assert said.startswith(nowhere)
    assert said.endswith("Trying again.\n")
