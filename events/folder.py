"""Files in a folder of this machine, or in a bucket.

The place is a path or any URL that `fsspec` supports, for example `s3://bucket/prefix` with the
package `s3fs`. Files are written as a whole. On a local disk a file is synced and then renamed into
place. In a bucket an upload is either complete or absent.
"""

import ctypes
import errno
import fcntl
import os
import secrets
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any, cast

from fsspec.core import (  # pyright: ignore[reportMissingTypeStubs]
    url_to_fs,  # pyright: ignore[reportUnknownVariableType]
)
from fsspec.implementations.local import (  # pyright: ignore[reportMissingTypeStubs]
    LocalFileSystem,
)

from events.store import StoreError, Unavailable

AT_ONCE = 64
"""Number of files that are read together."""
TOGETHER = 16
"""Number of files from which on the whole file system is synced once, instead of each file.

For 1,000 files this takes a quarter of the processor time (220 to 730 µs a file).
"""


def _sync_file_system() -> Callable[[int], int] | None:
    """Return Linux' `syncfs`, which Python does not offer; None where the system does not allow it.

    A call with a wrong descriptor tells which.
    """
    call: Any = getattr(ctypes.CDLL(None, use_errno=True), "syncfs", None)
    if call is None:
        return None
    call(-1)
    return call if ctypes.get_errno() == errno.EBADF else None


SYNC_FILE_SYSTEM = _sync_file_system()


class NoSuchPlace(StoreError):
    """The place cannot be used: unknown scheme, or a package that is not installed."""


class Swapped(StoreError):
    """Another process has replaced the file."""


class Folder:
    """Files by name. Names may contain slashes."""

    def __init__(self, place: Path | str, **options: Any) -> None:
        """Use a folder, which is created by the first write, or a URL.

        `options` are passed to the file system of `fsspec`. Raises `NoSuchPlace`.
        """
        try:
            self._files, root = _file_system(str(place), options)
        except (ValueError, ImportError, OSError) as error:
            raise NoSuchPlace(f"{place}: {error}") from None
        self._root = root.rstrip("/")
        self._local = isinstance(self._files, LocalFileSystem)

    def path(self, name: str) -> str:
        """Return the path of a file, for messages and for files on this disk."""
        return f"{self._root}/{name}"

    @property
    def can_swap(self) -> bool:
        """Whether `swap` is supported: on a local disk and in S3."""
        return self._local or "s3" in tuple(self._files.protocol)

    def read(self, name: str) -> bytes | None:
        """Return the content of a file, or None if there is none. Raises `Unavailable`."""
        path = self.path(name)
        try:
            return self._files.cat_file(path)
        except FileNotFoundError:
            return None
        except Exception as error:
            raise unavailable(path, error) from error

    def read_all(self, names: Iterable[str]) -> list[bytes]:
        """Return the contents of files that exist, in order. Raises `Unavailable`."""
        paths = [self.path(name) for name in names]
        found: dict[str, bytes] = {}
        for start in range(0, len(paths), AT_ONCE):
            some = paths[start : start + AT_ONCE]
            try:
                found |= {path: self._files.cat_file(path) for path in some[:1]}
                found |= self._files.cat(some[1:]) if some[1:] else {}
            except Exception as error:
                raise unavailable(some[0], error) from error
        return [found[path] for path in paths]

    def write(self, name: str, data: bytes) -> None:
        """Write a file, or replace it. Raises `Unavailable`."""
        path = self.path(name)
        try:
            if self._local:
                write_synced(Path(path), data)
            else:
                self._files.pipe_file(path, data)
        except Exception as error:
            raise unavailable(path, error) from error

    def write_all(self, files: Mapping[str, bytes]) -> None:
        """Write several files, in no particular order. Raises `Unavailable`."""
        paths = {self.path(name): data for name, data in files.items()}
        try:
            if self._local:
                replace_synced({Path(path): data for path, data in paths.items()})
            else:
                self._files.pipe(paths)
        except Exception as error:
            raise unavailable(self._root, error) from error

    def swap(self, name: str, before: bytes | None, after: bytes) -> None:
        """Replace a file only if its content is `before` (None: it does not exist).

        Raises `Swapped`, `Unavailable`.
        """
        if self._local:
            self._swap_locked(name, before, after)
        else:
            self._swap_if_match(name, before, after)

    def remove(self, name: str) -> None:
        """Remove a file, or a folder with its files, if it exists. Raises `Unavailable`."""
        path = self.path(name)
        try:
            if self._files.exists(path):
                self._files.rm(path, recursive=True)
        except FileNotFoundError:
            return
        except Exception as error:
            raise unavailable(path, error) from error

    def names(self, under: str = "") -> list[str]:
        """List the names of all files, or of those in a folder. Raises `Unavailable`."""
        path = self.path(under).rstrip("/")
        try:
            self._files.invalidate_cache()
            found: list[str] = self._files.find(path)
        except Exception as error:
            raise unavailable(path, error) from error
        return [one.removeprefix(self._root + "/") for one in found]

    def _swap_locked(self, name: str, before: bytes | None, after: bytes) -> None:
        path = Path(self.path(name))
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with path.with_name(f".{path.name}.lock").open("ab") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                if self.read(name) != before:
                    raise Swapped(f"{path} was replaced by another process")
                write_synced(path, after)
        except OSError as error:
            raise unavailable(str(path), error) from error

    def _swap_if_match(self, name: str, before: bytes | None, after: bytes) -> None:
        """Replace an object under the condition that its ETag is the one seen before reading."""
        path = self.path(name)
        try:
            self._files.invalidate_cache()
            if before is None:
                self._files.pipe_file(path, after, mode="create")
                return
            tag = self._files.info(path, refresh=True)["ETag"]
            found = self._files.cat_file(path)
            if found == before:
                self._files.pipe_file(path, after, IfMatch=tag)
        except Exception as error:
            found = self.read(name)
            if found == after:
                return
            if found != before:
                raise Swapped(f"{path} was replaced by another process") from error
            raise unavailable(path, error) from error
        if found != before:
            raise Swapped(f"{path} was replaced by another process")


def _file_system(place: str, options: dict[str, Any]) -> tuple[Any, str]:
    return cast("Callable[..., tuple[Any, str]]", url_to_fs)(place, **options)


def unavailable(path: str, error: Exception) -> Unavailable:
    """Return the error for a failed access. The client of a bucket may raise anything."""
    why = error.strerror if isinstance(error, OSError) and error.strerror else type(error).__name__
    return Unavailable(f"{path}: {why}")


def write_synced(path: Path, data: bytes) -> None:
    """Write a file atomically: sync it, rename it into place, and sync the folders."""
    replace_synced({path: data})


def replace_synced(files: Mapping[Path, bytes]) -> None:
    """Write files, sync them, rename them into place, and sync the folders."""
    partial = {path: path.with_name(f".{secrets.token_hex(8)}.part") for path in files}
    for folder in {path.parent for path in files}:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    sync = SYNC_FILE_SYSTEM if len(files) >= TOGETHER else None
    try:
        with nullcontext() if sync is None else _synced_by(sync, next(iter(files)).parent):
            for path, data in files.items():
                _write_new(partial[path], data, synced=sync is None)
        for path in files:
            partial[path].replace(path)
    finally:
        for path in partial.values():
            path.unlink(missing_ok=True)
    sync_folders({parent for path in files for parent in path.parents[:2]})


def _write_new(path: Path, data: bytes, *, synced: bool) -> None:
    with path.open("xb") as out:
        out.write(data)
        if synced:
            out.flush()
            os.fsync(out.fileno())


@contextmanager
def _synced_by(sync: Callable[[int], int], folder: Path) -> Generator[None]:
    """Sync the file system of a folder after what is written meanwhile. Raises `OSError`.

    The descriptor is opened before, since only then `syncfs` tells of an error in between.
    """
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield
        if sync(descriptor):
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number))
    finally:
        os.close(descriptor)


def sync_folders(folders: Iterable[Path]) -> None:
    """Sync folders, so that the names in them are on the disk."""
    for folder in folders:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
