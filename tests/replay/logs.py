"""Logs to look at: of the toy game, with notes hidden from the other crew, and of Tranquility."""

from functools import cache

from msgspec import UNSET, UnsetType

from games import GAMES
from games.match.commands import Clock, CreateMatch, PerMove
from tests.games.match.toy import TOY, Count, Note
from tests.record_matches import Plan, Table, players_of
from tests.recorder import Recorder

TOYS = {"toy": TOY}
ALL = {**GAMES, **TOYS}
SIGHTS = (0, 1, None, "full")


def toy(
    *,
    seats: int = 4,
    goal: int = 100,
    clock: Clock | None = None,
    seated: bool = True,
    delay: int | UnsetType = UNSET,
) -> Recorder:
    """Open a match of two crews: a note shows to its writer's crew alone."""
    options = {"goal": goal, "crews": True}
    command = CreateMatch("toy", seats, options, clock, spectator_delay=delay)
    recorder = Recorder(TOY, command)
    if seated:
        recorder.sit(*[""] * seats)
    return recorder


def noted(recorder: Recorder) -> Recorder:
    """Play four turns with hidden notes between them."""
    for seat in range(4):
        recorder.play(seat, Note(seat))
        recorder.play(seat, Count(1))
        recorder.play((seat + 1) % 4, Note(seat), after=0)
    return recorder


@cache
def a_match(seats: int = 3, **options) -> tuple[bytes, ...]:
    """Play Tranquility at random to its end, with clocks running out, and undos by consent."""
    game = GAMES["tranquility"]
    plan = Plan(7, seats, options, PerMove(60), ("",) * seats, "random", "undo", 150)
    table = Table(game, plan, players_of(game))
    table.recorder.time_out()
    assert table.play()
    return tuple(table.recorder.lines)
