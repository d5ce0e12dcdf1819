"""Processes whose clocks differ: deadlines go by the clock of the log's server alone."""

import re
import time

import httpx
import pytest

from events.record import at_micros
from service.base.clock import local_micros
from tests.e2e.service import SCRIPT, Player, Running
from tests.events.cluster import free_port

SECOND = 1_000_000
CLOCK = {"type": "per_move", "seconds": 60}
SHORT = {"type": "per_move", "seconds": 1}


def skewed(seconds: int) -> str:
    """Return the script of a process on a machine whose clock is wrong."""
    return (
        "import service.base.clock as clock; true = clock.local_micros; "
        f"clock.local_micros = lambda: true() + {seconds * SECOND}; {SCRIPT}"
    )


class Two:
    """Two service processes on one log, one of them skewed, and a match at both."""

    def __init__(self, folder, urls, seconds):
        port = free_port()
        self.metrics = f"http://127.0.0.1:{port}/metrics"
        self.right = Running(folder, "serve", **urls)
        self.wrong = Running(
            folder, "serve", script=skewed(seconds), metrics_port=str(port), **urls
        )

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.right.stop()
        self.wrong.stop()

    def health(self, process):
        return httpx.get(f"{process.url}/health/ready").json()

    def at(self, process, player):
        """Return a client that acts for a player at a process."""
        return httpx.Client(base_url=process.url, headers=dict(player.http.headers), timeout=60)


def sit_down(ada, bob, clock):
    """Open a match and return it with the player who is to move, and the other one."""
    match = ada.open_match("submarine", 2, clock=clock)
    ada.do(match, {"type": "take_seat"})
    answer = bob.do(match, {"type": "take_seat"})
    (seat,) = ada.get(f"/matches/{match}")["waiting"]
    assert answer["version"] == 3
    return match, (ada, bob)[seat], (ada, bob)[1 - seat]


def commands(player, match):
    records = player.get(f"/matches/{match}/events")["records"]
    return [event["type"] for record in records for event in record["events"]], records


@pytest.mark.parametrize("seconds", [300, -300])
def test_a_process_five_minutes_off_strikes_nothing_and_stamps_the_right_time(
    tmp_path, urls, seconds
):
    with Two(tmp_path, urls, seconds) as two:
        url = two.right.url
        with Player(url, "Ada") as ada, Player(url, "Bob") as bob:
            match, mover, rival = sit_down(ada, bob, CLOCK)
            with two.at(two.wrong, rival) as http:
                sent = http.post(f"/matches/{match}/commands", json={"type": "pause"})
                assert sent.status_code in (200, 422), sent.text
            with two.at(two.wrong, mover) as http:
                (move, *_) = http.get(f"/matches/{match}/legal").json()["commands"]
                assert http.post(f"/matches/{match}/commands", json=move).status_code == 200
            struck, records = commands(ada, match)
            assert "timed_out" not in struck
            times = [at_micros(record["at"]) for record in records]
            assert times == sorted(times)
            assert abs(times[-1] - local_micros()) < 30 * SECOND, "the match's time goes on"
        assert two.health(two.right)["clock"] == "ok"
        health = two.health(two.wrong)
        assert (health["ready"], health["clock"]) == (True, "skewed")
        assert health["clock_skew_s"] == pytest.approx(seconds, abs=5)
        told = httpx.get(two.metrics).text
        (found,) = re.findall(r"^shiplog_clock_skew_seconds (\S+)$", told, re.MULTILINE)
        assert float(found) == pytest.approx(seconds, abs=5)


def test_a_deadline_that_is_over_is_struck_by_the_process_that_agrees(tmp_path, urls):
    with Two(tmp_path, urls, 300) as two:
        url = two.right.url
        with Player(url, "Ada") as ada, Player(url, "Bob") as bob:
            match, _, rival = sit_down(ada, bob, SHORT)
            time.sleep(1.2)
            talk = {"type": "propose_undo", "to": 1}
            with two.at(two.wrong, rival) as http:
                http.post(f"/matches/{match}/commands", json=talk)
            assert "timed_out" not in commands(ada, match)[0]
            rival.send(match, talk)
            assert "timed_out" in commands(ada, match)[0]


def test_a_process_a_little_off_goes_by_the_servers_clock(tmp_path, urls):
    with Two(tmp_path, urls, 4) as two:
        url = two.right.url
        with Player(url, "Ada") as ada, Player(url, "Bob") as bob:
            match, _, rival = sit_down(ada, bob, {"type": "per_move", "seconds": 4})
            talk = {"type": "propose_undo", "to": 1}
            with two.at(two.wrong, rival) as http:
                http.post(f"/matches/{match}/commands", json=talk)
                assert "timed_out" not in commands(ada, match)[0]
                time.sleep(4.2)
                http.post(f"/matches/{match}/commands", json=talk)
            assert "timed_out" in commands(ada, match)[0]
        assert two.health(two.wrong)["clock"] == "ok"
