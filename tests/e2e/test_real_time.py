"""Captain Sonar in real time: eight people at once, and the order of arrival decides."""

import random
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

from events import file
from games import GAMES
from replay.audit import audit
from replay.evidence import Evidence
from tests.e2e.service import Player

PLAY_S = 6
OPTIONS = {"mode": "real_time", "min_course_gap_ms": 0, "min_trace_ms": 0}


def play(player: Player, match: str, dice: random.Random, until: float) -> dict[str, int]:
    """Send whatever is legal as fast as it goes; races are lost by the rules' own codes."""
    codes: dict[str, int] = {}
    while time.monotonic() < until:
        legal = player.get(f"/matches/{match}/legal")["commands"]
        legal = [command for command in legal if "overlay" not in command["type"]]
        if not legal:
            if player.get(f"/matches/{match}")["status"] != "running":
                break
            continue
        answer = player.send(match, dice.choice(legal))
        assert answer.status_code in (200, 422), answer.text
        code = answer.json().get("code", "accepted")
        codes[code] = codes.get(code, 0) + 1
    return codes


def test_eight_people_play_at_once_and_the_log_replays_to_the_same_end(service):
    with ExitStack() as stack:
        people = [stack.enter_context(Player(service.url, f"p{seat}")) for seat in range(8)]
        match = people[0].open_match("captain_sonar", 8, options=OPTIONS)
        for seat, player in enumerate(people):
            player.do(match, {"type": "take_seat", "seat": seat})
        until = time.monotonic() + PLAY_S
        with ThreadPoolExecutor(8) as pool:
            played = [
                pool.submit(play, one, match, random.Random(seat), until)
                for seat, one in enumerate(people)
            ]
        accepted = sum(one.result().get("accepted", 0) for one in played)
        assert accepted > 8
        for player in people:
            if player.get(f"/matches/{match}")["status"] == "running":
                player.send(match, {"type": "resign"})
        final = people[0].get(f"/matches/{match}?view=full")
        lines, head = file.read(people[0].http.get(f"/matches/{match}/export").content)
        report = audit(GAMES, Evidence(match, lines, head=head))
        assert not report.findings, report.findings
        assert report.head == final["head"]
