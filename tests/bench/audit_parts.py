"""Where an audit spends its time, by game: the numbers add up to the time of a command.

`python -m tests.bench.audit_parts` looks every millisecond of processor time which step of the
audit runs, and in another run which module. The time of a function in C counts for its caller.
"""

import itertools
import re
import signal
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType

from games import GAMES
from replay.audit import audit
from replay.evidence import Evidence
from tests.corpus import load, recorded
from tests.recorder import KEYS

ROOT = Path(__file__).parents[2]
EACH_S = 0.001
SHOWN_US = 1.0
"""Modules that take less in every game are shown together (microseconds)."""


STEPS = {
    "events/chain.py:head_after": "hash the chain",
    "games/match/digest.py:digest": "digest the state",
    "games/match/decide.py:outcome": "decide the command",
    "projections/folded.py:go_on": "fold the record",
    "replay/audit.py:_follows": "decode, encode and compare",
}
"""Steps by the function that takes them."""


def step(frame: FrameType) -> str:
    """Return the step of an audit that runs."""
    inner: FrameType | None = frame
    while inner is not None:
        code = inner.f_code
        path = code.co_filename.removeprefix(f"{ROOT}/")
        if (found := STEPS.get(f"{path}:{code.co_name}")) is not None:
            return found
        inner = inner.f_back
    return "header, report, loop"


def module(frame: FrameType) -> str:
    """Return the name of a module. Games have the same names, and one for all of their rules."""
    path = frame.f_code.co_filename
    if not path.startswith(f"{ROOT}/"):
        return "generated" if path == "<string>" else Path(path).name
    found = path.removeprefix(f"{ROOT}/")
    return re.sub(rf"^games/(?:{'|'.join(GAMES)})/(rules/)?.*?([^/]*)$", _shared, found)


def _shared(path: re.Match[str]) -> str:
    return f"games/<slug>/{path[1] or path[2]}"


def sampled(
    logs: Sequence[Sequence[bytes]],
    run_s: float,
    part: Callable[[FrameType], str],
    *,
    redaction: bool,
) -> dict[str, float]:
    """Return the processor time of each part, per command (microseconds)."""
    seen: Counter[str] = Counter()

    def look(_signal: int, frame: FrameType | None) -> None:
        if frame is not None:
            seen[part(frame)] += 1

    def run() -> int:
        return sum(
            audit(GAMES, Evidence("sampled", lines), KEYS, redaction=redaction).figures.decided
            for lines in logs
        )

    run()
    decided, start = 0, time.process_time()
    before = signal.signal(signal.SIGPROF, look)
    signal.setitimer(signal.ITIMER_PROF, EACH_S, EACH_S)
    while (elapsed := time.process_time() - start) < run_s:
        decided += run()
    signal.setitimer(signal.ITIMER_PROF, 0)
    signal.signal(signal.SIGPROF, before)
    share = elapsed / decided / seen.total() * 1e6
    return {name: samples * share for name, samples in seen.items()}


def main(run_s: float = 3.0) -> None:
    """Print the tables."""
    for redaction, part in itertools.product((False, True), (step, module)):
        table = {
            slug: sampled([load(path) for path in recorded(slug)], run_s, part, redaction=redaction)
            for slug in GAMES
        }
        names = {name for spent in table.values() for name in spent}
        large = {n for n in names if any(one.get(n, 0) >= SHOWN_US for one in table.values())}
        rows = {name: [one.get(name, 0.0) for one in table.values()] for name in large}
        ranked = sorted(rows.items(), key=lambda row: -sum(row[1]))
        sums = [sum(one.values()) for one in table.values()]
        shown = [sum(column) for column in zip(*rows.values(), strict=True)]
        ranked.append(("others", [whole - part for whole, part in zip(sums, shown, strict=True)]))
        ranked.append(("all", sums))
        print(f"microseconds per command, {'with' if redaction else 'without'} redaction")
        print(" " * 40 + "".join(f"{slug:>15}" for slug in table))
        for name, spent in ranked:
            print(f"{name:40}" + "".join(f"{one:15.1f}" for one in spent))


if __name__ == "__main__":
    main()
