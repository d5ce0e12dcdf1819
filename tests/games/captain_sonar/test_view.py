"""Who sees what, and the leak traps of specification section 12."""

from typing import get_args

import msgspec
import pytest

from games.captain_sonar import GAME
from games.captain_sonar.commands import (
    ConfirmSilence,
    CrossSymbol,
    EndTurn,
    LaunchTorpedo,
    MarkGauge,
    OrderCourse,
    PingSonar,
    RunSilent,
    SetOverlay,
    Surface,
    TraceSection,
    WipeOverlay,
)
from games.captain_sonar.model import CrewView, View
from games.chance import Chance
from games.game import Illegal
from games.playout import Ply, Watchers, at_random, plies, seed_of
from tests.games.captain_sonar.exchange import rehistory
from tests.games.captain_sonar.laws import LAWS, probes
from tests.games.captain_sonar.table import Table, at, live
from tests.games.captain_sonar.twins import twins

encode = msgspec.json.encode
SHEETS = {
    "captain": {"position", "route", "mines"},
    "first_mate": {"gauges", "need_mark", "mark_excluded"},
    "engineer": {"crossed", "need_symbol"},
    "radio_operator": {"heard", "overlay", "candidates"},
}
SHARED = {"station", "may_activate", "traces"}


def shown(view: View, crew: int) -> set[str]:
    """Name the fields of a crew that aren't hidden."""
    fields = msgspec.structs.asdict(view.crews[crew])
    return {name for name, value in fields.items() if value is not None}


def busy(seats=8, **options) -> Table:
    """Let every field of both crews have a value, and crew 0 owe its tasks."""
    table = Table(seats, radio_assist="inference", **options)
    for crew in (0, 1):
        radio = next(
            s for s in table.state.crew_seats[crew] if table.state.roles[s][-1] == "radio_operator"
        )
        table.do(radio, SetOverlay(at("B2")))
    table.do(0, OrderCourse("s"))
    return table


@pytest.mark.rule("SON-11")
@pytest.mark.parametrize("viewer", range(8))
def test_a_seat_sees_its_own_crew_whole_and_of_the_other_the_station(viewer):
    view = GAME.view(busy().state, viewer)
    crew = viewer % 2
    assert shown(view, crew) == set(CrewView.__struct_fields__)
    assert shown(view, 1 - crew) == {"station"}


def test_spectators_see_the_public_part():
    view = GAME.view(busy().state, None)
    assert [shown(view, crew) for crew in (0, 1)] == [{"station"}] * 2
    assert (view.pads, view.default_starts) == (None, None)
    assert view.crews[0].station == "busy"
    assert view.crews[1].station == "idle"


def test_no_key_is_left_out():
    plain = msgspec.to_builtins(GAME.view(Table().state, None))
    assert set(plain) == set(View.__struct_fields__)
    assert set(plain["crews"][0]) == set(CrewView.__struct_fields__)
    assert "version" not in plain


@pytest.mark.parametrize(
    ("seat", "role"), [(0, "captain"), (2, "first_mate"), (4, "engineer"), (6, "radio_operator")]
)
def test_strict_stations_show_a_seat_the_sheets_of_its_roles(seat, role):
    view = GAME.view(busy(strict_stations=True).state, seat)
    assert shown(view, 0) == SHEETS[role] | SHARED
    assert shown(view, 1) == {"station"}
    assert view.crews[0].station == "tasks"


def test_strict_stations_show_several_roles_several_sheets():
    view = GAME.view(busy(5, strict_stations=True).state, 0)
    assert shown(view, 0) == SHEETS["captain"] | SHEETS["first_mate"] | SHARED


def test_strict_stations_leave_legal_commands_as_they_are():
    """The crew answers its captain's check."""
    strict, plain = Table(8, strict_stations=True), Table(8)
    for table in (strict, plain):
        table.put(0, "E4", full="torpedo drone", crossed="n4")
        table.act()
    for seat in range(8):
        assert strict.legal(seat) == plain.legal(seat)


def test_at_the_end_everybody_sees_everything():
    table = busy(strict_stations=True)
    table.put(0, "A2", full="torpedo")
    table.put(1, "A4")
    table.state.damage[1] = 2
    table.act()
    table.do(0, LaunchTorpedo(at("A4")))
    views = [GAME.view(table.state, viewer) for viewer in (*range(8), None)]
    assert all(view == views[0] for view in views)
    assert views[0].pads == table.state.pads
    assert [crew.position for crew in views[0].crews] == [at("A2"), at("A4")]
    for event in table.events:
        assert GAME.redact(event, None, table.state) == event


# The traps, by their numbers.


def playouts():
    """Play every table at random, some way."""
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
    """Track, mines, gauges, boards and notes: a twin playout makes the same records, one by one."""
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
            watchers.watch(Ply(2, seat, command, table.do(seat, command)))
        return [encode(record) for record in watchers.seen(1).records[1:]]

    assert records("", 0) == records("w", 1) == records("e", 4)


@pytest.mark.parametrize("owed", ["both", "mark", "symbol"])
def test_trap_3_a_busy_crew_awaits_all_its_seats(owed):
    table = busy()
    if owed == "mark":
        table.do(4, CrossSymbol("s1"))
    elif owed == "symbol":
        table.do(2, MarkGauge("mine"))
    own = {"both": (2, 4), "mark": (2,), "symbol": (4,)}[owed]
    assert GAME.view(table.state, 0).waiting == own
    for outsider in (1, 7, None):
        assert GAME.view(table.state, outsider).waiting == (0, 2, 4, 6)
        assert GAME.awaited(table.state, outsider) == frozenset({0, 2, 4, 6})


@pytest.mark.parametrize("distance", [0, 2])
def test_trap_3_a_silent_crew_awaits_all_its_seats(distance):
    table = live()
    table.put(0, "F5", full="silence")
    table.act()
    table.do(0, RunSilent("w" if distance else "", distance))
    assert GAME.view(table.state, 4).waiting == ((2, 4) if distance else (0,))
    assert GAME.view(table.state, 1).waiting == (0, 2, 4, 6)
    assert GAME.view(table.state, None).waiting == (0, 2, 4, 6)


def test_trap_3_a_surfaced_crew_awaits_all_its_seats():
    table = live()
    table.do(0, Surface())
    for seat in (4, 0):
        assert GAME.view(table.state, 1).waiting == (0, 1, 2, 4, 6)
        section = len(table.boat(0).traces) + 1
        table.do(seat, TraceSection(section, ((0, 0),)))
    assert GAME.view(table.state, 6).waiting == (1, 2, 6)


def test_trap_3_a_stop_of_the_other_crew_shows_who_waits():
    table = live()
    table.do(0, OrderCourse("s"))
    table.put(1, "F5", full="sonar silence")
    table.act(1)
    table.do(1, PingSonar())
    assert GAME.view(table.state, None).waiting == (0,)
    table.do(0, table.legal(0)[0])
    table.act(1)
    table.do(1, RunSilent("", 0))
    assert GAME.view(table.state, 0).waiting == (1, 3, 5, 7)


def test_trap_4_tasks_and_silence_of_the_other_crew_read_busy():
    table = busy()
    assert [GAME.view(table.state, viewer).phase for viewer in (0, 1, None)] == [
        "tasks",
        "busy",
        "busy",
    ]
    table.put(0, "F5", full="silence")
    table.act()
    table.do(0, RunSilent("", 0))
    assert [GAME.view(table.state, viewer).phase for viewer in (6, 1, None)] == [
        "silence",
        "busy",
        "busy",
    ]


def test_trap_4_tasks_and_notes_of_the_other_crew_are_hidden():
    table = busy()
    before = GAME.view(table.state, 1)
    table.do(4, CrossSymbol("s1"))
    assert GAME.view(table.state, 1) == before
    table.do(6, WipeOverlay())
    assert GAME.view(table.state, 1) == before
    assert GAME.view(table.state, None).crews[0].station == "busy"


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
    table.do(0, OrderCourse("s"))
    table.do(0, MarkGauge("mine"))
    table.do(0, CrossSymbol("s1"))
    assert table.state.phase == "system"
    assert EndTurn() in table.legal(0)


def test_trap_7_defaults_follow_hidden_pads():
    """Equal positions of two matches get different defaults; nobody sees the pads before the end."""
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
    launched = table.do(0, LaunchTorpedo(at("E3")))[0]
    own = GAME.redact(launched, 0, table.state)
    enemys = GAME.redact(launched, 1, table.state)
    assert (own.own_mine, own.enemy_mine) == (True, None)
    assert (enemys.own_mine, enemys.enemy_mine) == (None, True)


def test_trap_10_surfacing_tells_the_sector_alone():
    table = Table(map="delta")
    damage, surfaced = table.do(0, Surface())[:2]
    shown = msgspec.to_builtins(GAME.redact(surfaced, 1, table.state))
    assert shown == {"type": "surfaced", "crew": 0, "sector": 1, "forced": None}
    assert GAME.redact(damage, 1, table.state).cause == "ice"


STRICT = {
    "StartChosen": {"cell": {0}},
    "CourseOrdered": {"cell": {0}},
    "SilenceRun": {"direction": {0, 2, 4, 6}, "distance": {0}, "cells": {0}},
    "Surfaced": {"forced": {0}},
    "MineDropped": {"cell": {0}},
    "TorpedoLaunched": {"own_mine": {0}, "enemy_mine": {1}},
    "SonarAnswered": {"true_kind": {0}},
    "DamageTaken": {"detail": {4}},
    "GaugeMarked": {"": {2}},
    "SymbolCrossed": {"": {4}},
    "CircuitRepaired": {"": {4}},
    "SectionTraced": {"": {0, 2, 4, 6}},
    "OverlaySet": {"": {6}},
    "OverlayWiped": {"": {6}},
    "GaugeReady": {"": {0, 2, 4, 6}},
}
"""By event of crew 0: who of eight seats is shown a field; "" is the whole event."""

VALUES = {
    "crew": 0,
    "cell": (1, 1),
    "cells": (),
    "path": (),
    "kinds": ("column", "row"),
    "values": (1, 2),
    "results": ("clear", "clear"),
    "direction": "n",
    "circuit": "gray",
    "detail": "area",
    "pads": ((), ()),
}


def specimen(kind: type) -> object:
    """Make an event of crew 0 with every field filled."""
    return kind(**{field: VALUES.get(field, 1) for field in kind.__struct_fields__})


@pytest.mark.parametrize("kind", get_args(GAME.Event), ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("strict", [True, False])
def test_each_event_shows_each_seat_what_its_sheets_show(kind, strict):
    state = Table(8, strict_stations=strict, ready_announcements="crew").state
    event = specimen(kind)
    hidden = {"": set(range(8))} if kind.__name__ not in STRICT else STRICT[kind.__name__]
    for viewer in (*range(8), None):
        redacted = GAME.redact(event, viewer, state)
        if kind.__name__ == "SetupDone":
            assert (redacted.pads, redacted.default_starts) == (None, None)
        elif kind.__name__ not in STRICT:
            assert redacted == event
        elif "" in hidden:
            assert (redacted is not None) == allowed(viewer, hidden[""], strict)
        else:
            for field, seats in hidden.items():
                told = getattr(redacted, field) is not None
                assert told == allowed(viewer, seats, strict), (field, viewer)
            others = set(kind.__struct_fields__) - set(hidden)
            assert all(getattr(redacted, field) == getattr(event, field) for field in others)


def allowed(viewer: int | None, seats: set[int], strict: bool) -> bool:
    if viewer is None:
        return False
    return viewer in seats if strict else viewer % 2 == min(seats) % 2


def test_candidates_are_shown_to_the_crew_that_seeks():
    table = busy()
    seeking = GAME.view(table.state, 1).crews[1].candidates
    assert at("A2") in seeking
    assert len(seeking) < 92
    assert GAME.view(table.state, 1).crews[0].candidates is None
    assert list(seeking) == sorted(seeking, key=lambda cell: (cell[1], cell[0]))
    assert GAME.view(Table(8).state, 1).crews[1].candidates is None


def test_there_are_no_candidates_while_deploying():
    from tests.games.captain_sonar.test_rules_setup import deploying

    table = deploying(radio_assist="inference")
    assert GAME.view(table.state, 0).crews[0].candidates is None


def test_a_view_is_no_window_on_the_state():
    table = busy()
    view = GAME.view(table.state, 0)
    before = encode(view)
    table.do(2, MarkGauge("mine"))
    table.do(4, CrossSymbol("s1"))
    table.do(6, WipeOverlay())
    assert encode(view) == before
