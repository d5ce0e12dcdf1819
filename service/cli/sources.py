"""Sources of logs, and viewers of them.

A log is named by the id of a match in the service's log, or by an exported file.
"""

import asyncio
from collections.abc import Coroutine, Iterable, Iterator, Sequence
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import typer
from redis.exceptions import RedisError

from events import file
from events.archive import NotArchived
from events.chain import ChainBroken, Head
from events.checkpoints.reader import LogBroken
from events.codec import Unreadable, unseal_header
from events.folder import NoSuchPlace, Swapped
from events.keyring import Keyring
from events.store import NotDurable, StoreError, Taken, Unavailable, append_all
from games import GAMES
from projections.folded import UnknownGame
from projections.rows import NoRows
from replay.evidence import Evidence
from replay.history import History
from replay.transfer import file_evidence
from replay.travel import NoSuchVersion, Sight
from service.base import logs
from service.base.environment import load
from service.base.keys import BadSecrets, Keys, load_or_make
from service.base.settings import BadSetting, Settings
from service.cli.output import FOUND, MISUSED, err, stop
from service.embedded.servers import NoServer
from service.play.errata import committed_leaves, secret_of
from service.play.listings import row_of
from service.play.match_cache import ANCESTORS_MAX
from service.process.context import Context, opened
from service.process.errata import commit_errata, correct_row
from service.process.evidence import damaged_evidence, parent_of, stored_evidence

T = TypeVar("T")


class NoLog(Exception):
    """There is no such match or file, or no log at all."""


UNREACHABLE = (BadSetting, BadSecrets, NoLog, NoSuchPlace, NotDurable, NoServer, Unavailable)


class Sources:
    """Reads files, and the service's log, which is opened when a match's id is first used."""

    def __init__(self, runner: asyncio.Runner, stack: AsyncExitStack, keys: Keys | None) -> None:
        """Read with these keys, or with the service's own once its log is open."""
        self._runner = runner
        self._stack = stack
        self._context: Context | None = None
        self.keys = keys

    def open(self) -> Context:
        """Open the parts of the service; raises `NoLog` if there has never been a log."""
        if self._context is None:
            chosen = of_service()
            logs.configure("warning")
            self._context = self._runner.run(self._stack.enter_async_context(opened(chosen)))
            self.keys = self.keys or self._context.keys
        return self._context

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine with the parts."""
        return self._runner.run(work)

    def lines(self, name: str) -> tuple[list[bytes], Head | None]:
        """Return a log, and its signed head if it has one; raises `NoLog`, `file.BadFile`."""
        if is_file(name):
            try:
                return file.read(Path(name).read_bytes(), unsigned=True)
            except file.BadFile as error:
                raise file.BadFile(f"{name}: {error}") from None
        lines = self._runner.run(self.open().store.read(name))
        if not lines:
            raise NoLog(f"No such match: {name}.")
        return lines, None

    def errata(self, name: str) -> list[bytes]:
        """Return the lines of a log's errata."""
        if is_file(name):
            contents = file.unpacked(Path(name).read_bytes(), file.UNPACKED_BYTES_MAX)
            return file.errata(contents)
        return self._runner.run(self.open().store.errata(name))

    def history(self, name: str) -> History:
        """Return the history of a log; raises `NoLog`, `file.BadFile`."""
        return History(GAMES, self.lines(name)[0])

    def evidence(self, name: str, *, unsigned: bool = False) -> Evidence:
        """Return a log for an audit, with its service seed if the keys have it; raises `NoLog`."""
        if is_file(name):
            return self._completed(file_evidence(name, Path(name).read_bytes(), unsigned=unsigned))
        context = self.open()
        keys = self.keys or context.keys
        try:
            lines = self.lines(name)[0]
        except NotArchived as error:
            return damaged_evidence(name, error)
        row = self._runner.run(row_of(context.work, name))
        stored = stored_evidence(context.store, keys, context.settings, name, lines)
        return msgspec.structs.replace(self._runner.run(stored), row=row)

    @property
    def ring(self) -> Keyring:
        """The keys that vouch for signatures, as far as they are known."""
        return Keyring() if self.keys is None else self.keys.ring

    def secret(self, lines: Sequence[bytes]) -> bytes:
        """Return the service seed of a log, empty unless the keys have it."""
        return b"" if self.keys is None else secret_of(self.keys, lines)

    def _completed(self, log: Evidence) -> Evidence:
        """Add to a file what the secrets and the open store know of its match."""
        secret, leaves = self.secret(log.lines), None
        if self._context is not None and secret:
            known = (self._context.settings, self.keys or self._context.keys)
            match = unseal_header(log.lines[0]).events[0].match
            leaves = self.run(committed_leaves(*known, match, secret))
        parent = self._parent(log.lines)
        return msgspec.structs.replace(log, secret=secret, leaves=leaves, parent=parent)

    def lineage(self, lines: Sequence[bytes]) -> list[list[bytes]]:
        """Return the logs of a branch's ancestors, its parent's first, as far as they are known."""
        logs: list[list[bytes]] = []
        while len(logs) < ANCESTORS_MAX and (parent := self._parent(lines)):
            logs.append(parent)
            lines = parent
        return logs

    def matches(self, *, live: bool = False) -> list[str]:
        """Return the ids of all matches in the service's log, or of those not archived."""
        tiers = self.open().store
        store = tiers.live if live else tiers

        async def listed() -> set[str]:
            return {match async for match in store.matches()}

        return sorted(self._runner.run(listed()))

    def archived(self) -> set[str]:
        """Return the ids of all archived matches."""
        archive = self.open().store.archive

        async def listed() -> set[str]:
            return set() if archive is None else {match async for match in archive.matches()}

        return self._runner.run(listed())

    def keep(self, match: str, lines: Sequence[bytes], head: Head | None) -> None:
        """Append a match to the service's log; raises `Taken` if it has other records."""
        self._runner.run(append_all(self.open().store, match, lines, (), head))

    def keep_errata(self, match: str, errata: Iterable[bytes]) -> None:
        """Store errata of a match, commit to them in the checkpoint log, and correct its row.

        Raises `NoLog` if there is no archive for them.
        """
        context = self.open()
        archive = context.store.archive
        if archive is None:
            raise NoLog("Errata are kept beside the archive: set SHIPLOG_ARCHIVE.")
        for line in errata:
            self._runner.run(archive.add_erratum(match, line))
        try:
            self._runner.run(commit_errata(context.store, context.keys, context.settings, match))
        except (LogBroken, StoreError) as error:
            why = f"The erratum is kept, but the checkpoint log does not have it: {error}. Until"
            why = f"{why} it has, it explains nothing. The service adds it when it starts."
            err.print(why, style="red")
        try:
            self._runner.run(correct_row(context, match))
        except (RedisError, NoRows):
            why = "The standings could not be corrected. Run: shiplog rebuild"
            err.print(why, style="red")

    def _parent(self, lines: Sequence[bytes]) -> list[bytes]:
        """Return the log of a branch's parent, if the service's log is open and has it."""
        if self._context is None:
            return []
        return self._runner.run(parent_of(self._context.store, lines))


def of_service() -> Settings:
    """Return the settings; raises `NoLog` if there has never been a log where they name one."""
    chosen = load()
    if not chosen.log_url and not (chosen.data / "log").exists():
        raise NoLog(
            f"There is no log in {chosen.data}: set SHIPLOG_DATA to a service's folder, or "
            "SHIPLOG_LOG_URL."
        )
    return chosen


@contextmanager
def sources(secrets: Path | None = None) -> Iterator[Sources]:
    """Open sources; convert errors to a message and an exit status."""
    try:
        with asyncio.Runner() as runner:
            stack = AsyncExitStack()
            try:
                yield Sources(runner, stack, None if secrets is None else load_or_make(secrets))
            finally:
                runner.run(stack.aclose())
    except (
        ChainBroken, NotArchived, Unreadable, UnknownGame, file.BadFile, NoSuchVersion, Swapped,
        Taken,
    ) as error:  # fmt: skip
        stop(FOUND, error)
    except UNREACHABLE as error:
        stop(MISUSED, error)
    except BrokenPipeError:
        raise  # The reader of the output has seen enough. Typer ends the program.
    except OSError as error:
        stop(MISUSED, error)


@contextmanager
def history_as_seen(
    name: str, seat: int | None, *, spectator: bool
) -> Iterator[tuple[History, Sight]]:
    """Open the history of a log, with the sight for the options; convert errors as `sources`."""
    with sources() as source:
        history = source.history(name)
        yield history, sight_of(history.lines, seat, spectator=spectator)


def is_file(name: str) -> bool:
    """Return whether a log is named by a path, not by the id of a match."""
    return name.endswith((".jsonl", ".zst")) or Path(name).exists()


def sight_of(lines: Sequence[bytes], seat: int | None, *, spectator: bool) -> Sight:
    """Return the sight for the options: everything, unless a seat or spectator is chosen."""
    if seat is None:
        return None if spectator else "full"
    seats = unseal_header(lines[0]).events[0].seats
    if spectator:
        raise typer.BadParameter("Use either --seat or --spectator.")
    if seat >= seats:
        raise typer.BadParameter(f"Seat must be between 0 and {seats - 1}, got {seat}.")
    return seat
