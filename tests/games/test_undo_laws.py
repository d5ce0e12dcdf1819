"""Undo in every game: exact, told to those it concerns, and nothing revealed goes unmarked."""

from contextlib import suppress
from typing import NamedTuple

import pytest

from games import GAMES
from games.chance import Chance
from games.game import Illegal
from games.match.commands import CreateMatch, Undo_
from games.match.due import next_due
from games.match.states import state_after
from games.match.undo import price
from games.playout import seed_of
from games.testing.playouts import encode
from tests.games.laws import laws_of
from tests.recorder import Recorder

SEEDS = range(3)
COMMANDS = 80
TRIES = 3
"""Undos tried after each command, each to a version a little earlier."""

every_match = pytest.mark.parametrize(
    ("game", "seed"),
    [(game, seed) for game in GAMES.values() for seed in SEEDS],
    ids=[f"{slug}-{seed}" for slug in GAMES for seed in SEEDS],
)


class Undo(NamedTuple):
    """An undo that may come now."""

    seat: int
    number: int
    cost: object


def matches(game, seed):
    """Play a match of people at random; yield it with its dice after each command."""
    tables = laws_of(game.slug).tables
    seats, options = tables[seed % len(tables)]
    dice = Chance(seed_of(seed), 1 << 43)
    recorder = Recorder(game, CreateMatch(game.slug, seats, options), f"m_{game.slug}_{seed}")
    recorder.sit(*[""] * seats)
    match = recorder.match
    for _ in range(COMMANDS):
        if match.status != "running":
            return
        while (due := next_due(match)) is not None and due.at <= recorder.at:
            recorder.time_out()
        waiting = [seat for seat in game.waiting(match.state) if game.legal(match.state, seat)]
        if not waiting:
            return
        seat = dice.choice(sorted(waiting))
        with suppress(Illegal):
            command = dice.choice(game.legal(match.state, seat))
            recorder.play(seat, command, after=60_000_000)
            yield recorder, dice


def undos(match, dice):
    """Yield undos that the rules would allow."""
    for _ in range(TRIES):
        seat = dice.randbelow(match.header.seats)
        number = len(match.shown[seat]) - 1 - dice.randbelow(4)
        with suppress(Illegal):
            yield Undo(seat, number, price(match, seat, number))


@every_match
def test_what_is_free_to_take_back_told_its_sender_nothing(game, seed):
    """In every twin of the state before, the sender is told the same."""
    laws = laws_of(game.slug)
    for recorder, dice in matches(game, seed):
        match = recorder.match
        for undo in undos(match, dice):
            if undo.cost.undo != "free" or match.status != "running":
                continue
            entries = match.line.until(undo.cost.to)
            mine = [e for e in match.line[entries:] if e.version not in undo.cost.kept]
            assert {entry.seat for entry in mine} == {undo.seat}, "nobody else's is free"
            commands = [entry.command for entry in mine]
            before = state_after(match, entries)
            told = story(game, before, undo.seat, commands)
            for twin in laws.twins(before, undo.seat, dice):
                assert story(game, twin, undo.seat, commands) == told, commands


def story(game, state, seat, commands):
    """Play commands of a seat; return all that it is told."""
    state, told = state.copy(), []
    for command in commands:
        for event in game.decide(state, seat, command, Chance(seed_of(5), 4)):
            game.apply(state, event)
            told.append(game.redact(event, seat, state))
        told.append(game.view(state, seat))
    return encode(told)


@every_match
def test_an_undo_is_exact_and_told_to_those_it_counts_for(game, seed):
    """The state is again what it was, except for what stays; nothing changes for other viewers."""
    for recorder, dice in matches(game, seed):
        match = recorder.match
        for undo in [undo for undo in undos(match, dice) if undo.cost.undo == "free"][:1]:
            if match.status != "running":
                break
            to, kept = undo.cost.to, undo.cost.kept
            entries = match.line.until(to)
            taken = {e.version for e in match.line[entries:] if e.version not in kept}
            concerned = {
                viewer
                for viewer, shown in match.shown.items()
                if viewer == undo.seat or taken & set(shown)
            }
            numbers = {viewer: len(shown) for viewer, shown in match.shown.items()}
            before = state_after(match, entries)
            recorder.play(undo.seat, Undo_(undo.number))
            moved = {v for v, shown in match.shown.items() if len(shown) > numbers[v]}
            assert moved == concerned
            if not kept and game.recall is None:
                assert encode(match.state) == encode(before)


@every_match
def test_what_others_did_in_hiding_prices_no_undo(game, seed):
    """A seat's latest command costs the same with and without later records hidden from it."""
    for recorder, _ in matches(game, seed):
        match = recorder.match
        if match.status != "running":
            return
        for seat in range(match.header.seats):
            shown = frozenset(match.shown[seat])
            own = [entry for entry in match.line[1:] if entry.version in shown]
            if not own or own[-1].seat != seat:
                continue
            last = own[-1]
            number = len(match.shown[seat]) - 1
            entry = match.line.until(last.version - 1)
            before = state_after(match, entry)
            declared = game.undo(before, seat, last.command, last.events)
            if match.shown[seat][-1] != last.version or declared is None:
                continue
            with suppress(Illegal):
                assert price(match, seat, number).undo == declared
