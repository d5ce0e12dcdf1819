"""Answers that take much work: time travel, exports and uploads. They run in reading processes.

Each takes plain values and the bytes of a log, and returns JSON or the bytes of a file.
"""

import hashlib
import os
import resource
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import msgspec
from cachetools import LRUCache

from events import file
from events.chain import Head
from events.keyring import Keyring
from games import GAMES
from games.game import Illegal
from games.match.dice import dice
from projections.folded import Folded, Viewer
from projections.views import MatchView, match_view
from replay.bisect import bisect
from replay.blame import BadPath, blame
from replay.branch import fork, recall
from replay.condition import BadCondition, TooCostly, evaluate_apart
from replay.diff import diff
from replay.explain import explain
from replay.history import History
from replay.report import Report
from replay.subject import Subject
from replay.timeline import Moment, timeline
from replay.transfer import BadUpload, UploadLimits, upload
from replay.travel import FullView, NoSuchVersion, Sight, picture
from replay.what_if import take_back
from replay.why import why
from service.base.problems import (
    Problem,
    bad_condition,
    bad_path,
    malformed,
    no_such_seat,
    no_such_version,
    ruled_out,
)
from service.play.hints import hint_input

NICENESS = 10
"""Priority of a reading process: the processes that take commands go first."""
HISTORIES_MAX = 8
MIB = 1024 * 1024

Lines = Sequence[bytes]

_histories: LRUCache[bytes, History] = LRUCache(HISTORIES_MAX)
"""Recently read logs with their checkpoints, by the hash of all records.

An upload may end with a record of another log: one record does not stand for those before it.
"""


class Timeline(msgspec.Struct):
    """Records of a match, with actor, time and think time."""

    moments: list[Moment]
    more: bool = False
    """Whether later records exist: ask again after the last one of this response."""


class Replay(msgspec.Struct):
    """An uploaded log: the report of its audit, and its contents."""

    report: Report
    version: int
    """Version shown in `full`: the last valid one, or the one asked for."""
    full: FullView
    seen: MatchView
    """The same version as seen by one viewer."""
    moments: list[Moment]


class Limits(NamedTuple):
    """What a reading process may use for an answer."""

    memory_mb: int
    """Memory (MiB); 0 is no limit."""
    cpu_s: int
    """CPU time (seconds)."""


class Answer(NamedTuple):
    """What a reading process returns."""

    body: bytes
    problem: Problem | None
    """Why there is no body."""
    seconds: float
    """CPU time, with that of the processes that were started for the answer."""


def answer_apart(
    limits: Limits, function: Callable[..., bytes], arguments: tuple[Any, ...]
) -> Answer:
    """Compute an answer in a process of low priority, which its limit of CPU time ends."""
    os.setpriority(os.PRIO_PROCESS, 0, NICENESS)
    if limits.memory_mb:
        size = limits.memory_mb * MIB
        resource.setrlimit(resource.RLIMIT_AS, (size, size))
    used_s, (_, cpu_max) = int(time.process_time()), resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (used_s + limits.cpu_s, cpu_max))
    return answer(function, arguments)


def answer(function: Callable[..., bytes], arguments: tuple[Any, ...]) -> Answer:
    """Compute an answer, with its CPU time."""
    started = _used_s()
    body, problem = b"", None
    try:
        body = function(*arguments)
    except Problem as refused:
        problem = refused
    except NoSuchVersion as error:
        problem = no_such_version(error.number, error.last)
    except Illegal as error:
        problem = ruled_out(error)
    except BadPath as error:
        problem = bad_path(str(error)).at(parameter="path")
    except BadCondition as error:
        problem = bad_condition(str(error)).at(parameter="when")
    except TooCostly as error:
        problem = Problem(422, "condition-too-costly", str(error))
    except BadUpload as error:
        problem = malformed(str(error))
    return Answer(body, problem, _used_s() - started)


def _used_s() -> float:
    """Return the CPU time of this process and of those that it has started (seconds)."""
    started = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + started.ru_utime + started.ru_stime


def view_at(lines: Lines, sight: Sight, number: int, shown: Sight) -> bytes:
    """Return a match at a version as numbered in a sight, shown in another, without names."""
    return msgspec.json.encode(picture(_history(lines).at(sight, number), shown))


def timeline_page(lines: Lines, sight: Sight, after: int, limit: int) -> bytes:
    """Return a page of the timeline after a version; raises `NoSuchVersion`."""
    moments = timeline(GAMES, lines, sight)
    if after > len(moments):
        raise NoSuchVersion(after, len(moments))
    page = moments[after : after + limit]
    return msgspec.json.encode(Timeline(page, after + len(page) < len(moments)))


def difference(lines: Lines, sight: Sight, start: int, end: int) -> bytes:
    """Return the changes between two versions."""
    return msgspec.json.encode(diff(_history(lines), sight, start, end))


def origin(
    lines: Lines, sight: Sight, path: str, of: Subject, limit: int, at: int | None, causes: bool
) -> bytes:  # fmt: skip
    """Return what last set a value, with at most `limit` of its changes."""
    found = blame(GAMES, lines, sight, path, of, limit, at, causes=causes)
    return msgspec.json.encode(found)


def explanation(lines: Lines, _sight: Sight, record: int, service_seed: bytes) -> bytes:
    """Return a record as recorded, and as this release decides it."""
    return msgspec.json.encode(explain(_history(lines), record, service_seed))


def reason(lines: Lines, sight: Sight, number: int, over: bool) -> bytes:
    """Return why a bot made a move. What is told depends on whether the match is over."""
    return msgspec.json.encode(why(_history(lines), sight, number, over=over))


def first_hint(lines: Lines, sight: Sight, budget: int, ancestors: Sequence[Lines]) -> bytes:
    """Return the hint of the rules for the seat whose sight it is, before any playout."""
    match = _history(lines).at("full", len(lines)).match
    recall(GAMES, match, ancestors)
    assert sight != "full", "the sight of a seat"
    return msgspec.json.encode(next(hint_input(match, sight).hints(budget)))


def branch_start(
    ancestry: Sequence[Lines], seat: int | None, number: int, service_seed: bytes
) -> bytes:
    """Return the `Fork` from a version of the first log, dealt anew with the branch's seed."""
    return msgspec.json.encode(fork(GAMES, ancestry, seat, number, dice(service_seed, (), 1)))


def turnings(lines: Lines, sight: Sight, when: str, of: Subject, every: bool) -> bytes:
    """Return where a condition holds. It is evaluated in a process of its own."""
    found = bisect(GAMES, lines, sight, when, subject=of, every=every, evaluator=evaluate_apart)
    return msgspec.json.encode(found)


def without(
    lines: Lines, _sight: Sight, version: int, service_seed: bytes, instead: Any, skip: bool
) -> bytes:  # fmt: skip
    """Return the match with one command removed or replaced."""
    try:
        found = take_back(
            GAMES, lines, version, service_seed=service_seed, instead=instead, skip=skip
        )
    except Illegal as error:
        raise ruled_out(error, Folded(GAMES, lines[0]).match.game) from None
    return msgspec.json.encode(found)


def export(lines: Lines, _sight: Sight, head: Head, errata: Sequence[bytes], packed: bool) -> bytes:
    """Return a log as a file."""
    return file.write(lines, head, errata, packed=packed)


def browse(data: bytes, at: int | None, eyes: Viewer, keys: Keyring, bytes_max: int) -> bytes:
    """Verify an uploaded log, and show one of its versions."""
    found = upload(GAMES, data, keys, UploadLimits(unpacked_bytes=bytes_max))
    folded = found.folded if at is None else History(GAMES, found.lines).at("full", at)
    seats = folded.match.header.seats
    if eyes is not None and eyes >= seats:
        raise no_such_seat(eyes, seats)
    full = picture(folded, "full")
    seen = match_view(folded.match, eyes, folded.receipt(eyes), {})
    assert isinstance(full, FullView), "the full view"
    moments = timeline(GAMES, found.lines, "full")
    return msgspec.json.encode(Replay(found.report, full.version, full, seen, moments))


def _history(lines: Lines) -> History:
    key = hashlib.sha256(b"\n".join(lines)).digest()
    history = _histories.get(key)
    if history is None:
        history = _histories[key] = History(GAMES, lines)
    return history
