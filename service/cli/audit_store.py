"""Compare the store, the archive and the checkpoint log, for `shiplog audit --all`."""

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

import msgspec

from events.backup import Backup, BadBackup, SavedMatch
from events.checkpoints.notes import BadNote, Checkpoint, Verifier, verified
from events.folder import Folder
from replay.committed import CommittedHeads, deleted
from replay.evidence import Evidence
from replay.report import Report
from service.base.keys import Keys
from service.cli.output import MISUSED, stop
from service.cli.sources import Sources
from service.process.audit_checkpoints import leaf_keys
from service.process.audit_journal import Audited, forgotten, without_records
from service.process.evidence import Planned, compared_evidence, lost_since

LOG = "checkpoint log"
"""Name of the report about the checkpoint log itself."""
ABSENT = "checkpoint log: the match has no leaves yet"
NO_LOG = "checkpoint log: there is none (SHIPLOG_CHECKPOINTS)"


class StoreAudit:
    """What can only be found by looking at all logs together."""

    def __init__(self, source: Sources, saved: Sequence[Path], against: Path | None) -> None:
        """List the matches, and check the checkpoint log, which must extend the saved ones.

        All logs must extend those of the backup `against`.
        """
        context = source.open()
        keys = source.keys or context.keys
        self._source = source
        live = set(source.matches(live=True))
        self.matches = source.matches()
        self._twice = live & source.archived()
        self._backup = {} if against is None else _matches_of(against, keys)
        place = context.settings.checkpoints_place
        log = context.keys.checkpoint_signer(context.settings.checkpoint_origin).verifier
        self._committed: CommittedHeads | None = None
        if place is not None:
            checkpoints = [_saved(path, log) for path in saved]
            self._committed = CommittedHeads(Folder(place), log, leaf_keys(keys), checkpoints)
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
        known = leaves | set(audited) | self._backup.keys()
        for match in sorted(known - set(self.matches)):
            if (saved := self._backup.get(match)) is not None:
                yield without_records(match, *lost_since(saved, ()))
            elif committed is not None and match in leaves:
                yield without_records(match, deleted(committed.leaves(match)))
            else:
                yield without_records(match, forgotten())

    def planned(self, match: str, audited: Audited | None = None) -> Planned:
        """Return what is known of a match before its log is read."""
        committed = self._committed
        leaves = None if committed is None or not committed.size else committed.leaves(match)
        saved = self._backup.get(match)
        return Planned(match, leaves, match in self._twice, audited, saved)

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


def _matches_of(folder: Path, keys: Keys) -> dict[str, SavedMatch]:
    """Read which matches a backup has. Exits if this service did not sign it."""
    try:
        manifest = Backup(folder).manifest(keys.ring)
    except BadBackup as error:
        stop(MISUSED, f"{folder}: {error}")
    return {saved.match: saved for saved in manifest.matches}


def _saved(path: Path, log: Verifier) -> Checkpoint:
    """Read a checkpoint that somebody kept. Exits if the log has not signed it."""
    try:
        return verified(path.read_bytes(), log)[0]
    except BadNote as error:
        stop(MISUSED, f"{path}: {error}.")
