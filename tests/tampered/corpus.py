"""The whole corpus: every forgery of a match of every game, where the game allows it."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from games import GAMES
from replay.report import Report
from tests.tampered import errata, files, records
from tests.tampered.files import Forgery
from tests.tampered.origin import FOLDERS, KEY, origins

SPELLED = "tranquility"
"""The game whose files and lines are also written in other bytes, which are the same in all."""


class Tampered(msgspec.Struct, frozen=True):
    """A tampered file, and what every audit must say of it."""

    name: str
    game: str
    format: int
    record: int
    """The first record that must be named. 0 stands for the file."""
    checks: Sequence[str]
    """Checks of which one must fail there."""
    blind: bool
    """Whether only the rules of the game tell."""
    data: bytes

    def differs(self, named: Sequence[tuple[int, str]]) -> str | None:
        """Compare with the findings of an audit, as (record, check); None if it finds the same."""
        first = min((record for record, _ in named if record), default=0)
        checks = {check for record, check in named if record == self.record}
        if (self.record and first != self.record) or not checks & {*self.checks}:
            expected = " or ".join(self.checks)
            return f"{self.name}: expected {expected} at {self.record}, found {named[:4]}"
        return None


def corpus() -> list[Tampered]:
    """Forge all files, the same at every call."""
    return [
        Tampered(f"{slug}-{number}-{one.name}", slug, number, one.record, sorted(one.checks),
                 one.blind, one.data)
        for slug in GAMES
        for number in FOLDERS
        for one in _forged(slug, number)
    ]  # fmt: skip


def _forged(slug: str, record_format: int) -> Iterator[Forgery]:
    matches = origins(slug, record_format)
    everywhere = (*files.FORGERS, *errata.FORGERS) if slug == SPELLED else ()
    for forger in (*everywhere, *records.FORGERS):
        yield from forger(matches[0])
    if slug == SPELLED:
        yield from records.spelling(matches[0])
        yield from records.nested(matches[0])
    for forger in records.RARE:
        yield from next(filter(None, (list(forger(origin)) for origin in matches)), ())


STRANGER = "signature: signed with key"


def named(report: Report) -> list[tuple[int, str]]:
    """Return the findings of an audit as (record, check), and an unknown signer as the log's."""
    stranger = any(gap.startswith(STRANGER) for gap in report.unchecked)
    found = [(finding.record, finding.rule) for finding in report.findings]
    return [(0, "signature"), *found] if stranger and not found else found


def write(folder: Path) -> list[Tampered]:
    """Write all files, and `expected.json` with what must be said of them."""
    folder.mkdir(parents=True, exist_ok=True)
    tampered = corpus()
    for one in tampered:
        (folder / f"{one.name}.jsonl").write_bytes(one.data)
    fields = [name for name in Tampered.__struct_fields__ if name != "data"]
    expected: Mapping[str, object] = {
        "key": KEY,
        "files": [{name: getattr(one, name) for name in fields} for one in tampered],
    }
    (folder / "expected.json").write_bytes(msgspec.json.encode(expected))
    return tampered
