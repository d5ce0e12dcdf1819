"""`shiplog arena`: a round robin with ratings."""

import sys

import msgspec
import pytest


def arena(shiplog, *words):
    done = shiplog("arena", *words, "--json")
    assert done.exit_code == 0, done.output
    return msgspec.json.decode(done.stdout)


def test_every_pair_plays_and_all_are_rated(shiplog):
    found = arena(shiplog, "ke_dnu", "random", "beginner", "hard", "--matches", 40)
    played = [[side["player"] for side in each["players"]] for each in found["pairings"]]
    assert played == [["random", "beginner"], ["random", "hard"], ["beginner", "hard"]]
    assert [each["matches"] for each in found["pairings"]] == [40, 40, 40]
    first, second, third = found["ratings"]
    assert (first["player"], first["elo"]) == ("random", 0)
    assert 0 < second["elo"] < third["elo"]
    assert second["interval"][0] <= second["elo"] <= second["interval"][1]


def test_the_standings_follow_from_the_seed(shiplog):
    words = ("tranquility", "beginner", "hard", "--seats", 2, "--matches", 6, "--seed", 9)
    first, again = (arena(shiplog, *words)["ratings"] for _ in range(2))
    assert first == again


def test_a_program_that_fails_is_last(shiplog, tmp_path):
    broken = tmp_path / "bot.py"
    broken.write_text("raise SystemExit")
    program = f"{sys.executable} {broken}"
    done = shiplog("arena", "submarine", "random", program, "--matches", 2)
    assert done.exit_code == 0, done.output
    assert "submarine, 2 seats: 2 matches" in done.stdout
    assert "100.0%" in done.stdout


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("chess", "random", "easy"), "Unknown game 'chess'"),
        (("submarine", "random"), "expected at least two different players"),
        (("submarine", "easy", "easy"), "expected at least two different players"),
        (("submarine", "easy", "no-such"), "'no-such' is neither a program nor a bot"),
        (("submarine", "easy", "hard", "--seats", 4), "ratings need one or two teams"),
    ],
)
def test_a_slip_is_explained(shiplog, words, told):
    done = shiplog("arena", *words)
    assert done.exit_code == 2
    assert told in " ".join(done.stderr.replace("│", " ").split())
