"""The laws that every game must pass, written once over `GAMES`.

A playout is a table (seats, options), a seed and a length; Hypothesis shrinks all three, so a failure prints the seed
and the shortest history. `LAWS_EXAMPLES` sets how many playouts each law plays.
"""

import importlib
import os
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest
from hypothesis import HealthCheck, Phase, given, note, settings
from hypothesis import strategies as st

from games import GAMES
from games.chance import Chance
from games.game import AnyGame, Illegal
from games.playout import Ply, Watchers, at_random, plies, seed_of
from tests.games.laws import Laws, laws_of

if slug := os.environ.get("GAME_SLUG"):
    GAMES = {slug: importlib.import_module(f"games.{slug}").GAME}

EXAMPLES = int(os.environ.get("LAWS_EXAMPLES", "6"))
ENCODER = msgspec.json.Encoder()
encode = ENCODER.encode

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
laws_settings = settings(
    max_examples=EXAMPLES,
    print_blob=False,
    phases=(Phase.generate, Phase.shrink),
    suppress_health_check=list(HealthCheck),
)


class Position(NamedTuple):
    """A playout up to some ply."""

    game: AnyGame
    laws: Laws
    seats: int
    options: Any
    seed: bytes
    history: list[Ply]
    state: Any
    dice: Chance
    """The test's own randomness."""

    def viewers(self) -> list[int | None]:
        return [*range(self.seats), None]


def playout(game: AnyGame, data: st.DataObject, *, every: int = 1) -> Iterator[Position]:
    """Play at random and yield each `every`-th position, and the last."""
    laws = laws_of(game.slug)
    seats, raw = data.draw(st.sampled_from(list(laws.tables)), label="table")
    seed = data.draw(st.integers(0, 2**32), label="seed")
    length = laws.records_max - data.draw(st.integers(0, laws.records_max - 1), label="cut")
    options = msgspec.convert(raw, game.Options)
    dice = Chance(seed_of(seed), 1 << 40)
    walk = plies(game, seats, options, seed_of(seed), at_random(Chance(seed_of(seed), 1 << 41)))
    note(f"{game.slug} seats={seats} options={raw} seed={seed}")
    history: list[Ply] = []
    for state, ply in walk:
        note(f"  {ply.version} seat {ply.seat}: {encode(ply.command).decode()}")
        history.append(ply)
        last = len(history) == length or not game.waiting(state)
        if last or len(history) % every == 0:
            yield Position(game, laws, seats, options, seed_of(seed), history, state, dice)
        if last:
            break


def fold(position: Position, history: list[Ply] | None = None) -> Any:
    """Fold a history from the bytes of its events."""
    game = position.game
    decoder = msgspec.json.Decoder(game.Event)
    state = game.initial(position.seats, position.options)
    for ply in position.history if history is None else history:
        for event in ply.events:
            game.apply(state, decoder.decode(encode(event)))
    return state


def accepts(position: Position, state: Any, seat: int, command: Any) -> bool:
    try:
        position.game.decide(state, seat, command, Chance(seed_of(7), 1 << 42))
    except Illegal:
        return False
    return True


@every_game
def test_every_table_ends_within_its_limit(game):
    """Every option set of every seat count is played to the end once; a result comes exactly then."""
    laws = laws_of(game.slug)
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
        assert set(result.winners) <= set(range(seats))
        assert len(result.places(seats)) == seats


@every_game
@laws_settings
@given(data=st.data())
def test_the_default_ends_every_match(game, data):
    """Clocks alone play any match to its end: no deadlock, and each default is legal."""
    for position in playout(game, data, every=1 << 30):
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


@every_game
@laws_settings
@given(data=st.data())
def test_a_waiting_seat_has_legal_commands_and_a_clock(game, data):
    """Its default is legal; its clock has a name and is positive; viewers know no more than is true."""
    for position in playout(game, data, every=3):
        state = position.state
        for seat in game.waiting(state):
            assert game.legal(state, seat)
            assert accepts(position, state, seat, game.default(state, seat))
            clock = game.clock(state, seat)
            assert clock is None or (clock[0] and clock[1] >= 0)
            assert seat in game.awaited(state, seat)
        over = game.result(state) is not None
        for seat in range(position.seats):
            assert not (over and game.legal(state, seat)), "finished is final"
        teams = game.teams(state)
        assert sorted(seat for team in teams for seat in team) == list(range(position.seats))


@every_game
@laws_settings
@given(data=st.data())
def test_legal_is_exactly_what_decide_accepts(game, data):
    """Every listed command is accepted; of all others (met elsewhere, or probed) none is."""
    pool: dict[bytes, Any] = {}
    for position in playout(game, data, every=4):
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


@every_game
@laws_settings
@given(data=st.data())
def test_what_standing_orders_answer_is_legal(game, data):
    """For every waiting seat that one of them applies to."""
    for position in playout(game, data):
        for seat in game.waiting(position.state):
            answers = (order(position.state, seat) for order in game.orders.values())
            for command in filter(None, answers):
                assert accepts(position, position.state, seat, command), command


@every_game
@laws_settings
@given(data=st.data())
def test_only_apply_changes_a_state(game, data):
    """`decide`, `legal`, `view` and the rest leave it as it was; a copy is independent."""
    for position in playout(game, data, every=5):
        state = position.state
        before = encode(state)
        for seat in range(position.seats):
            for command in game.legal(state, seat)[:20]:
                game.decide(state, seat, command, Chance(seed_of(1), 5))
            game.view(state, seat)
        for seat in game.waiting(state):
            game.default(state, seat)
        assert encode(state) == before
        copy = state.copy()
        assert encode(copy) == before
        for seat in game.waiting(state):
            for event in game.decide(copy, seat, game.default(copy, seat), Chance(seed_of(1), 6)):
                game.apply(copy, event)
            break
        assert encode(state) == before


@every_game
@laws_settings
@given(data=st.data())
def test_a_state_refolded_from_bytes_is_byte_equal(game, data):
    """Live, refolded, copied and undone states agree, as do their plain forms."""
    prefixes: list[tuple[int, bytes]] = []
    for position in playout(game, data, every=7):
        prefixes.append((len(position.history), encode(position.state)))
        msgspec.json.encode(msgspec.to_builtins(position.state))
    for length, live in (*prefixes[:3], *prefixes[-2:]):
        assert encode(fold(position, position.history[:length])) == live


@every_game
@laws_settings
@given(data=st.data())
def test_commands_redecide_to_the_same_bytes(game, data):
    """From the recorded commands and the seed alone, every recorded event follows again."""
    for position in playout(game, data, every=1 << 30):
        commands = msgspec.json.Decoder(game.Command)
        state = game.initial(position.seats, position.options)
        for ply in position.history:
            dice = Chance(position.seed, ply.version)
            if ply.seat is None:
                events = game.setup(position.seats, position.options, dice)
            else:
                command = commands.decode(encode(ply.command))
                events = game.decide(state, ply.seat, command, dice)
            assert encode(events) == encode(ply.events)
            for event in events:
                game.apply(state, event)


@every_game
@laws_settings
@given(data=st.data())
def test_components_are_conserved_at_every_event(game, data):
    """Nothing appears or vanishes."""
    for position in playout(game, data, every=1 << 30):
        state = game.initial(position.seats, position.options)
        census = None
        for ply in position.history:
            for event in ply.events:
                game.apply(state, event)
                if ply.version == 1:
                    continue
                assert position.laws.census(state) == census, event
            census = position.laws.census(state)


@every_game
@laws_settings
@given(data=st.data())
def test_what_is_hidden_cant_be_told_from_what_is_seen(game, data):
    """View, legal commands, default, clock, the awaited seats and where standing orders apply are those of any twin."""
    for position in playout(game, data, every=6):
        state = position.state
        for viewer in position.viewers():
            seen = observed(game, state, viewer)
            for twin in position.laws.twins(state, viewer, position.dice):
                assert observed(game, twin, viewer) == seen, viewer


def observed(game: AnyGame, state: Any, viewer: int | None) -> bytes:
    own = viewer is not None
    awaited = sorted(game.awaited(state, viewer))
    return encode(
        [
            [(s, name, order(state, s)) for s in awaited for name, order in game.orders.items()],
            game.view(state, viewer),
            awaited,
            game.legal(state, viewer) if own else None,
            game.default(state, viewer) if own and viewer in game.waiting(state) else None,
            game.clock(state, viewer) if own and viewer in game.waiting(state) else None,
        ]
    )


@every_game
@laws_settings
@given(data=st.data())
def test_twin_histories_look_alike(game, data):
    """Redacted records, views and the viewer's record numbers are those of any twin history."""
    for position in playout(game, data, every=1 << 30):
        for viewer in position.viewers():
            twin = position.laws.rehistory(position.history, viewer, position.dice)
            if twin is None:
                continue
            assert watched(position, twin, viewer) == watched(position, position.history, viewer)


def watched(position: Position, history: Any, viewer: int | None) -> list[bytes]:
    watchers = Watchers(position.game, position.seats, position.options)
    for ply in history:
        watchers.watch(ply)
    records = watchers.seen(viewer).records
    return [encode(record) for record in records]


@every_game
@laws_settings
@given(data=st.data())
def test_an_undo_class_agrees_with_what_was_revealed(game, data):
    """A command whose events tell anyone something hidden is never free or by consent of a few."""
    for position in playout(game, data, every=6):
        state = position.state
        for seat in game.waiting(state):
            legal = game.legal(state, seat)
            for command in position.dice.sample(legal, min(6, len(legal))):
                dice = Chance(seed_of(11), 4)
                events = game.decide(state, seat, command, dice)
                if game.undo(state, seat, command, events) in ("all", None):
                    continue
                told = redacted(game, state, events, seat)
                for twin in position.laws.twins(state, seat, position.dice):
                    again = game.decide(twin, seat, command, Chance(seed_of(12), 4))
                    assert redacted(game, twin, again, seat) == told, command


def redacted(game: AnyGame, state: Any, events: Any, viewer: int | None) -> bytes:
    after = state.copy()
    shown = []
    for event in events:
        game.apply(after, event)
        shown.append(game.redact(event, viewer, after))
    return encode(shown)


@every_game
@laws_settings
@given(data=st.data())
def test_sampled_worlds_fit_what_was_seen(game, data):
    """A sampled world gives its viewer the same view and legal commands.

    Not the same default: a game may draw it from what every seat is kept from (SON, `pads`).
    """
    watchers = None
    watched_plies = 0
    for position in playout(game, data, every=8):
        if watchers is None:
            watchers = Watchers(game, position.seats, position.options)
        for ply in position.history[watched_plies:]:
            watchers.watch(ply)
        watched_plies = len(position.history)
        state = position.state
        for viewer in position.viewers():
            view = game.view(state, viewer)
            world = game.sample(view, watchers.seen(viewer), position.dice)
            assert encode(game.view(world, viewer)) == encode(view)
            assert encode(sorted(game.awaited(world, viewer))) == encode(
                sorted(game.awaited(state, viewer))
            )
            if viewer is not None:
                assert encode(game.legal(world, viewer)) == encode(game.legal(state, viewer))
            assert position.laws.census(world) == position.laws.census(state)


@every_game
@laws_settings
@given(data=st.data())
def test_bots_choose_legal_commands(game, data):
    """Every level answers every decision with a legal command, from its view alone."""
    watchers = None
    watched_plies = 0
    for position in playout(game, data, every=10):
        if watchers is None:
            watchers = Watchers(game, position.seats, position.options)
        for ply in position.history[watched_plies:]:
            watchers.watch(ply)
        watched_plies = len(position.history)
        state = position.state
        for seat in game.waiting(state):
            legal = game.legal(state, seat)
            for bot in game.bots.values():
                command = bot(
                    game.view(state, seat), watchers.seen(seat), legal, Chance(seed_of(5), 1)
                )
                assert accepts(position, state, seat, command)


planned = pytest.mark.parametrize(
    "game", [game for game in GAMES.values() if game.blueprint], ids=lambda game: game.slug
)


@planned
@laws_settings
@given(data=st.data())
def test_a_blueprint_knows_only_its_seat(game, data):
    """Its policy plays legally, and alike in twins; its candidates are legal; its shares are shares."""
    blueprint = game.blueprint
    watchers = None
    watched_plies = 0
    for position in playout(game, data, every=10):
        if watchers is None:
            watchers = Watchers(game, position.seats, position.options)
        for ply in position.history[watched_plies:]:
            watchers.watch(ply)
        watched_plies = len(position.history)
        state = position.state
        before = encode(state)
        for seat in game.waiting(state):
            command = blueprint.policy(state, seat, Chance(seed_of(5), 1))
            assert accepts(position, state, seat, command), (seat, command)
            for twin in position.laws.twins(state, seat, position.dice):
                assert blueprint.policy(twin, seat, Chance(seed_of(5), 1)) == command
            legal = game.legal(state, seat)
            seen = watchers.seen(seat)
            ranked = blueprint.ranking(game.view(state, seat), seen, legal, Chance(seed_of(5), 1))
            assert ranked
            assert len({encode(command) for command in ranked}) == len(ranked)
            assert all(accepts(position, state, seat, command) for command in ranked)
            for command in ranked:
                assert blueprint.reason(game.view(state, seat), seat, command) in blueprint.reasons
        if blueprint.value is not None and game.waiting(state):
            values = blueprint.value(state)
            assert len(values) == len(game.teams(state))
            assert min(values) >= 0
            assert sum(values) <= 1 + 1e-9
        assert encode(state) == before


def perft(game: AnyGame, state: Any, seat_order: str, depth: int) -> int:
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
            leaves += perft(game, child, seat_order, depth - 1)
    return leaves


@every_game
def test_perft_counts_pin_legal(game):
    """The sizes of legal trees, from the positions listed in `perft.toml`, stay what they were."""
    path = Path(__file__).parent / game.slug / "perft.toml"
    positions = tomllib.loads(path.read_text())["position"]
    assert positions
    for entry in positions:
        options = msgspec.convert(entry.get("options", {}), game.Options)
        seed = seed_of(entry["seed"])
        walk = plies(game, entry["seats"], options, seed, at_random(Chance(seed, 1 << 41)))
        state: Any = None
        for _ in range(entry["plies"]):
            state, _ply = next(walk)
        order = entry.get("order", "first")
        counts = [perft(game, state, order, depth + 1) for depth in range(len(entry["counts"]))]
        assert counts == entry["counts"], entry
