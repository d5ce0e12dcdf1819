"""Random matches of every crew size, map and mode.

`tests/games/test_*_laws.py` check the laws for all options.
"""

import itertools

import msgspec
import pytest

from games.captain_sonar import GAME
from games.captain_sonar.commands import SetOverlay, WipeOverlay
from games.chance import Chance
from games.playout import plies, seed_of
from tests.games.captain_sonar.laws import census

encode = msgspec.json.encode
MAPS = ("alpha", "bravo", "charlie", "delta", "echo")
MATCHES = [
    *itertools.product(range(2, 9), MAPS, ["turns"]),
    *itertools.product(range(4, 9), MAPS, ["real_time"]),
]


def matches(seats: int, name: str, mode: str, limit: int = 30):
    """Play at random, but seldom take notes."""
    options = msgspec.convert({"map": name, "mode": mode, "max_turns": limit}, GAME.Options)
    seed = seed_of(seats * 100 + MAPS.index(name))
    dice = Chance(seed, 1 << 41)

    def choose(_state, _seat, legal):
        quiet = [command for command in legal if not isinstance(command, SetOverlay | WipeOverlay)]
        return dice.choice(quiet if quiet and dice.randbelow(8) else legal)

    return options, seed, plies(GAME, seats, options, seed, choose)


@pytest.mark.parametrize(("seats", "name", "mode"), MATCHES)
def test_every_match_is_conserved_replays_and_ends(seats, name, mode):
    """Deciding the commands again, read from their bytes, leads to the same state."""
    options, seed, walk = matches(seats, name, mode)
    again = GAME.initial(seats, options)
    commands = msgspec.json.Decoder(GAME.Command)
    for state, ply in walk:
        dice = Chance(seed, ply.version)
        if ply.seat is None:
            events = GAME.setup(seats, options, dice)
        else:
            command = commands.decode(encode(ply.command))
            events = GAME.decide(again, ply.seat, command, dice)
        assert encode(events) == encode(ply.events)
        for event in events:
            GAME.apply(again, event)
        census(state)
    assert encode(again) == encode(state)
    assert GAME.result(state) is not None


@pytest.mark.parametrize(("seats", "name", "mode"), MATCHES)
def test_the_clock_alone_ends_every_match(seats, name, mode):
    """From the middle of any match default commands are legal and end it at the limit."""
    _, seed, walk = matches(seats, name, mode)
    *_, (state, _) = itertools.islice(walk, 40)
    dice = Chance(seed, 1 << 42)
    for version in range(5000):
        waiting = sorted(GAME.waiting(state))
        if not waiting:
            break
        seat = dice.choice(waiting)
        assert GAME.timing.clock(state, seat) is not None
        command = GAME.default(state, seat)
        assert command in GAME.legal(state, seat)
        for event in GAME.decide(state, seat, command, Chance(seed, version)):
            GAME.apply(state, event)
    assert GAME.result(state) is not None
