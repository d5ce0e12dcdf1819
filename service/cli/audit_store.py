"""Compare the store, the archive and the checkpoint log, for `shiplog audit --all`."""

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

import msgspec

from events.checkpoints.notes import BadNote, Checkpoint, Verifier, verified
from events.folder import Folder
from replay.audit import Evidence
from replay.committed import CommittedHeads, LeafKeys
from replay.report import Report
from service.cli.sources import MISUSED, Sources, stop
from service.process.audit_journal import Audited, deleted, without_records
from service.process.evidence import Planned, compared_evidence

LOG = "checkpoint log"
"""Name of the report about the checkpoint log itself."""
ABSENT = "checkpoint log: the match has no leaves yet"
NO_LOG = "checkpoint log: there is none (SHIPLOG_CHECKPOINTS)"


class StoreAudit:
    """What can only be found by looking at all logs together."""

    def __init__(self, source: Sources, saved: Sequence[Path]) -> None:
        """List the matches, and check the checkpoint log, which must extend the saved ones."""
        context = source.open()
        keys = source.keys or context.keys
        self._source = source
        live = set(source.matches(live=True))
        self.matches = source.matches()
        self._twice = live & source.archived()
        place = context.settings.checkpoints_place
        log = context.keys.checkpoint_signer(context.settings.checkpoint_origin).verifier
        self._committed: CommittedHeads | None = None
        if place is not None:
            leaf_keys = LeafKeys(
                lambda match: [keys.service_seed(match, name) for name in sorted(keys.ids)],
                keys.padding_secret,
            )
            checkpoints = [_saved(path, log) for path in saved]
            self._committed = CommittedHeads(Folder(place), log, leaf_keys, checkpoints)
        elif saved:
            stop(MISUSED, "There is no checkpoint log: set SHIPLOG_CHECKPOINTS.")

    def reports(self, audited: Collection[str]) -> Iterator[Report]:
        """Yield reports on the checkpoint log, and on each match whose log is gone.

        `audited` are matches that an earlier audit has seen.
        """
        committed = self._committed
        if committed is not None and committed.findings:
            yield without_records(LOG, *committed.findings)
        leaves = frozenset[str]() if committed is None else committed.matches
        for match in sorted((leaves | set(audited)) - set(self.matches)):
            if committed is not None and match in leaves:
                yield without_records(match, committed.deleted(match))
            else:
                yield without_records(match, deleted())

    def planned(self, match: str, audited: Audited | None = None) -> Planned:
        """Return what is known of a match before its log is read."""
        leaves = () if self._committed is None else self._committed.leaves(match)
        return Planned(match, leaves, match in self._twice, audited)

    def evidence(self, match: str) -> Evidence:
        """Return a log with what the archive and the checkpoint log say about it."""
        context = self._source.open()
        keys = self._source.keys or context.keys
        return self._source.run(compared_evidence(context, keys, self.planned(match)))

    def noted(self, report: Report) -> Report:
        """Add what could not be compared."""
        committed = self._committed
        if committed is not None and report.name in committed.matches:
            return report
        why = NO_LOG if committed is None else ABSENT
        return msgspec.structs.replace(report, unchecked=[*report.unchecked, why])


def _saved(path: Path, log: Verifier) -> Checkpoint:
    """Read a checkpoint that somebody kept. Exits if the log has not signed it."""
    try:
        return verified(path.read_bytes(), log)[0]
    except BadNote as error:
        stop(MISUSED, f"{path}: {error}.")
