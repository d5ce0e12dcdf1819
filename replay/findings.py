"""The findings of an audit: first causes apart from what only follows from them.

An audit goes on with the recorded events of a record that it finds wrong. If the record's digest
then fits, both worlds agree again. Otherwise the state may differ from the recorded one, and what
depends on the state may be wrong only for that reason. Without digests (format 1, or before the
match ends) nothing shows that the worlds agree again.
"""

from collections.abc import Iterable

import msgspec

from replay.report import Finding, Rule

FINDINGS_MAX = 100
"""Maximum number of first causes in a report, and of the findings that follow."""

PARTING: frozenset[Rule] = frozenset(("sender", "decision", "timeout", "events", "digest"))
"""Rules about what a command does to the state: after a record that breaks one, it may differ."""

DEPENDENT: frozenset[Rule] = PARTING | frozenset[Rule](("fold", "redaction", "projection"))
"""Rules that a record may break only because the state before it differs."""


class Findings:
    """Findings in the order of the log."""

    def __init__(self, first: Iterable[Finding]) -> None:
        """Start with findings that are known before the log is read."""
        self.listed: list[Finding] = []
        self.unlisted = 0
        """Number of findings beyond the maximum."""
        self._parted = 0
        """First record after which the worlds may differ. 0 while they agree."""
        self._doubted = 0
        """First record with a finding that no later digest has confirmed. 0 if there is none."""
        self._counts = [0, 0]
        """Number of listed first causes, and of those that follow."""
        self.extend(first)

    def add(self, finding: Finding) -> None:
        """Add a finding, and name its cause if an earlier finding may be the only reason."""
        if cause := self._cause(finding):
            finding = msgspec.structs.replace(finding, caused_by=cause)
        elif finding.rule in PARTING and not self._parted:
            self._parted = finding.record
        if finding.caused_by is None:
            self._doubted = self._doubted or finding.record
        follows = finding.caused_by is not None
        if self._counts[follows] < FINDINGS_MAX:
            self._counts[follows] += 1
            self.listed.append(finding)
        else:
            self.unlisted += 1

    def extend(self, findings: Iterable[Finding]) -> None:
        """Add findings in their order."""
        for finding in findings:
            self.add(finding)

    def agree(self, record: int) -> None:
        """Note that the digest of a record fits.

        The state after the record is the recorded one, and the records before were not changed.
        """
        self._parted = 0
        last = self.listed[-1] if self.listed else None
        own = last is not None and last.record == record and last.caused_by is None
        self._doubted = record if own else 0

    def _cause(self, finding: Finding) -> int:
        """Return the record whose finding may be the only reason for another one, or 0."""
        if finding.rule == "digest":
            return self._parted or self._doubted
        same = self._parted == finding.record and finding.rule != "fold"
        return self._parted if finding.rule in DEPENDENT and not same else 0
