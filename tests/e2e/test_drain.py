"""A process told to stop lets balancers know before it goes."""

import signal

import pytest

from tests.e2e.service import Player, running, wait_until


@pytest.mark.parametrize("words", [("serve",), ("serve", "--processes", "2"), ("run",)])
def test_readiness_ends_first_and_calls_count_until_the_end(tmp_path, words):
    """While it drains, it keeps playing and streams stay open; a second signal ends it at once."""
    with running(tmp_path, *words, drain_s="300", demo="0") as service, Player(service.url) as ada:
        match = ada.open_match(seats=1)
        with ada.http.stream("GET", f"/matches/{match}/stream") as stream:
            lines = stream.iter_lines()
            next(lines)
            assert ada.http.get("/health/ready").status_code == 200

            service.process.send_signal(signal.SIGTERM)
            wait_until(lambda: ada.http.get("/health/ready").status_code == 503, 60)
            assert ada.http.get("/health/ready").json()["ready"] is False
            assert ada.http.get("/health/live").status_code == 200
            ada.do(match, {"type": "take_seat"})
            assert any("seat_taken" in line for line in lines)

            service.process.send_signal(signal.SIGTERM)
            for _ in lines:
                pass
        assert service.close() == 0


def test_the_time_to_drain_ends_by_itself(tmp_path):
    with running(tmp_path, "serve", drain_s="1") as service:
        service.process.send_signal(signal.SIGTERM)
        assert service.close() == 0


def test_without_it_a_signal_ends_the_process(tmp_path):
    with running(tmp_path, "serve") as service:
        assert service.stop() == 0
