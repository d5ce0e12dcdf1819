"""What an audit is given: a log, and everything else that is known about the match."""

from collections.abc import Mapping, Sequence

import msgspec

from events.chain import Head
from events.checkpoints.leaves import PlacedLeaf
from events.receipts import Receipt
from projections.folded import Viewer
from replay.report import Finding


class Evidence(msgspec.Struct, frozen=True):
    """The log to audit, and everything else that is known about the match."""

    name: str
    """Name for the report: a match's id or a file."""
    lines: Sequence[bytes]
    """Bytes of the records."""
    match: str | None = None
    """The id under which the log was found."""
    head: Head | None = None
    """A signed head, such as the last line of an export."""
    parent: Sequence[bytes] = ()
    """For a branch, the log of its parent. Empty if it is not known."""
    secret: bytes = b""
    """The service seed. Empty if it is not known from elsewhere than the log."""
    own: bool = False
    """Whether the log comes from the store of the service that is auditing. While the secret is
    not revealed, digests are as good as a signature: nobody else can make them."""
    leaves: Sequence[PlacedLeaf] | None = None
    """The leaves of the match that are in the checkpoint log. None if the log is not at hand: only
    errata and the head of a revoked key need it."""
    receipts: Sequence[Receipt] = ()
    """Receipts that players were given."""
    transcripts: Mapping[Viewer, Sequence[bytes]] = {}
    """The records that each viewer was sent, in JSON."""
    row: bytes | None = None
    """The match's row in the projections, empty if there is none. None skips this check."""
    findings: Sequence[Finding] = ()
    """Findings from reading the log."""
    errata: Sequence[bytes] = ()
    """The lines of the errata of the match."""
