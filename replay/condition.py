"""Conditions in JMESPath over a match's documents: parsed within limits, and held against one document after another.

An expression can be made to run for ever, or to fill any memory. Where it comes from a stranger it is judged by
`judged_apart`: in a process of its own that has a processor's seconds, so much memory, and no more.
"""

import resource
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from threading import Timer

import jmespath
import msgspec
from jmespath.exceptions import JMESPathError

EXPRESSION_MAX = 1_000
"""Characters."""
PROCESSOR_MAX_S = 5
"""Seconds of a processor in which a stranger's expression is done with a match."""
PATIENCE = 12
"""Times as many by the clock: a processor has others to serve."""
MEMORY_MAX = 512 << 20
"""Bytes that it may take meanwhile."""
HOLDS, NOT, WRONG, DONE = b"1", b"0", b"!", b"."
ABSENT = b"null"
"""The document of what is not there yet: no condition holds of it."""


class BadCondition(Exception):
    """An expression that can't be read, or not be applied to what is there; the message says why."""


class TooCostly(Exception):
    """An expression that took too much time or memory."""


class Condition:
    """An expression that holds or doesn't: as JMESPath has it, all but false, null and what is empty holds."""

    def __init__(self, text: str) -> None:
        """Parse it; raises `BadCondition`."""
        if len(text) > EXPRESSION_MAX:
            raise BadCondition(f"an expression has at most {EXPRESSION_MAX} characters")
        try:
            self._parsed = jmespath.compile(text)
        except JMESPathError as error:
            raise BadCondition(_first_line(error)) from None
        except (RecursionError, ValueError) as error:
            raise BadCondition(f"not JMESPath: {type(error).__name__}") from None

    def holds(self, document: bytes) -> bool:
        """Tell whether it holds of a JSON document; raises `BadCondition`."""
        try:
            found = self._parsed.search(msgspec.json.decode(document))
        except JMESPathError as error:
            raise BadCondition(_first_line(error)) from None
        except (ArithmeticError, RecursionError, TypeError, ValueError) as error:
            raise BadCondition(f"can't be evaluated: {type(error).__name__}") from None
        return not (found is None or found is False or found in ("", [], {}))


def judged(text: str, documents: Iterable[bytes]) -> Iterator[bool]:
    """Tell of one document after another whether an expression holds; raises `BadCondition`."""
    condition = Condition(text)
    before, held = b"", False
    for document in documents:
        if document != before:
            before, held = document, document != ABSENT and condition.holds(document)
        yield held


def judged_apart(
    text: str, documents: Iterable[bytes], seconds: int = PROCESSOR_MAX_S
) -> list[bool]:
    """Do as `judged` does, in another process within limits; raises `BadCondition`, `TooCostly`."""
    Condition(text)
    process = subprocess.Popen(  # noqa: S603 - ourselves
        [sys.executable, "-m", __name__, str(seconds)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    watchdog = Timer(seconds * PATIENCE, process.kill)
    watchdog.start()
    with process:
        try:
            told = _asked(process, text, documents)
        finally:
            watchdog.cancel()
            process.kill()
    if told.startswith(WRONG):
        raise BadCondition(told[1:].decode())
    if not told.endswith(DONE):
        raise TooCostly(f"the expression takes more than {seconds} s, or too much memory")
    return [verdict == HOLDS[0] for verdict in told[:-1]]


def _asked(process: subprocess.Popen[bytes], text: str, documents: Iterable[bytes]) -> bytes:
    """Send an expression and documents, an empty line for one that is the same again; give the answer.

    The process answers when it has read all, so that neither waits for the other.
    """
    assert process.stdin is not None, "a pipe"
    assert process.stdout is not None, "a pipe"
    before = b""
    with suppress(BrokenPipeError):
        process.stdin.write(msgspec.json.encode(text) + b"\n")
        for document in documents:
            process.stdin.write(b"\n" if document == before else document + b"\n")
            before = document
    with suppress(BrokenPipeError):
        process.stdin.close()
    return process.stdout.read()


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0]


def _documents(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Read documents, one a line; an empty line repeats the one before."""
    document = b""
    for line in lines:
        document = line.rstrip(b"\n") or document
        yield document


def main(seconds: int) -> None:
    """Judge what comes in on standard input: an expression and documents, one a line."""
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_MAX, MEMORY_MAX))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    lines = iter(sys.stdin.buffer)
    text = msgspec.json.decode(next(lines), type=str)
    try:
        verdicts = [HOLDS if held else NOT for held in judged(text, _documents(lines))]
    except BadCondition as error:
        sys.stdout.buffer.write(WRONG + str(error).encode())
    else:
        sys.stdout.buffer.write(b"".join(verdicts) + DONE)


if __name__ == "__main__":
    main(int(sys.argv[1]))
