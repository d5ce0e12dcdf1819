"""`shiplog audit --all --spread`: the workers of a service audit its matches, with one report."""

import signal
from collections.abc import Iterator, Mapping
from contextlib import closing
from itertools import islice
from typing import Any

import msgspec
from redis.exceptions import RedisError

from games import GAMES
from replay.audit import audit
from replay.report import Report
from service.cli.audit_store import StoreAudit
from service.cli.output import MISUSED, err, stop
from service.cli.sources import Sources
from service.jobs.batches import BatchCancelled, Batches, NoBatchWorkers
from service.process.audit_journal import Audited, changed
from service.process.evidence import Planned

AT_ONCE = 50
"""Number of matches in a job. To start one costs as much as auditing a few matches."""
CANCELLED = 130
"""Exit status after Ctrl-C."""


Reports = Iterator[tuple[str, Report | None]]


def spread(
    store: StoreAudit, source: Sources, audited: Mapping[str, Audited], *, redaction: bool
) -> Reports:
    """Yield each match with its report, in order. None for a log that is as it was audited.

    What no worker could do is audited here. Exits at once without workers, and later if a job was
    cancelled.
    """
    try:
        jobs = Batches(source.open().work_url, "analysis", "service.worker.audits.audit_batch")
    except NoBatchWorkers as error:
        stop(MISUSED, error)
    except RedisError as error:
        stop(MISUSED, f"Cannot reach the work Redis: {error}.")
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    return _reports(jobs, store, source, audited, redaction=redaction)


def _reports(
    jobs: Batches,
    store: StoreAudit,
    source: Sources,
    audited: Mapping[str, Audited],
    *,
    redaction: bool,
) -> Reports:
    planned = (store.planned(match, audited.get(match)) for match in store.matches)
    try:
        with closing(jobs.results(_batches(planned), redaction)) as results:
            for batch, reports in results:
                for one in batch if reports is None else ():
                    match = one["match"]
                    err.print(f"shiplog: no worker could audit {match}: auditing it here")
                    yield match, _audited_here(store, source, match, audited, redaction=redaction)
                for one, report in zip(batch, reports or (), strict=False):
                    yield one["match"], msgspec.convert(report, Report | None)
    except BatchCancelled as error:
        stop(MISUSED, error)
    except RedisError as error:
        stop(MISUSED, f"Cannot reach the work Redis: {error}.")
    except KeyboardInterrupt:
        stop(CANCELLED, "Cancelled: the open jobs were taken back.")


def _audited_here(
    store: StoreAudit,
    source: Sources,
    match: str,
    audited: Mapping[str, Audited],
    *,
    redaction: bool,
) -> Report | None:
    log = changed(store.evidence(match), audited.get(match))
    return None if log is None else audit(GAMES, log, source.ring, redaction=redaction)


def _batches(planned: Iterator[Planned]) -> Iterator[list[Any]]:
    while batch := list(islice(planned, AT_ONCE)):
        yield [msgspec.to_builtins(one) for one in batch]
