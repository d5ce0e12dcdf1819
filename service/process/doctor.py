"""`shiplog doctor`: find what is wrong with an installation and what to do. Changes nothing."""

import asyncio
import shutil
import stat
import sys
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, get_args
from urllib.parse import quote

import msgspec
import redis.asyncio as redis
from redis.exceptions import RedisError

from events.append_lane import Limits
from events.archive import ArchiveStore
from events.checkpoints.notes import Verifier
from events.checkpoints.reader import LogBroken, read_checkpoint, read_leaves, stored_tree
from events.checkpoints.tiles import BadTile
from events.codec import Unreadable, unseal_header
from events.folder import Folder
from events.redis_store import RedisStore
from events.release import RELEASE
from events.store import Kind, NotDurable, StoreError, Unavailable
from games import GAMES
from games.match.clocks import SECOND
from service.base.clock import DAY_S, local_micros, now_micros
from service.base.keys import OPEN, BadSecrets, Keys, load_or_make
from service.base.settings import Settings
from service.embedded.server_folder import ask, noted_socket
from service.play.leases import LEASE
from service.play.leftovers import Leftovers
from service.process.health import HealthReader, RedisHealth
from service.process.health_checks import (
    CheckResult,
    check_following,
    check_queues,
    check_servers,
    mib,
)
from service.process.lead_check import find_loose

ANSWER_S = 3.0
KEY_AGE_DAYS = 365
ERASED_HOURS = 3
"""Age of an erasure by which the worker should have rewritten the file (hours)."""
DISK_FREE_BYTES = 1 << 30
DISK_TIMES = 3
"""Free space to keep, as a multiple of the log's file: a rewrite needs one, growth the rest."""
SAMPLED = 200
"""Number of matches whose master keys are checked."""


async def examine(settings: Settings) -> list[CheckResult]:
    """Check everything that the settings name."""
    found = list(_versions())
    keys, findings = _keys(settings.secrets_path)
    found += findings
    found += _disk(settings.data)
    async with AsyncExitStack() as stack:
        log_url, told = _place("log", settings.log_url, settings.data / "log")
        found += told
        work_url, told = _place("work", settings.work_url, settings.data / "work")
        found += told
        if not log_url or not work_url:
            return found
        limits = Limits(total_s=ANSWER_S, reply_s=ANSWER_S, connect_s=ANSWER_S)
        store = await stack.enter_async_context(RedisStore(log_url, limits))
        work: Any = redis.from_url(
            work_url, socket_timeout=ANSWER_S, socket_connect_timeout=ANSWER_S
        )
        stack.push_async_callback(work.aclose)
        reader = HealthReader(store, work, work_url)
        stack.callback(reader.close)
        health = await reader.read()
        found += check_servers(health, settings.wait_replicas)
        if health.log:
            found += await _durability(store)
            found += await _account(store)
            found += _aof_disk(settings, health.log)
            found += await _service_key(store, keys)
            found += await _leads(store)
            found += await _checkpoints(settings, keys, store)
        if health.work:
            found += await _projector(work)
            found += await _leftovers(work)
        found += check_queues(health.jobs)
        found += check_following(health.following)
    return found


def _versions() -> Iterator[CheckResult]:
    rules = ", ".join(f"{slug} {game.version}" for slug, game in sorted(GAMES.items()))
    yield CheckResult(
        "versions", "ok", f"Shiplog {RELEASE}, Python {sys.version.split()[0]}; {rules}"
    )


def _keys(path: Path) -> tuple[Keys | None, list[CheckResult]]:
    """Check that the secret file exists, is private, is valid and is not too old."""
    if not path.exists():
        todo = "start `shiplog serve` once, or restore the file from your backup"
        return None, [CheckResult("keys", "bad", f"{path} does not exist", todo)]
    status = path.stat()
    mode = stat.S_IMODE(status.st_mode)
    if mode & OPEN:
        todo = f"chmod 600 {path}; if others could read it, rotate all keys"
        return None, [
            CheckResult("keys", "bad", f"{path} is readable by other users ({mode:o})", todo)
        ]
    try:
        keys = load_or_make(path)
    except BadSecrets as error:
        todo = "correct it, or restore the file from your backup"
        return None, [CheckResult("keys", "bad", str(error), todo)]
    days = int((local_micros() / SECOND - status.st_mtime) / DAY_S)
    if days > KEY_AGE_DAYS:
        todo = "add a master key, name it in `current`, and restart (docs/security.md, Keys)"
        return keys, [CheckResult("keys", "warn", f"not rotated for {days} days", todo)]
    return keys, [
        CheckResult("keys", "ok", f"{path}, changed {days} days ago, signing {keys.service}")
    ]


def _disk(folder: Path) -> Iterator[CheckResult]:
    if not folder.is_dir():
        todo = "set SHIPLOG_DATA to the service's folder, or start `shiplog serve` once"
        yield CheckResult("disk", "bad", f"there is no folder {folder}", todo)
        return
    free = shutil.disk_usage(folder).free
    if free < DISK_FREE_BYTES:
        yield CheckResult("disk", "bad", f"{mib(free)} free at {folder}", "free some space")
    else:
        yield CheckResult("disk", "ok", f"{mib(free)} free at {folder}")


def _aof_disk(settings: Settings, servers: Sequence[RedisHealth]) -> Iterator[CheckResult]:
    """Check that an embedded log's file has room to be rewritten. Other disks are out of sight."""
    if settings.log_url:
        return
    size = sum(server.aof_bytes for server in servers)
    free = shutil.disk_usage(settings.data).free
    if free < DISK_TIMES * size:
        told = f"the log's file takes {mib(size)}, {mib(free)} are free"
        yield CheckResult("log disk", "warn", told, f"keep {DISK_TIMES} times its size free")


def _place(name: str, url: str, folder: Path) -> tuple[str, list[CheckResult]]:
    """Return the URL of a Redis: the one set, or that of the embedded server in the folder."""
    if url:
        return url, []
    path = noted_socket(folder)
    if path is None or ask(path) == "gone":
        todo = "start `shiplog serve`; if it stops again, its last log lines say why"
        return "", [CheckResult(name, "bad", f"no embedded server runs in {folder}", todo)]
    return "unix://" + quote(str(path)), []


async def _durability(store: RedisStore) -> list[CheckResult]:
    try:
        wrong = await store.check_durability(weaker_allowed=True)
    except (NotDurable, Unavailable) as error:
        return [
            CheckResult(
                "durability",
                "bad",
                str(error),
                "see deploy/redis-log.conf for the settings it needs",
            )
        ]
    todo = "set it as in deploy/redis-log.conf; until then acknowledged commands can be lost"
    if wrong:
        return [CheckResult("durability", "bad", told, todo) for told in wrong]
    return [CheckResult("durability", "ok", "every acknowledged command is on disk")]


async def _account(store: RedisStore) -> list[CheckResult]:
    """Check that the service's account may use the keys of documents."""
    try:
        for kind in get_args(Kind):
            await store.document(kind, "nobody")
    except Unavailable as error:
        todo = "give the accounts the keys and commands that deploy/redis-log.conf names"
        return [CheckResult("log", "bad", f"talk or players cannot be read: {error}", todo)]
    return []


async def _service_key(store: RedisStore, keys: Keys | None) -> list[CheckResult]:
    """Check that the keys of the newest matches exist: without them the matches cannot go on."""
    if keys is None:
        return []
    missing: set[str] = set()
    looked = 0
    try:
        async for match in store.matches():
            (line, *_) = await store.read(match, 0, 1) or [b""]
            if line and not _is_here(keys, line):
                missing.add(match)
            looked += 1
            if looked >= SAMPLED:
                break
    except Unavailable:
        return []
    if missing:
        told = f"{len(missing)} of {looked} matches need a master key that is missing"
        return [CheckResult("keys", "bad", told, "put the old master keys back beside the new one")]
    return []


async def _leads(store: RedisStore) -> list[CheckResult]:
    """Check that codes, addresses, identities and names lead to the players who have them."""
    check = "ways back"
    try:
        missing, stray = await find_loose(store)
    except Unavailable:
        return []
    except msgspec.DecodeError as error:
        told = f"a record of a player cannot be read: {error}"
        return [CheckResult(check, "bad", told, "docs/runbooks.md, Ways back")]
    found: list[CheckResult] = []
    if missing:
        told = f"{missing} players lack a record that leads to them, from their names or ways back"
        todo = "restore what is missing from a backup (docs/runbooks.md, Ways back)"
        found.append(CheckResult(check, "bad", told, todo))
    if stray:
        told = f"{stray} records lead to players who no longer have them"
        todo = "nothing: they let in nobody, and their names are free (docs/runbooks.md, Ways back)"
        found.append(CheckResult(check, "warn", told, todo))
    return found or [CheckResult(check, "ok", "every name and way back leads to its player")]


async def _checkpoints(
    settings: Settings, keys: Keys | None, store: RedisStore
) -> list[CheckResult]:
    """Check that the checkpoint log is whole, and that no log is missing that it has leaves of."""
    check, place = "checkpoints", settings.checkpoints_place
    if keys is None:
        return []
    if place is None:
        todo = "set SHIPLOG_CHECKPOINTS: without it nobody can see that a log was deleted"
        return [CheckResult(check, "warn", "there is no checkpoint log", todo)]
    log = keys.checkpoint_signer(settings.checkpoint_origin).verifier
    try:
        size, committed = await asyncio.to_thread(_committed, Folder(place), log)
        missing = committed - {match async for match in store.matches()}
        if missing and settings.archive_place is not None:
            archive = ArchiveStore(settings.archive_place)
            missing -= {match async for match in archive.matches()}
    except (BadTile, LogBroken, StoreError) as error:
        return [CheckResult(check, "bad", str(error), "docs/runbooks.md, CheckpointsFailing")]
    if missing:
        told = f"{len(missing)} logs are gone, for example {min(missing)}"
        return [CheckResult(check, "bad", told, "run shiplog audit --all, which names them")]
    if not size:
        todo = f"wait for the first beat, {settings.checkpoint_s} s after a start of the service"
        return [CheckResult(check, "warn", "nothing is signed yet", todo)]
    return [CheckResult(check, "ok", f"{size} leaves, and all of their logs exist")]


def _committed(folder: Folder, log: Verifier) -> tuple[int, set[str]]:
    """Return the size of the checkpoint log, and the matches in it. Raises `LogBroken`."""
    published = read_checkpoint(folder, log)
    if published is None:
        return 0, set()
    if stored_tree(folder, published.size).root != published.root:
        raise LogBroken(f"{folder.path('tile')} does not have the root that was published")
    leaves = read_leaves(folder, published.size)
    return published.size, {leaf.match for leaf in leaves if leaf.match}


def _is_here(keys: Keys, line: bytes) -> bool:
    """Return whether the master key of a header exists; damaged ones are left to the audit."""
    try:
        (header,) = unseal_header(line).events
        keys.service_seed(header.match, header.key)
    except KeyError:
        return False
    except (Unreadable, ValueError):
        return True
    return True


async def _projector(work: Any) -> list[CheckResult]:
    try:
        leads = await work.exists(LEASE)
    except (RedisError, OSError):
        return []
    if leads:
        return [CheckResult("projector", "ok", "a process maintains the rows")]
    return [
        CheckResult("projector", "bad", "no process maintains the rows", "start `shiplog serve`")
    ]


async def _leftovers(work: Any) -> list[CheckResult]:
    """Check that what was erased leaves the append file of the log in time."""
    check = "erasure"
    try:
        oldest = await Leftovers(work).oldest()
    except (RedisError, OSError):
        return []
    if oldest is None:
        return [CheckResult(check, "ok", "nothing erased is left in the log's append file")]
    hours = (now_micros() - oldest) // SECOND // 3600
    told = f"names erased {hours} hours ago are still in the log's append file"
    if hours < ERASED_HOURS:
        return [CheckResult(check, "ok", f"{told}; the worker rewrites it every hour")]
    todo = "see `rewrite` in the worker's log; its account needs +bgrewriteaof (docs/privacy.md)"
    return [CheckResult(check, "warn", told, todo)]
