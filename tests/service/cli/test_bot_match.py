"""`shiplog bot-match`: programs and bots play each other, and none survives the command."""

import sys
import time
from pathlib import Path

import msgspec
import pytest

PROGRAM = """
import json, os, sys, time
print_ = lambda line: (sys.stdout.write(line + "\\n"), sys.stdout.flush())
for text in sys.stdin:
    message = json.loads(text)
    if "LOG" in os.environ:
        open(os.environ["LOG"], "a").write(text)
    if message["type"] == "your_turn":
        {answer}
"""
FIRST = "print_(json.dumps(message['legal'][0]))"


@pytest.fixture
def bot_match(shiplog):
    """Run the verb; return its report."""

    def run(*words):
        done = shiplog("bot-match", *words, "--json")
        assert done.exit_code == 0, done.output
        return msgspec.json.decode(done.stdout)

    return run


@pytest.fixture
def program(tmp_path):
    """Write a program that answers in some way; return its command line."""

    def write(answer, name="bot.py"):
        path = tmp_path / name
        path.write_text(PROGRAM.format(answer=answer))
        return f"{sys.executable} {path}"

    return write


def test_a_program_plays_to_the_end_of_every_match(bot_match, program):
    report = bot_match("submarine", program(FIRST), "random", "--matches", 2, "--seed", 5)
    assert (report["matches"], report["seeds"], report["seed"]) == (2, 1, 5)
    assert report["wins"] + report["draws"] + report["losses"] == 2
    assert report["forfeits"] == []
    assert [side["decisions"]["count"] > 0 for side in report["players"]] == [True, True]


def test_a_program_is_told_what_its_seat_may_know(bot_match, program, tmp_path, monkeypatch):
    log = tmp_path / "log.jsonl"
    monkeypatch.setenv("LOG", str(log))
    bot_match("submarine", program(FIRST), "random", "--matches", 2)
    told = [msgspec.json.decode(line) for line in log.read_bytes().splitlines()]
    started = [message for message in told if message["type"] == "match_started"]
    assert [(each["game"], each["seats"], each["seat"]) for each in started] == [
        ("submarine", 2, 0),
        ("submarine", 2, 1),
    ]
    assert [message["type"] for message in told].count("match_over") == 2
    turns = [message for message in told if message["type"] == "your_turn"]
    versions = [record["version"] for turn in turns for record in turn["records"]]
    assert versions[:3] == [1, 2, 3][: len(versions[:3])]
    assert all(turn["legal"] and "hands" not in turn["view"] for turn in turns)


def test_the_report_follows_from_the_seed(bot_match):
    words = ("ke_dnu", "strong", "heuristic", "--matches", 4, "--seed", 11)
    first, again = bot_match(*words), bot_match(*words)
    for report in (first, again):
        for side in report["players"]:
            del side["decisions"]
    assert first == again


@pytest.mark.parametrize(
    ("answer", "reason", "detail"),
    [
        ("os._exit(3)", "crashed", "exit status 3"),
        ("os.close(1); time.sleep(60)", "crashed", "standard output was closed"),
        ("time.sleep(60)", "timed-out", "no answer within 1.5 s"),
        ("print_('hello')", "malformed", "hello"),
        ("print_('1' * 2_000_000)", "malformed", "a line is longer than"),
        ('print_(\'{"type": "end_turn"}\')', "illegal", ""),
    ],
)
def test_a_program_that_fails_loses_with_its_reason(bot_match, program, answer, reason, detail):
    words = ("--matches", 2, "--seconds", 1.5)
    report = bot_match("submarine", program(answer), "random", *words)
    assert (report["wins"], report["losses"]) == (0, 2)
    assert report["players"][0]["forfeits"] == {reason: 2}
    assert detail in report["forfeits"][0]["detail"]


def test_processes_and_what_they_started_are_killed(bot_match, program, tmp_path):
    """A program may start others, and need not end when its input does."""
    pids = tmp_path / "pids"
    forking = f"""
        if not os.fork():
            open({str(pids)!r}, "a").write(f"{{os.getpid()}} {{os.getppid()}} ")
            time.sleep(600)
        {FIRST}""".strip()
    bot_match("submarine", program(forking), "random", "--matches", 2)
    started = {int(word) for word in pids.read_text().split()}
    assert started
    end = time.monotonic() + 10
    while any(map(alive, started)) and time.monotonic() < end:
        time.sleep(0.05)
    assert not any(map(alive, started))


def alive(pid):
    status = Path(f"/proc/{pid}/status")
    return status.exists() and "(zombie)" not in status.read_text()


def test_the_test_of_strength_can_end_the_matches(bot_match):
    words = ("--matches", 400, "--until-decided")
    report = bot_match("ke_dnu", "heuristic", "random", *words)
    assert report["matches"] < 40
    assert report["sprt"]["verdict"] == "high"


def test_the_table_names_shares_and_the_verdict(shiplog):
    done = shiplog("bot-match", "ke_dnu", "heuristic", "random", "--matches", 2)
    assert done.exit_code == 0
    assert "ke_dnu, 2 seats: 2 matches on 1 seeds from 1 on" in done.stdout
    assert "SPRT of 0 against 50 Elo" in done.stdout


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("chess", "random", "random"), "Unknown game 'chess'"),
        (("submarine", "random", "no-such"), "'no-such' is neither a program nor a bot"),
        (("submarine", "random", "'"), "Invalid command line"),
        (("submarine", "random", "random", "--seats", 9), "expected one of 2, 3, 4, 5, got 9"),
        (("submarine", "random", "random", "--options", "{"), "Invalid options in --options"),
        (("submarine", "random", "random", "--elo", 5, 5), "expected LOW < HIGH, got 5 5"),
        (("submarine", "random", "random", "--elo", 5, "nan"), "expected LOW < HIGH, got 5 nan"),
        (("submarine", "random", "random", "--seconds", "nan"), "expected a number of seconds"),
    ],
)
def test_a_slip_is_explained(shiplog, words, told):
    done = shiplog("bot-match", *words)
    assert done.exit_code == 2
    assert told in " ".join(done.stderr.replace("│", " ").split())
