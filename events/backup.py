"""A backup: a folder with all matches' logs, the players' records, and a signed manifest of them.

    manifest.json       what is here, and what made it        manifest.sig        Ed25519 over it, in hex
    matches/            as in the archive (`events.archive`): one packed file each, with its signed head
    damaged/            logs that do not hang together, as they are
    secrets.json        only if asked for
    players.jsonl.zst   a player's id and record, one a line

It holds what the logs hold: running matches' hidden cards. Whoever may read it may read everything.
"""

import os
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path

import msgspec
import zstandard
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from events import file
from events.archive import ArchiveStore, NotArchived
from events.chain import ChainBroken, Head, follow, vouched
from events.codec import MALFORMED
from events.store import Unavailable

FORMAT = 1
MANIFEST, SIGNATURE, PLAYERS = "manifest.json", "manifest.sig", "players.jsonl.zst"
MATCHES, DAMAGED = "matches", "damaged"
SECRETS = "secrets.json"
"""Only where it was asked for."""
DOMAIN = b"shiplog-backup-1\n"
"""Keeps a manifest's signature from meaning anything else."""


class BadBackup(Exception):
    """No backup of ours, or not a whole one."""


class Entry(msgspec.Struct, frozen=True):
    """A match as it was saved."""

    match: str
    version: int
    head: str
    """SHA-256 of the last record's bytes, in hex. With the chain it stands for all of them."""


class Damage(msgspec.Struct, frozen=True):
    """A log that did not hang together when it was saved."""

    match: str
    version: int
    why: str


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All that a backup holds."""

    format: int
    begun: str
    """Everything acknowledged before that time is in it."""
    ended: str
    release: str
    service: str
    """Id of the signing key."""
    keys: tuple[str, ...]
    """Ids of the master keys that the matches need; the keys themselves are not here."""
    rules: dict[str, int]
    """By game, the newest rules version of the release."""
    settings: dict[str, str]
    """Those that were not the default, save addresses, paths and secrets."""
    players: int
    players_sha256: str
    matches: tuple[Entry, ...]
    damaged: tuple[Damage, ...]


class Player(msgspec.Struct, frozen=True):
    """A player's record as it was saved."""

    player: str
    record: msgspec.Raw


class Backup:
    """A backup's folder."""

    def __init__(self, folder: Path) -> None:
        """Work in a folder."""
        self.folder = folder
        self.matches = ArchiveStore(folder / MATCHES)

    async def save(self, lines: Sequence[bytes], head: Head, before: "Backup | None") -> None:
        """Save a match's log; the file of an earlier backup is shared where it is the same."""
        if before is not None and await before.matches.head(head.match) == head:
            self.matches.share(before.matches, head.match)
        await self.matches.store(head.match, lines, head)

    def save_damaged(self, match: str, lines: Sequence[bytes]) -> None:
        """Save a log as it is."""
        path = self.folder / DAMAGED / f"{match}.jsonl"
        path.parent.mkdir(mode=0o700, exist_ok=True)
        keep(path, file.write(lines, None))

    def save_players(self, players: Sequence[tuple[str, bytes]]) -> str:
        """Save the players' records; give the file's SHA-256 in hex."""
        lines = [msgspec.json.encode(Player(player, msgspec.Raw(data))) for player, data in players]
        data = zstandard.ZstdCompressor(write_checksum=True).compress(b"\n".join(lines))
        keep(self.folder / PLAYERS, data)
        return sha256(data).hexdigest()

    def seal(self, manifest: Manifest, signature: bytes) -> None:
        """Write the manifest: with it the backup is whole."""
        keep(self.folder / SIGNATURE, signature.hex().encode() + b"\n")
        keep(self.folder / MANIFEST, encoded(manifest))

    def manifest(self, key: Ed25519PublicKey) -> Manifest:
        """Read the manifest, which this key must have signed; raises `BadBackup`."""
        try:
            data = (self.folder / MANIFEST).read_bytes()
            signature = bytes.fromhex((self.folder / SIGNATURE).read_text().strip())
        except FileNotFoundError as error:
            raise BadBackup(
                f"{error.filename} is missing: no backup, or one that was cut off"
            ) from None
        except ValueError:
            raise BadBackup(f"{self.folder / SIGNATURE} is no signature") from None
        if not vouched(key, signature, DOMAIN + data):
            raise BadBackup("the manifest was changed, or signed by another service's key")
        try:
            manifest = msgspec.json.decode(data, type=Manifest)
        except MALFORMED as error:
            raise BadBackup(f"the manifest can't be read: {error}") from None
        if manifest.format != FORMAT:
            raise BadBackup(f"a backup of format {manifest.format}; {FORMAT} is here")
        return manifest

    async def log(self, entry: Entry) -> list[bytes]:
        """Read a match's log and check it against the manifest; raises `BadBackup`."""
        try:
            lines = await self.matches.read(entry.match)
        except (NotArchived, Unavailable) as error:
            raise BadBackup(str(error)) from None
        if not lines:
            raise BadBackup(f"{entry.match} is missing")
        try:
            *_, head = follow(lines)
        except ChainBroken as error:
            raise BadBackup(f"{entry.match}: {error}") from None
        if (len(lines), head) != (entry.version, entry.head):
            raise BadBackup(f"{entry.match} is not as the manifest has it")
        return lines

    def players(self, manifest: Manifest) -> Iterator[tuple[str, bytes]]:
        """Read the players' records and check them against the manifest; raises `BadBackup`."""
        try:
            data = (self.folder / PLAYERS).read_bytes()
        except FileNotFoundError:
            raise BadBackup(f"{PLAYERS} is missing") from None
        if sha256(data).hexdigest() != manifest.players_sha256:
            raise BadBackup(f"{PLAYERS} is not as the manifest has it")
        for line in zstandard.ZstdDecompressor().decompress(data).splitlines():
            one = msgspec.json.decode(line, type=Player)
            yield one.player, bytes(one.record)


def encoded(manifest: Manifest) -> bytes:
    """Give a manifest's bytes: these are signed."""
    return msgspec.json.format(msgspec.json.encode(manifest)) + b"\n"


def keep(path: Path, data: bytes, mode: int = 0o600) -> None:
    """Put a new file on disk."""
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as out:
        out.write(data)
        out.flush()
        os.fsync(out.fileno())
