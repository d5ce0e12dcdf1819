"""The bots: one for every role, better than chance, and knowing no more than their seats."""

import msgspec
import pytest

from games.captain_sonar import GAME
from games.captain_sonar.commands import (
    AnswerSonar,
    ChooseStart,
    CrossSymbol,
    LaunchDrone,
    LaunchTorpedo,
    MarkGauge,
    OrderCourse,
    PingSonar,
    RunSilent,
    SetOverlay,
    Surface,
    TriggerMine,
    WipeOverlay,
)
from games.captain_sonar.components import distance
from games.captain_sonar.events import Blast
from games.captain_sonar.players.bot import heuristic
from games.chance import Chance
from games.playout import Ply, Watchers, by_bots, play_bots, plies, seed_of
from tests.games.captain_sonar.rehistory import rehistory
from tests.games.captain_sonar.table import Table, at, cells, deploying


def options(**raw):
    return msgspec.convert({"max_turns": 300, **raw}, GAME.Options)


@pytest.mark.parametrize(
    ("seats", "raw"),
    [
        (2, {"map": "alpha"}),
        (2, {"map": "charlie"}),
        (4, {"mode": "real_time", "map": "bravo"}),
        (8, {"mode": "real_time", "map": "echo", "strict_stations": True}),
    ],
)
def test_a_crew_of_bots_beats_a_random_crew(seats, raw):
    won = 0
    for seed in range(3):
        for side in (0, 1):
            levels = [("heuristic", "random")[(seat + side) % 2] for seat in range(seats)]
            state = play_bots(GAME, seats, options(**raw), seed_of(seed), levels)
            won += GAME.result(state).winner_crew == side
    assert won >= 5


@pytest.mark.parametrize("seats", range(2, 9))
def test_bots_fill_any_seat_in_any_mode(seats):
    """Every second seat of each crew is a bot; the others play at random."""
    for mode in ("turns", "real_time")[: 1 + (seats > 3)]:
        levels = [("heuristic", "random")[seat // 2 % 2] for seat in range(seats)]
        state = play_bots(GAME, seats, options(mode=mode, max_turns=40), seed_of(seats), levels)
        assert GAME.result(state) is not None


def test_equal_views_make_equal_choices():
    """Exchanged secrets change no choice of a bot."""
    opts = options(max_turns=40)
    dice = Chance(seed_of(9), 1)
    history: list[Ply] = []
    watchers = Watchers(GAME, 2, opts)
    play = by_bots(GAME, watchers, ["heuristic"] * 2, dice)
    compared = 0
    for state, ply in plies(GAME, 2, opts, seed_of(9), play):
        watchers.watch(ply)
        history.append(ply)
        if state.phase in ("deploy", "over") or ply.version % 7:
            continue
        for seat in GAME.waiting(state):
            twin = rehistory(history, seat, dice)
            if twin is None:
                continue
            again = Watchers(GAME, 2, opts)
            for other in twin:
                again.watch(other)
            legal, view = GAME.legal(state, seat), GAME.view(state, seat)
            chosen = [
                heuristic(view, w.seen(seat), legal, Chance(seed_of(1), 1))
                for w in (watchers, again)
            ]
            assert chosen[0] == chosen[1]
            compared += 1
    assert compared > 5


def ask(table: Table, seat: int):
    """Return the choice of the bot of a seat that has seen the table's events."""
    watchers = Watchers(GAME, len(table.state.roles), table.options)
    watchers.watch(Ply(1, None, None, tuple(table.events)))
    view, legal = table.view(seat), table.legal(seat)
    command = heuristic(view, watchers.seen(seat), legal, Chance(seed_of(2), 1))
    assert table.trial(seat, command).accepted
    return command


def located(cell: str, seats=8, **raw) -> Table:
    """Return a match in which everybody knows where crew 1 is: it was hit there."""
    table = Table(seats, starts=f"A1 {cell}", **raw)
    table.fold(Blast(at(cell), "mine", ("clear", "direct")))
    return table


def test_the_captain_fires_at_an_enemy_that_is_found():
    table = located("D5")
    table.put(0, "D2", full="torpedo")
    table.act()
    assert ask(table, 0) == LaunchTorpedo(at("D5"))


def test_the_captain_does_not_sink_itself():
    table = located("D3")
    table.put(0, "D2", full="torpedo")
    table.state.damage[0] = 3
    table.act()
    command = ask(table, 0)
    assert isinstance(command, LaunchTorpedo)
    assert distance(command.target, at("D2")) > 1


def test_the_captain_triggers_the_mine_beside_the_enemy():
    table = located("G9")
    table.put(0, "A1", mines="A9 G10")
    table.act()
    assert ask(table, 0) == TriggerMine(at("G10"))


def test_the_captain_asks_when_the_enemy_is_lost():
    table = Table(8)
    table.put(0, "A1", full="sonar")
    table.act()
    assert ask(table, 0) == PingSonar()


def test_a_found_captain_runs_silent():
    table = located("J10")
    table.put(1, "J10", full="silence")
    table.act(1)
    assert isinstance(ask(table, 1), RunSilent)


def test_the_captain_steers_for_open_water_and_surfaces_when_boxed_in():
    table = Table(8, starts="A2 J10")
    table.put(0, "B2 C2 C3 B3 A3 A2")
    assert table.kinds(0) >= {"OrderCourse"}
    assert ask(table, 0) == OrderCourse("n")
    table.put(0, "A1 B1 B2 C2 C3 B3 A3 A2")
    assert ask(table, 0) == Surface()


def test_the_asked_captain_tells_as_little_as_it_can():
    """The sector is known: naming it with a false column tells no more than a true column."""
    table = located("J10")
    table.put(0, "A1", full="sonar")
    table.act()
    table.play(0, PingSonar())
    assert isinstance(ask(table, 1), AnswerSonar)


def test_the_engineer_completes_circuits_and_avoids_damage():
    table = Table(8, map="bravo", starts="E5 J10")
    table.play(0, OrderCourse("e"))
    table.put(0, "E5 F5", crossed="w1 w2 w3")
    assert ask(table, 4) == CrossSymbol("e3")
    table.put(0, "E5 F5", crossed="w5 w6 n6 s5 e4")
    assert ask(table, 4) != CrossSymbol("e6")
    table.put(0, "E5 F5", crossed="")
    assert ask(table, 4).symbol in ("e4", "e6")


def test_the_first_mate_marks_weapons_first():
    table = Table(8)
    table.play(0, OrderCourse("s"))
    assert ask(table, 2) == MarkGauge("torpedo")


def test_the_first_mate_can_be_asked_for_drone_and_sonar():
    """A first mate need not use them; a hint names the better command, or the only one."""
    table = located("D5")
    table.put(0, "A1", full="drone sonar")
    table.act()
    assert isinstance(ask(table, 2), PingSonar | LaunchDrone)
    lost = Table(8)
    lost.put(0, "A1", full="sonar")
    lost.act()
    assert ask(lost, 2) == PingSonar()


def test_the_radio_operator_assumes_a_possible_start():
    table = located("D5")
    table.state.active_crew = 1
    table.play(1, OrderCourse("n"))
    assert ask(table, 6) == SetOverlay(at("D5"))
    bare = Table(8, radio_assist="none")
    assert ask(bare, 6) == WipeOverlay()


def test_starts_are_in_open_water():
    table = deploying()
    start = ask(table, 0)
    assert isinstance(start, ChooseStart)
    assert start.cell not in cells("A1 J1 A10 J10")
