"""Measure how long an analysis takes: `python -m tests.bench.analysis`.

Of each game's recorded matches, the longest that was played to its end is analysed with the default
budget. The table is written into `docs/analysis.md`.
"""

import time
from collections.abc import Iterator

from games import GAMES
from projections.folded import Folded
from replay.analysis import COMMANDS, Analysis, analyses
from tests.bench.calibration import PAGE
from tests.bench.strength import replace_table, shown
from tests.corpus import load, played_out


def rows() -> Iterator[str]:
    """Yield the table."""
    yield (
        "| game | match | seats | decisions | compared | upheld | refuted | curve after CPU s "
        "| three compared | all |"
    )
    yield "|---|---|---|---|---|---|---|---|---|---|"
    for slug in GAMES:
        logs = {path.stem: load(path) for path in played_out(slug)}
        if logs:
            name = max(logs, key=lambda stem: len(logs[stem]))
            yield row(slug, name, Folded.of(GAMES, logs[name]))


def row(slug: str, name: str, folded: Folded) -> str:
    """Analyse a match and return its row."""
    began = time.process_time()
    seconds: list[float] = []
    three = ""
    found: Analysis | None = None
    for found in analyses(folded.match, folded.head, COMMANDS):
        seconds.append(time.process_time() - began)
        if not three and len(found.compared) >= 3:
            three = f"{seconds[-1]:.1f}"
    assert found is not None, "the last analysis is complete"
    verdicts = [each.verdict for each in found.compared]
    return (
        f"| {slug} | `{name}` | {folded.match.header.seats} | {len(found.points)} "
        f"| {len(verdicts)} | {verdicts.count('upheld')} | {verdicts.count('refuted')} "
        f"| {seconds[0]:.1f} | {three} | {seconds[-1]:.0f} |"
    )


def main() -> None:
    PAGE.write_text(replace_table(PAGE.read_text(), "times", shown(rows())))


if __name__ == "__main__":
    main()
