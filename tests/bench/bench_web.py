"""Measure how soon the page reacts to taps: `python -m tests.bench.bench_web [game …]`.

The browser times a tap (Event Timing): from the event to the next frame that shows its effect, in
steps of 8 ms; less than 16 ms counts as 16. A move is timed from the tap that sends it to the frame
that shows the match's next version, which includes service, log and rendering. `--slow 4` divides
the speed of the browser's processor by 4, to imitate a cheap phone.
"""

import argparse
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import quantiles
from typing import Any

from playwright.sync_api import Page, sync_playwright

from tests.e2e.service import Player, running
from tests.web import (
    chromium,
    test_captain_sonar,
    test_ke_dnu,
    test_nautilus,
    test_submarine,
    test_tranquility,
)
from tests.web.conftest import SIZES
from tests.web.play import Person, awaited, seated, take

LEAST_MS = 16
WATCH = """
window.taps = new Map(); window.clicks = 0; window.moves = [];
new PerformanceObserver(list => {
  for (const { interactionId, duration } of list.getEntries())
    if (interactionId) taps.set(interactionId, Math.max(duration, taps.get(interactionId) ?? 0));
}).observe({ type: "event", durationThreshold: 16, buffered: true });
let pressed = null, version = null;
addEventListener("click", () => { clicks += 1; pressed = performance.now(); }, true);
addEventListener("DOMContentLoaded", () => new MutationObserver(() => {
  const now = document.querySelector("[data-shown]")?.dataset.shown ?? null;
  if (now === version) return;
  version = now;
  if (pressed === null) return;
  const since = pressed;
  pressed = null;
  requestAnimationFrame(() => setTimeout(() => moves.push(performance.now() - since)));
}).observe(document.body, { subtree: true, attributeFilter: ["data-shown"], childList: true }));
"""
PLAYERS: dict[str, Callable[[Person], None]] = {
    "captain_sonar": test_captain_sonar.at_post,
    "ke_dnu": test_ke_dnu.by_gesture,
    "nautilus": test_nautilus.by_gesture,
    "submarine": test_submarine.by_gesture,
    "tranquility": test_tranquility.by_gesture,
}


def measure(page: Page, person: Person, game: str, turns: int) -> tuple[list[float], list[float]]:
    """Play so many turns against bots; return the milliseconds of taps and of moves."""
    person.open(seated([person], game, bots=1))
    for _ in range(turns):
        if awaited([person]) is None:
            break
        take(person, PLAYERS[game])
    page.wait_for_timeout(500)
    told: Any = page.evaluate("({ taps: [...taps.values()], clicks, moves })")
    quick = [LEAST_MS] * max(0, told["clicks"] - len(told["taps"]))
    return [*told["taps"], *quick], told["moves"]


def p50_p95(spent: list[float]) -> str:
    cuts = quantiles(spent, n=20, method="inclusive")
    return f"{cuts[9]:.0f} | {cuts[18]:.0f}"


def main(slugs: list[str], turns: int, slow: int) -> None:
    """Print a table: taps and moves of each game."""
    path = chromium.find()
    assert path is not None, chromium.MISSING
    quick = {"bot_pause_ms": "0", "worker_poll_ms": "20"}
    print("| game | taps | tap p50 ms | p95 | moves | move p50 ms | p95 |")
    print("|---|---|---|---|---|---|---|")
    with (
        tempfile.TemporaryDirectory() as data,
        running(Path(data), "serve") as service,
        running(Path(data), "worker", **quick),
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=path, args=list(chromium.FLAGS)) as browser,
    ):
        for game in slugs:
            context = browser.new_context(viewport=SIZES["phone"], base_url=service.url)
            context.add_init_script(WATCH)
            page = context.new_page()
            if slow > 1:
                context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slow})
            with Player(service.url, "Ada") as player:
                taps, moves = measure(page, Person(page, player, "Ada").enter(), game, turns)
            context.close()
            print(f"| {game} | {len(taps)} | {p50_p95(taps)} | {len(moves)} | {p50_p95(moves)} |")


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("games", nargs="*", choices=[*PLAYERS, []], default=[])
    asked.add_argument("--turns", type=int, default=20)
    asked.add_argument("--slow", type=int, default=1)
    given = asked.parse_args()
    main(given.games or list(PLAYERS), given.turns, given.slow)
