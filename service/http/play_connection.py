"""What one client does over the WebSocket `/play`: commands, subscriptions and notices.

Nothing is decided here. Commands, subscriptions and notices go the same way as over HTTP, with the
same limits and refusals. Frames are sent one after the other (`frame_socket.py`): the sources of
the frames of a slow client wait.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from functools import partial
from typing import Any, NamedTuple, NoReturn

import msgspec

from service.base.decoding import decode
from service.base.problems import (
    Problem,
    malformed,
    out_of_budget,
    revoked,
    unauthenticated,
)
from service.base.waiting import first_of
from service.http import safety
from service.http.access import FoundMatch, MatchAccess
from service.http.callers import Callers
from service.http.commands import Commands
from service.http.frame_socket import FrameSocket, Hangup
from service.http.frames import (
    DECODER,
    Authenticate,
    CommandAccepted,
    Connected,
    Done,
    FollowNotices,
    FrameRefused,
    MatchOver,
    Ping,
    Pong,
    SendCommand,
    Subscribe,
    TellNotice,
    TellReceipt,
    TellRecord,
    Unsubscribe,
    id_of,
)
from service.http.live import SentRecords, Streams, require_version
from service.http.player_stream import parse_place
from service.http.problem_json import members, problem_of
from service.http.shares import HOLD_S, Budgets, Metered, Payer
from service.play.caller import Caller
from service.play.notices import Notices

AUTHENTICATE_S = 5.0
"""Time for the frame with the token (seconds)."""
NOTICES = "notices"
"""Name of the subscription to notices: no match has this id."""
UNAUTHENTICATED = 4001
RESTART = 1012

Call = Callable[[], Coroutine[Any, Any, None]]


class Parts(NamedTuple):
    """The parts of the service that a connection uses."""

    access: MatchAccess
    callers: Callers
    commands: Commands
    streams: Streams
    notices: Notices
    budgets: Budgets


class Connection:
    """One client."""

    def __init__(self, socket: FrameSocket, parts: Parts, request_id: str, address: str) -> None:
        """Serve the frames of a socket; problems and the service log name the id."""
        self._address = address
        self._id = request_id
        self._socket = socket
        self._parts = parts
        self._token = ""
        self._player = ""
        self._subscriptions: dict[str, asyncio.Task[None]] = {}

    async def authenticate(self) -> Caller:
        """Return the caller, by the header or the first frame; raises `Problem`, `Hangup`."""
        token = safety.bearer_token(self._socket.authorization)
        if not token:
            try:
                async with asyncio.timeout(AUTHENTICATE_S):
                    frame = decode(DECODER, await self._socket.receive())
            except TimeoutError:
                raise Hangup(UNAUTHENTICATED, "no token within 5 seconds") from None
            if not isinstance(frame, Authenticate):
                raise unauthenticated("The first frame must be `authenticate`.")
            token = frame.token
        self._token = token.strip()
        caller = await self._parts.callers.holder(self._token, self._address)
        self._player = caller.player
        self._socket.keeps_alive = True
        return caller

    async def run(self, caller: Caller, closing: asyncio.Event) -> None:
        """Serve frames until the connection ends, by raising `Hangup` or `WebSocketDisconnect`."""
        await self._socket.tell(Connected(caller.player, self._socket.frame_bytes_max))
        try:
            await first_of(self._read(), _hang_up_at(closing), self._hang_up_without_token(caller))
        finally:
            for subscription in (following := [*self._subscriptions.values()]):
                subscription.cancel()
            await asyncio.gather(*following, return_exceptions=True)

    async def _read(self) -> NoReturn:
        """Answer frames one after the other."""
        while True:
            data = await self._socket.receive()
            await self._trying(partial(id_of, data), self._answer(data))

    async def _answer(self, data: bytes) -> None:
        """Answer a frame, within the caller's limits; raises `Problem`."""
        caller = await self._parts.callers.holder(self._token, self._address)
        frame = decode(DECODER, data)
        if isinstance(frame, SendCommand):
            await self._command(frame, caller)
        else:
            payer = self._payer(command=False)
            await Metered(self._handle(frame, caller), payer)

    def _payer(self, *, command: bool) -> Payer:
        """Return who pays for the CPU time of a call; raises `Problem` 429."""
        payer = self._parts.budgets.payer(lambda: self._player, command=command)
        if wait_s := payer.wait_s():
            raise out_of_budget("work", wait_s)
        return payer

    async def _handle(self, frame: Any, caller: Caller) -> None:
        match frame:
            case Subscribe():
                found = await self._parts.access.find(frame.match, caller, frame.join_code)
                require_version(found, frame.after)
                follow = partial(self._follow_match, found, caller, frame)
                self._begin(frame.id, frame.match, caller, follow)
            case FollowNotices():
                place = parse_place(frame.after, pointer="/after")
                follow = partial(self._follow_notices, caller, place)
                self._begin(frame.id, NOTICES, caller, follow)
            case Unsubscribe():
                await self._unsubscribe(frame)
            case Ping():
                await self._socket.tell(Pong(frame.id))
            case _:
                raise malformed("The token was accepted already.")

    async def _command(self, frame: SendCommand, caller: Caller) -> None:
        """Decide a command and answer it. Nobody waits while the client reads the answer."""
        caller.require("play")
        payer = self._payer(command=True)
        deciding = self._parts.commands.send(
            frame.match,
            caller,
            frame.command,
            key=frame.id,
            version=frame.version,
            code=frame.join_code,
            within="/command",
        )
        with payer.hurry():
            accepted, cached = await Metered(deciding, payer)
        told = msgspec.structs.replace(accepted, view=msgspec.UNSET) if frame.minimal else accepted
        await self._socket.tell(CommandAccepted(frame.id, told))
        if frame.receipt:
            receipting = self._parts.commands.receipt(cached, caller, accepted)
            if (receipt := await Metered(receipting, payer)) is not None:
                signed: Any = msgspec.Raw(receipt.encode())
                await self._socket.tell(TellReceipt(frame.match, signed))

    async def _follow_match(self, found: FoundMatch, caller: Caller, frame: Subscribe) -> None:
        async for told in self._parts.streams.follow(found, caller, frame.after):
            if isinstance(told, SentRecords):
                for line in told.lines:
                    record: Any = msgspec.Raw(line)
                    await self._socket.tell(TellRecord(frame.match, record))
            elif told.event == "receipt":
                receipt: Any = msgspec.Raw(str(told.data).encode())
                await self._socket.tell(TellReceipt(frame.match, receipt))
            elif told.event == "end":
                await self._socket.tell(MatchOver(frame.match))
        await self._require_token(caller)

    async def _follow_notices(self, caller: Caller, place: str | None) -> None:
        async for told in await self._parts.notices.follow(caller.player, place):
            await self._require_token(caller)
            if told is not None:
                notice: Any = msgspec.Raw(told.data)
                await self._socket.tell(TellNotice(told.place, notice))

    async def _hang_up_without_token(self, caller: Caller) -> NoReturn:
        await self._parts.streams.signed_out(caller)
        raise revoked()

    async def _require_token(self, caller: Caller) -> None:
        if not await self._parts.streams.may_watch(caller):
            raise revoked()

    def _begin(self, name: str, subject: str, caller: Caller, follow: Call) -> None:
        """Begin a subscription, which counts as a stream; raises `Problem` 400."""
        if subject in self._subscriptions:
            raise malformed(f"You are subscribed to {subject} already.")

        async def counted() -> None:
            with self._parts.streams.counted(caller):
                await self._socket.tell(Done(name))
                payer = self._payer(command=False)
                await Metered(follow(), payer)

        async def run() -> None:
            try:
                await self._trying(lambda: name, counted())
            finally:
                self._subscriptions.pop(subject, None)

        self._subscriptions[subject] = asyncio.create_task(run())

    async def _unsubscribe(self, frame: Unsubscribe) -> None:
        task = self._subscriptions.get(frame.match)
        if task is None:
            raise malformed(f"You are not subscribed to {frame.match}.")
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await self._socket.tell(Done(frame.id))

    async def _trying(self, name: Callable[[], str], call: Awaitable[None]) -> None:
        """Await a call, and send its refusal. Without a valid token the connection ends."""
        if (problem := await _refusal(call)) is None:
            return
        if problem.status == 429:
            await asyncio.sleep(HOLD_S)
        await self._socket.tell(self._refused(name(), problem))
        if problem.status == 401:
            self._socket.hang_up(UNAUTHENTICATED, problem.code)

    def _refused(self, name: str, problem: Problem) -> FrameRefused:
        body: Any = members(problem, self._id)
        return FrameRefused(name, body)

    async def close(self, hangup: Hangup, problem: Problem | None = None) -> None:
        """Close, after the problem that is the reason."""
        await self._socket.close(hangup, None if problem is None else self._refused("", problem))


async def _refusal(call: Awaitable[None]) -> Problem | None:
    """Await a call; return why it was refused."""
    try:
        await call
    except Exception as error:  # noqa: BLE001 - logged, and hidden from the caller
        return problem_of(error, "/play")
    return None


async def _hang_up_at(closing: asyncio.Event) -> NoReturn:
    await closing.wait()
    raise Hangup(RESTART, "the service restarts: connect again")
