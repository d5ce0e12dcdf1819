"""Turns on the event loop: who has used much waits while the slice of a round is used up."""

import asyncio

import pytest

from service.http import turns as turns_module
from service.http.turns import LIGHT_S, SLICE_S, Turns

SAVED = {"rich": 0.0, "broke": -0.2, "poor": -0.1}


async def test_with_a_slice_left_nobody_waits():
    turns = Turns()
    turns.spend(SLICE_S / 2)
    assert turns.turn(lambda: -1.0) is None


async def test_who_has_saved_up_much_never_waits():
    turns = Turns()
    turns.spend(SLICE_S)
    assert turns.turn(lambda: 2 * LIGHT_S) is None
    assert turns.turn(lambda: LIGHT_S / 2) is not None


async def test_the_others_go_on_one_in_a_round_who_has_saved_up_most_first():
    turns, rounds = Turns(), []
    turns.spend(SLICE_S)
    waiting = {name: turns.turn(lambda saved=saved: saved) for name, saved in SAVED.items()}
    while not all(turn.done() for turn in waiting.values()):
        await asyncio.sleep(0)
        turns.spend(SLICE_S)
        rounds.append([name for name, turn in waiting.items() if turn.done()])
    assert rounds == [["rich"], ["rich", "poor"], ["rich", "broke", "poor"]]


async def test_who_no_longer_waits_loses_its_turn_to_the_next():
    turns = Turns()
    turns.spend(SLICE_S)
    first, second = turns.turn(lambda: 0.0), turns.turn(lambda: -0.1)
    assert first is not None
    assert second is not None
    first.cancel()
    await asyncio.wait_for(second, 1)
    await asyncio.sleep(0)
    assert turns.turn(lambda: -1.0) is None


@pytest.fixture
def hurried(monkeypatch):
    """Return turns while a call is in a hurry that does not end by itself."""
    monkeypatch.setattr(turns_module, "HURRY_S", 60.0)
    turns = Turns()
    turns.begin_hurry()
    return turns


async def test_while_a_call_is_in_a_hurry_the_others_share_one_slice(hurried):
    assert hurried.turn(lambda: 0.0) is None
    hurried.spend(SLICE_S)
    waiting = hurried.turn(lambda: 0.0)
    assert hurried.turn(lambda: 2 * LIGHT_S) is None
    await asyncio.sleep(0)
    assert not waiting.done()
    hurried.end_hurry()
    await asyncio.sleep(0)
    assert waiting.done()
    assert hurried.turn(lambda: 0.0) is None


async def test_the_others_wait_for_the_last_call_in_a_hurry(hurried):
    hurried.begin_hurry()
    hurried.spend(SLICE_S)
    waiting = hurried.turn(lambda: 0.0)
    hurried.end_hurry()
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert not waiting.done()
    hurried.end_hurry()
    await asyncio.wait_for(waiting, 1)


async def test_a_slice_begins_now_and_then_in_spite_of_a_hurry(hurried):
    hurried.spend(SLICE_S)
    waiting = [hurried.turn(lambda: 0.0) for _ in range(3)]
    await asyncio.wait_for(waiting[0], 1)
    hurried.spend(SLICE_S)
    assert not waiting[1].done()
    await asyncio.wait_for(waiting[1], 1)


async def test_in_a_hurry_the_next_goes_on_while_the_slice_lasts_and_nobody_overtakes(hurried):
    hurried.spend(SLICE_S)
    first, second, third = (hurried.turn(lambda: 0.0) for _ in range(3))
    await asyncio.wait_for(first, 1)
    newcomer = hurried.turn(lambda: -1.0)
    hurried.spend(SLICE_S / 2)
    assert second.done()
    hurried.spend(SLICE_S)
    assert not third.done()
    assert not newcomer.done()


async def test_a_call_that_lasts_keeps_nobody_waiting_for_long(monkeypatch):
    monkeypatch.setattr(turns_module, "HELD_S", 60.0)
    monkeypatch.setattr(turns_module, "HURRY_S", 0.0)
    turns = Turns()
    turns.begin_hurry()
    turns.spend(SLICE_S)
    await asyncio.wait_for(turns.turn(lambda: 0.0), 1)
