"""How many frames a page drops while it shows the turn of a bot."""

from itertools import pairwise
from typing import Any, NamedTuple

from playwright.sync_api import CDPSession, Page

from tests.bench.trace import Trace
from tests.web.play import Person, Turn, awaited, take

COUNT = """
window.frames = []; window.counting = false;
const frame = now => { if (counting) frames.push(now); requestAnimationFrame(frame); };
requestAnimationFrame(frame);
"""
SETTLED_MS = 1_200
"""Time that pieces travel after the last record of a turn."""


class Frames(NamedTuple):
    """What was shown during the turns of bots."""

    due: float
    """Frames that the time had room for."""
    dropped: float
    """Frames that came late or not at all (elapsed time)."""
    blocked: float
    """Frames that the page's own tasks took (processor time)."""
    task_ms: float
    """Longest task (processor time)."""


def count(
    page: Page, session: CDPSession, person: Person, turn: Turn, turns: int, hz: int
) -> Frames:
    """Play so many turns of an open match, and count frames from each move to the next turn."""
    frame = 1_000 / hz
    due = dropped = blocked = longest = 0.0
    for _ in range(turns):
        if awaited([person]) is None:
            break
        trace = Trace(page, session)
        page.evaluate("frames.length = 0; counting = true")
        take(person, turn)
        awaited([person])
        page.wait_for_timeout(SETTLED_MS)
        shown: Any = page.evaluate("(counting = false, frames)")
        tasks = trace.stop()
        gaps = [after - before for before, after in pairwise(shown)]
        due += sum(gaps) / frame
        dropped += sum(max(0, round(gap / frame) - 1) for gap in gaps)
        blocked += sum(task // frame for task in tasks)
        longest = max(longest, *tasks[:1])
    return Frames(due, dropped, blocked, longest)
