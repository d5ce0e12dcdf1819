"""Equal shares over HTTP: what a call costs, who pays, and how a refusal looks."""

import asyncio
import time
from functools import partial

import msgspec
import pytest

from service.base.budgets import Allowance, Budget
from service.http import shares
from service.http.load import ROOM, Load
from service.http.shares import Metered, Payer, Shares
from service.http.turns import HURRY_S, SLICE_S, Turns


def work(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


async def costly():
    work(0.02)
    await asyncio.sleep(0)
    work(0.02)


class Purse:
    """Who pays for a call, and is told when it may go on."""

    hurries = False

    def __init__(self):
        self.spent = []
        self.turns = []

    def charge(self, seconds):
        self.spent.append(seconds)

    def step(self, seconds):
        pass

    def turn(self):
        return self.turns.pop() if self.turns else None


async def test_all_steps_of_a_call_are_counted_and_no_others():
    purse = Purse()
    other = asyncio.create_task(costly())
    await Metered(costly(), purse)
    await other
    assert sum(purse.spent) == pytest.approx(0.04, abs=0.01)


async def test_a_long_call_is_charged_before_its_end():
    purse, go_on = Purse(), asyncio.Event()

    async def stream():
        work(0.01)
        await go_on.wait()

    task = asyncio.create_task(call(Metered(stream(), purse)))
    await asyncio.sleep(0.01)
    assert sum(purse.spent) >= 0.01
    go_on.set()
    await task


async def test_results_errors_and_cancellation_pass_through():
    async def failing():
        await asyncio.sleep(0)
        raise KeyError("lost")

    with pytest.raises(KeyError, match="lost"):
        await Metered(failing(), Purse())
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await Metered(asyncio.sleep(60), Purse())


async def test_a_call_goes_on_at_its_turn_and_may_end_before_it():
    purse, done = Purse(), []

    async def step():
        done.append(1)

    purse.turns = [asyncio.get_running_loop().create_future()]
    turn = purse.turns[0]
    task = asyncio.create_task(call(Metered(step(), purse)))
    await asyncio.sleep(0.001)
    assert not done
    turn.set_result(None)
    await task
    assert done
    purse.turns = [asyncio.get_running_loop().create_future()]
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await Metered(step(), purse)
    assert len(done) == 1


async def test_a_call_for_which_others_wait_does_not_wait_for_a_turn():
    purse = Purse()
    purse.hurries = True
    purse.turns = [asyncio.get_running_loop().create_future()]
    async with asyncio.timeout(1):
        await Metered(asyncio.sleep(0), purse)
    assert purse.spent


async def call(awaitable):
    await awaitable


@pytest.fixture
def busy(monkeypatch):
    """Leave the process no room, let it refuse at once, and stop the clock of the budgets."""
    monkeypatch.setattr(shares, "Budget", partial(Budget, clock=lambda: 100.0))
    monkeypatch.setattr(shares, "HOLD_S", 0.0)
    monkeypatch.setattr(shares.Load, "room", lambda _: 0.0)


class Service:
    """The application behind the shares, where each call of a player takes some work."""

    def __init__(self, seconds=0.05, work_ms=100, **more):
        given = {"proxied": True, "origins": (), **more}
        self._seconds = seconds
        self._shares = Shares(self._app, shares.Budgets(work_ms), **given)

    async def _app(self, scope, receive, send):
        token = dict(scope["headers"]).get(b"authorization")
        if token is not None:
            scope["state"]["caller"] = token.decode().split()[1]
        work(self._seconds)
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def get(self, player="", path="/players/me", address="10.0.0.1", **headers):
        given = {"x-forwarded-for": address, **headers}
        if player:
            given.setdefault("authorization", f"Bearer {player}")
        raw = [(name.encode(), value.encode()) for name, value in given.items()]
        scope = {"type": "http", "path": path, "headers": raw, "state": {}, "client": ("::1", 1)}
        sent = []

        async def send(message):
            sent.append(message)

        await self._shares(scope, None, send)
        start, body = sent
        return start["status"], dict(start["headers"]), body["body"]

    async def exhaust(self, *given, **more):
        for _ in range(20):
            status, headers, body = await self.get(*given, **more)
            if status == 429:
                return headers, msgspec.json.decode(body)
        raise AssertionError("it was never refused")


@pytest.mark.usefixtures("busy")
async def test_who_uses_more_than_its_share_is_told_when_to_come_back():
    headers, body = await Service().exhaust("ada")
    assert body["code"] == "rate-limited"
    assert int(headers[b"retry-after"]) == body["retry_after"] >= 1
    assert headers[b"content-type"] == b"application/problem+json"
    assert headers[b"ratelimit-policy"] == b'"work";q=100;w=1;qu="shiplog-cpu-ms"'
    assert headers[b"ratelimit"] == f'"work";r=0;t={body["retry_after"]}'.encode()


@pytest.mark.usefixtures("busy")
async def test_others_go_on_and_the_same_player_may_still_move():
    service = Service()
    await service.exhaust("ada")
    assert (await service.get("bob"))[0] == 200
    assert (await service.get("ada", "/matches/m/commands"))[0] == 200
    assert (await service.get("ada"))[0] == 429


@pytest.mark.usefixtures("busy")
async def test_a_player_pays_wherever_it_calls_from():
    service = Service()
    await service.exhaust("ada")
    assert (await service.get("ada", address="10.0.0.2"))[0] == 429


@pytest.mark.usefixtures("busy")
async def test_a_token_is_known_once_however_its_header_is_written(monkeypatch):
    """Else a guest could fill the memory with blanks, and have all others forgotten."""
    monkeypatch.setattr(shares, "KNOWN_MAX", 2)
    service = Service()
    await service.exhaust("bob")
    for blanks in range(1, 5):
        await service.get(authorization=f"bearer{' ' * blanks}ada")
    assert (await service.get("bob", address="10.0.0.2"))[0] == 429
    padded = f"Bearer{' ' * 60_000}bob"
    assert (await service.get(authorization=padded, address="10.0.0.2"))[0] == 429


@pytest.mark.usefixtures("busy")
async def test_who_has_no_token_pays_by_address():
    service = Service()
    await service.exhaust()
    assert (await service.get())[0] == 429
    assert (await service.get("ada"))[0] == 429, "a token that is not known yet"
    assert (await service.get(address="10.0.0.2"))[0] == 200
    assert (await service.get(path="/health/ready"))[0] == 200


@pytest.mark.usefixtures("busy")
async def test_a_page_of_an_allowed_origin_can_read_the_refusal():
    service = Service(origins=("https://play.example",))
    headers, _ = await service.exhaust("ada", origin="https://play.example")
    assert headers[b"access-control-allow-origin"] == b"https://play.example"
    headers, _ = await service.exhaust("ada", origin="https://evil.example")
    assert b"access-control-allow-origin" not in headers


@pytest.mark.usefixtures("busy")
async def test_a_caller_who_may_go_on_in_a_moment_is_not_refused():
    """With so large a share, a whole second of work is earned in a millisecond."""
    service = Service(work_ms=1_000_000)
    assert {(await service.get("ada"))[0] for _ in range(20)} == {200}


async def test_with_room_a_single_caller_is_never_refused(monkeypatch):
    monkeypatch.setattr(shares.Load, "room", lambda _: ROOM)
    monkeypatch.setattr(shares, "BESIDE_S", 0.0)
    service = Service(seconds=0.0)
    assert {(await service.get("ada"))[0] for _ in range(200)} == {200}


@pytest.mark.usefixtures("busy")
async def test_refusals_are_held_back(monkeypatch):
    monkeypatch.setattr(shares, "HOLD_S", 0.2)
    service = Service()
    await service.exhaust("ada")
    started = time.monotonic()
    await service.get("ada")
    assert time.monotonic() - started >= 0.1


async def test_who_keeps_others_waiting_for_its_body_pays_for_the_time():
    budget = Budget(Allowance(0.1), lambda: 0.0, lambda: 100.0)
    payer = Payer(budget, Load(), Turns(), lambda: "ada")
    budget.spend("ada", -0.1)
    saved = budget.saved_s("ada")
    with payer.hurry(), pytest.raises(TimeoutError):
        await payer.body(asyncio.wait_for(asyncio.Future(), 2 * HURRY_S))
    assert budget.saved_s("ada") == pytest.approx(saved - HURRY_S)


async def test_who_has_saved_up_little_keeps_nobody_waiting():
    turns = Turns()
    payer = Payer(Budget(Allowance(0.1), lambda: 0.0), Load(), turns, lambda: "eve")
    with payer.hurry():
        turns.spend(SLICE_S)
        waiting = turns.turn(lambda: 0.0)
        await asyncio.sleep(0)
        assert waiting.done()
