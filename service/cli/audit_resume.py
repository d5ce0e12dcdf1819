"""`shiplog audit --resume`: skip the logs that an earlier audit has seen."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from replay.evidence import Evidence
from replay.report import Report, Verdict
from service.cli.output import MISUSED, stop
from service.process.audit_journal import Audited, BadJournal, Journal, changed


class Resumed:
    """The logs that an earlier audit has seen, if it is resumed."""

    def __init__(self, journal: Journal | None) -> None:
        """Skip the logs of a journal, if there is one."""
        self._journal = journal
        self.audited: Mapping[str, Audited] = {} if journal is None else dict(journal.audited)
        self.skipped = 0
        self.verdicts: Counter[Verdict] = Counter()
        """Verdicts on the skipped logs."""

    def changed(self, logs: Iterable[Evidence]) -> Iterator[Evidence]:
        """Yield the logs that are not as they were audited. Add what contradicts the journal."""
        for log in logs:
            if (new := changed(log, self.audited.get(log.name))) is None:
                self._skip(log.name)
            else:
                yield new

    def reports(self, reports: Iterable[tuple[str, Report | None]]) -> Iterator[Report]:
        """Yield the reports, except those that are None because the log is as it was audited."""
        for name, report in reports:
            if report is None:
                self._skip(name)
            else:
                yield report

    def note(self, report: Report) -> None:
        """Add a report to the journal, if there is one."""
        if self._journal is not None:
            self._journal.add(report)

    def _skip(self, name: str) -> None:
        self.skipped += 1
        self.verdicts[self.audited[name].verdict] += 1


@contextmanager
def resumed_from(path: Path | None) -> Iterator[Resumed]:
    """Open the journal of an earlier audit, if there is one. Exits if the file is no journal."""
    if path is None:
        yield Resumed(None)
        return
    try:
        journal = Journal(path)
    except BadJournal as error:
        stop(MISUSED, error)
    with journal:
        yield Resumed(journal)
