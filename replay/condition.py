"""Conditions in JMESPath, evaluated on one JSON document after another.

An expression can be written to run forever or to use all memory. Evaluate an untrusted one with
`evaluate_apart`, in a process of its own with limits on CPU time and memory.
"""

import resource
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from threading import Timer

import jmespath
import msgspec
from jmespath.exceptions import (
    ArityError,
    EmptyExpressionError,
    IncompleteExpressionError,
    JMESPathError,
    JMESPathTypeError,
    ParseError,
)

EXPRESSION_MAX = 1_000
"""Maximum length of an expression (characters)."""
PROCESSOR_MAX_S = 5
"""CPU time for evaluating an expression on a whole match (seconds)."""
PATIENCE = 12
"""Maximum elapsed time, as a multiple of the CPU time. The CPU may be busy with other work."""
MEMORY_MAX = 512 << 20
"""Maximum address space of the process (bytes)."""
HOLDS, NOT, WRONG, DONE = b"1", b"0", b"!", b"."
ABSENT = b"null"
"""Document of a game that has not started. No condition holds for it."""


class BadCondition(Exception):
    """The expression is malformed or cannot be evaluated. The message says why."""


class TooCostly(Exception):
    """The expression took too much time or memory."""


class Condition:
    """A JMESPath expression as a condition. Anything but false, null and empty values holds."""

    def __init__(self, text: str) -> None:
        """Parse an expression. Raises `BadCondition`."""
        if len(text) > EXPRESSION_MAX:
            found = f"Expression of {len(text)} characters"
            raise BadCondition(f"{found}, at most {EXPRESSION_MAX} are allowed.")
        try:
            self._parsed = jmespath.compile(text)
        except JMESPathError as error:
            raise BadCondition(in_words(error, text)) from None
        except (RecursionError, ValueError) as error:
            raise BadCondition(f"Not a JMESPath expression: {type(error).__name__}") from None

    def holds(self, document: bytes) -> bool:
        """Return whether the condition holds for a JSON document. Raises `BadCondition`."""
        try:
            found = self._parsed.search(msgspec.json.decode(document))
        except JMESPathError as error:
            raise BadCondition(in_words(error, self._parsed.expression)) from None
        except (ArithmeticError, RecursionError, TypeError, ValueError) as error:
            why = f"The expression cannot be evaluated: {type(error).__name__}"
            raise BadCondition(why) from None
        return not (found is None or found is False or found in ("", [], {}))


def in_words(error: JMESPathError, text: str) -> str:
    """Return what is wrong with an expression, and where."""
    match error:
        case EmptyExpressionError():
            return "The expression is empty."
        case IncompleteExpressionError():
            return f"The expression {text!r} is incomplete."
        case JMESPathTypeError():
            expected = " or ".join(error.expected_types)
            return (
                f"{error.function_name}() takes {expected}, got {error.actual_type}, in {text!r}."
            )
        case ParseError() if not isinstance(error, ArityError):
            where = f"Unexpected {str(error.token_value)!r} at character {error.lex_position + 1}"
            hint = (
                " Write a number as `0`, in backticks."
                if isinstance(error.token_value, int)
                else ""
            )
            return f"{where} of {text!r}.{hint}"
        case _:  # an unknown function, or too many arguments: the library's own words
            return f"{error}, in {text!r}."


def evaluate(text: str, documents: Iterable[bytes]) -> Iterator[bool]:
    """Yield for each document whether an expression holds. Raises `BadCondition`."""
    condition = Condition(text)
    before, held = b"", False
    for document in documents:
        if document != before:
            before, held = document, document != ABSENT and condition.holds(document)
        yield held


def evaluate_apart(
    text: str, documents: Iterable[bytes], seconds: int = PROCESSOR_MAX_S
) -> list[bool]:
    """Evaluate as `evaluate` does, but in another process with limits.

    `seconds` limits the CPU time. Raises `BadCondition`, `TooCostly`.
    """
    Condition(text)
    process = subprocess.Popen(  # noqa: S603 - runs this module
        [sys.executable, "-m", __name__, str(seconds)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    watchdog = Timer(seconds * PATIENCE, process.kill)
    watchdog.start()
    with process:
        try:
            answer = _exchange(process, text, documents)
        finally:
            watchdog.cancel()
            process.kill()
    if answer.startswith(WRONG):
        raise BadCondition(answer[1:].decode())
    if not answer.endswith(DONE):
        raise TooCostly(f"The expression takes more than {seconds} s or too much memory.")
    return [verdict == HOLDS[0] for verdict in answer[:-1]]


def _exchange(process: subprocess.Popen[bytes], text: str, documents: Iterable[bytes]) -> bytes:
    """Send an expression and documents to the process, and return its answer.

    An empty line repeats the document before. The process answers after it has read everything,
    so neither side waits for the other.
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


def _documents(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Read one document per line. An empty line repeats the document before."""
    document = b""
    for line in lines:
        document = line.rstrip(b"\n") or document
        yield document


def main(seconds: int) -> None:
    """Evaluate an expression on documents from standard input, one per line."""
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_MAX, MEMORY_MAX))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    lines = iter(sys.stdin.buffer)
    text = msgspec.json.decode(next(lines), type=str)
    try:
        verdicts = [HOLDS if held else NOT for held in evaluate(text, _documents(lines))]
    except BadCondition as error:
        sys.stdout.buffer.write(WRONG + str(error).encode())
    else:
        sys.stdout.buffer.write(b"".join(verdicts) + DONE)


if __name__ == "__main__":
    main(int(sys.argv[1]))
