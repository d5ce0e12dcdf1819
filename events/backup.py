"""A backup: a folder with the logs of all matches, the players' records and a signed manifest.

    manifest.json       contents and origin of the backup
    manifest.sig        Ed25519 signature over manifest.json, in hex
    matches/            one compressed file per match with a signed head, as in `events.archive`
    damaged/            logs whose hash chain is broken, copied as they are
    secrets.json        only if requested
    players.jsonl.zst   one line per player: id and record
    talk.jsonl.zst      one line per match with talk: id and messages

A backup contains the hidden cards of running matches. Protect it like the logs.
"""

import os
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path

import msgspec
import zstandard

from events import file
from events.archive import ArchiveStore, NotArchived
from events.chain import ChainBroken, Head, follow, message
from events.codec import MALFORMED
from events.keyring import NO_KEYS, Keyring, is_signed_by
from events.signing import is_signed
from events.store import Unavailable

FORMAT = 2
READABLE = (1, 2)
"""Formats that are read. Format 1 has no talk."""
MANIFEST, SIGNATURE = "manifest.json", "manifest.sig"
PLAYERS, TALK = "players.jsonl.zst", "talk.jsonl.zst"
MATCHES, DAMAGED = "matches", "damaged"
SECRETS = "secrets.json"
"""Present only if it was requested."""
DOMAIN = b"shiplog-backup-1\n"
"""Prefix of the signed bytes, so that the signature is valid for a manifest only."""


class BadBackup(Exception):
    """Not a backup of this service, or an incomplete or changed one. The message says why."""


class SavedMatch(msgspec.Struct, frozen=True, omit_defaults=True):
    """A match in a backup."""

    match: str
    version: int
    head: str
    """SHA-256 of the last record's bytes, in hex. Through the chain it covers all records."""
    errata_sha256: str = ""
    """SHA-256 of the lines of its errata, in hex. Empty if there are none."""
    archived: bool = False
    """Whether the match was in the archive only, so that its log is final."""


class Damage(msgspec.Struct, frozen=True):
    """A match whose hash chain was broken when it was saved."""

    match: str
    version: int
    why: str


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The list of everything in a backup."""

    format: int
    begun: str
    """Start of the backup. It contains everything that was acknowledged before."""
    ended: str
    release: str
    """Release of Shiplog that made the backup."""
    service: str
    """Id of the signing key."""
    keys: tuple[str, ...]
    """Ids of the master keys that the matches need. The keys themselves are not included."""
    rules: dict[str, int]
    """Newest rules version of each game in that release."""
    settings: dict[str, str]
    """Settings that differed from the default, except addresses, paths and secrets."""
    players: int
    """Number of players."""
    players_sha256: str
    """SHA-256 of the players' file, in hex."""
    matches: tuple[SavedMatch, ...]
    damaged: tuple[Damage, ...]
    talk: int = 0
    """Number of matches with talk."""
    talk_sha256: str = ""
    """SHA-256 of the file of the talk, in hex. Empty in format 1."""


class SavedPlayer(msgspec.Struct, frozen=True):
    """A player in a backup."""

    player: str
    record: msgspec.Raw


class SavedTalk(msgspec.Struct, frozen=True):
    """The talk of a match in a backup."""

    match: str
    messages: msgspec.Raw


class Backup:
    """The folder of a backup."""

    def __init__(self, folder: Path) -> None:
        """Use a folder, which must exist before anything is saved."""
        self.folder = folder
        self.matches = ArchiveStore(folder / MATCHES, name="backup")

    async def save(self, lines: Sequence[bytes], head: Head, before: "Backup | None") -> None:
        """Save the log of a match. An unchanged file of an earlier backup is shared.

        Raises `BadBackup` if that file is damaged.
        """
        if before is not None and await before.head(head.match) == head:
            self.matches.share(before.matches, head.match)
        await self.matches.store(head.match, lines, head)

    async def head(self, match: str) -> Head | None:
        """Return the head of a saved log; raises `BadBackup` if its file is damaged."""
        try:
            return await self.matches.head(match)
        except NotArchived as error:
            raise BadBackup(str(error)) from None

    async def share(self, before: "Backup", saved: SavedMatch) -> bytes:
        """Share the file of an earlier backup, after a check; return the first record.

        Raises `BadBackup`.
        """
        (header, *_) = await before.log(saved)
        self.matches.share(before.matches, saved.match)
        return header

    def save_damaged(self, match: str, lines: Sequence[bytes]) -> None:
        """Save a damaged log as it is."""
        path = self.folder / DAMAGED / f"{match}.jsonl"
        path.parent.mkdir(mode=0o700, exist_ok=True)
        _create(path, file.write(lines, None))

    def save_players(self, players: Sequence[tuple[str, bytes]]) -> str:
        """Save the players' records, and return the SHA-256 of the file in hex."""
        return self._save_lines(
            PLAYERS, [SavedPlayer(player, msgspec.Raw(data)) for player, data in players]
        )

    def save_talk(self, talk: Sequence[tuple[str, bytes]]) -> str:
        """Save the talk of matches, and return the SHA-256 of the file in hex."""
        return self._save_lines(TALK, [SavedTalk(match, msgspec.Raw(data)) for match, data in talk])

    def seal(self, manifest: Manifest, signature: bytes) -> None:
        """Write the manifest and its signature, which completes the backup."""
        _create(self.folder / SIGNATURE, signature.hex().encode() + b"\n")
        _create(self.folder / MANIFEST, encoded(manifest))

    def manifest(self, keys: Keyring) -> Manifest:
        """Read the manifest and check that the key that it names signed it. Raises `BadBackup`.

        The key may have been revoked since. Whoever stole it can date a manifest back.
        """
        try:
            data = (self.folder / MANIFEST).read_bytes()
            signature = bytes.fromhex((self.folder / SIGNATURE).read_text().strip())
        except FileNotFoundError as error:
            why = f"{error.filename} is missing. The folder is not a backup, or it is incomplete."
            raise BadBackup(why) from None
        except ValueError:
            raise BadBackup(f"{self.folder / SIGNATURE} is not a signature in hex.") from None
        try:
            manifest = msgspec.json.decode(data, type=Manifest)
        except MALFORMED as error:
            raise BadBackup(f"{MANIFEST} cannot be read: {error}") from None
        key = keys.find(manifest.service)
        if key is None or not is_signed(bytes.fromhex(key.public_key), signature, DOMAIN + data):
            why = f"{MANIFEST} was changed, or was signed with another service's key."
            raise BadBackup(why)
        if key.revoked is not None and manifest.ended > key.revoked.at:
            when = f"Key {key.service}, which signed {MANIFEST}, was revoked at {key.revoked.at}"
            raise BadBackup(f"{when}, before the backup ended. Use another backup.")
        if manifest.format not in READABLE:
            found = f"Unsupported backup format {manifest.format}"
            raise BadBackup(f"{found} (this release reads formats 1 to {FORMAT}).")
        return manifest

    async def log(self, saved: SavedMatch, keys: Keyring = NO_KEYS) -> list[bytes]:
        """Read the log of a match and check it against the manifest. Raises `BadBackup`.

        The signature of the head is checked if it is one of these keys.
        """
        try:
            lines, signed = await self.matches.signed(saved.match)
        except (NotArchived, Unavailable) as error:
            raise BadBackup(str(error)) from None
        if not lines:
            raise BadBackup(f"The log of {saved.match} is missing.")
        try:
            *_, head = follow(lines)
        except ChainBroken as error:
            raise BadBackup(f"{saved.match}: {error}") from None
        if (len(lines), head) != (saved.version, saved.head):
            raise BadBackup(f"The log of {saved.match} does not match the manifest.")
        if signed is not None and (key := keys.find(signed.service)) is not None:
            data = message(saved.match, saved.version, saved.head)
            if not is_signed_by(key, signed.signature, data):
                raise BadBackup(
                    f"The signature of {saved.match} is not valid for key {key.service}."
                )
        return lines

    async def errata(self, saved: SavedMatch) -> list[bytes]:
        """Read the errata of a match and check them against the manifest. Raises `BadBackup`."""
        lines = await self.matches.errata(saved.match)
        if digest_of(lines) != saved.errata_sha256:
            raise BadBackup(f"The errata of {saved.match} do not match the manifest.")
        return lines

    def players(self, manifest: Manifest) -> Iterator[tuple[str, bytes]]:
        """Yield the id and record of each player.

        Raises `BadBackup` if the file does not match the manifest.
        """
        for line in self._lines(PLAYERS, manifest.players_sha256):
            saved = msgspec.json.decode(line, type=SavedPlayer)
            yield saved.player, bytes(saved.record)

    def talk(self, manifest: Manifest) -> Iterator[tuple[str, bytes]]:
        """Yield each match that has talk, with its messages.

        Raises `BadBackup` if the file does not match the manifest.
        """
        if manifest.talk_sha256:
            for line in self._lines(TALK, manifest.talk_sha256):
                saved = msgspec.json.decode(line, type=SavedTalk)
                yield saved.match, bytes(saved.messages)

    def _save_lines(self, name: str, saved: Sequence[msgspec.Struct]) -> str:
        lines = b"\n".join(map(msgspec.json.encode, saved))
        data = zstandard.ZstdCompressor(write_checksum=True).compress(lines)
        _create(self.folder / name, data)
        return sha256(data).hexdigest()

    def _lines(self, name: str, expected: str) -> list[bytes]:
        """Read the lines of a file with an expected checksum. Raises `BadBackup`."""
        try:
            data = (self.folder / name).read_bytes()
        except FileNotFoundError:
            raise BadBackup(f"{name} is missing.") from None
        if sha256(data).hexdigest() != expected:
            raise BadBackup(f"{name} does not match the checksum in the manifest.")
        return zstandard.ZstdDecompressor().decompress(data).splitlines()


def digest_of(errata: Sequence[bytes]) -> str:
    """Return the SHA-256 of the lines of errata, in hex. Empty if there are none."""
    return sha256(b"\n".join(errata)).hexdigest() if errata else ""


def encoded(manifest: Manifest) -> bytes:
    """Encode a manifest as the bytes that are signed."""
    return msgspec.json.format(msgspec.json.encode(manifest)) + b"\n"


def _create(path: Path, data: bytes) -> None:
    """Create a file and sync it. Raises `FileExistsError`."""
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
        out.write(data)
        out.flush()
        os.fsync(out.fileno())
