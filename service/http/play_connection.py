"""One client's connection to the WebSocket `/play`: its frames, subscriptions and notices.

Nothing is decided here. Commands, subscriptions and notices go the same way as over HTTP, with the
same limits and refusals. Frames are sent one after the other: the sources of the frames of a slow
client wait.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Coroutine
from functools import partial
from typing import Any, NamedTuple, NoReturn

import msgspec
from litestar import WebSocket
from litestar.exceptions import WebSocketDisconnect

from service.base.decoding import decode
from service.base.problems import (
    Problem,
    malformed,
    out_of_budget,
    revoked,
    unauthenticated,
)
from service.http import safety
from service.http.access import FoundMatch, MatchAccess
from service.http.callers import Callers
from service.http.commands import Commands
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
    StillHere,
    Subscribe,
    TellNotice,
    TellReceipt,
    TellRecord,
    Unsubscribe,
    id_of,
)
from service.http.inbound import Inbound
from service.http.live import KEEPALIVE_S, SentRecords, Streams, require_version
from service.http.player_stream import parse_place
from service.http.problem_json import members, problem_of
from service.http.shares import HOLD_S, Budgets, Metered, Payer
from service.play.caller import Caller
from service.play.notices import Notices

AUTHENTICATE_S = 5.0
"""Time for the frame with the token (seconds)."""
SLOW_S = 10.0
"""Time that one frame may take to be sent (seconds)."""
CLOSE_S = 1.0
"""Time for the end of a connection (seconds)."""
LOOK_S = 1.0
"""Interval of looks at a connection: for messages that get too long, and quiet times (seconds)."""
READ_AHEAD = 1_048_576
"""What the server may have read beyond a message, such as further frames and pings (bytes)."""
NOTICES = "notices"
"""Name of the subscription to notices: no match has this id."""
UNAUTHENTICATED = 4001
TOO_SLOW = 4008
TOO_LARGE = 1009
RESTART = 1012
ENCODE = msgspec.json.Encoder().encode

Call = Callable[[], Coroutine[Any, Any, None]]


class Hangup(Exception):
    """The service ends the connection."""

    def __init__(self, code: int, reason: str) -> None:
        """Close with a code and a reason."""
        super().__init__(reason)
        self.code = code
        self.reason = reason


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

    def __init__(
        self,
        socket: WebSocket[Any, Any, Any],
        parts: Parts,
        frame_bytes_max: int,
        request_id: str,
        address: str,
        sent: Inbound | None,
    ) -> None:
        """Serve the frames of a socket; problems and the service log name the id."""
        self._address = address
        self._id = request_id
        self._socket = socket
        self._parts = parts
        self._frame_bytes_max = frame_bytes_max
        self._token = ""
        self._player = ""
        self._subscriptions: dict[str, asyncio.Task[None]] = {}
        self._loop = asyncio.get_running_loop()
        self._hung_up: asyncio.Future[Hangup] = self._loop.create_future()
        self._sending = asyncio.Lock()
        self._told_at = self._loop.time()
        self._sent = sent

    async def watched(self, session: Coroutine[Any, Any, None]) -> None:
        """Serve a session; raises `Hangup` if the client misbehaves meanwhile."""
        await _first_of(session, self._watch(), self._end())

    async def _watch(self) -> NoReturn:
        """Send signs of life in quiet times; raises `Hangup` at a message that gets too long."""
        pending_max = self._frame_bytes_max + READ_AHEAD
        while True:
            if self._sent is not None and self._sent.look() > pending_max:
                raise self._too_large()
            if self._loop.time() - self._told_at > KEEPALIVE_S and self._player:
                await self._tell(StillHere())
            await asyncio.sleep(LOOK_S)

    async def _end(self) -> NoReturn:
        raise await self._hung_up

    def _hang_up(self, code: int, reason: str) -> None:
        """End the connection, from any task."""
        if not self._hung_up.done():
            self._hung_up.set_result(Hangup(code, reason))

    def _too_large(self) -> Hangup:
        return Hangup(TOO_LARGE, f"a frame is longer than {self._frame_bytes_max} bytes")

    async def _tell(self, frame: msgspec.Struct) -> None:
        """Send a frame after those before it. A client that does not read it is hung up on."""
        data = ENCODE(frame)
        async with self._sending:
            slow = self._loop.call_later(SLOW_S, self._hang_up, TOO_SLOW, "frames were not read")
            try:
                await self._socket.send_data(data)
            finally:
                slow.cancel()
            self._told_at = self._loop.time()

    async def authenticate(self) -> Caller:
        """Return the caller, by the header or the first frame; raises `Problem`, `Hangup`."""
        token = safety.bearer_token(self._socket.headers.get("authorization", ""))
        if not token:
            try:
                async with asyncio.timeout(AUTHENTICATE_S):
                    frame = decode(DECODER, await self._receive())
            except TimeoutError:
                raise Hangup(UNAUTHENTICATED, "no token within 5 seconds") from None
            if not isinstance(frame, Authenticate):
                raise unauthenticated("The first frame must be `authenticate`.")
            token = frame.token
        self._token = token.strip()
        caller = await self._parts.callers.holder(self._token, self._address)
        self._player = caller.player
        return caller

    async def run(self, caller: Caller, closing: asyncio.Event) -> None:
        """Serve frames until the connection ends, by raising `Hangup` or `WebSocketDisconnect`."""
        await self._tell(Connected(caller.player, self._frame_bytes_max))
        try:
            await _first_of(self._read(), _hang_up_at(closing), self._hang_up_without_token(caller))
        finally:
            for subscription in (following := [*self._subscriptions.values()]):
                subscription.cancel()
            await asyncio.gather(*following, return_exceptions=True)

    async def _read(self) -> NoReturn:
        """Answer frames one after the other."""
        while True:
            data = await self._receive()
            await self._trying(partial(id_of, data), self._answer(data))

    async def _receive(self) -> bytes:
        """Return the next frame; raises `Hangup` if the frame is too long."""
        message: Any = await self._socket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(detail="disconnected", code=message["code"])
        text = message.get("text")
        data = (message.get("bytes") or b"") if text is None else text.encode()
        if self._sent is not None:
            self._sent.message_ended(len(data))
        if len(data) > self._frame_bytes_max:
            raise self._too_large()
        return data

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
                await self._tell(Pong(frame.id))
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
        await self._tell(CommandAccepted(frame.id, told))
        if frame.receipt:
            receipting = self._parts.commands.receipt(cached, caller, accepted)
            if (receipt := await Metered(receipting, payer)) is not None:
                signed: Any = msgspec.Raw(receipt.encode())
                await self._tell(TellReceipt(frame.match, signed))

    async def _follow_match(self, found: FoundMatch, caller: Caller, frame: Subscribe) -> None:
        async for told in self._parts.streams.follow(found, caller, frame.after):
            if isinstance(told, SentRecords):
                for line in told.lines:
                    record: Any = msgspec.Raw(line)
                    await self._tell(TellRecord(frame.match, record))
            elif told.event == "receipt":
                receipt: Any = msgspec.Raw(str(told.data).encode())
                await self._tell(TellReceipt(frame.match, receipt))
            elif told.event == "end":
                await self._tell(MatchOver(frame.match))
        await self._require_token(caller)

    async def _follow_notices(self, caller: Caller, place: str | None) -> None:
        async for told in await self._parts.notices.follow(caller.player, place):
            await self._require_token(caller)
            if told is not None:
                notice: Any = msgspec.Raw(told.data)
                await self._tell(TellNotice(told.place, notice))

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
                await self._tell(Done(name))
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
        await self._tell(Done(frame.id))

    async def _trying(self, name: Callable[[], str], call: Awaitable[None]) -> None:
        """Await a call, and send its refusal. Without a valid token the connection ends."""
        if (problem := await _refusal(call)) is None:
            return
        if problem.status == 429:
            await asyncio.sleep(HOLD_S)
        await self._tell(self._refused(name(), problem))
        if problem.status == 401:
            self._hang_up(UNAUTHENTICATED, problem.code)

    def _refused(self, name: str, problem: Problem) -> FrameRefused:
        body: Any = members(problem, self._id)
        return FrameRefused(name, body)

    async def close(self, hangup: Hangup, problem: Problem | None = None) -> None:
        """Close, after the problem that is the reason. A client that does not read gets neither."""
        with contextlib.suppress(Exception):
            async with asyncio.timeout(CLOSE_S):
                if problem is not None:
                    await self._socket.send_data(ENCODE(self._refused("", problem)))
                await self._socket.close(hangup.code, hangup.reason)


async def _refusal(call: Awaitable[None]) -> Problem | None:
    """Await a call; return why it was refused."""
    try:
        await call
    except Exception as error:  # noqa: BLE001 - logged, and hidden from the caller
        return problem_of(error, "/play")
    return None


async def _first_of(*calls: Coroutine[Any, Any, None]) -> None:
    """Await calls side by side until one of them ends, and raise what it raises."""
    tasks = [asyncio.create_task(call) for call in calls]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _hang_up_at(closing: asyncio.Event) -> NoReturn:
    await closing.wait()
    raise Hangup(RESTART, "the service restarts: connect again")
