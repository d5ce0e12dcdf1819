"""NAU-47 to NAU-60: launching, sonar and sailing."""

from itertools import pairwise

import pytest

from games.nautilus.commands import (
    BoostSubmarine,
    EndDive,
    EndLaunch,
    LaunchSubmarine,
    MoveSubmarine,
    UseSonar,
)
from games.nautilus.components import AT, ZONE
from games.nautilus.events import SonarUsed, SubmarineLaunched, SubmarineMoved
from games.nautilus.model import Pending
from tests.games.nautilus.table import Table, given


def laboratory(*free: str, rot: int = 0) -> Table:
    """Return researchers of seat 0 in a module of seat 1 at `[15,9]` with exits n e s nw."""
    table = given(2)
    table.build("res_grey_3", (15, 9), rot, owner=1)
    table.man("res_grey_3", *free)
    table.wait("launch", 0)
    return table


@pytest.mark.rule("NAU-47")
def test_as_many_launches_as_submarines_in_stock_and_all_free():
    table = laboratory("r0_01", "r0_02", "r0_03", "r0_04")
    table.build("res_brown_2", (18, 12), 2)  # exits s w nw se
    table.man("res_brown_2", "r0_05", "r0_06")
    cells = [("res_grey_3", (15, 7)), ("res_grey_3", (17, 9)), ("res_brown_2", (18, 14))]
    for k, (module, cell) in enumerate(cells, start=1):
        launched = table.when(0, LaunchSubmarine(module, cell)).of(SubmarineLaunched)[0]
        assert launched.submarine == f"s0_{k}"
    assert table.at[2:] == ("sail", 0)
    assert table.state.money[0] == 55
    table.wait("launch", 0)
    table.when(0, LaunchSubmarine("res_grey_3", (15, 7))).refused("no-submarine-left")


@pytest.mark.rule("NAU-48")
def test_a_launch_lies_two_cells_from_the_centre_beside_a_blue_exit():
    table = laboratory("r0_01")
    assert {c.cell for c in table.legal(0, LaunchSubmarine)} == {(15, 7), (17, 9)}
    for cell in ((13, 9), (13, 7), (15, 6), (17, 7), (15, 9)):
        table.when(0, LaunchSubmarine("res_grey_3", cell)).refused("not-beside-exit")
    assert {c.cell for c in laboratory("r0_01", rot=2).legal(0, LaunchSubmarine)} == {
        (15, 7),
        (13, 9),
    }


@pytest.mark.rule("NAU-48")
def test_the_cell_must_be_free():
    """A free cell is on the board, not covered, and without submarine and find."""
    table = laboratory("r0_01")
    table.when(0, LaunchSubmarine("res_grey_3", (15, 11))).refused("cell-not-free")
    table.float("s1_1", (15, 7))
    table.when(0, LaunchSubmarine("res_grey_3", (15, 7))).refused("cell-not-free")
    table.build("res_brown_1", (16, 5))
    table.man("res_brown_1", "r0_02")
    table.when(0, LaunchSubmarine("res_brown_1", (16, 7))).refused("cell-not-free")
    table.build("res_brown_3", (29, 20))
    table.man("res_brown_3", "r0_03")
    table.when(0, LaunchSubmarine("res_brown_3", (31, 20))).refused("cell-not-free")
    assert {c.cell for c in table.legal(0, LaunchSubmarine)} == {
        (17, 9), (16, 3), (29, 18), (29, 22)
    }  # fmt: skip


@pytest.mark.rule("NAU-37", "NAU-48")
def test_a_launch_needs_an_own_free_researcher_in_a_research_module():
    table = laboratory()
    table.man("base", "r0_05")
    table.man("res_grey_3", "r0_06", employed=True)
    table.man("res_grey_3", "r1_01")
    up = LaunchSubmarine("res_grey_3", (15, 7))
    table.when(0, up).refused("no-free-researcher")
    table.when(0, LaunchSubmarine("base", (15, 14))).refused("not-a-research-module")
    table.when(0, LaunchSubmarine("res_blue_1", (15, 14))).refused("not-a-research-module")
    assert table.legal(0, LaunchSubmarine) == []
    table.man("res_grey_3", "r0_07")
    assert up in table.legal(0)


@pytest.mark.rule("NAU-49")
def test_the_crew_goes_to_stock_and_may_be_bought_again():
    table = laboratory("r0_03", "r0_02")
    launched = table.when(0, LaunchSubmarine("res_grey_3", (15, 7))).of(SubmarineLaunched)[0]
    assert launched.researcher == "r0_02"
    assert "r0_02" in table.view(0).stock[0]
    assert "r0_02" not in table.view(0).researchers
    assert table.view(0).submarines["s0_1"].cell == (15, 7)


@pytest.mark.rule("NAU-50")
def test_launches_come_before_sailing_and_sail_at_once():
    table = laboratory("r0_01", "r0_02")
    table.when(0, MoveSubmarine("s0_1", (15, 7))).refused("wrong-step")
    table.play(0, LaunchSubmarine("res_grey_3", (15, 7)), EndLaunch())
    table.when(0, LaunchSubmarine("res_grey_3", (17, 9))).refused("wrong-step")
    assert table.when(0, MoveSubmarine("s0_1", (15, 6))).names[0] == "submarine_moved"


def at_sea(cell=(15, 7), seats=2, **boat) -> Table:
    """Return seat 0 sailing, with `s0_1` on a cell."""
    table = given(seats)
    table.float("s0_1", cell, **boat)
    table.wait("sail", 0)
    return table


@pytest.mark.rule("NAU-51")
def test_each_submarine_moves_once_in_any_order():
    table = at_sea((10, 10))
    table.float("s0_2", (18, 10))
    table.play(0, MoveSubmarine("s0_2", (18, 9)), MoveSubmarine("s0_1", (10, 9)))
    for name in ("s0_1", "s0_2"):
        table.when(0, MoveSubmarine(name, (12, 9))).refused("already-moved")
    assert table.legal(0) == [EndDive()]
    table.when(0, MoveSubmarine("s1_1", (12, 9))).refused("not-your-submarine")
    table.wait("sail", 0)
    assert MoveSubmarine("s0_1", (10, 10)) in table.legal(0)


@pytest.mark.rule("NAU-51")
def test_no_submarine_has_to_move():
    table = at_sea()
    assert table.when(0, EndDive()).names[0] == "dive_ended"
    assert table.state.submarines[0][0].cell == (15, 7)


@pytest.mark.rule("NAU-52")
@pytest.mark.parametrize(("option", "longer"), [("list", 0), ("text", 1)])
@pytest.mark.parametrize(("level", "span"), [(0, 3), (1, 4), (2, 5), (4, 5)])
def test_sonar_range_by_brown_level(option, longer, level, span):
    table = given(2, sonar_range=option)
    table.float("s0_1", (22, 10))
    table.levels(0, brown=level)
    table.wait("sail", 0)
    used = table.when(0, UseSonar("s0_1")).of(SonarUsed)[0]
    reach = span + longer
    assert used.range == reach
    hidden = [(c, r) for c, r, *_ in table.view(0).hidden]
    assert list(used.cells) == [(c, r) for c, r in hidden if abs(c - 22) + abs(r - 10) <= reach]


@pytest.mark.rule("NAU-52")
def test_sonar_costs_one_looks_through_modules_and_works_once_before_the_move():
    table = at_sea((15, 5))
    table.build("hab_a_1", (17, 6))
    table.pay(0, 1)
    (used,) = table.when(0, UseSonar("s0_1")).events
    assert (16, 7) in used.cells
    assert table.state.money[0] == 0
    table.pay(0, 9)
    table.when(0, UseSonar("s0_1")).refused("already-sonared")
    table = at_sea((15, 5))
    table.play(0, MoveSubmarine("s0_1", (15, 6)))
    table.when(0, UseSonar("s0_1")).refused("already-moved")


@pytest.mark.rule("NAU-52")
def test_sonar_is_refused_without_money_or_finds():
    table = at_sea((15, 10))
    table.when(0, UseSonar("s0_1")).refused("nothing-in-range")
    table = at_sea((15, 5))
    table.pay(0, 0)
    table.when(0, UseSonar("s0_1")).refused("not-enough-money")
    assert table.legal(0, UseSonar) == []


@pytest.mark.rule("NAU-52")
def test_a_boost_leaves_the_sonar():
    """Only the ordinary move ends the time for sonar."""
    table = at_sea((15, 7))
    table.state.pending = Pending("thrust", 3)
    table.play(0, BoostSubmarine("s0_1", (15, 6)))
    assert UseSonar("s0_1") in table.legal(0)


@pytest.mark.rule("NAU-53")
def test_a_look_lasts_for_its_seat():
    table = at_sea((15, 5))
    table.play(0, UseSonar("s0_1"), EndDive())
    cells = table.view(0).known[0]
    assert cells
    shown = {(c, r): face for c, r, _, face in table.view(0).hidden}
    assert all(shown[cell] != "?" for cell in cells)
    assert all(face == "?" for cell, face in shown.items() if cell not in cells)
    assert {face for *_, face in table.view(1).hidden} == {"?"}


@pytest.mark.rule("NAU-54")
@pytest.mark.parametrize(("level", "cells"), [(0, 4), (1, 5), (2, 6), (4, 6)])
def test_cells_by_grey_level(level, cells):
    table = at_sea((15, 7))
    table.state.hidden = [""] * 60
    table.levels(0, grey=level)
    for goal in {c.to for c in table.legal(0, MoveSubmarine)}:
        assert abs(goal[0] - 15) + abs(goal[1] - 7) <= cells
    assert MoveSubmarine("s0_1", (15 - cells, 7)) in table.legal(0)
    table.when(0, MoveSubmarine("s0_1", (15 - cells - 1, 7))).refused("too-far")
    table.when(0, MoveSubmarine("s0_1", (15 - cells, 6))).refused("too-far")


@pytest.mark.rule("NAU-54")
def test_steps_are_orthogonal():
    table = at_sea((15, 7))
    table.state.hidden = [""] * 60
    path = table.when(0, MoveSubmarine("s0_1", (13, 5))).of(SubmarineMoved)[0].path
    steps = [abs(a - c) + abs(b - d) for (a, b), (c, d) in pairwise(path)]
    assert steps == [1, 1, 1, 1]


@pytest.mark.rule("NAU-55", "NAU-56")
def test_submarines_pass_under_modules_and_each_other_but_stop_beside():
    table = at_sea((15, 10))
    table.float("s1_1", (15, 14))
    table.float("s0_2", (14, 10))
    table.levels(0, grey=1)
    path = table.when(0, MoveSubmarine("s0_1", (15, 15))).of(SubmarineMoved)[0].path
    assert path == tuple((15, row) for row in range(10, 16))
    for cell in ((15, 12), (14, 11), (16, 13), (15, 15), (15, 14)):
        table.when(0, MoveSubmarine("s0_2", cell)).refused("cell-not-free")
        assert MoveSubmarine("s0_2", cell) not in table.legal(0)


@pytest.mark.rule("NAU-56")
def test_staying_is_a_move():
    table = at_sea((15, 7))
    moved = table.when(0, MoveSubmarine("s0_1", (15, 7))).of(SubmarineMoved)[0]
    assert moved.path == ((15, 7),)
    assert table.state.submarines[0][0].moved


@pytest.mark.rule("NAU-57")
def test_a_find_stops_the_submarine():
    """A find at `[16,7]` is in the way: cells behind it are two steps further."""
    table = at_sea((15, 7))
    table.when(0, MoveSubmarine("s0_1", (19, 7))).refused("too-far")
    path = table.when(0, MoveSubmarine("s0_1", (17, 7))).of(SubmarineMoved)[0].path
    assert (16, 7) not in path
    assert len(path) == 5
    table = at_sea((15, 7))
    assert table.when(0, MoveSubmarine("s0_1", (16, 7))).of(SubmarineMoved)[0].path[-1] == (16, 7)


def abyss_edge(seats=3, **boat) -> Table:
    """Return `s0_1` two steps south of the abyss, before the find at `[21,3]`."""
    table = given(seats)
    table.build("hab_a_1", (15, 9))
    table.float("s0_1", (21, 5), **boat)
    table.wait("sail", 0)
    return table


INTO = MoveSubmarine("s0_1", (22, 3))


@pytest.mark.rule("NAU-58")
def test_a_level_in_every_colour_for_sale_opens_the_abyss():
    table = abyss_edge()
    assert ZONE[AT[22, 3]] == 3
    table.when(0, INTO).refused("abyss-closed")
    assert INTO not in table.legal(0)
    table.levels(0, green=1, grey=1, brown=1, blue=1)
    table.when(0, INTO).refused("abyss-closed")
    table.levels(0, black=1)
    assert INTO in table.legal(0)
    table.levels(0, black=0)
    supply = table.state.supply
    for k in (1, 2, 3, 4):
        table.when(0, INTO).refused("abyss-closed")
        supply.remove(f"res_black_{k}")
    assert INTO in table.legal(0)


@pytest.mark.rule("NAU-58")
def test_modules_in_hands_are_not_for_sale():
    """Colours that are sold out need no level: if all are, the abyss is open."""
    table = abyss_edge()
    table.state.supply = [m for m in table.state.supply if m.startswith("hab")]
    assert INTO in table.legal(0)


@pytest.mark.rule("NAU-58", "NAU-59")
def test_another_seat_opens_the_abyss_but_not_oneself():
    table = abyss_edge()
    table.state.abyss_visitors = (0,)
    table.when(0, INTO).refused("abyss-closed")
    table.state.abyss_visitors = (2,)
    assert INTO in table.legal(0)


@pytest.mark.rule("NAU-58")
def test_a_submarine_launched_in_the_abyss_may_enter_it():
    table = abyss_edge(launched_in_abyss=True)
    assert INTO in table.legal(0)
    table.float("s0_2", (20, 5))
    table.when(0, MoveSubmarine("s0_2", (22, 3))).refused("abyss-closed")


@pytest.mark.rule("NAU-58")
def test_a_move_that_starts_in_the_abyss_may_go_on_there():
    table = abyss_edge()
    table.float("s0_2", (25, 4))
    assert MoveSubmarine("s0_2", (25, 6)) in table.legal(0)
    table.play(0, MoveSubmarine("s0_2", (24, 6)))
    table.wait("sail", 0)
    table.when(0, MoveSubmarine("s0_2", (25, 6))).refused("abyss-closed")


@pytest.mark.rule("NAU-58")
def test_launching_is_never_restricted():
    table = given(2)
    table.build("res_grey_3", (25, 6))
    table.man("res_grey_3", "r0_01")
    table.wait("launch", 0)
    launched = table.when(0, LaunchSubmarine("res_grey_3", (25, 4))).of(SubmarineLaunched)[0]
    assert launched.in_abyss
    assert table.state.submarines[0][0].launched_in_abyss
    assert table.state.abyss_visitors == ()


@pytest.mark.rule("NAU-59")
@pytest.mark.parametrize("boost", [True, False])
def test_every_step_onto_an_abyss_cell_counts(boost):
    """A step on the way counts too. A start in the abyss does not."""
    table = abyss_edge()
    table.state.hidden = [""] * 60
    table.float("s0_2", (25, 4), launched_in_abyss=True)
    if boost:
        table.state.pending = Pending("thrust", 3)
        table.play(0, BoostSubmarine("s0_2", (25, 5)))
    else:
        table.play(0, MoveSubmarine("s0_2", (25, 5)))
    assert table.view(1).abyss_visitors == (0,)
    table = abyss_edge()
    table.float("s0_2", (24, 5))
    table.play(0, MoveSubmarine("s0_2", (23, 5)))
    assert table.view(1).abyss_visitors == ()


@pytest.mark.rule("NAU-60")
def test_of_shortest_routes_n_goes_before_e_s_w():
    """North comes first, but the find at `[11,8]` must not be on the way."""
    table = at_sea((10, 10))
    path = table.when(0, MoveSubmarine("s0_1", (12, 8))).of(SubmarineMoved)[0].path
    assert path == ((10, 10), (10, 9), (11, 9), (12, 9), (12, 8))
    table = at_sea((10, 12))
    path = table.when(0, MoveSubmarine("s0_1", (12, 14))).of(SubmarineMoved)[0].path
    assert path == ((10, 12), (11, 12), (12, 12), (12, 13), (12, 14))
    table = at_sea((20, 12))
    path = table.when(0, MoveSubmarine("s0_1", (18, 14))).of(SubmarineMoved)[0].path
    assert path == ((20, 12), (20, 13), (20, 14), (19, 14), (18, 14))


@pytest.mark.rule("NAU-60")
def test_the_route_keeps_out_of_the_abyss_where_it_can():
    """`[15,0]` to `[17,1]`: three steps through the abyss, five around the find at `[16,1]`."""

    def sail(level: int, start=(15, 0)) -> Table:
        table = at_sea(start, seats=3)
        table.state.abyss_visitors = (2,)
        table.levels(0, grey=level)
        return table

    to = MoveSubmarine("s0_1", (17, 1))
    table = sail(0)
    path = table.when(0, to).of(SubmarineMoved)[0].path
    assert path == ((15, 0), (16, 0), (17, 0), (17, 1))
    assert table.state.abyss_visitors == (0, 2)
    table = sail(1)
    path = table.when(0, to).of(SubmarineMoved)[0].path
    assert path == ((15, 0), (15, 1), (15, 2), (16, 2), (17, 2), (17, 1))
    assert table.state.abyss_visitors == (2,)
    table = sail(2, start=(16, 0))
    assert len(table.when(0, to).of(SubmarineMoved)[0].path) == 7
    assert table.state.abyss_visitors == (2,)


@pytest.mark.rule("NAU-60")
def test_only_through_a_closed_abyss_is_not_too_far():
    table = abyss_edge()
    table.when(0, MoveSubmarine("s0_1", (25, 3))).refused("too-far")
    table.when(0, MoveSubmarine("s0_1", (22, 3))).refused("abyss-closed")
