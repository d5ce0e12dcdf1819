"""Radio operator, talk and the end: SON-98 to SON-108."""

import pytest

from games.captain_sonar import GAME
from games.captain_sonar.commands import (
    CrossSymbol,
    EndTurn,
    LaunchTorpedo,
    MarkGauge,
    OrderCourse,
    PingSonar,
    SetOverlay,
    Surface,
    TriggerMine,
    WipeOverlay,
)
from games.captain_sonar.events import LimitReached, OverlaySet, OverlayWiped, SubmarineDestroyed
from games.captain_sonar.model import Result
from games.chance import Chance
from games.testing.given import Then
from tests.games.captain_sonar.laws import probes
from tests.games.captain_sonar.table import Table, at, live


@pytest.mark.rule("SON-98")
def test_notes_are_free_at_any_time_and_over_any_cell():
    table = Table(8)
    before = table.waiting
    table.when(7, SetOverlay(at("D1"))).then(OverlaySet(1, at("D1")))
    assert table.boat(1).overlay == at("D1")
    assert table.legal(7) == [SetOverlay((0, 0)), WipeOverlay()], "one for all cells"
    assert table.waiting == before
    table.when(7, SetOverlay((10, 0))).refused("overlay-off-map")
    table.when(0, SetOverlay(at("A1"))).refused("not-your-role")


@pytest.mark.rule("SON-98")
def test_notes_wait_while_stopped_or_surfaced_in_real_time():
    table = live()
    table.put(0, "A1", full="sonar")
    table.act()
    table.play(0, PingSonar())
    table.when(6, SetOverlay(at("A1"))).refused("game-stopped")
    table.play(1, table.legal(1)[0])
    assert table.trial(6, SetOverlay(at("A1"))).accepted
    table.play(0, Surface())
    table.when(6, WipeOverlay()).refused("crew-surfaced")
    assert table.trial(7, WipeOverlay()).accepted


@pytest.mark.rule("SON-99")
def test_a_wipe_restarts_the_heard_track():
    table = Table(8)
    table.play(0, OrderCourse("s"))
    table.play(7, SetOverlay(at("B2")))
    assert table.boat(1).heard == ["s"]
    table.when(7, WipeOverlay()).then(OverlayWiped(1))
    assert (table.boat(1).heard, table.boat(1).overlay) == ([], None)
    assert table.boat(0).heard == []


def test_what_is_heard_goes_on_while_the_own_boat_is_up():
    """Ruling 25: a surfaced crew cannot write notes, but still hears."""
    table = live()
    table.play(1, Surface())
    table.play(0, OrderCourse("s"))
    assert table.boat(1).heard == ["s"]


@pytest.mark.rule("SON-98")
def test_without_assistance_the_log_can_only_be_wiped():
    table = Table(8, radio_assist="none")
    table.when(7, SetOverlay(at("A1"))).refused("overlay-disabled")
    assert table.legal(7) == [WipeOverlay()]
    assert table.trial(7, WipeOverlay()).accepted


@pytest.mark.rule("SON-100")
def test_talk_is_no_command():
    """The game has no command for talk: announcing a course in the chat orders none."""
    kinds = {kind.__name__ for kind in GAME.Command.__args__}
    assert len(kinds) == 19
    assert not {kind for kind in kinds if "Talk" in kind or "Say" in kind}


@pytest.mark.rule("SON-101")
@pytest.mark.parametrize("seat", range(8))
def test_no_refusal_depends_on_the_enemys_secrets(seat):
    """The same commands get the same answers wherever the enemy and its mines are."""

    def answers(route: str, mines: str, crossed: str) -> list:
        table = Table(8)
        table.put(0, "E4", full="torpedo mine drone sonar silence", mines="B2")
        table.put(1, route, mines=mines, crossed=crossed)
        table.act()
        commands = [*table.legal(seat), *probes(table.state, seat, Chance(bytes(32), 1))]
        return [
            table.trial(seat, command).code
            for command in commands
            if seat % 2 == 0 or not hasattr(command, "cell")
        ]

    assert answers("E5", "E3 B2", "") == answers("J10", "A9", "w1 n4")


def nearly_sunk(damage: list[int], boat: str, enemy: str, **options) -> Table:
    table = Table(**options)
    table.put(0, boat, full="torpedo", mines="J1")
    table.put(1, enemy)
    table.state.damage = damage
    table.act()
    return table


@pytest.mark.rule("SON-102")
def test_the_fourth_damage_ends_the_game_at_once():
    table = nearly_sunk([0, 2], "D3", "G2")
    then = table.when(0, LaunchTorpedo(at("G2")))
    assert then.events[-1] == SubmarineDestroyed(1, False)
    assert then.names[-2:] == ["damage_taken", "submarine_destroyed"]
    assert GAME.result(table.state) == Result("win", 0, (0,), (1,), (0, 4), "sunk", 1, 0)
    assert table.waiting == frozenset()


@pytest.mark.rule("SON-102")
def test_three_damage_do_not():
    table = nearly_sunk([0, 1], "D3", "G2")
    table.play(0, LaunchTorpedo(at("G2")))
    assert GAME.result(table.state) is None


@pytest.mark.rule("SON-103")
def test_an_own_blast_sinks_too():
    table = nearly_sunk([3, 0], "D3", "J10")
    events = table.when(0, LaunchTorpedo(at("E3"))).events
    assert events[-1] == SubmarineDestroyed(0, False)
    assert GAME.result(table.state).winners == (1,)


@pytest.mark.rule("SON-104")
def test_one_blast_that_sinks_both_is_a_draw():
    table = nearly_sunk([3, 2], "D3", "E3")
    events = table.when(0, LaunchTorpedo(at("E3"))).events
    assert events[-2:] == [SubmarineDestroyed(1, True), SubmarineDestroyed(0, True)]
    assert GAME.result(table.state) == Result("draw", None, (), (), (4, 4), "both_sunk", 1, 0)
    assert GAME.result(table.state).places(2) == [1, 1]


@pytest.mark.rule("SON-105")
def test_owed_tasks_are_void_at_the_end():
    table = live()
    table.put(0, "E5", full="torpedo")
    table.put(1, "G4")
    table.state.damage[1] = 2
    table.play(1, OrderCourse("n"))
    table.act(0)
    table.play(0, LaunchTorpedo(at("G3")))
    assert not table.boat(1).need_mark
    assert table.boat(1).need_symbol == ""
    assert (table.state.stop, table.state.sonar_asker) == (None, None)
    table.when(3, MarkGauge("mine")).refused("game-over")


@pytest.mark.rule("SON-106")
def test_a_crew_wins_together():
    table = nearly_sunk([0, 2], "D3", "G2", seats=7)
    table.play(0, LaunchTorpedo(at("G2")))
    result = GAME.result(table.state)
    assert (result.winners, result.losers) == ((0, 2, 4, 6), (1, 3, 5))
    assert result.places(7) == [1, 5, 1, 5, 1, 5, 1]
    assert GAME.teams(table.state) == [frozenset({0, 2, 4, 6}), frozenset({1, 3, 5})]


def play_turn(table: Table, seat: int, direction: str) -> Then:
    table.play(seat, OrderCourse(direction))
    table.play(seat, MarkGauge("silence"))
    table.play(seat, CrossSymbol(f"{direction}4"))
    return table.when(seat, EndTurn())


@pytest.mark.rule("SON-107")
def test_in_turns_the_limit_ends_the_last_turn():
    table = Table(max_turns=2)
    assert play_turn(table, 0, "s").names == ["turn_ended", "turn_started"]
    assert play_turn(table, 1, "n").names == ["turn_ended", "limit_reached"]
    assert GAME.result(table.state).reason == "limit"


@pytest.mark.rule("SON-107")
@pytest.mark.parametrize("last", ["surface", "torpedo", "trigger"])
def test_any_way_to_end_the_last_turn_meets_the_limit(last):
    table = nearly_sunk([0, 0], "D3", "J10", max_turns=1)
    if last == "surface":
        table.state.phase = "course"
    command = {
        "surface": Surface(),
        "torpedo": LaunchTorpedo(at("D5")),
        "trigger": TriggerMine(at("J1")),
    }[last]
    assert table.when(0, command).names[-2:] == ["turn_ended", "limit_reached"]


@pytest.mark.rule("SON-107")
def test_in_real_time_the_limit_counts_the_courses_of_both():
    table = live(max_turns=3)
    table.play(0, OrderCourse("s"))
    table.play(1, OrderCourse("n"))
    table.act(0)
    assert table.when(0, OrderCourse("s")).events[1:] == [LimitReached()]
    assert GAME.result(table.state).courses == 3
    assert table.boat(0).need_symbol == ""


@pytest.mark.rule("SON-107")
def test_zero_is_no_limit():
    assert play_turn(Table(), 0, "s").events[-1] != LimitReached()


@pytest.mark.rule("SON-108")
@pytest.mark.parametrize(
    ("damage", "winner"), [([1, 2], 0), ([3, 2], 1), ([2, 2], None), ([0, 0], None)]
)
def test_at_the_limit_less_damage_wins(damage, winner):
    table = Table(max_turns=1)
    table.state.damage = damage
    assert play_turn(table, 0, "s").accepted
    result = GAME.result(table.state)
    assert (result.winner_crew, result.outcome) == (winner, "draw" if winner is None else "win")
    assert table.state.draw == (winner is None)
    assert result.winners == (() if winner is None else (winner,))
