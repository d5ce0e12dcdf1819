"""`shiplog play` and `shiplog watch` against a service."""

import json
import re
import subprocess
import sys

from tests.e2e.played import turn_of
from tests.e2e.service import wait_until
from tests.e2e.terminal import SHIPLOG, shiplog


def test_a_player_plays_in_words_and_asks_for_the_rules(service, ada, bob, match):
    """A part of the words may mean several commands; one of them is then played by its code."""
    mover, _ = turn_of(match, ada, bob)
    before = mover.get(f"/matches/{match}")["version"]
    said = "rules TRA-33\nnothing like that\nlay\n1\nquit\n"
    words = ("play", "--match", match, "--token", mover.token, "--url", service.url)
    player = subprocess.Popen(
        [sys.executable, "-c", SHIPLOG, *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        player.stdin.write(said)
        player.stdin.close()
        wait_until(lambda: mover.get(f"/matches/{match}")["version"] > before)
    finally:
        player.kill()
    shown = player.stdout.read()
    player.stdout.close()
    player.wait()
    assert "TRA-33" in shown
    assert "No command is called 'nothing like that'." in shown
    assert "'lay' may mean:" in shown
    assert "A B C D E F" in shown
    assert "\x1b" not in shown, "plain text in a pipe"


def test_a_new_match_has_the_recommended_options(service, ada):
    """Only what people open: a call without options gets the defaults."""
    asked = {"game": "ke_dnu", "seats": 2}
    match = ada.http.post("/matches", json=asked).json()["match"]
    assert "house" not in ada.get(f"/matches/{match}")["options"]
    for given, house in (({}, "balanced"), ({"house": "classic"}, "classic")):
        options = json.dumps({"first_seat": "0", **given})
        words = ("--options", options, "--token", ada.token, "--url", service.url)
        done = shiplog("play", "ke_dnu", *words, stdin="quit\n")
        found = re.search(r"\bm_\w+", done.stdout)
        assert found, done.stdout + done.stderr
        match = found[0]
        assert ada.get(f"/matches/{match}")["options"]["house"] == house


def test_a_wrong_name_lists_the_games(service):
    done = shiplog("play", "chess", "--url", service.url)
    assert done.returncode == 1
    assert "There is no game 'chess'" in done.stdout
    assert "submarine" in done.stdout


def test_what_no_bot_can_take_creates_no_match(service, ada):
    words = ("play", "tranquility", "--seats", "5", "--token", ada.token, "--url", service.url)

    def waiting() -> list[str]:
        """Other tests open matches for fewer, whose rows may come late."""
        listed = ada.get("/matches?status=waiting&game=tranquility")["matches"]
        return [one["match"] for one in listed if len(one["seats"]) == 5]

    before = waiting()
    level = shiplog(*words, "--level", "nope")
    assert level.returncode == 2
    assert "Unknown level 'nope'. Levels of the bots: beginner," in level.stderr
    assert shiplog(*words, "--people", "-1").returncode == 2
    assert waiting() == before


def test_a_match_that_runs_is_joined_without_bots(service, ada, bob, match):
    mover, _ = turn_of(match, ada, bob)
    words = ("--match", match, "--token", mover.token, "--url", service.url)
    done = shiplog("play", "tranquility", *words, stdin="quit\n")
    assert done.returncode == 0
    assert "The match waits for you" in done.stdout


def test_who_waits_for_people_is_told_how_they_join(service, ada):
    words = ("play", "submarine", "--people", "1", "--token", ada.token, "--url", service.url)
    player = subprocess.Popen(
        [sys.executable, "-c", SHIPLOG, *words], stdout=subprocess.PIPE, text=True
    )
    try:
        lines = [player.stdout.readline() for _ in range(2)]
    finally:
        player.kill()
        player.communicate()
    match = lines[0].split()[1]
    assert lines[1] == f"Others join with: shiplog play --url {service.url} --match {match}\n"
    done = shiplog("play", "submarine", "--people", "2", "--url", service.url)
    assert done.returncode == 2
    assert "2 seats leave at most 1 for other people" in done.stderr


def test_an_address_that_cannot_be_reached_is_named():
    for words in (("play", "submarine"), ("watch", "m_1")):
        done = shiplog(*words, "--url", "http://127.0.0.1:9")
        assert done.returncode == 2
        assert "Cannot connect to http://127.0.0.1:9" in done.stdout


def test_a_match_is_watched_to_its_end(service, ada, bob, match):
    for player in (ada, bob):
        player.do(match, {"type": "resign"})
    done = shiplog("watch", match, "--url", service.url)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "The match started." in done.stdout
    assert "left." in done.stdout
    assert "The match is over." in done.stdout


def test_a_match_is_watched_while_it_is_played(service, ada, bob, match, tmp_path):
    told = tmp_path / "told"
    with told.open("w") as out:
        words = ("watch", match, "--url", service.url)
        watcher = subprocess.Popen([sys.executable, "-c", SHIPLOG, *words], stdout=out)
    try:
        wait_until(lambda: "The match started." in told.read_text(errors="replace"))
        ada.do(match, {"type": "resign"})
        wait_until(lambda: "left." in told.read_text(errors="replace"))
        bob.do(match, {"type": "resign"})
        assert watcher.wait(60) == 0
    finally:
        watcher.kill()
        watcher.wait()
    assert "The match is over." in told.read_text(errors="replace")


def test_a_match_that_cannot_be_watched_is_refused(service):
    done = shiplog("watch", "m_nowhere", "--url", service.url)
    assert done.returncode == 1
    assert "not-found" in done.stdout


def test_a_table_against_bots_alone_has_the_options_that_suit_it(service, eve, tmp_path):
    """Captain Sonar's radio operator has the exact tool, unless somebody else may sit down."""

    def tool(*words: str) -> str:
        """Open a match, and return its help for the radio operator."""
        told = tmp_path / "told"
        with told.open("w") as out:
            given = [sys.executable, "-uc", SHIPLOG, "play", "captain_sonar", *words]
            player = subprocess.Popen(
                [*given, "--url", service.url], stdin=subprocess.PIPE, stdout=out
            )
        try:
            wait_until(lambda: re.search(r"m_[\w-]{8,}\n", told.read_text()))
        finally:
            player.kill()
            player.communicate()
        match = re.search(r"m_[\w-]+", told.read_text())[0]
        return eve.get(f"/matches/{match}")["options"]["radio_assist"]

    assert tool() == "inference"
    assert tool("--options", '{"radio_assist": "none"}') == "none"
    assert tool("--people", "1") == "overlay"
