"""Programs that play in `shiplog bot-match`: JSON lines on standard input and output."""

import asyncio
import os
import signal
from collections.abc import Coroutine, Sequence
from contextlib import suppress
from typing import Any, TypeVar

import msgspec

from games.chance import Chance
from games.game import AnyGame, Bot, Seen, SeenRecord
from games.playout import BOT_DICE, seed_of
from games.tournament import Forfeit, Table

T = TypeVar("T")

OWN_SEEDS = 1 << 32
LINE_BYTES_MAX = 1 << 20
"""Maximum length of a program's line."""
ENDING_S = 0.5
"""Time in which a process that has closed its output should end (seconds)."""
QUOTED = 200
"""Maximum length of what a report quotes of a line."""


class MatchStarted(msgspec.Struct, frozen=True, tag_field="type", tag="match_started"):
    """Begins a match. The program must forget the match before."""

    game: str
    rules: int
    seats: int
    seat: int
    options: Any
    seed: int
    """For the program's own randomness. The cards and dice of the match do not follow from it."""


class YourTurn(msgspec.Struct, frozen=True, tag_field="type", tag="your_turn"):
    """Asks for a command. The program answers with a line that holds nothing else."""

    view: Any
    records: Sequence[SeenRecord]
    """What the seat was shown since the last message, oldest first."""
    legal: Sequence[Any]


class MatchOver(msgspec.Struct, frozen=True, tag_field="type", tag="match_over"):
    """Ends a match. The result is null if a seat forfeited the match."""

    result: Any


class Program:
    """A player whose every seat is a process of its own, so that seats cannot share knowledge.

    Processes serve one match after another. A process that forfeits a match is killed, and a new
    one is started for the next match.
    """

    def __init__(self, words: Sequence[str], seconds: float, runner: asyncio.Runner) -> None:
        """Run a command line; an answer may take a number of seconds."""
        self._words = words
        self._seconds = seconds
        self._runner = runner
        self._processes: dict[int, asyncio.subprocess.Process] = {}

    def sit(self, table: Table, seat: int, /) -> Bot[Any, Any]:
        """Begin a match at a seat, in its process."""
        own = Chance(seed_of(table.seed), BOT_DICE + 1 + seat).randbelow(OWN_SEEDS)
        started = MatchStarted(
            table.game.slug, table.game.version, table.seats, seat, table.options, own
        )
        self._do(seat, self._tell(seat, started))
        shown = 0

        def choose(view: Any, seen: Seen, legal: Sequence[Any], _dice: Chance) -> Any:
            nonlocal shown
            records, shown = seen.records[shown:], len(seen.records)
            line = self._do(seat, self._ask(seat, YourTurn(view, records, legal)))
            return _command(table.game, line)

        return choose

    def rise(self, seat: int, result: Any, /) -> None:
        """Report the end of a match to a seat. What happens to the process now costs no match."""
        if seat in self._processes:
            with suppress(Forfeit):
                self._do(seat, self._tell(seat, MatchOver(result)))

    def close(self) -> None:
        """Kill the processes, and whatever they have started."""
        for seat in list(self._processes):
            self._runner.run(self._kill(seat))

    def _do(self, seat: int, task: Coroutine[Any, Any, T]) -> T:
        """Run a task within the time limit; raises `Forfeit`."""
        try:
            return self._runner.run(asyncio.wait_for(task, self._seconds))
        except TimeoutError:
            reason, detail = "timed-out", f"no answer within {self._seconds:g} s"
        except OSError:
            reason, detail = "crashed", self._runner.run(self._status(seat))
        except ValueError:
            reason, detail = "malformed", f"a line is longer than {LINE_BYTES_MAX} bytes"
        self._runner.run(self._kill(seat))
        raise Forfeit(reason, detail)

    async def _tell(self, seat: int, message: msgspec.Struct) -> None:
        """Send a message to the process of a seat, which is started if there is none."""
        if seat not in self._processes:
            self._processes[seat] = await asyncio.create_subprocess_exec(
                *self._words,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                limit=LINE_BYTES_MAX,
                start_new_session=True,
            )
        stdin = self._processes[seat].stdin
        assert stdin is not None, "it is a pipe"
        stdin.write(msgspec.json.encode(message) + b"\n")
        await stdin.drain()

    async def _ask(self, seat: int, message: msgspec.Struct) -> bytes:
        """Send a message to the process of a seat, and return the line that answers."""
        await self._tell(seat, message)
        stdout = self._processes[seat].stdout
        assert stdout is not None, "it is a pipe"
        line = await stdout.readline()
        if not line.endswith(b"\n"):
            raise BrokenPipeError("standard output was closed")
        return line

    async def _status(self, seat: int) -> str:
        """Return in words how the process of a seat ended."""
        try:
            status = await asyncio.wait_for(self._processes[seat].wait(), ENDING_S)
        except TimeoutError:
            return "standard output was closed"
        return f"exit status {status}"

    async def _kill(self, seat: int) -> None:
        """Kill the process of a seat, and whatever the process has started."""
        process = self._processes.pop(seat, None)
        if process is None:  # the time was up before it had started
            return
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        await process.wait()


def _command(game: AnyGame, line: bytes) -> Any:
    """Parse the command of an answer; raises `Forfeit`."""
    try:
        return msgspec.json.decode(line, type=game.Command)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        quoted = line[:QUOTED].decode(errors="replace").strip()
        raise Forfeit("malformed", f"{error}: {quoted}") from None
