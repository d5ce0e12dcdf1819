"""Measure how long a player waits for a hint, over HTTP: `python -m tests.bench.bench_hints`.

A seat of every game follows its hints against a bot. The first answer comes with the call, the last
one as the job's result after the default budget of playouts. The worker has its default settings.
"""

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from games import GAMES
from tests.e2e.service import Player, running, wait_until

HINTS = 12
"""Asked for, a game."""


class Waited(NamedTuple):
    """Seconds from the call to an answer."""

    first: float
    last: float


def hints(ada: Player, slug: str) -> Iterator[Waited]:
    """Play a match by its hints, and time them."""
    match = ada.open_match(slug, min(seats for seats in GAMES[slug].seats if seats > 1))
    seats = len(ada.get(f"/matches/{match}")["seats"])
    for seat in range(1, seats):
        ada.do(match, {"type": "add_bot", "seat": seat, "level": "heuristic"})
    ada.do(match, {"type": "take_seat", "seat": 0})
    answered = 0
    while answered < HINTS:
        wait_until(lambda: _to_act(ada, match))
        began = time.perf_counter()
        asked = ada.http.post(f"/matches/{match}/hints", json={}).json()
        first = time.perf_counter() - began
        job = wait_until(lambda path=f"/jobs/{asked['job']['id']}": _ended(ada.get(path)))
        if job["state"] == "stale":
            continue
        answered += 1
        yield Waited(first, time.perf_counter() - began)
        assert job["state"] == "finished", job
        ada.do(match, job["result"]["command"])


def _to_act(ada: Player, match: str) -> bool:
    state = ada.get(f"/matches/{match}")
    assert state["status"] == "running", "it ended before all hints were asked for"
    return 0 in state["waiting"] and bool(ada.legal(match))


def _ended(job: dict) -> dict | None:
    return None if job["state"] in ("queued", "running") else job


def main() -> None:
    """Print a row a game."""
    with (
        tempfile.TemporaryDirectory() as folder,
        running(Path(folder), "run") as service,
        Player(service.url) as ada,
    ):
        for slug, game in GAMES.items():
            if game.players.blueprint is None:
                print(f"{slug} declares no blueprint")
                continue
            first, last = map(sorted, zip(*hints(ada, slug), strict=True))
            print(
                f"{slug}: "
                f"first answer p50 {first[len(first) // 2]:.3f} s, longest {first[-1]:.3f} s; "
                f"after 160 playouts p50 {last[len(last) // 2]:.1f} s, longest {last[-1]:.1f} s"
            )


if __name__ == "__main__":
    main()
