"""What the verbs about logs share: where a log comes from, whose eyes look at it, and the exit status.

A name is a match's id in the service's log, or a file that was exported. Verbs exit with 0 when what they looked at
holds, 1 with a finding (tampering, a difference, no such version), 2 when they were used wrongly or the log can't be
reached.
"""

import asyncio
from collections.abc import Coroutine, Iterable, Iterator, Sequence
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path
from typing import Annotated, Any, NoReturn, TypeVar

import msgspec
import typer
from rich.console import Console

from events import file
from events.archive import NoSuchPlace, NotArchived
from events.chain import ChainBroken, Head
from events.codec import Unreadable, unseal_header
from events.store import NotDurable, Taken, Unavailable
from games import GAMES
from projections.folded import UnknownGame
from replay.audit import Evidence
from replay.history import History
from replay.subject import Subject
from replay.transfer import evidence_of
from replay.travel import NoSuchVersion, Sight
from service.base import logs
from service.base.keys import BadSecrets, Keys, load_or_make
from service.base.settings import BadSetting, load
from service.embedded.servers import Refused
from service.play.listings import row_of
from service.play.match_cache import ANCESTORS_MAX
from service.process.context import Context, opened

T = TypeVar("T")

FOUND = 1
MISUSED = 2
UNREACHABLE = (BadSetting, BadSecrets, NoSuchPlace, NotDurable, Refused, Unavailable)

Log = Annotated[str, typer.Argument(metavar="LOG", help="A match's id, or an exported file.")]
Seat = Annotated[int | None, typer.Option("--seat", min=0, help="As this seat saw it.")]
Spectator = Annotated[bool, typer.Option("--spectator", help="As a spectator saw it.")]
Of = Annotated[
    Subject,
    typer.Option(
        "--of", help="The game's state or view, or all that `inspect` shows of the match."
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]

out = Console()
err = Console(stderr=True)


class NoLog(Exception):
    """There is no such match or file."""


class Sources:
    """Files, and the service's log, which is opened when a match's id is first asked for."""

    def __init__(self, runner: asyncio.Runner, stack: AsyncExitStack, keys: Keys | None) -> None:
        """Read with these keys; None: with the service's own, once its log is open."""
        self._runner = runner
        self._stack = stack
        self._context: Context | None = None
        self.keys = keys

    def open(self) -> Context:
        """Open what the service works with; raises `NoLog` where there never was one."""
        if self._context is None:
            chosen = load()
            if not chosen.log_url and not (chosen.data / "log").exists():
                raise NoLog(f"no service has kept a log in {chosen.data} (SHIPLOG_DATA)")
            logs.configure("warning")
            self._context = self._runner.run(self._stack.enter_async_context(opened(chosen)))
            self.keys = self.keys or self._context.keys
        return self._context

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Do something with what is open."""
        return self._runner.run(work)

    def lines(self, name: str) -> tuple[list[bytes], Head | None]:
        """Read a log, and its signed head if it has one; raises `NoLog`, `file.BadFile`."""
        if is_file(name):
            return file.read(Path(name).read_bytes(), unsigned=True)
        lines = self._runner.run(self.open().store.read(name))
        if not lines:
            raise NoLog(f"no match {name}")
        return lines, None

    def history(self, name: str) -> History:
        """Read a log to travel in; raises `NoLog`, `file.BadFile`."""
        return History(GAMES, self.lines(name)[0])

    def evidence(self, name: str) -> Evidence:
        """Read a log for an audit, with its secret where the keys know it; raises `NoLog`."""
        if is_file(name):
            log = evidence_of(name, Path(name).read_bytes())
        else:
            row = self._runner.run(row_of(self.open().work, name))
            log = Evidence(name, self.lines(name)[0], match=name, row=row)
        return msgspec.structs.replace(
            log, secret=self._secret(log), parent=self._parent(log.lines)
        )

    def lineage(self, lines: Sequence[bytes]) -> list[list[bytes]]:
        """Read the logs that a branch comes from, its parent's first, as far as they are known."""
        logs: list[list[bytes]] = []
        while len(logs) < ANCESTORS_MAX and (parent := self._parent(lines)):
            logs.append(parent)
            lines = parent
        return logs

    def matches(self, *, live: bool = False) -> list[str]:
        """Name all matches in the service's log, or those that are not archived."""
        tiers = self.open().store
        store = tiers.live if live else tiers

        async def listed() -> set[str]:
            return {match async for match in store.matches()}

        return sorted(self._runner.run(listed()))

    def keep(self, match: str, lines: Iterable[bytes]) -> None:
        """Put a match into the service's log; raises `Taken` where other records are there."""
        store = self.open().store

        async def kept() -> None:
            for version, line in enumerate(lines, start=1):
                await store.append(match, version, line)

        self._runner.run(kept())

    def _parent(self, lines: Sequence[bytes]) -> list[bytes]:
        """Read a branch's parent's log, where the service's log is open and has it."""
        try:
            fork = unseal_header(lines[0]).events[0].branch
        except (Unreadable, IndexError):
            return []
        if fork is None or self._context is None:
            return []
        return self._runner.run(self._context.store.read(fork.parent))

    def _secret(self, log: Evidence) -> bytes:
        """Give the service's part of the seed, for a log that these keys have opened."""
        if self.keys is None:
            return b""
        try:
            (header,) = unseal_header(log.lines[0]).events
            ours = header.service == self.keys.service
            return self.keys.part(header.match, header.key) if ours else b""
        except (Unreadable, IndexError, KeyError, ValueError):
            return b""


@contextmanager
def sources(secrets: Path | None = None) -> Iterator[Sources]:
    """Open sources, and turn what can go wrong into a message and an exit status."""
    try:
        with asyncio.Runner() as runner:
            stack = AsyncExitStack()
            try:
                yield Sources(runner, stack, None if secrets is None else load_or_make(secrets))
            finally:
                runner.run(stack.aclose())
    except (
        ChainBroken, NotArchived, Unreadable, UnknownGame, file.BadFile, Taken, NoSuchVersion,
    ) as error:  # fmt: skip
        stop(FOUND, str(error))
    except (*UNREACHABLE, NoLog) as error:
        stop(MISUSED, str(error))
    except OSError as error:
        stop(MISUSED, f"{error.filename}: {error.strerror}")


def stop(status: int, message: str) -> NoReturn:
    """Leave with a message and a status."""
    err.print(f"shiplog: {message}", style="red", highlight=False, soft_wrap=True)
    raise typer.Exit(status)


def is_file(name: str) -> bool:
    """Tell whether a log's name is that of a file."""
    return name.endswith((".jsonl", ".zst")) or Path(name).is_file()


def sight_of(lines: Sequence[bytes], seat: int | None, *, spectator: bool) -> Sight:
    """Give the eyes to look with: everything, unless a seat or a spectator is asked for."""
    if seat is None:
        return None if spectator else "full"
    seats = unseal_header(lines[0]).events[0].seats
    if spectator:
        raise typer.BadParameter("either a seat or a spectator")
    if seat >= seats:
        raise typer.BadParameter(f"the seats are 0 to {seats - 1}")
    return seat


def print_json(value: Any) -> None:
    """Print a value as indented JSON."""
    typer.echo(msgspec.json.format(msgspec.json.encode(value)).decode())
