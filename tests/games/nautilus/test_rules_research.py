"""NAU-33 to NAU-46: the research phase."""

import pytest

from games.nautilus.commands import EndResearch, MoveResearcher
from games.nautilus.components import ABILITY, COLOURS
from games.nautilus.ending import module_points
from games.nautilus.events import ModuleActivated, ResearcherMoved
from tests.games.nautilus.table import Table, given


def corridor() -> Table:
    """Return six habitations in a row, from the base north and then west."""
    table = given(2)
    table.build("hab_b_1", (15, 9))
    table.build("hab_b_2", (15, 6))
    table.build("hab_a_3", (15, 3))
    table.build("hab_b_4", (13, 1))
    table.build("hab_a_5", (11, 3), 1)
    table.build("hab_b_6", (11, 6))
    return table


def goals(table: Table, seat: int, researcher: str) -> set[str]:
    return {c.to for c in table.legal(seat, MoveResearcher) if c.researcher == researcher}


@pytest.mark.rule("NAU-33")
@pytest.mark.parametrize(("level", "moves"), [(0, 3), (1, 4), (2, 5), (3, 5), (4, 5)])
def test_moves_by_green_level(level, moves):
    table = corridor()
    names = [placed.id for placed in table.state.modules]
    table.man("base", "r0_01")
    table.levels(0, green=level)
    table.wait("move", 0)
    assert goals(table, 0, "r0_01") == set(names[1 : moves + 1])
    if moves < 6:
        table.when(0, MoveResearcher("r0_01", names[moves + 1])).refused("too-far")


@pytest.mark.rule("NAU-33")
def test_a_green_level_of_this_turn_counts_at_once():
    table = corridor()
    table.build("res_green_1", (15, 15))
    table.man("base", "r0_01", "r0_02")
    table.wait("move", 0)
    table.play(0, MoveResearcher("r0_01", "res_green_1"))
    assert goals(table, 0, "r0_02") == {"res_green_1", "hab_b_1", "hab_b_2", "hab_a_3"}
    assert table.state.turn.moves_used == 1


@pytest.mark.rule("NAU-34")
def test_two_researchers_share_the_moves():
    table = corridor()
    table.man("base", "r0_01", "r0_02", "r0_03")
    table.levels(0, green=2)
    table.wait("move", 0)
    table.play(0, MoveResearcher("r0_01", "hab_b_1"), MoveResearcher("r0_02", "hab_b_2"))
    table.when(0, MoveResearcher("r0_03", "hab_b_1")).refused("two-researchers-only")
    assert {c.researcher for c in table.legal(0, MoveResearcher)} == {"r0_01", "r0_02"}
    table.play(0, MoveResearcher("r0_01", "hab_b_2"))
    assert table.state.turn.movers == ("r0_01", "r0_02")
    assert table.state.turn.moves_used == 4


@pytest.mark.rule("NAU-34")
def test_legal_tells_apart_who_has_moved():
    """Of equal researchers the lowest is listed: one that has moved, and one that has not."""
    table = corridor()
    table.man("base", "r0_04", "r0_05")
    table.man("hab_b_1", "r0_02", "r0_03")
    table.wait("move", 0)
    table.play(0, MoveResearcher("r0_05", "hab_b_1"))
    listed = {c.researcher for c in table.legal(0, MoveResearcher)}
    assert listed == {"r0_02", "r0_04", "r0_05"}


@pytest.mark.rule("NAU-35")
@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_of_equal_ways_that_past_the_module_placed_earlier_is_taken(order):
    table = given(2)
    sides = [("hab_a_1", (15, 9), 0), ("hab_a_2", (18, 12), 2)]
    for side in order:
        table.build(*sides[side])
    table.build("hab_a_3", (18, 9), 1)
    table.man("base", "r0_01")
    table.wait("move", 0)
    moved = table.when(0, MoveResearcher("r0_01", "hab_a_3")).events[0]
    assert moved.path == ("base", sides[order[0]][0], "hab_a_3")
    assert table.state.turn.moves_used == 2


@pytest.mark.rule("NAU-35")
def test_passing_through_activates_nothing():
    table = given(2)
    table.build("res_grey_1", (15, 9))
    table.build("hab_b_1", (15, 6))
    table.man("base", "r0_01")
    table.man("res_grey_1", "r1_01", "r1_02")
    table.wait("move", 0)
    done = table.when(0, MoveResearcher("r0_01", "hab_b_1"))
    assert done.of(ResearcherMoved)[0].path == ("base", "res_grey_1", "hab_b_1")
    assert not done.of(ModuleActivated)
    assert table.state.level[0] == [0] * 5


@pytest.mark.rule("NAU-36", "NAU-40")
def test_stopping_alone_in_a_research_module_employs():
    table = given(2)
    table.build("res_blue_1", (15, 9))
    table.man("base", "r0_01", "r0_02", "r1_01")
    table.wait("move", 0)
    done = table.when(0, MoveResearcher("r0_01", "res_blue_1"))
    assert done.names[:2] == ["researcher_moved", "module_activated"]
    assert table.view(0).employed == ("r0_01",)
    assert table.view(0).level[0]["blue"] == 1
    assert sum(table.view(0).level[0].values()) == 1


@pytest.mark.rule("NAU-36", "NAU-38")
@pytest.mark.parametrize("employed", [True, False])
def test_beside_an_own_researcher_nobody_is_employed(employed):
    table = given(2)
    table.build("res_blue_1", (15, 9))
    table.man("res_blue_1", "r0_05", employed=employed)
    table.man("base", "r0_01")
    table.wait("move", 0)
    done = table.when(0, MoveResearcher("r0_01", "res_blue_1"))
    assert not done.of(ModuleActivated)
    assert "r0_01" not in table.view(0).employed
    assert table.state.level[0] == [0] * 5


@pytest.mark.rule("NAU-36", "NAU-39")
def test_each_seat_may_activate_a_module_once():
    table = given(2)
    table.build("res_blue_1", (15, 9))
    table.man("base", "r0_01", "r1_01")
    for seat in (0, 1):
        table.wait("move", seat)
        done = table.when(seat, MoveResearcher(f"r{seat}_01", "res_blue_1"))
        assert done.of(ModuleActivated)[0].level == 1
    assert table.view(0).employed == ("r0_01", "r1_01")


@pytest.mark.rule("NAU-37")
def test_an_employed_researcher_stays():
    table = given(2)
    table.build("res_blue_1", (15, 9))
    table.man("res_blue_1", "r0_01", employed=True)
    table.man("base", "r0_02")
    table.wait("move", 0)
    table.when(0, MoveResearcher("r0_01", "base")).refused("researcher-employed")
    assert {c.researcher for c in table.legal(0, MoveResearcher)} == {"r0_02"}


@pytest.mark.rule("NAU-38")
def test_a_free_mover_may_go_on():
    table = corridor()
    table.man("base", "r0_01")
    table.wait("move", 0)
    table.play(0, MoveResearcher("r0_01", "hab_b_1"))
    assert table.at[2:] == ("move", 0)
    table.play(0, MoveResearcher("r0_01", "hab_b_2"), MoveResearcher("r0_01", "hab_b_1"))
    assert table.at[1] != "research"


@pytest.mark.rule("NAU-41")
def test_rent_goes_to_the_owner():
    table = given(3)
    table.build("res_blue_1", (15, 9), owner=2)
    table.man("base", "r0_01", "r2_01")
    table.wait("move", 0)
    activated = table.when(0, MoveResearcher("r0_01", "res_blue_1")).of(ModuleActivated)[0]
    assert activated.rent_to == 2
    assert table.state.money == [49, 50, 51]
    table.wait("move", 2)
    activated = table.when(2, MoveResearcher("r2_01", "res_blue_1")).of(ModuleActivated)[0]
    assert activated.rent_to == -1
    assert table.state.money == [49, 50, 51]


@pytest.mark.rule("NAU-41")
def test_without_rent_the_stop_is_refused():
    table = given(2)
    table.build("res_blue_1", (15, 9), owner=1)
    table.build("hab_b_1", (15, 6))
    table.man("base", "r0_01")
    table.wait("move", 0)
    table.pay(0, 0)
    table.when(0, MoveResearcher("r0_01", "res_blue_1")).refused("not-enough-money")
    assert goals(table, 0, "r0_01") == {"hab_b_1"}
    table.man("res_blue_1", "r0_02", employed=True)
    assert goals(table, 0, "r0_01") == {"res_blue_1", "hab_b_1"}


@pytest.mark.rule("NAU-42")
@pytest.mark.parametrize(
    ("colour", "worth"),
    [
        ("green", [3, 4, 5, 5, 5]),
        ("grey", [4, 5, 6, 6, 6]),
        ("brown", [3, 4, 5, 5, 5]),
        ("blue", [0, 1, 2, 2, 2]),
        ("black", [2, 3, 4, 4, 4]),
    ],
)
def test_abilities_by_level(colour, worth):
    assert list(ABILITY[COLOURS.index(colour)]) == worth


def raised(table: Table, seat: int, researcher: str, module: str) -> ModuleActivated:
    table.man("base", researcher)
    table.wait("move", seat)
    return table.when(seat, MoveResearcher(researcher, module)).of(ModuleActivated)[0]


@pytest.mark.rule("NAU-43", "NAU-44", "NAU-45")
def test_discs_by_level():
    """Level 1 is worth 0. Level 2 as the only highest is worth 3, not 4: the 3-disc hides the 1."""
    table = given(3)
    for module, cell in (("res_black_1", (15, 9)), ("res_black_3", (15, 15))):
        table.build(module, cell)
    event = raised(table, 0, "r0_01", "res_black_1")
    assert (event.level, event.disc, event.three_taken) == (1, 0, False)
    assert module_points(table.state, 0)["black"] == 0
    event = raised(table, 0, "r0_02", "res_black_3")
    assert (event.level, event.disc, event.three_taken, event.three_from) == (2, 1, True, -1)
    assert module_points(table.state, 0)["black"] == 3
    assert table.view(1).three["black"] == 0


@pytest.mark.rule("NAU-44")
@pytest.mark.parametrize(
    ("own", "others", "holder", "taken", "held_from"),
    [
        (0, [0, 0], -1, False, -1),
        (1, [1, 0], -1, True, -1),
        (1, [2, 0], 1, False, -1),
        (2, [2, 0], 1, True, 1),
        (2, [0, 3], 2, False, -1),
        (2, [1, 1], 0, False, -1),
        (3, [3, 2], 1, True, 1),
    ],
)
def test_the_three_disc_goes_to_who_is_highest_alone(own, others, holder, taken, held_from):
    table = given(3)
    table.build("res_black_1", (15, 9))
    for seat, level in enumerate([own, *others]):
        table.levels(seat, black=level)
    table.state.three[COLOURS.index("black")] = holder
    event = raised(table, 0, "r0_01", "res_black_1")
    assert (event.three_taken, event.three_from) == (taken, held_from)
    assert table.state.three[COLOURS.index("black")] == (0 if taken else holder)


@pytest.mark.rule("NAU-45")
def test_who_loses_the_three_disc_is_back_at_one():
    table = given(2)
    table.levels(0, black=2)
    table.levels(1, black=3)
    table.state.three[COLOURS.index("black")] = 1
    assert module_points(table.state, 0)["black"] == 1
    assert module_points(table.state, 1)["black"] == 3


@pytest.mark.rule("NAU-46")
def test_the_top_level_keeps_the_disc():
    table = given(2)
    table.build("res_black_1", (15, 9))
    table.levels(0, black=4)
    table.levels(1, black=3)
    table.state.three[COLOURS.index("black")] = 0
    event = raised(table, 1, "r1_01", "res_black_1")
    assert (event.level, event.three_taken) == (4, False)
    assert table.state.three[COLOURS.index("black")] == 0


@pytest.mark.rule("NAU-76")
def test_the_turn_ends_by_itself_when_no_move_is_left():
    table = given(2)
    table.build("res_blue_1", (15, 9))
    table.man("base", "r0_01")
    table.wait("move", 0)
    assert table.when(0, MoveResearcher("r0_01", "res_blue_1")).names == [
        "researcher_moved",
        "module_activated",
        "turn_advanced",
    ]
    table.man("base", "r0_02")
    table.wait("move", 0)
    assert table.when(0, EndResearch()).names[0] == "research_ended"
