"""Back up the log of a running service, and restore a backup, whole or what is missing.

Logs only grow, each under its own key. What is read of a match is a prefix of its log, so the
service need not stop. Everything acknowledged before the start is in the backup, and some of what
is acknowledged during it.
"""

import asyncio
import re
import secrets
import shutil
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import NamedTuple, TypeVar

import msgspec

from events.archive import NotArchived
from events.backup import (
    DOMAIN,
    FORMAT,
    MANIFEST,
    Backup,
    BadBackup,
    Damage,
    Manifest,
    SavedMatch,
    digest_of,
    encoded,
)
from events.chain import ChainBroken, follow
from events.codec import Unreadable, unseal_header
from events.folder import sync_folders
from events.record import at_text
from events.release import RELEASE
from events.store import Kind, Store, append_all
from events.tiered_store import TieredStore
from games import GAMES
from projections.folded import Folded, UnknownGame
from service.base.clock import DAY_S, now_micros
from service.base.keys import Keys
from service.base.settings import Settings
from service.play.player_record import DECODER
from service.play.talk import TRANSCRIPT

T = TypeVar("T")
R = TypeVar("R")

AT_ONCE = 16
"""Number of matches read or written together."""
UNSAID = frozenset(
    (
        "data",
        "log_url",
        "log_archiver_url",
        "work_url",
        "secret_file",
        "host",
        "port",
        "jwks_url",
        "smtp_password",
        "smtp_password_file",
        "oidc_client_secret",
        "oidc_client_secret_file",
        "archive",
        "checkpoints",
        "checkpoint_before",
    )
)
"""Settings that are not saved: they name places of this machine, and may contain passwords."""

SERIES = re.compile(r"\d{4}-\d\d-\d\dT\d{6}Z")
"""Name of a backup in a series: when it began."""
INTERRUPTED = re.compile(rf"\.{SERIES.pattern}\.[0-9a-f]{{8}}\.part")
INTERRUPTED_S = DAY_S
"""Time after which an incomplete backup counts as interrupted (seconds)."""

NOT_EMPTY = "Restore into an empty log, or with --missing only what the log has lost."

Progress = Callable[[int, int], None]
"""Called with the number of finished matches and of all."""


class NotEmpty(Exception):
    """The log is not empty, so nothing was restored."""


class BackedUp(NamedTuple):
    """What a backup has saved."""

    manifest: Manifest
    lost: tuple[str, ...]
    """Matches that log and archive have lost. The backup has what the earlier one had of them."""


class Restored(msgspec.Struct, frozen=True):
    """What a restore has written."""

    matches: int
    records: int
    players: int
    different: tuple[Damage, ...]
    """Matches of which the log has other records than the backup. They stay as they are."""


async def back_up(
    store: TieredStore,
    keys: Keys,
    settings: Settings,
    target: Path,
    before: Path | None,
    progress: Progress,
) -> BackedUp:
    """Save everything to a new folder, sharing files with an earlier backup.

    Archived matches that the earlier backup has are not read again, and matches that were lost
    since are taken from it. The folder gets its name once it is complete. Raises
    `FileExistsError`, `BadBackup`, `Unavailable`.
    """
    earlier = None if before is None else Backup(before)
    matches_before = () if earlier is None else earlier.manifest(keys.ring).matches
    part = _begin(target)
    backup = Backup(part)
    begun = at_text(now_micros())
    live = {match async for match in store.live.matches()}
    present = live | {match async for match in store.matches()}
    final = {
        saved.match: saved
        for saved in matches_before
        if saved.match not in (live if saved.archived else present)
    }
    matches = sorted(present | final.keys())
    corrected = set() if store.archive is None else set(await store.archive.with_errata())
    saving = _Saving(store, keys, backup, earlier, final, live, present, corrected)
    entries: list[SavedMatch] = []
    damaged: list[Damage] = []
    used: set[str] = set()
    async for found, key in in_turn(saving.save, matches, progress):
        if isinstance(found, SavedMatch):
            entries.append(found)
            used.add(key)
        elif found is not None:
            damaged.append(found)
    players, talk = await _documents(store, "player"), await _documents(store, "talk")
    manifest = Manifest(
        format=FORMAT,
        begun=begun,
        ended=at_text(now_micros()),
        release=RELEASE,
        service=keys.service,
        keys=tuple(sorted(used)),
        rules={slug: game.version for slug, game in GAMES.items()},
        settings=_said(settings),
        players=len(players),
        players_sha256=backup.save_players(players),
        matches=tuple(entries),
        damaged=tuple(damaged),
        talk=len(talk),
        talk_sha256=backup.save_talk(talk),
    )
    backup.seal(manifest, keys.vouch(DOMAIN + encoded(manifest)))
    part.rename(target)
    sync_folders([target.parent])
    return BackedUp(manifest, tuple(one.match for one in entries if one.match not in present))


@dataclass(frozen=True, slots=True)
class _Saving:
    """Saves matches into one backup."""

    store: TieredStore
    keys: Keys
    backup: Backup
    earlier: Backup | None
    final: Mapping[str, SavedMatch]
    """The matches of the earlier backup that are taken from it: archived ones, which cannot change
    except for errata, and those that were lost since."""
    live: Collection[str]
    """The matches that are not archived."""
    present: Collection[str]
    """The matches in the log or the archive."""
    corrected: Collection[str]
    """The matches with errata."""

    async def save(self, match: str) -> tuple[SavedMatch | Damage | None, str]:
        """Save a match; return what was saved, and the key of its dice."""
        if self.earlier is not None and (final := self.final.get(match)) is not None:
            header = await self.backup.share(self.earlier, final)
            return await self._with_errata(final), unseal_header(header).events[0].key
        try:
            lines = await self.store.read(match)
        except NotArchived as error:
            return Damage(match, 0, str(error)), ""
        if not lines:
            return None, ""
        hashes: list[str] = []
        try:
            hashes.extend(follow(lines))
            key = unseal_header(lines[0]).events[0].key
            with suppress(UnknownGame, KeyError):
                seed = self.keys.service_seed(match, key)
                await asyncio.to_thread(Folded.checked, GAMES, lines, seed)
        except (ChainBroken, Unreadable) as error:
            self.backup.save_damaged(match, lines)
            return Damage(match, len(hashes) + 1, str(error)), ""
        head = await self.store.head(match, len(lines))
        head = head or self.keys.sign(match, len(lines), hashes[-1])
        await self.backup.save(lines, head, self.earlier)
        saved = SavedMatch(match, len(lines), hashes[-1], archived=match not in self.live)
        return await self._with_errata(saved), key

    async def _with_errata(self, saved: SavedMatch) -> SavedMatch:
        if self.earlier is not None and saved.match not in self.present:
            errata = await self.earlier.errata(saved)
        else:
            errata = await self.store.errata(saved.match) if saved.match in self.corrected else []
        for line in errata:
            await self.backup.matches.add_erratum(saved.match, line)
        return msgspec.structs.replace(saved, errata_sha256=digest_of(errata))


async def _documents(store: Store, kind: Kind) -> list[tuple[str, bytes]]:
    """Return the documents of a kind, sorted by id."""
    names = sorted({name async for name in store.documents(kind)})
    found = [(name, await store.document(kind, name)) for name in names]
    return [(name, document.data) for name, document in found if document is not None]


def next_of(series: Path) -> tuple[Path, Path | None]:
    """Return the folder of the next backup of a series, and that of the newest one, if any."""
    name = at_text(now_micros())[: len("2026-11-21T09:00:00")].replace(":", "") + "Z"
    backups = _series(series)
    return series / name, backups[-1] if backups else None


def prune(series: Path, keep: int) -> list[Path]:
    """Delete the oldest backups of a series so that some remain, and what was interrupted.

    Returns the deleted backups.
    """
    spare = _series(series)[:-keep]
    for backup in spare:
        shutil.rmtree(backup)
    for part in series.glob(".*.part"):
        if INTERRUPTED.fullmatch(part.name) and time.time() - part.stat().st_mtime > INTERRUPTED_S:
            shutil.rmtree(part)
    return spare


def _series(folder: Path) -> list[Path]:
    """Return the complete backups of a series, the oldest first."""
    found = (path for path in folder.glob("*Z") if SERIES.fullmatch(path.name))
    return sorted(path for path in found if (path / MANIFEST).exists())


def _begin(target: Path) -> Path:
    """Create the folder under a temporary name."""
    if target.exists():
        raise FileExistsError(f"{target} exists. Choose a new folder.")
    part = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
    part.mkdir(mode=0o700, parents=True)
    return part


async def check(folder: Path, keys: Keys, progress: Progress) -> Manifest:
    """Check every record of a backup; raises `BadBackup`."""
    backup = Backup(folder)
    manifest = backup.manifest(keys.ring)
    if missing := sorted(set(manifest.keys) - keys.ids):
        raise BadBackup(
            f"The backup needs master keys that are not in the secret file: {', '.join(missing)}."
        )
    for _ in chain(backup.players(manifest), backup.talk(manifest)):
        pass

    async def read(entry: SavedMatch) -> None:
        await backup.log(entry, keys.ring)
        await backup.errata(entry)

    async for _ in in_turn(read, manifest.matches, progress):
        pass
    return manifest


async def restore(
    store: TieredStore, folder: Path, manifest: Manifest, progress: Progress, *, missing: bool
) -> Restored:
    """Restore a checked backup, and read back what was written.

    With `missing`, the log may have contents: only lost records and players are written. Nothing
    that exists is changed. Without it, the log must be empty except for the archive. Raises
    `NotEmpty`, `BadBackup`, `Unavailable`.
    """
    if not missing:
        await _require_empty(store.live)
    backup = Backup(folder)

    async def put(entry: SavedMatch) -> Damage | int:
        lines = await backup.log(entry)
        there = await store.read(entry.match)
        common = min(len(there), len(lines))
        if there[:common] != lines[:common]:
            return _parting(entry.match, there, lines)
        if len(there) < len(lines):
            head = await backup.matches.head(entry.match)
            await append_all(store, entry.match, lines, there, head)
            if await store.read(entry.match) != lines:
                why = "was restored, but does not read back as it was saved"
                raise BadBackup(f"{entry.match} {why}.")
        for line in await backup.errata(entry):
            if store.archive is None:
                raise BadBackup("The backup has errata, but no archive is set: SHIPLOG_ARCHIVE.")
            await store.archive.add_erratum(entry.match, line)
        return len(lines) - common

    players = 0
    for player, data in backup.players(manifest):
        if not missing or await store.document("player", player) is None:
            await store.put_document("player", player, data)
            players += 1
    for match, data in backup.talk(manifest):
        if not missing or await store.document("talk", match) is None:
            await store.put_document("talk", match, await _of_present(store, data))
    outcomes = [outcome async for outcome in in_turn(put, manifest.matches, progress)]
    counts = [outcome for outcome in outcomes if isinstance(outcome, int)]
    return Restored(
        matches=sum(map(bool, counts)),
        records=sum(counts),
        players=players,
        different=tuple(one for one in outcomes if isinstance(one, Damage)),
    )


async def _of_present(store: Store, talk: bytes) -> bytes:
    """Return the messages of a match without those of players who are erased by now."""
    messages = TRANSCRIPT.decode(talk)
    erased: set[str] = set()
    for player in {message.player for message in messages}:
        record = await store.document("player", player)
        if record is not None and DECODER.decode(record.data).erased:
            erased.add(player)
    return msgspec.json.encode([one for one in messages if one.player not in erased])


def _parting(match: str, there: Sequence[bytes], saved: Sequence[bytes]) -> Damage:
    pairs = enumerate(zip(there, saved, strict=False), start=1)
    version = next(version for version, (one, other) in pairs if one != other)
    return Damage(match, version, f"record {version} is another one than in the backup")


async def _require_empty(store: Store) -> None:
    async for match in store.matches():
        raise NotEmpty(f"The log is not empty: it has match {match}. {NOT_EMPTY}")
    async for player in store.documents("player"):
        raise NotEmpty(f"The log is not empty: it has player {player}. {NOT_EMPTY}")


def fingerprint(manifest: Manifest) -> str:
    """Return the SHA-256 of a manifest, which identifies the whole backup. Keep it elsewhere."""
    return sha256(encoded(manifest)).hexdigest()


async def in_turn(
    work: Callable[[T], Awaitable[R]], items: Sequence[T], progress: Progress
) -> AsyncIterator[R]:
    """Apply a function to all items, several at once, and yield the results in order.

    Raises what the function raises, once none is running any more: the caller may then close what
    they read from.
    """
    for start in range(0, len(items), AT_ONCE):
        progress(start, len(items))
        some = map(work, items[start : start + AT_ONCE])
        for outcome in await asyncio.gather(*some, return_exceptions=True):
            if isinstance(outcome, BaseException):
                raise outcome
            yield outcome
    progress(len(items), len(items))


def _said(settings: Settings) -> dict[str, str]:
    defaults = Settings()
    return {
        field: str(getattr(settings, field))
        for field in Settings.__struct_fields__
        if field not in UNSAID and getattr(settings, field) != getattr(defaults, field)
    }
