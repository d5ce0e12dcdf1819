"""Measure the page: `python -m tests.bench.bench_web [game …] [--turns N] [--slow N]`.

Four tables: how long lobby and boards take to open, how soon the page reacts, how many taps or keys
a move takes, and the frames that are dropped while a bot's turn is shown. `--slow 4` divides the
speed of the browser's processor by 4, to imitate a cheap phone, and opens pages over a network of
1.6 Mbit/s with a latency of 150 ms.

The browser times a tap (Event Timing): from the event to the next frame that shows its effect, in
steps of 8 ms; less than 16 ms counts as 16. A move is timed from the tap that sends it to the frame
that shows the match's next version, which includes service, log and rendering. Tasks are told in
processor time, so that other work on the machine counts as little as possible.
"""

import argparse
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

from tests.bench import effort, frames
from tests.bench.opening import Opening, open_board, open_lobby
from tests.e2e.service import Player, running
from tests.web import chromium
from tests.web.conftest import SIZES, UNCOACHED
from tests.web.gestures import captain_sonar, ke_dnu, nautilus, submarine, tranquility
from tests.web.hands import Finger, Hand, Keys
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
    "captain_sonar": captain_sonar.at_post,
    "ke_dnu": ke_dnu.by_gesture,
    "nautilus": nautilus.by_gesture,
    "submarine": submarine.by_gesture,
    "tranquility": tranquility.by_gesture,
}
FOLLOWED = 6
"""Turns of a bot whose frames are counted."""


@contextmanager
def sitting(
    browser: Browser, url: str, size: str, hand: Hand, slow: int, **more: Any
) -> Iterator[tuple[Page, CDPSession, Person]]:
    """Yield somebody before a page of their own."""
    touch = {"viewport": SIZES[size], "has_touch": size == "phone"}
    context = browser.new_context(**touch, base_url=url, service_workers="block", **more)
    for script in (UNCOACHED, WATCH, frames.COUNT):
        context.add_init_script(script)
    page = context.new_page()
    session = context.new_cdp_session(page)
    if slow > 1:
        session.send("Emulation.setCPUThrottlingRate", {"rate": slow})
    with Player(url, "Ada") as player:
        yield page, session, Person(page, player, "Ada", hand).enter()
    context.close()


def reactions(page: Page, person: Person, game: str, turns: int) -> tuple[list[float], list[float]]:
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


def p50_p95(spent: Sequence[float]) -> str:
    cuts = quantiles(spent, n=20, method="inclusive")
    return f"{cuts[9]:.0f} | {cuts[18]:.0f}"


def head(*names: str) -> None:
    print(f"\n| {' | '.join(names)} |\n|{'---|' * len(names)}")


def print_openings(browser: Browser, url: str, games: Sequence[str], slow: int) -> None:
    """Print how pages open for somebody who was never here."""
    head("page", "shown after ms", "kB until then", "longest task ms", "layout shift")

    def row(name: str, opening: Opening) -> None:
        ms, kilobytes, task_ms, shift = opening
        print(f"| {name} | {ms:.0f} | {kilobytes:.0f} | {task_ms:.0f} | {shift:.3f} |")

    row("lobby", open_lobby(browser, url, slow))
    for game in games:
        row(game, open_board(browser, url, game, slow))


def print_reactions(
    browser: Browser, url: str, games: Sequence[str], turns: int, slow: int
) -> None:
    """Print how soon taps and moves are shown on a phone."""
    head("game", "taps", "tap p50 ms", "p95", "moves", "move p50 ms", "p95")
    for game in games:
        with sitting(browser, url, "phone", Finger(), slow) as (page, _, ada):
            taps, moves = reactions(page, ada, game, turns)
        print(f"| {game} | {len(taps)} | {p50_p95(taps)} | {len(moves)} | {p50_p95(moves)} |")


def print_effort(browser: Browser, url: str, games: Sequence[str], turns: int) -> None:
    """Print the taps and keys of each kind of move."""
    head("game", "move", "taps p50", "most", "keys p50", "most")
    for game in games:
        with sitting(browser, url, "phone", Finger(), 1, reduced_motion="reduce") as (_, _, ada):
            taps = effort.presses(ada, game, PLAYERS[game], turns)
        with sitting(browser, url, "desktop", Keys(), 1, reduced_motion="reduce") as (_, _, ada):
            keys = effort.presses(ada, game, PLAYERS[game], turns)
        for move in sorted({*taps, *keys}):
            cells = [
                f"{median(spent):.0f} | {max(spent)}" if (spent := each.get(move)) else "- | -"
                for each in (taps, keys)
            ]
            print(f"| {game} | {move} | {' | '.join(cells)} |")


def print_frames(browser: Browser, url: str, games: Sequence[str], slow: int) -> None:
    """Print what is dropped while bots' turns are shown: at 60 a second, or 30 if slow."""
    hz = 30 if slow > 1 else 60
    head("game", "frames due", "dropped", "taken by tasks", "longest task ms")
    size = "phone" if slow > 1 else "desktop"
    for game in games:
        hand = Finger() if slow > 1 else Keys()
        with sitting(browser, url, size, hand, slow) as (page, session, ada):
            ada.open(seated([ada], game, bots=1))
            found = frames.count(page, session, ada, PLAYERS[game], FOLLOWED, hz)
        due, dropped, blocked, task_ms = found
        print(f"| {game} | {due:.0f} | {dropped:.0f} | {blocked:.0f} | {task_ms:.0f} |")


def main(games: Sequence[str], turns: int, slow: int) -> None:
    """Print the tables."""
    path = chromium.find()
    assert path is not None, chromium.MISSING
    quick = {"bot_pause_ms": "0", "worker_poll_ms": "20"}
    with (
        tempfile.TemporaryDirectory() as data,
        running(Path(data), "serve") as service,
        running(Path(data), "worker", **quick),
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=path, args=list(chromium.FLAGS)) as browser,
    ):
        print_openings(browser, service.url, games, slow)
        print_reactions(browser, service.url, games, turns, slow)
        print_effort(browser, service.url, games, turns)
        print_frames(browser, service.url, games, slow)


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("games", nargs="*", choices=[*PLAYERS, []], default=[])
    asked.add_argument("--turns", type=int, default=20)
    asked.add_argument("--slow", type=int, default=1)
    given = asked.parse_args()
    main(given.games or list(PLAYERS), given.turns, given.slow)
