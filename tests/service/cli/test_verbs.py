"""The verbs: listed by their docstrings, and imported only when they run."""

import inspect
import subprocess
import sys
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest

import shiplog as shiplog_itself
from events.release import RELEASE
from games import GAMES
from games.game import Files
from service.cli import VERBS, Verbs
from tests.replay.logs import a_match

LOADED = """
import sys
from service.cli import main
try:
    main()
finally:
    slow = {"litestar", "granian", "redis", "rq", "httpx", "rich", "games", "service.http"}
    print(sorted(slow & sys.modules.keys()), file=sys.stderr)
"""


@pytest.mark.parametrize("words", [["--help"], []])
def test_the_help_page_imports_nothing_slow(words):
    done = subprocess.run(
        [sys.executable, "-c", LOADED, *words], capture_output=True, text=True, check=False
    )
    assert "doctor" in done.stdout
    assert done.stderr == "[]\n"


@pytest.mark.parametrize("verb", VERBS)
def test_a_verb_is_listed_by_its_docstring(verb, shiplog):
    module, function = VERBS[verb].split(".")
    doc = inspect.getdoc(getattr(import_module(f"service.cli.{module}"), function))
    assert doc
    assert Verbs(name="shiplog").commands[verb].help == doc
    page = shiplog(verb, "--help")
    assert page.exit_code == 0
    assert doc.split(".")[0].split()[0] in page.stdout


def test_the_release_is_printed(shiplog):
    page = shiplog("--version")
    assert (page.exit_code, page.stdout) == (0, f"shiplog {RELEASE}\n")


@pytest.mark.parametrize("words", [["settings"], ["--help"]])
def test_output_to_a_full_disk_is_no_traceback(words):
    program = [sys.executable, "-c", "from shiplog import main; main()", *words]
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(program, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "shiplog: No space left on device\n")


def test_ctrl_c_while_a_command_is_loaded_is_no_traceback(monkeypatch):
    def interrupt():
        raise KeyboardInterrupt

    monkeypatch.setattr("service.cli.main", interrupt)
    with pytest.raises(SystemExit) as ended:
        shiplog_itself.main()
    assert ended.value.code == 130


def test_a_service_whose_game_lacks_a_file_names_it(shiplog, monkeypatch, tmp_path):
    game = replace(GAMES["submarine"], files=Files(rules=tmp_path / "RULES.md"))
    monkeypatch.setattr("service.cli.serve.GAMES", {"submarine": game})
    refused = shiplog("serve")
    assert refused.exit_code == 2
    assert refused.stderr.startswith("shiplog: The game submarine names")


def test_a_verb_with_a_slip_is_suggested(shiplog):
    refused = shiplog("replya")
    assert refused.exit_code == 2
    assert "'replay'" in refused.output


@pytest.mark.parametrize(
    "words",
    [("replay",), ("inspect",), ("blame", "/turn"), ("solve",), ("analyse",), ("what-if", "5")],
)
def test_a_file_whose_signed_head_is_not_its_own_is_refused(words, shiplog, files):
    log = files / "swapped.jsonl"
    *records, _ = (files / "good.jsonl").read_bytes().splitlines()
    head = (files / "forged.jsonl").read_bytes().splitlines()[-1]
    log.write_bytes(b"\n".join([*records, head, b""]))
    verb, *more = words
    refused = shiplog(verb, log, *more)
    assert refused.exit_code == 1
    assert "The signed head is not the head of these records" in refused.stderr


@pytest.mark.parametrize("verb", ["solve", "analyse"])
def test_a_log_whose_state_is_not_the_recorded_one_is_not_analysed(verb, shiplog, files):
    refused = shiplog(verb, files / "forged.jsonl")
    assert refused.exit_code == 1
    assert "the digest does not fit the state and the log" in refused.stderr


def test_what_the_rules_refuse_is_said_in_words(shiplog, tmp_path):
    log = tmp_path / "waiting.jsonl"
    log.write_bytes(b"\n".join([*a_match()[:1], b""]))
    for verb in ("solve", "analyse"):
        refused = shiplog(verb, log)
        assert refused.exit_code == 1
        assert "match-not-started: The match has not started." in refused.stderr, verb


def test_what_if_says_why_a_later_command_is_refused(shiplog, files):
    nothing = shiplog("what-if", files / "good.jsonl", "1")
    assert "no-such-command: That record has no command of a game" in nothing.stderr
    found = shiplog("what-if", files / "good.jsonl", "6")
    assert found.exit_code == 1
    assert ": not-your-turn: It is not this seat's turn." in found.stdout
