"""Torpedoes, blasts and mines: SON-48 to SON-67."""

import pytest

from games.captain_sonar.commands import (
    CrossSymbol,
    DropMine,
    LaunchTorpedo,
    MarkGauge,
    OrderCourse,
    Surface,
    TriggerArcherMine,
    TriggerMine,
)
from games.captain_sonar.events import (
    Blast,
    DamageTaken,
    MineDropped,
    MineTriggered,
    TorpedoLaunched,
)
from games.captain_sonar.view import redact
from tests.games.captain_sonar.table import Table, at, cells, live


def armed(route="E5", full="torpedo mine", seats=2, **options) -> Table:
    table = Table(seats, **options)
    table.put(0, route, full=full)
    table.act()
    return table


def fired_on(table: Table) -> set:
    return {command.target for command in table.legal(0) if isinstance(command, LaunchTorpedo)}


@pytest.mark.rule("SON-48")
def test_a_torpedo_goes_one_to_four_steps_but_not_diagonally():
    """In open water there are 40 targets; here three of these cells are islands."""
    table = armed("E5", map="bravo")
    diamond = {(c, r) for c in range(10) for r in range(10) if 0 < abs(c - 4) + abs(r - 4) <= 4}
    assert fired_on(table) == diamond - set(cells("C4 H4 G7"))
    assert at("E1") in fired_on(table)
    assert at("G3") in fired_on(table)
    table.when(0, LaunchTorpedo(at("H3"))).refused("target-out-of-range")
    table.when(0, LaunchTorpedo(at("E10"))).refused("target-out-of-range")


@pytest.mark.rule("SON-48")
def test_the_rulebooks_torpedo_bends():
    assert at("G2") in fired_on(armed("D3"))


@pytest.mark.rule("SON-49")
def test_a_torpedo_goes_around_islands_and_not_through_them():
    table = armed("G6")
    assert table.trial(0, LaunchTorpedo(at("G8"))).accepted
    table.when(0, LaunchTorpedo(at("G9"))).refused("target-out-of-range")
    over = armed("G6", torpedo_over_islands=True)
    assert over.trial(0, LaunchTorpedo(at("G9"))).accepted
    over.when(0, LaunchTorpedo(at("G7"))).refused("target-is-island")
    over.when(0, LaunchTorpedo(at("C5"))).refused("target-out-of-range")


@pytest.mark.rule("SON-49")
def test_mines_routes_and_boats_do_not_stop_a_torpedo():
    table = armed("A4 A3 A2 A1", map="bravo")
    table.put(0, "A4 A3 A2 A1", mines="B1")
    table.put(1, "B2", mines="B3")
    assert set(cells("A5 C1 B4 C2 C3")) <= fired_on(table)


@pytest.mark.rule("SON-50")
def test_neither_the_own_cell_nor_an_island_is_a_target():
    table = armed("G6")
    table.when(0, LaunchTorpedo(at("G6"))).refused("target-is-own-cell")
    table.when(0, LaunchTorpedo(at("G7"))).refused("target-is-island")
    assert at("G6") not in fired_on(table)


@pytest.mark.rule("SON-51")
def test_the_impact_is_announced():
    table = armed("D3")
    launched, blast = table.when(0, LaunchTorpedo(at("D5"))).events[:2]
    assert redact(launched, 1, table.state).target == at("D5")
    assert redact(launched, None, table.state).target == at("D5")
    assert blast.cell == at("D5")
    assert table.boat(0).route == cells("D3")


@pytest.mark.rule("SON-52")
def test_a_torpedo_removes_every_mine_at_its_target_without_exploding_it():
    table = armed("E5", map="echo")
    table.put(0, "E5", mines="E3 A9")
    table.put(1, "J10", mines="E3 A8")
    then = table.when(0, LaunchTorpedo(at("E3")))
    assert then.events[0] == TorpedoLaunched(0, at("E3"), True, True, True)
    assert (table.boat(0).mines, table.boat(1).mines) == (cells("A9"), cells("A8"))
    assert at("E3") not in table.state.archer_mines
    assert then.names.count("blast") == 1
    assert table.state.damage == [0, 0]


@pytest.mark.rule("SON-53")
def test_only_a_mines_owner_learns_that_it_is_gone():
    table = armed("E5", map="echo", seats=8)
    table.put(0, "E5", mines="E3")
    table.put(1, "J10", mines="E3")
    launched = table.when(0, LaunchTorpedo(at("E3"))).events[0]
    assert redact(launched, 0, table.state) == TorpedoLaunched(0, at("E3"), True, None, True)
    assert redact(launched, 1, table.state) == TorpedoLaunched(0, at("E3"), None, True, True)
    assert redact(launched, None, table.state) == TorpedoLaunched(0, at("E3"), None, None, True)


@pytest.mark.rule("SON-54")
@pytest.mark.parametrize(
    ("enemy", "impact", "damage"),
    [
        *((cell, "indirect", 1) for cell in ["G4", "H4", "I4", "G5", "I5", "G6", "H6", "I6"]),
        ("H5", "direct", 2),
        *((cell, "clear", 0) for cell in ["F5", "H3", "J5", "H7", "J7", "F3"]),
    ],
)
@pytest.mark.parametrize("weapon", ["torpedo", "mine", "archer_mine"])
def test_every_blast_hits_its_cell_and_the_eight_around(weapon, enemy, impact, damage):
    """H5 holds a mine of Archer's. A boat on an island's cell is there to measure the distance."""
    table = armed("D5", "torpedo scenario", map="echo")
    table.put(0, "D5", mines="H5")
    table.put(1, enemy)
    command = {
        "torpedo": LaunchTorpedo(at("H5")),
        "mine": TriggerMine(at("H5")),
        "archer_mine": TriggerArcherMine(at("H5")),
    }[weapon]
    events = table.when(0, command).events
    assert Blast(at("H5"), weapon, ("clear", impact)) in events
    assert table.state.damage == [0, damage]
    assert (DamageTaken(1, damage, damage, weapon, "") in events) == bool(damage)


@pytest.mark.rule("SON-55")
def test_the_own_boat_is_hit_by_the_same_scale():
    table = armed("G6")
    assert table.when(0, LaunchTorpedo(at("H6"))).events[1].results == ("indirect", "clear")
    assert table.state.damage == [1, 0]
    table = armed("G6")
    table.put(0, "G6", mines="G6")
    table.play(0, TriggerMine(at("G6")))
    assert table.state.damage == [2, 0]


@pytest.mark.rule("SON-56")
def test_everybody_hears_what_a_blast_did_to_both_boats():
    table = armed("G6")
    table.put(1, "H6")
    events = table.when(0, LaunchTorpedo(at("H6"))).events
    for event in events[1:4]:
        for viewer in (0, 1, None):
            shown = redact(event, viewer, table.state)
            assert getattr(shown, "results", None) == getattr(event, "results", None)
            assert getattr(shown, "total", None) == getattr(event, "total", None)
    assert [type(event).__name__ for event in events[1:4]] == [
        "Blast",
        "DamageTaken",
        "DamageTaken",
    ]


@pytest.mark.rule("SON-57")
def test_blasts_leave_mines_alone_and_pass_islands():
    table = armed("A1", "scenario", map="echo")
    table.put(0, "A1", mines="H6 H5")
    table.put(1, "I6", mines="G4")
    table.play(0, TriggerArcherMine(at("H5")))
    assert table.boat(0).mines == cells("H6 H5")
    assert table.boat(1).mines == cells("G4")
    assert len(table.state.archer_mines) == 7
    shielded = armed("E3")
    shielded.put(0, "E3", mines="C3")
    shielded.put(1, "D5")
    shielded.play(0, TriggerMine(at("C3")))
    assert shielded.state.damage == [0, 0]
    shielded.act()
    shielded.put(0, "E3", mines="C5")
    shielded.put(1, "D4")
    shielded.play(0, TriggerMine(at("C5")))
    assert shielded.state.damage == [0, 1]


@pytest.mark.rule("SON-58")
def test_both_boats_are_damaged_at_once_the_enemy_named_first():
    table = armed("G6")
    table.put(1, "H6")
    damage = table.when(0, LaunchTorpedo(at("H6"))).of(DamageTaken)
    assert [(event.crew, event.amount) for event in damage] == [(1, 2), (0, 1)]


def dropped(table: Table) -> set:
    return {command.cell for command in table.legal(0) if isinstance(command, DropMine)}


@pytest.mark.rule("SON-59")
def test_a_mine_is_dropped_on_one_of_the_eight_cells_around():
    table = armed("E5", map="bravo")
    assert dropped(table) == set(cells("D4 E4 F4 D5 F5 D6 E6 F6"))
    table.when(0, DropMine(at("G5"))).refused("mine-not-adjacent")
    table.when(0, DropMine(at("E5"))).refused("mine-not-adjacent")


@pytest.mark.rule("SON-60")
def test_no_mine_on_the_own_route():
    table = armed("D4 E4 E5", map="bravo")
    table.when(0, DropMine(at("D4"))).refused("cell-on-route")
    assert dropped(table) == set(cells("F4 D5 F5 D6 E6 F6"))


@pytest.mark.rule("SON-61")
def test_no_mine_on_an_island_or_off_the_map():
    table = armed("C3")
    table.when(0, DropMine(at("C4"))).refused("cell-is-island")
    table.put(0, "A1")
    table.when(0, DropMine((-1, 0))).refused("cell-off-map")
    assert dropped(table) == set(cells("B1 A2 B2"))


@pytest.mark.rule("SON-62")
def test_no_mine_on_an_own_mine_but_on_any_other():
    table = armed("E4", map="echo")
    table.put(0, "E4", mines="D4")
    table.put(1, "J10", mines="F5")
    table.when(0, DropMine(at("D4"))).refused("cell-has-own-mine")
    assert table.trial(0, DropMine(at("F5"))).accepted
    assert at("E3") in table.state.archer_mines
    assert table.trial(0, DropMine(at("E3"))).accepted


@pytest.mark.rule("SON-63")
def test_a_drop_is_heard_without_its_cell():
    table = armed("E5", map="bravo")
    drop = table.when(0, DropMine(at("E4"))).events[0]
    assert [redact(drop, viewer, table.state) for viewer in (1, None)] == [MineDropped(0, None)] * 2
    assert redact(drop, 0, table.state) == drop
    assert table.boat(1).heard == ["mine"]


@pytest.mark.rule("SON-64")
def test_any_number_of_mines_may_lie():
    table = armed("E5", map="bravo")
    table.put(0, "E5", mines=" ".join(f"{c}{r}" for c in "ABCDEFGHIJ" for r in (8, 9, 10)))
    table.play(0, DropMine(at("E4")))
    assert len(table.boat(0).mines) == 31


@pytest.mark.rule("SON-65")
def test_any_own_mine_goes_off_at_any_distance_and_is_gone():
    table = armed("A1", "")
    table.put(0, "A1", mines="J10 J1")
    table.put(1, "I9", mines="J9")
    events = table.when(0, TriggerMine(at("J10"))).events
    assert events[0] == MineTriggered(0, at("J10"))
    assert redact(events[0], 1, table.state) == events[0]
    assert table.boat(0).mines == cells("J1")
    assert table.state.damage == [0, 1]
    table.act()
    table.when(0, TriggerMine(at("J10"))).refused("mine-not-found")
    table.when(0, TriggerMine(at("J9"))).refused("mine-not-found")


def test_two_crews_mines_on_one_cell_are_independent():
    """Ruling 21: a trigger removes only the triggering crew's mine."""
    table = armed("A1", "")
    table.put(0, "A1", mines="E5")
    table.put(1, "J10", mines="E5")
    table.play(0, TriggerMine(at("E5")))
    assert (table.boat(0).mines, table.boat(1).mines) == ([], cells("E5"))


@pytest.mark.rule("SON-66")
def test_a_trigger_needs_whole_weapons():
    for symbol in ("w1", "n2", "n5", "s3", "s4", "e3"):
        table = armed("A1", "")
        table.put(0, "A1", mines="E5", crossed=symbol)
        table.when(0, TriggerMine(at("E5"))).refused("system-broken")
        assert TriggerMine(at("E5")) not in table.legal(0)


@pytest.mark.rule("SON-67")
@pytest.mark.parametrize("table", [Table(8), live()], ids=["turns", "real_time"])
def test_mines_stay_when_the_boat_surfaces(table):
    table.put(0, "A1 A2", mines="B1 E5")
    table.play(0, Surface())
    assert table.boat(0).mines == cells("B1 E5")


def test_a_mine_can_be_laid_and_triggered_over_two_turns():
    table = armed("C8 C7", seats=8)
    table.play(0, DropMine(at("B7")))
    table.state.active_crew, table.state.phase = 0, "course"
    table.play(0, OrderCourse("n"))
    table.play(2, MarkGauge("mine"))
    table.play(4, CrossSymbol("n1"))
    assert table.when(0, TriggerMine(at("B7"))).names[:2] == ["mine_triggered", "blast"]
