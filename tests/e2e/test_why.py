"""A bot is asked why it moved: over HTTP, in the terminal, during the match and after it."""

import json
from collections.abc import Iterator

import pytest

from tests.e2e.service import Player, Running, running_with_worker, wait_until
from tests.e2e.terminal import shiplog


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """Yield a service whose bots move at once."""
    data = tmp_path_factory.mktemp("why")
    with running_with_worker(data, bot_pause_ms="0", worker_poll_ms="20") as process:
        yield process


def test_a_bot_says_why_as_far_as_the_asker_may_know(service: Running, ada: Player, eve: Player):
    match = ada.open_match("submarine", 2)
    ada.do(match, {"type": "take_seat", "seat": 0})
    ada.do(match, {"type": "add_bot", "level": "easy"})

    def moves() -> list[int]:
        records = ada.get(f"/matches/{match}/events?after=3")["records"]
        return [one["v"] for one in records if one["by"]["seat"] == 1]

    def play() -> bool:
        for command in ada.get(f"/matches/{match}/legal")["commands"][:1]:
            ada.do(match, command)
        return bool(moves())

    wait_until(play)
    version = moves()[0]
    path = f"/matches/{match}/why?version={version}"
    answer = ada.get(path)
    assert (answer["version"], answer["seat"], answer["level"]) == (version, 1, "easy")
    assert answer["reason"]["code"] == "near-needed-tokens"
    assert (answer["choice"], answer["better"]) == (None, None)
    assert eve.get(path) == answer
    for wrong, code in ((1, "no-bot-move"), (9_999, "no-such-version"), (0, "malformed")):
        refused = ada.http.get(f"/matches/{match}/why?version={wrong}")
        assert refused.json()["code"] == code
    refused = eve.http.get(f"{path}&view=1")
    assert refused.json()["code"] == "forbidden"

    words = answer["reason"]["words"]
    said = shiplog("why", match, str(version), "--url", service.url)
    assert said.returncode == 0
    assert f"Crab 2: {words}" in " ".join(said.stdout.split())

    ada.do(match, {"type": "resign"})
    wait_until(lambda: ada.get(f"/matches/{match}")["status"] == "finished")
    compared = ada.get(f"{path}&view=1")
    assert compared["choice"] in ("only", "best", "softer")
    told = shiplog("why", match, str(version), "--json", "--url", service.url)
    assert json.loads(told.stdout)["choice"] == compared["choice"]


def test_the_terminal_asks_all_bots_about_their_last_moves(service: Running):
    said = shiplog("play", "nautilus", "--url", service.url, stdin="why\nquit\n")
    assert "No bot has moved yet." in said.stdout or "Otter 2: " in said.stdout
