"""Audit many logs in parallel processes."""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import islice
from multiprocessing import get_context

from events.keyring import Keyring
from games import GAMES
from replay.audit import audit
from replay.evidence import Evidence
from replay.report import Report

AT_ONCE = 8
"""Number of logs per task. Sending a task to a process costs as much as auditing a short log."""
AHEAD = 2
"""Number of tasks per process whose logs are kept in memory."""


def audit_many(
    logs: Iterable[Evidence],
    keys: Keyring,
    *,
    redaction: bool = True,
    processes: int,
) -> Iterator[Report]:
    """Audit logs of the installed games. Yield each report when it is ready, in order of logs."""
    if processes <= 1:
        yield from (audit(GAMES, log, keys, redaction=redaction) for log in logs)
        return
    waiting: deque[Future[list[Report]]] = deque()
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        rest = iter(logs)
        while batch := list(islice(rest, AT_ONCE)):
            waiting.append(pool.submit(_audit_all, batch, keys, redaction=redaction))
            if len(waiting) >= AHEAD * processes:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()


def _audit_all(logs: Sequence[Evidence], keys: Keyring, *, redaction: bool) -> list[Report]:
    return [audit(GAMES, log, keys, redaction=redaction) for log in logs]
