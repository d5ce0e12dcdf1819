"""A witness: follows the checkpoints of a log, and cosigns those that only extend the last one.

What a witness saw last is on disk before it cosigns. So a log that shows it two histories is found,
and the two checkpoints prove it to everybody.
"""

from base64 import b64decode, b64encode
from binascii import Error as NotBase64
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from events.checkpoints.merkle import ProofFailed, verify_consistency
from events.checkpoints.notes import (
    BadNote,
    Checkpoint,
    Signer,
    Verifier,
    parse_checkpoint,
    parse_note,
    signed,
    verified,
)
from events.folder import Folder, write_synced

LATEST = "latest"
PROOF_MAX = 63
"""Maximum number of hashes in a proof that is given to `add_checkpoint`."""


class Alarm(Exception):
    """The log broke its promise. The evidence has been stored."""

    def __init__(self, kind: str, why: str, evidence: Sequence[Path]) -> None:
        """Create an alarm: `fork` or `rollback`, with the files that prove it."""
        super().__init__(why)
        self.kind = kind
        self.why = why
        self.evidence = tuple(evidence)


Prove = Callable[[int, Checkpoint], Sequence[bytes]]
"""Returns the log's proof that the tree of a checkpoint extends that of a smaller size."""


class Answer(NamedTuple):
    """An answer to `add-checkpoint`."""

    status: int
    body: str
    media_type: str = "text/plain"


class Witness:
    """Remembers the last checkpoint of a log in a folder of this machine."""

    def __init__(self, folder: Path, log: Verifier, signer: Signer) -> None:
        """Continue with what the folder has. Raises `BadNote` if it is of another log."""
        self.log = log
        self.signer = signer
        self._path = folder
        self._folder = Folder(folder)
        data = self._folder.read(LATEST)
        self.latest: Checkpoint | None = None if data is None else verified(data, log)[0]

    def see(self, data: bytes, seconds: int, prove: Prove) -> str:
        """Check a checkpoint, remember it, and return the cosignature.

        `seconds` is the time of the cosignature (Unix seconds). Raises `BadNote`, `Alarm`,
        `Swapped` if another process used the folder, and what `prove` raises.
        """
        checkpoint, note = verified(data, self.log)
        stored = self._folder.read(LATEST)
        old = None if stored is None else verified(stored, self.log)[0]
        log = (self.log.name, self.log.id)
        own = next(str(one) for one in note.signatures if (one.name, one.id) == log)
        # Lines of others are not kept. Anybody can add them, until the note is too long to be read.
        if old is not None and stored is not None:
            self._check(old, stored, checkpoint, signed(note.text, [own]), prove)
        line = self.signer.cosign(note.text, seconds)
        self._folder.swap(LATEST, stored, signed(note.text, [own, line]))
        self.latest = checkpoint
        return line

    def add_checkpoint(self, body: bytes, seconds: int) -> Answer:
        """Answer `POST /add-checkpoint` as C2SP's tlog-witness has it. Raises `Swapped`."""
        head, blank, data = body.partition(b"\n\n")
        try:
            first, *hashes = head.decode("ascii").split("\n")
            old = int(first.removeprefix("old ")) if first.startswith("old ") else -1
            proof = [b64decode(line, validate=True) for line in hashes]
            origin = parse_checkpoint(parse_note(data).text).origin
        except (ValueError, NotBase64, BadNote):
            return Answer(400, "The body is not a request to cosign a checkpoint.\n")
        if old < 0 or not blank or len(proof) > PROOF_MAX:
            return Answer(400, "The body is not a request to cosign a checkpoint.\n")
        if origin != self.log.name:
            return Answer(404, f"Unknown log {origin}.\n")
        try:
            new = verified(data, self.log)[0]
        except BadNote as error:
            return Answer(403, f"{error}\n")
        stored = self._folder.read(LATEST)
        known = None if stored is None else verified(stored, self.log)[0]
        size = 0 if known is None else known.size
        if old > new.size:
            return Answer(400, f"The old size {old} is above the new size {new.size}.\n")
        if old != size:
            return Answer(409, f"{size}\n", "text/x.tlog.size")
        try:
            if known is not None and 0 < size < new.size:
                verify_consistency(size, new.size, proof, known.root, new.root)
            return Answer(200, self.see(data, seconds, lambda _old, _new: proof) + "\n")
        except ProofFailed as error:
            # Not evidence of a fork: anybody can send a wrong proof.
            return Answer(422, f"The proof is wrong: {error}.\n")
        except Alarm as alarm:
            return Answer(422, f"{alarm.why}\n")

    def cosigned(self) -> bytes | None:
        """Return the last checkpoint with its cosignature, or None before the first one."""
        return self._folder.read(LATEST)

    def _check(
        self, old: Checkpoint, stored: bytes, new: Checkpoint, data: bytes, prove: Prove
    ) -> None:
        if new.size < old.size:
            why = f"size {new.size} after size {old.size}"
            raise Alarm("rollback", f"The log went back: {why}.", self._keep(stored, data))
        if old.size == 0:
            return
        proof = () if old.size == new.size else prove(old.size, new)
        try:
            verify_consistency(old.size, new.size, proof, old.root, new.root)
        except ProofFailed as error:
            told = "".join(f"{b64encode(hash_).decode()}\n" for hash_ in proof).encode()
            kept = self._keep(stored, data, *(filter(None, [told])))
            raise Alarm("fork", f"The log forked: {error}.", kept) from None

    def _keep(self, *notes: bytes) -> list[Path]:
        """Store the checkpoints that contradict each other, and return their files."""
        paths: list[Path] = []
        for data in notes:
            path = self._path / "evidence" / sha256(data).hexdigest()[:16]
            write_synced(path, data)
            paths.append(path)
        return paths
