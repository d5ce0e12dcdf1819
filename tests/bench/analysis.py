"""Measure how long an analysis takes: `python -m tests.bench.analysis`.

Of each game's recorded matches, the longest that was played to its end is analysed with the default
budget. The table is written into `docs/analysis.md`.
"""

import time
from collections.abc import Iterator

from games import GAMES
from projections.folded import Folded
from replay.analysis import COMMANDS, analyse
from tests.bench.calibration import PAGE
from tests.bench.strength import replace_table
from tests.corpus import load, recorded


def rows() -> Iterator[str]:
    """Yield the table."""
    yield "| game | match | seats | decisions looked at | worlds | CPU s |"
    yield "|---|---|---|---|---|---|"
    for slug in GAMES:
        logs = {path.stem: load(path) for path in recorded(slug) if not path.stem.startswith("by-")}
        if not logs:
            continue
        name = max(logs, key=lambda stem: len(logs[stem]))
        folded = Folded.of(GAMES, logs[name])
        began = time.process_time()
        found = analyse(folded.match, folded.head, COMMANDS)
        seconds = time.process_time() - began
        worlds = found.points[0].worlds
        yield (
            f"| {slug} | `{name}` | {folded.match.header.seats} | {len(found.points)} | {worlds} "
            f"| {seconds:.0f} |"
        )


def main() -> None:
    PAGE.write_text(replace_table(PAGE.read_text(), "times", rows()))


if __name__ == "__main__":
    main()
