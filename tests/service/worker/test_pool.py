"""The pool of worker processes, without processes."""

from types import SimpleNamespace

import pytest

from service.base.settings import Settings
from service.worker import pool
from service.worker.pool import WorkerProcess


class Fork:
    """A process, which starts unless the server that forks has ended."""

    exitcode = None
    pid = 1

    def __init__(self, error: type[Exception] | None) -> None:
        self.error = error
        self.asked_to_stop = False

    def start(self) -> None:
        if self.error is not None:
            raise self.error

    def terminate(self) -> None:
        self.asked_to_stop = True


@pytest.mark.parametrize("error", [EOFError, BrokenPipeError])
def test_a_process_that_cannot_be_forked_is_started_again(monkeypatch, error):
    """Ctrl-C ends the server that forks while it still imports what the processes need."""
    forks = [Fork(error), Fork(None)]
    left = iter(forks)
    monkeypatch.setattr(pool, "FORKS", SimpleNamespace(Process=lambda **_: next(left)))
    member = WorkerProcess(Settings(), "clock")
    member.ensure_running()
    assert member.process is None
    member.ask_to_stop()
    member.ensure_running()
    assert member.process is forks[1]
    member.ask_to_stop()
    assert [fork.asked_to_stop for fork in forks] == [False, True]
