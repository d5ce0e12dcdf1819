"""Check the checkpoint log as it grows, for `shiplog audit --follow`.

The tree up to the last leaf that was checked is kept in a file beside the journal. The log must
extend it, so after a restart only what is new is looked at.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import structlog

from events.checkpoints.leaves import PlacedLeaf
from events.checkpoints.notes import BadNote, Checkpoint, Verifier, parse_checkpoint
from events.folder import Folder, write_synced
from replay.committed import CommittedHeads, LeafKeys
from service.base import metrics
from service.base.keys import Keys
from service.base.settings import Settings
from service.process.audit_journal import BadJournal

LOOK_S = 30.0
"""Interval at which the log is looked at (seconds)."""
LEAVES_MAX = 10_000
"""Maximum number of leaves that are looked at together."""

Agrees = Callable[[str, Sequence[PlacedLeaf]], Awaitable[bool]]
"""Returns whether the log of a match has what its leaves commit to."""

log = structlog.get_logger("shiplog")


def leaf_keys(keys: Keys) -> LeafKeys:
    """Return what opens the leaves of an installation."""
    return LeafKeys(
        lambda match: [keys.service_seed(match, name) for name in sorted(keys.ids)],
        keys.padding_secret,
    )


class FollowedLog:
    """A checkpoint log, and how far it has been checked."""

    def __init__(self, place: str, verifier: Verifier, keys: LeafKeys, path: Path) -> None:
        """Go on after the tree that a file has. Raises `BadJournal`, `NoSuchPlace`, `OSError`."""
        self._folder = Folder(place)
        self._verifier = verifier
        self._keys = keys
        self._path = path
        self._checked: Checkpoint | None = None
        self._findings = 0
        """Number of findings about the log itself at the last look."""
        self._look_at = 0.0
        self.contradicted: dict[str, list[PlacedLeaf]] = {}
        """Leaves of the matches whose logs contradict them."""
        if path.exists():
            try:
                self._checked = parse_checkpoint(path.read_text())
            except (BadNote, UnicodeDecodeError):
                raise BadJournal(f"{path} is not the text of a checkpoint.") from None

    async def step(self, now: float, agrees: Agrees) -> list[str]:
        """Check what was added to the log. Return the matches whose logs contradict it.

        How far the log was checked is kept only while all is well, so that a restart finds again
        what is wrong. Raises `OSError`, `Unavailable`.
        """
        if now < self._look_at:
            return []
        self._look_at = now + LOOK_S
        if self._checked is not None and not self._findings and not self.contradicted:
            await asyncio.to_thread(write_synced, self._path, self._checked.text.encode())
        found: list[str] = []
        leaves = await asyncio.to_thread(self._look)
        for match, some in leaves.items():
            if not await agrees(match, some):
                self.contradicted.setdefault(match, []).extend(some)
                found.append(match)
        if leaves:
            self._look_at = now
        metrics.AUDIT_LEAF_FINDINGS.set(self._findings + len(self.contradicted))
        return found

    def _look(self) -> dict[str, list[PlacedLeaf]]:
        """Check the next leaves, and return them by match.

        What is wrong with the log itself becomes log lines, and nothing is returned.
        """
        seen = self._checked
        start = 0 if seen is None else seen.size
        some = slice(start, start + LEAVES_MAX)
        saved = () if seen is None else (seen,)
        committed = CommittedHeads(self._folder, self._verifier, self._keys, saved, some)
        self._findings = len(committed.findings)
        for finding in committed.findings:
            log.error("audit", rule=finding.rule, why=finding.message)
        if committed.findings or committed.checked is None:
            return {}
        self._checked = committed.checked
        metrics.AUDIT_LEAVES.set(self._checked.size)
        return {match: committed.leaves(match) for match in committed.matches}


def followed_log(settings: Settings, keys: Keys, journal: Path) -> FollowedLog | None:
    """Return the checkpoint log of a service, if it has one.

    How far it was checked is kept beside the journal. Raises what `FollowedLog` raises.
    """
    if (place := settings.checkpoints_place) is None:
        return None
    verifier = keys.checkpoint_signer(settings.checkpoint_origin).verifier
    return FollowedLog(place, verifier, leaf_keys(keys), journal.with_suffix(".checkpoint"))
