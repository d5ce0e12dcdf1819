"""The folder of an embedded server: lock, socket, configuration, log file and process."""

import fcntl
import hashlib
import os
import re
import socket
import stat
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Literal, Self

import msgspec
import structlog

from service.embedded.aof import Damaged, mend, newest, parts, replace_by_copy

SOCKET_BYTES_MAX = 100
"""Longest path of a unix socket (bytes). The system's own limit is 104 or 108."""
WORDS = "server.log"
LOCK = "server.lock"
WORDS_BYTES_MAX = 4 << 20

FSYNC_FAILED = b"Can't persist AOF for fsync error"
UNLOADABLE = (
    b"Unexpected end of file reading the append only file",
    b"Bad file format reading the append only file",
)

STAMP = re.compile(r"^\d+:\w \d+ \w+ \d+ [\d:.]+ . ")

CHILD = """\
import ctypes, os, signal, sys
prctl = getattr(ctypes.CDLL(None), "prctl", None)
if prctl is not None and prctl(1, signal.SIGTERM) != 0 or os.getppid() != int(sys.argv[1]):
    sys.exit(1)
os.execv(sys.argv[2], sys.argv[2:])
"""
"""Requests the death signal, then becomes the server. 1 is PR_SET_PDEATHSIG (Linux only)."""

log = structlog.get_logger("shiplog")


class NoServer(Exception):
    """No server can run in that folder; the message says why and what to do."""


class Note(msgspec.Struct, frozen=True):
    """Content of the lock file."""

    started_by: int
    """Process ID of the service."""
    socket: str


class Lock:
    """The lock on a folder, held while deciding who runs the server there.

    A server that inherits `descriptor` keeps the lock until it ends.
    """

    def __init__(self, folder: Path) -> None:
        """Open the lock file; raises `NoServer`."""
        self._path = folder / LOCK
        try:
            self.descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise NoServer(f"Cannot write to {folder}: {error.strerror}.") from None
        self.taken = False

    def __enter__(self) -> Self:
        """Try to take the lock; `taken` is whether that succeeded."""
        with suppress(BlockingIOError):
            fcntl.flock(self.descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self.taken = True
        return self

    def __exit__(self, *_: object) -> None:
        """Close the lock file."""
        os.close(self.descriptor)

    def sign(self, path: Path) -> None:
        """Write into the lock file who starts the server and where it will listen."""
        os.ftruncate(self.descriptor, 0)
        os.pwrite(self.descriptor, msgspec.json.encode(Note(os.getpid(), str(path))), 0)

    def note(self) -> Note | None:
        """Return the content of the lock file, if it is valid."""
        with suppress(OSError, ValueError):
            return msgspec.json.decode(self._path.read_bytes(), type=Note)
        return None


def noted_socket(folder: Path) -> Path | None:
    """Return the socket noted in a folder's lock file; None without one."""
    with suppress(OSError, ValueError):
        return Path(msgspec.json.decode((folder / LOCK).read_bytes(), type=Note).socket)
    return None


def ask(path: Path, timeout: float = 0.5) -> Literal["up", "loading", "silent", "gone"]:
    """Ping the server on a socket."""
    with socket.socket(socket.AF_UNIX) as line:
        line.settimeout(timeout)
        try:
            line.connect(os.fspath(path))
            line.sendall(b"PING\r\n")
            reply = line.recv(64)
        except (FileNotFoundError, ConnectionError):
            return "gone"
        except OSError:
            return "silent"
    if reply.startswith(b"-LOADING"):
        return "loading"
    return "up" if reply else "gone"


def socket_path(folder: Path) -> Path:
    """Return the path of the socket: in the folder, or in a temporary one if that is too long."""
    path = folder / "redis.sock"
    if len(os.fsencode(path)) <= SOCKET_BYTES_MAX:
        return path
    mark = hashlib.sha256(os.fsencode(folder)).hexdigest()[:16]
    return Path(tempfile.gettempdir()) / f"shiplog-{os.getuid()}-{mark}" / "redis.sock"


def make_folder(folder: Path) -> None:
    """Create a folder that only this user can read; raises `NoServer`."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = folder.lstat()
        if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.getuid():
            raise NoServer(f"{folder} is not a folder owned by this user.")
        if status.st_mode & 0o077:
            folder.chmod(0o700)
    except OSError as error:
        raise NoServer(f"Cannot create or use {folder}: {error.strerror}.") from None


def configure(folder: Path, settings: Mapping[str, str], path: Path) -> Path:
    """Write the server's configuration; raises `NoServer`."""
    places = {"dir": _quoted(folder), "unixsocket": _quoted(path)}
    lines = {name: value or '""' for name, value in settings.items()} | places
    text = "".join(f"{name} {value}\n" for name, value in lines.items())
    file = folder / "redis.conf"
    try:
        file.write_text("# Written at every start.\n" + text)
    except OSError as error:
        raise NoServer(f"Cannot write to {folder}: {error.strerror}.") from None
    return file


def spawn(binary: Path, configuration: Path, lock: Lock) -> subprocess.Popen[bytes]:
    """Start a server that ends with the calling thread and holds the lock until then."""
    with (configuration.parent / WORDS).open("ab") as out:
        return subprocess.Popen(  # noqa: S603 - the server's binary, no shell
            [sys.executable, "-I", "-S", "-c", CHILD, str(os.getpid()), binary, configuration],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=out,
            pass_fds=(lock.descriptor,),
            start_new_session=True,
            cwd=configuration.parent,
        )


def rewrite_after_failed_fsync(folder: Path) -> None:
    """Copy and sync the append file after an fsync error; raises `NoServer` if that fails too.

    The kernel may still show data that never reached the disk, and a server that loads it would
    acknowledge what a loss of power takes away. `deploy/log-server.sh` follows the same rule.
    """
    words = folder / WORDS
    if FSYNC_FAILED not in _tail(words):
        return
    try:
        for path in parts(folder):
            replace_by_copy(path)
    except OSError as error:
        raise NoServer(
            f"{folder}: The last server stopped because an fsync failed, and a copy of its file "
            f"fails as well: {error.strerror}. Check the disk."
        ) from None
    words.replace(words.with_suffix(".log.old"))
    log.error("server", rewritten=str(folder), why="an fsync failed: check the disk")


def repair(folder: Path, mark: int) -> None:
    """Repair a file that the server found truncated; raises `NoServer` for other failures."""
    words = _tail(folder / WORDS, mark)
    if not any(reason in words for reason in UNLOADABLE):
        raise NoServer(f"{folder}: The server does not start: {last_words(folder, mark)}")
    path = newest(folder)
    try:
        cut = mend(path) if path else None
    except Damaged as error:
        raise NoServer(str(error)) from None
    if cut is None:
        raise NoServer(f"{folder}: The server cannot load its file: {last_words(folder, mark)}")
    log.warning(
        "server",
        mended=str(cut.path),
        cut=cut.size,
        at=cut.offset,
        names=cut.names,
        kept=str(cut.kept),
    )


def mark_words(folder: Path) -> int:
    """Return the size of the server's log file, after rotating a long one."""
    words = folder / WORDS
    if not words.exists():
        return 0
    size = words.stat().st_size
    if size <= WORDS_BYTES_MAX:
        return size
    words.replace(words.with_suffix(".log.old"))
    return 0


def last_words(folder: Path, mark: int) -> str:
    """Return the last lines of the server's log since an offset, without their time stamps."""
    lines = _tail(folder / WORDS, mark).decode(errors="replace").splitlines()
    return " / ".join(STAMP.sub("", line) for line in lines[-3:]) or "its log is empty"


def _quoted(path: Path) -> str:
    text = str(path).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{text}"'


def _tail(path: Path, mark: int = 0) -> bytes:
    try:
        with path.open("rb") as file:
            file.seek(max(mark, path.stat().st_size - 8_000))
            return file.read()
    except FileNotFoundError:
        return b""
