"""Who sees what: fields by seat and role, and the parts of each event."""

from typing import get_args

import msgspec
import pytest

from games.captain_sonar import GAME
from games.captain_sonar.commands import CrossSymbol, LaunchTorpedo, MarkGauge, WipeOverlay
from games.captain_sonar.model import CrewView, View
from tests.games.captain_sonar.table import Table, at, busy, deploying

SHEETS = {
    "captain": {"position", "route", "mines"},
    "first_mate": {"gauges", "need_mark", "mark_excluded"},
    "engineer": {"crossed", "need_symbol"},
    "radio_operator": {"heard", "overlay", "candidates"},
}

SHARED = {"station", "may_activate", "traces"}


def shown(view: View, crew: int) -> set[str]:
    """Return the names of the fields of a crew that are not hidden."""
    fields = msgspec.structs.asdict(view.crews[crew])
    return {name for name, value in fields.items() if value is not None}


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
    """Commands depend on all sheets of the crew: its seats tell each other what is possible."""
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
    table.play(0, LaunchTorpedo(at("A4")))
    views = [table.view(viewer) for viewer in (*range(8), None)]
    assert all(view == views[0] for view in views)
    assert views[0].pads == table.state.pads
    assert [crew.position for crew in views[0].crews] == [at("A2"), at("A4")]
    for event in table.events:
        assert GAME.redact(event, None, table.state) == event


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
"""By event of crew 0 and field: the seats of eight that see it. "" is the whole event."""

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
    """Return an event of crew 0 with every field filled."""
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
    seeking = table.view(1).crews[1].candidates
    assert at("A2") in seeking
    assert len(seeking) < 92
    assert table.view(1).crews[0].candidates is None
    assert list(seeking) == sorted(seeking, key=lambda cell: (cell[1], cell[0]))
    assert GAME.view(Table(8).state, 1).crews[1].candidates is None


def test_there_are_no_candidates_while_deploying():
    table = deploying(radio_assist="inference")
    assert table.view(0).crews[0].candidates is None


def test_a_view_is_no_window_on_the_state():
    table = busy()
    view = table.view(0)
    before = msgspec.json.encode(view)
    table.play(2, MarkGauge("mine"))
    table.play(4, CrossSymbol("s1"))
    table.play(6, WipeOverlay())
    assert msgspec.json.encode(view) == before
