"""Laws on commands: legal ones are decided, all others refused, and every match can end."""

import tomllib
from typing import Any

import msgspec
import pytest

from games.chance import Chance
from games.game import AnyGame
from games.playout import at_random, plies, seed_of
from games.testing.laws import Laws
from games.testing.playouts import Data, accepts, encode, law, playout


def test_every_table_ends_within_its_limit(game: AnyGame, laws: Laws) -> None:
    """Every table is played to its end once; a result comes exactly then."""
    assert {seats for seats, _ in laws.tables} == set(game.seats), "every seat count has a table"
    for number, (seats, raw) in enumerate(laws.tables):
        options = msgspec.convert(raw, game.Options)
        random = at_random(Chance(seed_of(number), 1 << 41))
        state: Any = None
        walk = plies(game, seats, options, seed_of(number), random)
        for count, (state, _ply) in enumerate(walk, start=1):
            assert count <= laws.records_max, f"no end: seats={seats} {raw} seed={number}"
            assert bool(game.waiting(state)) == (game.result(state) is None)
        result = game.result(state)
        assert result is not None
        assert set(result.winners) <= set(range(seats))
        assert len(result.places(seats)) == seats


@law
def test_the_default_ends_every_match(game: AnyGame, laws: Laws, data: Data) -> None:
    """Clocks alone play any match to its end: no deadlock, and each default is legal."""
    for position in playout(game, laws, data, every=1 << 30):
        state = position.state.copy()
        version = len(position.history)
        limit = version + 2 * position.laws.records_max
        while waiting := game.waiting(state):
            version += 1
            assert version <= limit, "the defaults never end it"
            seat = position.dice.choice(sorted(waiting))
            for event in game.decide(
                state, seat, game.default(state, seat), Chance(seed_of(3), version)
            ):
                game.apply(state, event)


@law
def test_a_waiting_seat_has_legal_commands_and_a_clock(
    game: AnyGame, laws: Laws, data: Data
) -> None:
    """The default is legal, the clock has a name and is positive, and viewers know the truth."""
    for position in playout(game, laws, data, every=3):
        state = position.state
        for seat in game.waiting(state):
            assert game.legal(state, seat)
            assert accepts(position, state, seat, game.default(state, seat))
            clock = game.timing.clock(state, seat)
            assert clock is None or (clock[0] and clock[1] >= 0)
            assert seat in game.awaited(state, seat)
        over = game.result(state) is not None
        for seat in range(position.seats):
            assert not (over and game.legal(state, seat)), "finished is final"
        teams = game.teams(state)
        assert sorted(seat for team in teams for seat in team) == list(range(position.seats))


@law
def test_legal_is_exactly_what_decide_accepts(game: AnyGame, laws: Laws, data: Data) -> None:
    """Every listed command is accepted; of all others (met elsewhere, or probed) none is."""
    pool: dict[bytes, Any] = {}
    for position in playout(game, laws, data, every=4):
        state, laws, dice = position.state, position.laws, position.dice
        for seat in range(position.seats):
            legal = game.legal(state, seat)
            known = {encode(command) for command in legal}
            assert len(known) == len(legal), "listed twice"
            tried = legal if len(legal) <= 60 else dice.sample(legal, 60)
            for command in tried:
                assert accepts(position, state, seat, command), (seat, command)
                assert game.undo(
                    state, seat, command, game.decide(state, seat, command, Chance(seed_of(7), 9))
                ) in ("free", "consent", "all", None)
            others = [
                *dice.sample(list(pool.values()), min(len(pool), 25)),
                *laws.probes(state, seat, dice),
            ]
            for command in others:
                listed = encode(laws.canonical(state, seat, command)) in known
                assert accepts(position, state, seat, command) == listed, (seat, command)
            for command in tried[:10]:
                pool[encode(command)] = command


@law
def test_what_standing_orders_answer_is_legal(game: AnyGame, laws: Laws, data: Data) -> None:
    """For every waiting seat that one of them applies to."""
    for position in playout(game, laws, data):
        for seat in game.waiting(position.state):
            answers = (order(position.state, seat) for order in game.orders.values())
            for command in filter(None, answers):
                assert accepts(position, position.state, seat, command), command


def _perft(game: AnyGame, state: Any, seat_order: str, depth: int) -> int:
    """Count the leaves of the legal tree; every node draws the same dice."""
    waiting = sorted(game.waiting(state))
    if depth == 0 or not waiting:
        return 1
    leaves = 0
    for seat in waiting if seat_order == "all" else waiting[:1]:
        for command in game.legal(state, seat):
            child = state.copy()
            for event in game.decide(child, seat, command, Chance(seed_of(0), depth)):
                game.apply(child, event)
            leaves += _perft(game, child, seat_order, depth - 1)
    return leaves


def test_perft_counts_pin_legal(game: AnyGame, laws: Laws) -> None:
    """The sizes of legal trees, from the positions of the perft file, stay what they were."""
    if laws.perft is None:
        pytest.skip(f"{game.slug} names no file of legal tree sizes (Laws.perft)")
    positions = tomllib.loads(laws.perft.read_text())["position"]
    assert positions
    for entry in positions:
        options = msgspec.convert(entry.get("options", {}), game.Options)
        seed = seed_of(entry["seed"])
        walk = plies(game, entry["seats"], options, seed, at_random(Chance(seed, 1 << 41)))
        state: Any = None
        for _ in range(entry["plies"]):
            state, _ply = next(walk)
        order = entry.get("order", "first")
        counts = [_perft(game, state, order, depth + 1) for depth in range(len(entry["counts"]))]
        assert counts == entry["counts"], entry
