"""Laws on states: they follow from the recorded bytes, which follow from commands and seed."""

from typing import Any

import msgspec

from games.chance import Chance
from games.game import AnyGame
from games.playout import Ply, seed_of
from games.testing.laws import Laws
from games.testing.playouts import Data, Position, encode, law, playout


def _fold(position: Position, history: list[Ply]) -> Any:
    """Fold a history from the bytes of its events."""
    game = position.game
    decoder = msgspec.json.Decoder(game.Event)
    state = game.initial(position.seats, position.options)
    for ply in history:
        for event in ply.events:
            game.apply(state, decoder.decode(encode(event)))
    return state


@law
def test_only_apply_changes_a_state(game: AnyGame, laws: Laws, data: Data) -> None:
    """`decide`, `legal`, `view` and the rest leave it as it was; a copy is independent."""
    for position in playout(game, laws, data, every=5):
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


@law
def test_a_state_refolded_from_bytes_is_byte_equal(game: AnyGame, laws: Laws, data: Data) -> None:
    """Live, refolded, copied and undone states agree, as do their plain forms."""
    prefixes: list[tuple[Position, int, bytes]] = []
    for position in playout(game, laws, data, every=7):
        prefixes.append((position, len(position.history), encode(position.state)))
        msgspec.json.encode(msgspec.to_builtins(position.state))
    for position, length, live in (*prefixes[:3], *prefixes[-2:]):
        assert encode(_fold(position, position.history[:length])) == live


@law
def test_commands_redecide_to_the_same_bytes(game: AnyGame, laws: Laws, data: Data) -> None:
    """From the recorded commands and the seed alone, every recorded event follows again."""
    for position in playout(game, laws, data, every=1 << 30):
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


@law
def test_components_are_conserved_at_every_event(game: AnyGame, laws: Laws, data: Data) -> None:
    """Nothing appears or vanishes."""
    for position in playout(game, laws, data, every=1 << 30):
        state = game.initial(position.seats, position.options)
        census = None
        for ply in position.history:
            for event in ply.events:
                game.apply(state, event)
                if ply.version == 1:
                    continue
                assert position.laws.census(state) == census, event
            census = position.laws.census(state)
