"""How fast one core audits logs: the recorded matches of each game, over and over."""

import time
from collections.abc import Sequence

from games import GAMES
from replay.audit import audit
from replay.evidence import Evidence
from tests.corpus import load, recorded
from tests.recorder import KEYS


def rate(logs: Sequence[Sequence[bytes]], run_s: float, *, redaction: bool) -> tuple[float, float]:
    """Return the commands decided again and the MB read, each per second of one core's time."""
    decided = size = 0
    start = time.process_time()
    while (elapsed := time.process_time() - start) < run_s:
        for lines in logs:
            report = audit(GAMES, Evidence("bench", lines), KEYS, redaction=redaction)
            assert not report.findings
            decided += report.figures.decided
            size += report.figures.bytes
    return decided / elapsed, size / elapsed / 1e6


def main(run_s: float = 1.0) -> None:
    """Print the table."""
    for slug in GAMES:
        logs = [load(path) for path in recorded(slug)]
        if not logs:
            continue
        rate(logs, run_s / 10, redaction=False)
        for redaction, name in ((False, "without redaction"), (True, "with redaction")):
            commands, megabytes = rate(logs, run_s, redaction=redaction)
            print(f"audit {slug}, {name:17}: {commands:8.0f} commands/s  {megabytes:5.1f} MB/s")


if __name__ == "__main__":
    main()
