"""The leak traps, number by number."""

from dataclasses import replace

import msgspec
import pytest

from games.captain_sonar import GAME
from games.captain_sonar.commands import (
    ChooseStart,
    ConfirmSilence,
    CrossSymbol,
    EndTurn,
    LaunchTorpedo,
    MarkGauge,
    OrderCourse,
    PingSonar,
    RunSilent,
    Surface,
    TraceSection,
    WipeOverlay,
)
from games.chance import Chance
from games.game import Illegal
from games.playout import Ply, Watchers, at_random, plies, seed_of
from games.testing.secrecy_laws import (
    test_a_reason_tells_no_more_than_the_move as reasons_tell_no_more,
)
from tests.games.captain_sonar.laws import LAWS, probes
from tests.games.captain_sonar.rehistory import rehistory
from tests.games.captain_sonar.table import Table, at, busy, live
from tests.games.captain_sonar.twins import twins

encode = msgspec.json.encode


def playouts():
    """Play every table at random."""
    for number, (seats, raw) in enumerate(LAWS.tables):
        options = msgspec.convert(raw, GAME.Options)
        dice = Chance(seed_of(number), 1 << 41)
        history: list[Ply] = []
        walk = plies(GAME, seats, options, seed_of(number), at_random(dice))
        limit = 40 + dice.randbelow(60)
        for _, ply in zip(range(limit), (ply for _, ply in walk), strict=False):
            history.append(ply)
        yield seats, options, history, dice


def watch(history, seats, options, viewer) -> list[bytes]:
    watchers = Watchers(GAME, seats, options)
    for ply in history:
        watchers.watch(ply)
    return [encode(record) for record in watchers.seen(viewer).records]


def test_traps_1_and_2_secrets_can_be_exchanged_unseen_numbers_included():
    """A playout with other tracks, mines, gauges, boards and notes makes the same records."""
    exchanged = shorter = 0
    for seats, options, history, dice in playouts():
        for viewer in (0, 1, None):
            twin = rehistory(history, viewer, dice)
            if twin is None:
                continue
            exchanged += 1
            shorter += len(twin) != len(history)
            assert watch(twin, seats, options, viewer) == watch(history, seats, options, viewer)
    assert exchanged >= 2 * len(LAWS.tables)
    assert shorter > 10, "hidden records come and go"


@pytest.mark.parametrize("seats", [2, 8])
def test_trap_2_a_run_of_zero_makes_the_records_of_any_other(seats):
    def records(direction: str, distance: int) -> list[bytes]:
        table = Table(seats)
        history = [Ply(1, None, None, list(table.events))]
        watchers = Watchers(GAME, seats, table.options)
        watchers.watch(history[0])
        table.put(0, "F5", full="silence")
        watchers._state = table.state.copy()
        table.act()
        watchers._state = table.state.copy()
        commands = [RunSilent(direction, distance)]
        if distance:
            commands += [MarkGauge("mine"), CrossSymbol(f"{direction}1")]
        for command in (*commands, ConfirmSilence()):
            seat = {MarkGauge: 2, CrossSymbol: 4}.get(type(command), 0) if seats == 8 else 0
            then = table.when(seat, command)
            assert then.accepted
            watchers.watch(Ply(2, seat, command, then.events))
        return [encode(record) for record in watchers.seen(1).records[1:]]

    assert records("", 0) == records("w", 1) == records("e", 4)


@pytest.mark.parametrize("owed", ["both", "mark", "symbol"])
def test_trap_3_a_busy_crew_awaits_all_its_seats(owed):
    table = busy()
    if owed == "mark":
        table.play(4, CrossSymbol("s1"))
    elif owed == "symbol":
        table.play(2, MarkGauge("mine"))
    own = {"both": (2, 4), "mark": (2,), "symbol": (4,)}[owed]
    assert table.view(0).waiting == own
    for outsider in (1, 7, None):
        assert table.view(outsider).waiting == (0, 2, 4, 6)
        assert GAME.awaited(table.state, outsider) == frozenset({0, 2, 4, 6})


@pytest.mark.parametrize("distance", [0, 2])
def test_trap_3_a_silent_crew_awaits_all_its_seats(distance):
    table = live()
    table.put(0, "F5", full="silence")
    table.act()
    table.play(0, RunSilent("w" if distance else "", distance))
    assert table.view(4).waiting == ((2, 4) if distance else (0,))
    assert table.view(1).waiting == (0, 2, 4, 6)
    assert table.view(None).waiting == (0, 2, 4, 6)


def test_trap_3_a_surfaced_crew_awaits_all_its_seats():
    table = live()
    table.play(0, Surface())
    for seat in (4, 0):
        assert table.view(1).waiting == (0, 1, 2, 4, 6)
        section = len(table.boat(0).traces) + 1
        table.play(seat, TraceSection(section, ((0, 0),)))
    assert table.view(6).waiting == (1, 2, 6)


def test_trap_3_a_stop_of_the_other_crew_shows_who_waits():
    table = live()
    table.play(0, OrderCourse("s"))
    table.put(1, "F5", full="sonar silence")
    table.act(1)
    table.play(1, PingSonar())
    assert table.view(None).waiting == (0,)
    table.play(0, table.legal(0)[0])
    table.act(1)
    table.play(1, RunSilent("", 0))
    assert table.view(0).waiting == (1, 3, 5, 7)


def test_trap_4_tasks_and_silence_of_the_other_crew_read_busy():
    table = busy()
    assert [table.view(viewer).phase for viewer in (0, 1, None)] == [
        "tasks",
        "busy",
        "busy",
    ]
    table.put(0, "F5", full="silence")
    table.act()
    table.play(0, RunSilent("", 0))
    assert [table.view(viewer).phase for viewer in (6, 1, None)] == [
        "silence",
        "busy",
        "busy",
    ]


def test_trap_4_tasks_and_notes_of_the_other_crew_are_hidden():
    table = busy()
    before = table.view(1)
    table.play(4, CrossSymbol("s1"))
    assert table.view(1) == before
    table.play(6, WipeOverlay())
    assert table.view(1) == before
    assert table.view(None).crews[0].station == "busy"


@pytest.mark.rule("SON-101")
def test_trap_5_legal_commands_and_refusals_are_those_of_any_twin():
    compared = 0
    for seats, options, history, dice in playouts():
        state = GAME.initial(seats, options)
        for event in (event for ply in history for event in ply.events):
            GAME.apply(state, event)
        for viewer in range(seats):
            commands = [*GAME.legal(state, viewer)[:40], *probes(state, viewer, dice)]
            told = [refusal(state, viewer, command) for command in commands]
            for twin in twins(state, viewer, dice):
                if options.strict_stations:
                    continue
                assert GAME.legal(twin, viewer) == GAME.legal(state, viewer)
                assert [refusal(twin, viewer, command) for command in commands] == told
                compared += 1
    assert compared > 50


def refusal(state, seat, command) -> tuple[str, dict] | None:
    try:
        GAME.decide(state, seat, command, Chance(bytes(32), 1))
    except Illegal as illegal:
        return illegal.code, illegal.details
    return None


def test_trap_6_the_system_phase_never_ends_by_itself():
    table = Table()
    table.play(0, OrderCourse("s"))
    table.play(0, MarkGauge("mine"))
    table.play(0, CrossSymbol("s1"))
    assert table.state.phase == "system"
    assert EndTurn() in table.legal(0)


def test_trap_7_defaults_follow_hidden_pads():
    """Equal positions of two matches have different defaults; the pads are hidden until the end."""
    courses = set()
    for number in range(8):
        event = GAME.setup(2, GAME.Options(), Chance(seed_of(number), 1))[0]
        assert GAME.redact(event, 0, Table().state).pads is None
        assert GAME.redact(event, 0, Table().state).default_starts is None
        table = Table()
        table.put(0, "E5")
        table.state.pads = event.pads
        courses.add(GAME.default(table.state, 0))
    assert len(courses) > 1


def test_trap_8_each_side_learns_of_its_own_mine_alone():
    table = Table()
    table.put(0, "E5", full="torpedo", mines="E3")
    table.put(1, "J10", mines="E3")
    table.act()
    launched = table.when(0, LaunchTorpedo(at("E3"))).events[0]
    own = GAME.redact(launched, 0, table.state)
    enemys = GAME.redact(launched, 1, table.state)
    assert (own.own_mine, own.enemy_mine) == (True, None)
    assert (enemys.own_mine, enemys.enemy_mine) == (None, True)


def test_trap_10_surfacing_tells_the_sector_alone():
    table = Table(map="delta")
    damage, surfaced = table.when(0, Surface()).events[:2]
    shown = msgspec.to_builtins(GAME.redact(surfaced, 1, table.state))
    assert shown == {"type": "surfaced", "crew": 0, "sector": 1, "forced": None}
    assert GAME.redact(damage, 1, table.state).cause == "ice"


def test_a_reason_that_tells_the_start_of_the_enemy_breaks_the_law():
    """Starts are announced without their cell."""
    blueprint = GAME.players.blueprint

    def peeking(view, seat, command):
        odd = isinstance(command, ChooseStart) and command.cell[0] % 2
        return "due" if odd else blueprint.reason(view, seat, command)

    players = replace(GAME.players, blueprint=replace(blueprint, reason=peeking))
    with pytest.raises(AssertionError):
        reasons_tell_no_more(game=replace(GAME, players=players), laws=LAWS)
