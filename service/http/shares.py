"""Equal shares: a caller that uses more of the process than its share waits, and others do not.

What a call costs is the CPU time of its own steps on the event loop. Commands have a budget of
their own, so that a player who reads much can still move.
"""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Coroutine, Generator, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Generic, TypeVar

from cachetools import LRUCache
from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPScope, Receive, Scope, Send

from service.base.budgets import Allowance, Budget
from service.base.problems import out_of_budget
from service.http import cors, safety
from service.http.load import Load
from service.http.problem_json import message
from service.http.turns import HURRY_S, LIGHT_S, Turns

T = TypeVar("T")

HOLD_S = 0.5
"""Time for which a refusal is held back (seconds), so that repeating it costs nothing."""
SOON_S = 0.01
"""Longest wait that is not worth a refusal (seconds), which asks the caller to wait a second."""
HELD_MAX = 1_000
"""Number of refusals held back at a time."""
KNOWN_MAX = 10_000
CALL_S = 0.0005
"""CPU time charged when a call begins (seconds). The rest is charged or returned at its end."""
BESIDE_S = 0.0002
"""CPU time of a call that its steps do not show (seconds): that of the server and the sockets."""
CHARGED_S = 0.005
"""CPU time after which a call is charged before its end (seconds): streams may never end."""
SECOND_NS = 1_000_000_000


class Payer:
    """Who pays for a call: a caller with a budget."""

    def __init__(self, budget: Budget, load: Load, turns: Turns, caller: Callable[[], str]) -> None:
        """Ask for the caller whenever there is something to pay: a call may sign somebody in."""
        self._budget = budget
        self._load = load
        self._turns = turns
        self._caller = caller
        self.hurries = False
        """Whether others wait for the call, which therefore never waits for a turn itself."""

    def wait_s(self) -> float:
        """Return how long the caller must wait for its next call (seconds); 0 if it may go on."""
        return self._budget.wait_s(self._caller())

    def charge(self, seconds: float) -> None:
        """Charge the caller for CPU time; a negative amount is returned to it."""
        self._budget.spend(self._caller(), self._load.real(seconds))

    def step(self, seconds: float) -> None:
        """Count a step on the event loop."""
        self._turns.spend(seconds)

    def turn(self) -> asyncio.Future[None] | None:
        """Return what the next step must wait for, if it must."""
        return self._turns.turn(self._saved_s)

    @contextmanager
    def hurry(self) -> Iterator[None]:
        """Let callers who have saved up little wait while this lasts, if this one has more."""
        if self._saved_s() <= LIGHT_S:
            yield
            return
        self.hurries = True
        self._turns.begin_hurry()
        try:
            yield
        finally:
            self._turns.end_hurry()
            self.hurries = False

    async def body(self, receiving: Awaitable[bytes]) -> bytes:
        """Return a body that has been received.

        Who keeps others waiting for it pays for the time, or many bodies that never come would
        keep them waiting for nothing.
        """
        if not self.hurries:
            return await receiving
        began = time.monotonic()
        try:
            return await receiving
        finally:
            self._budget.spend(self._caller(), min(HURRY_S, time.monotonic() - began))
            self._turns.keep_hurrying()

    def _saved_s(self) -> float:
        return self._budget.saved_s(self._caller())


class Metered(Generic[T]):
    """Awaits a coroutine, measures the CPU time of its steps, and waits for turns between them."""

    def __init__(self, call: Coroutine[Any, Any, T], payer: Payer, beside_s: float = 0.0) -> None:
        """Measure a coroutine for which somebody pays. `beside_s` is charged on top (seconds)."""
        self._call = call
        self._payer = payer
        self._beside_ns = round(beside_s * SECOND_NS)

    def __await__(self) -> Generator[Any, Any, T]:
        """Run the coroutine step by step."""
        call, sent, failed, spent = self._call, None, None, self._beside_ns
        payer = self._payer
        try:
            while True:
                if not payer.hurries and (turn := payer.turn()) is not None:
                    try:
                        yield from turn
                    except BaseException as error:  # noqa: BLE001 - the coroutine gets it
                        failed = error
                started = time.thread_time_ns()
                try:
                    waits_for = call.send(sent) if failed is None else call.throw(failed)
                except StopIteration as end:
                    return end.value
                finally:
                    took = time.thread_time_ns() - started
                    spent += took
                    if not payer.hurries:
                        payer.step(took / SECOND_NS)
                if spent > CHARGED_S * SECOND_NS:
                    payer.charge(spent / SECOND_NS)
                    spent = 0
                try:
                    sent, failed = (yield waits_for), None
                except BaseException as error:  # noqa: BLE001 - the coroutine gets it
                    sent, failed = None, error
        finally:
            payer.charge(spent / SECOND_NS)


async def charged(call: Coroutine[Any, Any, T], payer: Payer) -> T:
    """Return what a call returns, and charge for its CPU time, in part at the start."""
    payer.charge(CALL_S)
    return await Metered(call, payer, BESIDE_S - CALL_S)


class Budgets:
    """What the callers of a process share: CPU time for commands, and for all else."""

    def __init__(self, work_ms: int) -> None:
        """Share so many milliseconds of each second, twice."""
        self.policy = f'"work";q={work_ms};w=1;qu="shiplog-cpu-ms"'
        """What the callers share, as a policy of the IETF draft on RateLimit headers."""
        self._load = Load()
        self._commands = Budget(Allowance(work_ms / 1_000), self._load.room)
        self._reads = Budget(Allowance(work_ms / 1_000), self._load.room)
        self._turns = Turns()

    def payer(self, caller: Callable[[], str], *, command: bool) -> Payer:
        """Return who pays for a call, from the budget of commands or of all else."""
        budget = self._commands if command else self._reads
        return Payer(budget, self._load, self._turns, caller)


class Shares:
    """Middleware that refuses callers who have used up their share (429 with Retry-After)."""

    def __init__(
        self, app: ASGIApp, budgets: Budgets, *, proxied: bool, origins: Sequence[str]
    ) -> None:
        """Wrap an application whose callers share budgets."""
        self._app = app
        self._proxied = proxied
        self._origins = origins
        self._budgets = budgets
        self._known: LRUCache[str, str] = LRUCache(KNOWN_MAX)
        """Callers by their token, as found by earlier calls."""
        self._held = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Admit a call or refuse it."""
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        authorization = headers.get(b"authorization", b"").decode("latin-1")
        token = safety.bearer_token(authorization).strip()
        try:
            known = self._known[token]
        except KeyError:
            known = f"address {safety.address(scope, headers, proxied=self._proxied)}"
        path, state = scope["path"], scope["state"]

        def caller() -> str:
            return state.get("caller", known)

        payer = self._budgets.payer(caller, command=path.endswith("/commands"))
        if (wait := payer.wait_s()) > SOON_S:
            await self._hold()
            if not path.startswith("/health/"):
                await self._refuse(scope, headers, wait, send)
                return

        call: Any = self._app(scope, receive, send)
        await charged(call, payer)
        if (found := caller()) != known:
            self._known[token] = found

    async def _hold(self) -> None:
        if self._held >= HELD_MAX:
            return
        self._held += 1
        try:
            await asyncio.sleep(random.uniform(0.5, 1.5) * HOLD_S)  # noqa: S311 - to spread them
        finally:
            self._held -= 1

    async def _refuse(
        self, scope: HTTPScope, headers: dict[bytes, bytes], wait_s: float, send: Send
    ) -> None:
        problem = out_of_budget("work", wait_s)
        start, body = message(problem, scope["state"].get("request_id", ""))
        start["headers"] = [
            *start["headers"],
            (b"ratelimit-policy", self._budgets.policy.encode()),
            (b"ratelimit", f'"work";r=0;t={problem.extra["retry_after"]}'.encode()),
            *cors.response_headers(headers.get(b"origin", b""), self._origins),
        ]
        await send(start)
        await send(body)
