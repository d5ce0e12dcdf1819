"""The playouts of an analysis, shared with workers of its queue that have nothing else to do.

The analysis offers the batches that it expects to need, and plays what nobody else has taken. So it
never waits for a worker to become free, and ends without help if all helpers die or the work Redis
fails. Helpers leave when another job waits in their queue.
"""

import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from itertools import count

from redis.exceptions import RedisError
from rq import Queue, Worker

from events.release import RELEASE
from replay.playouts import Batch, Played, Playouts, Share, Source
from service.jobs.queues import Call, enqueue, open_queues
from service.worker.match_at import match_at
from service.worker.playout_board import Board, Delivery, connected
from service.worker.runtime import runtime

HELP = "service.worker.shared_playouts.help_analysis"
TIMEOUT_S = 600
LOOK_S = 1.0
"""Interval at which an analysis keeps its board open and looks for idle workers (seconds)."""
WAIT_S = 1.0
"""Time that is waited for a batch or a delivery at a time (seconds)."""
LOST_S = 5.0
"""Time after which a batch that a helper has taken is played once more (seconds)."""

Recruit = Callable[[], bool]
"""Asks idle workers to help; returns whether there were any."""


class SharedPlayouts:
    """Plays the batches of an analysis together with helpers."""

    def __init__(self, playouts: Playouts, board: Board, recruit: Recruit) -> None:
        """Take who plays here, the board of the analysis, and who finds helpers."""
        self._playouts = playouts
        self._board = board
        self._recruit = recruit
        self._looked = float("-inf")
        self._helped = False
        self._alone = False
        """Whether the work Redis has failed."""
        self._offered: set[Batch] = set()
        """What is on the board, or was taken from it and is not handed in yet."""
        self._played: dict[Batch, Played] = {}

    def expect(self, batches: Sequence[Batch]) -> None:
        """Offer the batches that are likely to be asked for next."""
        with self._alone_without_redis():
            if self._is_helped():
                self._offered.difference_update(self._board.withdraw())
                self._collect(self._board.delivered())
                known = self._offered | self._played.keys()
                if new := [batch for batch in batches if batch not in known]:
                    self._board.offer(new)
                    self._offered.update(new)

    def play(self, batch: Batch) -> Played:
        """Return the batch as it was played, here or by a helper."""
        with self._alone_without_redis():
            if self._is_helped() and batch not in self._played:
                self._collect(self._board.delivered())
                if batch in self._offered and not self._board.take(batch):
                    self._wait_for(batch)
        self._offered.discard(batch)
        return self._played.pop(batch, None) or self._playouts.play(batch)

    def _is_helped(self) -> bool:
        """Keep the board open and look for helpers; return whether there ever were some."""
        if not self._alone and time.monotonic() >= self._looked + LOOK_S:
            self._board.renew()
            self._helped = self._recruit() or self._helped
            self._looked = time.monotonic()
        return self._helped and not self._alone

    def _wait_for(self, batch: Batch) -> None:
        """Play others until a helper hands in the batch, or for too long."""
        until = time.monotonic() + LOST_S
        while batch not in self._played and time.monotonic() < until:
            other = self._board.take_first()
            if other is None:
                self._collect(self._board.wait_for_delivery(WAIT_S))
            else:
                self._collect([(other, self._playouts.play(other)), *self._board.delivered()])

    def _collect(self, delivered: Sequence[Delivery]) -> None:
        self._played.update(delivered)
        self._offered.difference_update(batch for batch, _ in delivered)

    @contextmanager
    def _alone_without_redis(self) -> Iterator[None]:
        try:
            yield
        except RedisError:
            self._alone = True


@contextmanager
def shared(work_url: str, match: str, version: int) -> Iterator[Share]:
    """Share the playouts of an analysis of a match with the idle workers of its queue."""
    run = secrets.token_hex(8)
    recruit = partial(_ask_idle, open_queues(work_url)["analysis"], count(1), run, match, version)

    def share(playouts: Playouts) -> Source:
        return SharedPlayouts(playouts, board, recruit)

    with connected(work_url, run) as board:
        try:
            yield share
        finally:
            with suppress(RedisError):
                board.close()


def _ask_idle(queue: Queue, numbers: Iterator[int], run: str, match: str, version: int) -> bool:
    busy = queue.started_job_registry.get_job_count(cleanup=False) + queue.count
    idle = Worker.count(connection=queue.connection, queue=queue) - busy
    for _ in range(idle):
        name = f"playouts-{run}-{next(numbers)}"
        call = Call("analysis", HELP, (run, match, version, RELEASE), name, TIMEOUT_S, 0)
        enqueue({"analysis": queue}, call, {"kind": "playouts"})
    return idle > 0


def help_analysis(run: str, match: str, version: int, release: str) -> None:
    """Play batches of an analysis until it ends or another job waits.

    A worker of another release may play differently, so it does not help.
    """
    if release != RELEASE:
        return
    work_url = runtime().context.work_url
    queue = open_queues(work_url)["analysis"]
    with connected(work_url, run) as board:
        if board.is_open:
            playouts = Playouts(*match_at(match, version))
            while board.is_open and not queue.count:
                if (batch := board.wait_for_batch(WAIT_S)) is not None:
                    board.deliver(batch, playouts.play(batch))
