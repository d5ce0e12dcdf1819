"""Read the logs of a service for an audit, with everything that its secrets and stores add."""

from collections.abc import Iterator, Sequence

import msgspec

from events.archive import NotArchived
from events.backup import SavedMatch
from events.chain import Head
from events.checkpoints.leaves import PlacedLeaf
from events.codec import Unreadable, unseal_header
from events.store import Store
from events.tiered_store import TieredStore
from replay.committed import compare
from replay.evidence import Evidence
from replay.report import Finding, difference
from replay.surface import heads_of
from service.base.keys import Keys
from service.base.settings import Settings
from service.play.errata import committed_leaves, secret_of
from service.play.listings import row_of
from service.process.audit_journal import Audited
from service.process.context import Context


class Planned(msgspec.Struct, frozen=True):
    """A match to audit, with what is known of it before its log is read."""

    match: str
    leaves: Sequence[PlacedLeaf] | None = None
    """Its leaves in the checkpoint log. None if there is no such log."""
    is_twice: bool = False
    """Whether it is both in the live store and in the archive."""
    audited: Audited | None = None
    """What the journal knows of it."""
    saved: SavedMatch | None = None
    """The match in a backup, which its log must extend."""


async def compared_evidence(context: Context, keys: Keys, planned: Planned) -> Evidence:
    """Return the log of a match, with what archive and checkpoint log say about it.

    Raises `Unavailable`, `OSError`.
    """
    match, store = planned.match, context.store
    try:
        lines = await store.read(match)
        evidence = await stored_evidence(store, keys, context.settings, match, lines)
        archived = await store.archive.read(match) if planned.is_twice and store.archive else None
    except NotArchived as error:
        return damaged_evidence(match, error)
    found = list(compare(planned.leaves or (), lines, evidence.errata))
    if planned.saved is not None:
        found += lost_since(planned.saved, lines)
    if archived is not None:
        found += _difference(archived, lines)
    row = await row_of(context.work, match)
    return msgspec.structs.replace(evidence, row=row, leaves=planned.leaves, findings=found)


def lost_since(saved: SavedMatch, lines: Sequence[bytes]) -> Iterator[Finding]:
    """Yield the finding if a log does not extend that of a backup."""
    heads = heads_of(lines)
    if not heads:
        why = "the log is in neither the store nor the archive, but the backup has"
        yield Finding("deleted", 0, f"{why} {saved.version} records of it")
    elif saved.version > len(heads):
        why = f"the log ends at {len(heads)}, but the backup has record {saved.version}"
        yield Finding("cut", len(heads), why)
    elif heads[saved.version - 1] != saved.head:
        why = "the hash is not that of the record in the backup"
        actual = heads[saved.version - 1]
        yield difference("rewritten", saved.version, why, "/head", saved.head, actual)


def _difference(archived: Sequence[bytes], lines: Sequence[bytes]) -> Iterator[Finding]:
    """Compare the archive's log with the store's."""
    pairs = zip(archived, lines, strict=False)
    same = next((at for at, (one, other) in enumerate(pairs) if one != other), None)
    if same is not None:
        why = "the store and the archive have different records"
        yield Finding("archive", same + 1, why)
    elif len(archived) < len(lines):
        why = f"the archive ends at {len(archived)}, the store at {len(lines)}"
        yield Finding("archive", len(archived) + 1, why)


async def stored_evidence(
    store: TieredStore, keys: Keys, settings: Settings, match: str, lines: Sequence[bytes]
) -> Evidence:
    """Return the log of a match for an audit. Raises `Unavailable`."""
    parent = await parent_of(store, lines)
    head = await store.head(match, len(lines))
    secret = secret_of(keys, lines)
    errata = await store.errata(match)
    leaves = None
    if errata or is_revoked(keys, head):
        leaves = await committed_leaves(settings, keys, match, secret)
    return Evidence(
        match,
        lines,
        match=match,
        head=head,
        secret=secret,
        own=True,
        leaves=leaves,
        parent=parent,
        errata=errata,
    )


def damaged_evidence(match: str, error: NotArchived) -> Evidence:
    """Return the evidence of a match whose file in the archive is damaged: only this finding."""
    return Evidence(match, (), match=match, findings=(damaged_file(error),))


def damaged_file(error: NotArchived) -> Finding:
    """Return the finding about a damaged file in the archive."""
    return Finding("file", 0, str(error))


def is_revoked(keys: Keys, head: Head | None) -> bool:
    """Return whether a head was signed by a key that was revoked later."""
    key = None if head is None else keys.ring.find(head.service)
    return key is not None and key.revoked is not None


async def parent_of(store: Store, lines: Sequence[bytes]) -> list[bytes]:
    """Return the log of a branch's parent; [] for other matches. Raises `Unavailable`."""
    try:
        fork = unseal_header(lines[0]).events[0].branch
    except (Unreadable, IndexError):
        return []
    return [] if fork is None else await store.read(fork.parent)
