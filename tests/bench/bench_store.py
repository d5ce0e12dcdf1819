"""How a whole store is audited: over one process and over two, and in how much memory."""

import os
import resource
import time
from collections.abc import Iterator
from itertools import cycle, islice

from games import GAMES
from replay.audits import audit_many
from replay.evidence import Evidence
from tests.corpus import load, recorded
from tests.recorder import KEYS

MATCHES = 400
"""Of the recorded ones, over and over; `SOAK` in the environment makes it 10,000."""


def store(matches: int) -> Iterator[Evidence]:
    """Yield matches of Tranquility as a store would, each with its own bytes."""
    logs = [load(path) for path in recorded("tranquility")]
    for number, lines in enumerate(islice(cycle(logs), matches)):
        yield Evidence(f"m_{number}", [bytes(bytearray(line)) for line in lines])


def rate(matches: int, processes: int) -> tuple[float, float]:
    """Return the commands decided per second and per processor second, with start-up."""
    started, spent, decided = time.perf_counter(), processor_s(), 0
    for report in audit_many(store(matches), KEYS, redaction=False, processes=processes):
        assert not report.findings
        decided += report.figures.decided
    elapsed, spent = time.perf_counter() - started, processor_s() - spent
    return decided / elapsed, decided / spent


def processor_s() -> float:
    """Return the processor seconds spent so far by this process and its ended children."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def peak_mib() -> tuple[float, float]:
    """Return the peak memory of this process and of its largest child."""
    kinds = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    own, children = (resource.getrusage(kind).ru_maxrss / 1024 for kind in kinds)
    return own, children


def main() -> None:
    """Print the table."""
    matches = 10_000 if "SOAK" in os.environ else MATCHES
    assert set(GAMES) >= {"tranquility"}
    print(f"load of the machine: {os.getloadavg()[0]:.1f}")
    for count in (matches // 10, matches):
        for processes in (1, 2):
            clock, processor = rate(count, processes)
            own, children = peak_mib()
            print(
                f"audit {count:6} matches, {processes} processes: "
                f"{clock:7.0f} commands/s by the clock, {processor:7.0f} by the processor; "
                f"memory at most {own:.0f} MiB, each process {children:.0f} MiB"
            )


if __name__ == "__main__":
    main()
