"""Signed notes, checkpoints and cosignatures as specified by C2SP.

A checkpoint is a note of three lines: the origin of the log, the number of its leaves, and the
root in base64. The log signs it, and witnesses add cosignatures with the time at which they saw
it.
"""

from base64 import b64decode, b64encode
from binascii import Error as NotBase64
from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Literal, NamedTuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from events.signing import is_signed

NOTE, COSIGNATURE = 1, 4
"""Types of keys: Ed25519 signatures of notes, and Ed25519 cosignatures with a time."""
PROOF = "c2sp.org/tlog-proof@v1"
"""First line of a proof of inclusion."""
SIGNATURES_MAX = 100
"""Maximum number of signature lines in a note."""
NOTE_BYTES_MAX = 100_000
HASH_BYTES = 32
SIZE_MAX = 1 << 62
TIME_MAX = 1 << 62

KeyType = Literal[1, 4]


class BadNote(Exception):
    """Not a signed note, not a checkpoint, or not signed by the expected key."""


class BadKey(Exception):
    """Not a verifier key."""


class Verifier(NamedTuple):
    """A public key with its name."""

    name: str
    type: KeyType
    public: bytes

    @property
    def id(self) -> bytes:
        """The first four bytes of the signature lines of this key."""
        return key_id(self.name, self.type, self.public)

    def __str__(self) -> str:
        """Return the verifier key (vkey) in its text form."""
        kind = b64encode(bytes([self.type]) + self.public).decode()
        return f"{self.name}+{self.id.hex()}+{kind}"


class Signer:
    """A private key with its name."""

    def __init__(self, name: str, key: Ed25519PrivateKey, kind: KeyType = NOTE) -> None:
        """Sign as `name`, which has no space and no plus sign. Raises `BadKey`."""
        self._key = key
        self.verifier = Verifier(_checked_name(name), kind, key.public_key().public_bytes_raw())

    def sign(self, text: str) -> str:
        """Return the signature line of a note's text."""
        return _signature_line(self.verifier, self._key.sign(text.encode()))

    def cosign(self, text: str, seconds: int) -> str:
        """Return the cosignature line of a checkpoint that was seen at a time (Unix seconds)."""
        signature = self._key.sign(_cosigned(text, seconds))
        return _signature_line(self.verifier, seconds.to_bytes(8, "big") + signature)


class Signature(NamedTuple):
    """A signature line."""

    name: str
    id: bytes
    data: bytes

    def __str__(self) -> str:
        """Return the line without its line feed."""
        return f"— {self.name} {b64encode(self.id + self.data).decode()}"


class Note(NamedTuple):
    """A note: the signed text, and its signatures."""

    text: str
    signatures: tuple[Signature, ...]

    def encoded(self) -> bytes:
        """Return the bytes of the note."""
        return (self.text + "\n" + "".join(f"{line}\n" for line in self.signatures)).encode()


class Checkpoint(NamedTuple):
    """What a checkpoint says."""

    origin: str
    size: int
    """Number of leaves."""
    root: bytes

    @property
    def text(self) -> str:
        """The text that is signed."""
        return f"{self.origin}\n{self.size}\n{b64encode(self.root).decode()}\n"


def key_id(name: str, kind: int, public: bytes) -> bytes:
    """Return the id of a key."""
    return sha256(name.encode() + b"\n" + bytes([kind]) + public).digest()[:4]


def parse_vkey(text: str) -> Verifier:
    """Parse a verifier key: name, id and key, joined by plus signs. Raises `BadKey`."""
    try:
        name, id_, encoded = text.strip().split("+", 2)
        data = b64decode(encoded, validate=True)
    except (ValueError, NotBase64):
        raise BadKey(f"{text!r} is not a verifier key such as NAME+1234abcd+BASE64.") from None
    if len(data) != 1 + HASH_BYTES or data[0] not in (NOTE, COSIGNATURE):
        raise BadKey(f"{text!r} is not an Ed25519 key (type 01 or 04).")
    verifier = Verifier(_checked_name(name), NOTE if data[0] == NOTE else COSIGNATURE, data[1:])
    if verifier.id.hex() != id_:
        raise BadKey(f"{text!r} has the key id {id_}, expected {verifier.id.hex()}.")
    if str(verifier) != text.strip():
        raise BadKey(f"{text!r} is not in the standard form, expected {verifier}.")
    return verifier


def parse_note(data: bytes) -> Note:
    """Parse a signed note without verifying its signatures. Raises `BadNote`."""
    try:
        text = data.decode() if len(data) <= NOTE_BYTES_MAX else ""
    except UnicodeDecodeError:
        raise BadNote("the note is not text in UTF-8") from None
    body, blank, lines = text.rpartition("\n\n")
    if not blank or not lines.endswith("\n") or any(c < " " and c != "\n" for c in text):
        raise BadNote("the note has no signatures, or is cut short, too long, or malformed")
    signatures = tuple(map(_parsed_signature, lines[:-1].split("\n")))
    if len(signatures) > SIGNATURES_MAX:
        raise BadNote(f"the note has more than {SIGNATURES_MAX} signatures")
    return Note(body + "\n", signatures)


def parse_checkpoint(text: str) -> Checkpoint:
    """Parse the text of a checkpoint. Extension lines are ignored. Raises `BadNote`."""
    origin, size, encoded, *_ = [*text.split("\n"), "", "", ""]
    try:
        checkpoint = Checkpoint(origin, int(size), b64decode(encoded, validate=True))
    except (ValueError, NotBase64):
        raise BadNote("the note is not a checkpoint") from None
    if (
        not origin
        or not 0 <= checkpoint.size < SIZE_MAX
        or len(checkpoint.root) != HASH_BYTES
        or not text.startswith(checkpoint.text)
    ):
        raise BadNote("the note is not a checkpoint")
    return checkpoint


def verified(data: bytes, log: Verifier) -> tuple[Checkpoint, Note]:
    """Parse a checkpoint and verify the signature of its log. Raises `BadNote`.

    Signatures of other keys are ignored.
    """
    note = parse_note(data)
    checkpoint = parse_checkpoint(note.text)
    if checkpoint.origin != log.name:
        raise BadNote(f"the checkpoint is of {checkpoint.origin!r}, expected {log.name!r}")
    own = [one for one in note.signatures if (one.name, one.id) == (log.name, log.id)]
    if not own:
        raise BadNote(f"the checkpoint is not signed by {log}")
    if not all(is_signed(log.public, one.data, note.text.encode()) for one in own):
        raise BadNote(f"the signature of {log} is not valid")
    return checkpoint, note


def cosigned_at(note: Note, witness: Verifier) -> int | None:
    """Return the time at which a witness saw a checkpoint (Unix seconds), or None if it did not.

    Raises `BadNote` if the cosignature is not valid.
    """
    seen: int | None = None
    for one in note.signatures:
        if (one.name, one.id) != (witness.name, witness.id):
            continue
        seconds = int.from_bytes(one.data[:8], "big")
        if seconds >= TIME_MAX or not is_signed(
            witness.public, one.data[8:], _cosigned(note.text, seconds)
        ):
            raise BadNote(f"the cosignature of {witness} is not valid")
        seen = max(seen or 0, seconds)
    return seen


def signed(text: str, lines: Iterable[str]) -> bytes:
    """Return the bytes of a note from its text and its signature lines."""
    return (text + "\n" + "".join(f"{line}\n" for line in lines)).encode()


def proof_text(extra: bytes, index: int, proof: Sequence[bytes], checkpoint: bytes) -> bytes:
    """Return a proof of inclusion for offline use (`c2sp.org/tlog-proof@v1`)."""
    lines = [
        PROOF,
        f"extra {b64encode(extra).decode()}",
        f"index {index}",
        *(b64encode(hash_).decode() for hash_ in proof),
    ]
    return "\n".join(lines).encode() + b"\n\n" + checkpoint


class Proof(NamedTuple):
    """A proof of inclusion for offline use."""

    extra: bytes
    """What the leaf commits to."""
    place: int
    """Index of the leaf."""
    hashes: list[bytes]
    checkpoint: bytes
    """The signed note."""


def parse_proof(data: bytes) -> Proof:
    """Parse a proof of inclusion as `proof_text` returns it. Raises `BadNote`."""
    head, _, checkpoint = data.partition(b"\n\n")
    try:
        first, extra, index, *hashes = head.decode("ascii").split("\n")
        proof = Proof(
            b64decode(extra.removeprefix("extra "), validate=True),
            int(index.removeprefix("index ")),
            [b64decode(line, validate=True) for line in hashes],
            checkpoint,
        )
    except ValueError:
        raise BadNote("the proof is not in the form of tlog-proof") from None
    if first != PROOF or proof_text(*proof) != data:
        raise BadNote("the proof is not in the form of tlog-proof")
    return proof


def _parsed_signature(line: str) -> Signature:
    try:
        dash, name, encoded = line.split(" ")
        data = b64decode(encoded, validate=True)
    except (ValueError, NotBase64):
        raise BadNote(f"{line!r} is not a signature line") from None
    if dash != "—" or not name or "+" in name or len(data) <= 4:
        raise BadNote(f"{line!r} is not a signature line")
    return Signature(name, data[:4], data[4:])


def _signature_line(verifier: Verifier, data: bytes) -> str:
    return str(Signature(verifier.name, verifier.id, data))


def _cosigned(text: str, seconds: int) -> bytes:
    return f"cosignature/v1\ntime {seconds}\n{text}".encode()


def _checked_name(name: str) -> str:
    if not name or "+" in name or any(char.isspace() for char in name):
        raise BadKey(f"Key name {name!r} must not be empty, and has no space and no plus sign.")
    return name
