"""NAU-17 to NAU-26: the step `place`, and how modules dock."""

import pytest

from games.nautilus.commands import BuyModule, EndBuild, PlaceModule, SkipBuy
from games.nautilus.components import AT, CLASH, DIRECTIONS, EXITS, PLACE_OF, SQUARE, TOUCH
from games.nautilus.events import FindCovered, ModulePlaced
from tests.games.nautilus.table import building, cells_of, given


def around(signs, board, centre=(15, 12)):
    """Draw the cells of a bit board around a centre, four cells each way."""
    column, row = centre
    cells = set(cells_of(board))
    return [
        " ".join(signs[(c, r) in cells] for c in range(column - 4, column + 5))
        for r in range(row - 4, row + 5)
    ]


@pytest.mark.rule("NAU-17")
def test_building_is_optional_after_a_purchase_and_else_compulsory():
    table = given(2)
    table.hold(0, "hab_a_1")
    table.play(0, BuyModule("res_grey_1", 0))
    assert EndBuild() in table.legal(0)
    table = given(2)
    table.hold(0, "hab_a_1")
    table.play(0, SkipBuy())
    assert table.state.turn.must_build
    table.when(0, EndBuild()).refused("must-build")
    assert {type(c) for c in table.legal(0)} == {PlaceModule}
    table.hold(0, "hab_b_1")
    table.play(0, table.legal(0)[0])
    assert EndBuild() in table.legal(0)


@pytest.mark.rule("NAU-17", "NAU-76")
def test_with_an_empty_hand_there_is_nothing_to_build():
    table = given(2)
    table.play(0, SkipBuy())
    assert table.at[2:] == ("buy", 1)


@pytest.mark.rule("NAU-18")
def test_four_modules_may_be_built_in_one_build():
    table = building("hab_a_1", "hab_a_2", "hab_a_3", "hab_a_4")
    for module, cell in (
        ("hab_a_1", (15, 9)),
        ("hab_a_2", (15, 6)),
        ("hab_a_3", (15, 3)),
    ):
        assert table.when(0, PlaceModule(module, cell, 0)).names[0] == "module_placed"
    table.play(0, PlaceModule("hab_a_4", (18, 9), 2))
    assert len(table.state.modules) == 5
    assert table.at[2:] == ("buy", 1)


@pytest.mark.rule("NAU-19")
def test_a_module_lies_wholly_on_the_board():
    table = building("hab_a_1")
    for cell in ((0, 12), (30, 12), (15, 0), (15, 24), (-1, 3), (40, 3)):
        table.when(0, PlaceModule("hab_a_1", cell, 0)).refused("off-board")
    table.when(0, PlaceModule("hab_a_1", (1, 1), 0)).refused("no-passage")


@pytest.mark.rule("NAU-19")
def test_quarter_turns_go_clockwise():
    def exits(module, rot):
        return {name for d, name in enumerate(DIRECTIONS) if EXITS[module][rot] >> d & 1}

    assert exits("hab_a_1", 0) == {"n", "e", "s", "sw", "nw"}
    assert exits("hab_a_1", 1) == {"e", "s", "w", "nw", "ne"}
    assert exits("hab_a_1", 2) == {"s", "w", "n", "ne", "se"}
    assert exits("hab_a_1", 3) == {"w", "n", "e", "se", "sw"}
    table = building("hab_a_1")
    table.when(0, PlaceModule("hab_a_1", (15, 9), 4)).refused("bad-rotation")
    table.when(0, PlaceModule("hab_a_1", (15, 9), -1)).refused("bad-rotation")


@pytest.mark.rule("NAU-20")
def test_octagons_overlap_unless_they_share_a_corner():
    """`x` marks centres that overlap with the one in the middle."""
    assert around(".x", CLASH[AT[15, 12]]) == [
        ". . . . . . . . .",
        ". . . . . . . . .",
        ". . . x x x . . .",
        ". . x x x x x . .",
        ". . x x x x x . .",
        ". . x x x x x . .",
        ". . . x x x . . .",
        ". . . . . . . . .",
        ". . . . . . . . .",
    ]


@pytest.mark.rule("NAU-20")
def test_overlapping_is_refused():
    table = building("hab_a_1")
    for column in range(13, 18):
        for row in range(10, 15):
            code = (
                table.when(0, PlaceModule("hab_a_1", (column, row), 0)).code
                if (abs(column - 15) < 2 or abs(row - 12) < 2)
                else "modules-overlap"
            )
            assert code == "modules-overlap"


@pytest.mark.rule("NAU-21")
def test_a_module_covers_its_whole_square():
    assert around(".#", SQUARE[AT[15, 12]])[2:7] == [
        ". . . . . . . . .",
        ". . . # # # . . .",
        ". . . # # # . . .",
        ". . . # # # . . .",
        ". . . . . . . . .",
    ]
    table = given(2)
    assert table.draw(13, 10, 17, 14) == ["lllll", "l###l", "l###l", "l###l", "lllll"]


@pytest.mark.rule("NAU-22")
@pytest.mark.parametrize("cell", [(14, 8), (15, 9), (16, 10), (14, 10)])
@pytest.mark.parametrize("submarine", ["s0_1", "s1_1"])
def test_no_covered_cell_may_hold_a_submarine(cell, submarine):
    table = building("hab_a_1")
    table.float(submarine, cell)
    build = PlaceModule("hab_a_1", (15, 9), 0)
    table.when(0, build).refused("submarine-in-the-way")
    assert build not in table.legal(0)
    table.float(submarine, (17, 8))
    assert build in table.legal(0)


@pytest.mark.rule("NAU-23")
def test_modules_touch_by_straight_or_slanted_sides():
    """`t` marks centres that touch the one in the middle."""
    assert around(".t", TOUCH[AT[15, 12]]) == [
        ". . . . . . . . .",
        ". . . . t . . . .",
        ". . t . . . t . .",
        ". . . . . . . . .",
        ". t . . . . . t .",
        ". . . . . . . . .",
        ". . t . . . t . .",
        ". . . . t . . . .",
        ". . . . . . . . .",
    ]


@pytest.mark.rule("NAU-23", "NAU-24")
def test_a_passage_needs_an_exit_on_both_sides():
    """The base has all exits, so those of the new module decide; later both decide."""
    sides = {
        "n": (15, 15), "s": (15, 9), "e": (12, 12), "w": (18, 12),
        "ne": (13, 14), "nw": (17, 14), "se": (13, 10), "sw": (17, 10),
    }  # fmt: skip
    for module in ("hab_a_1", "hab_b_1", "res_grey_1", "res_grey_2", "res_grey_3", "res_grey_4"):
        table = building(module)
        legal = table.legal(0, PlaceModule)
        for exit_, cell in sides.items():
            for rot in range(4):
                fits = bool(EXITS[module][rot] >> DIRECTIONS.index(exit_) & 1)
                build = PlaceModule(module, cell, rot)
                smallest = EXITS[module].index(EXITS[module][rot])
                assert (PlaceModule(module, cell, smallest) in legal) == fits
                if not fits:
                    table.when(0, build).refused("no-passage")
    table = building("res_green_1")
    table.build("hab_b_1", (15, 9))  # exits n s ne se sw
    table.when(0, PlaceModule("res_green_1", (12, 9), 1)).refused("no-passage")
    table.when(0, PlaceModule("res_green_1", (15, 6), 1)).refused("no-passage")
    assert PlaceModule("res_green_1", (15, 6), 0) in table.legal(0)


@pytest.mark.rule("NAU-24")
def test_a_passage_to_a_module_of_the_same_build_will_do():
    table = building("hab_a_1", "hab_a_2")
    north = PlaceModule("hab_a_2", (15, 6), 0)
    table.when(0, north).refused("no-passage")
    table.play(0, PlaceModule("hab_a_1", (15, 9), 0))
    assert table.when(0, north).events


@pytest.mark.rule("NAU-25")
def test_covered_finds_leave_the_sea_without_any_effect():
    """A treasure goes to its number without a marker; the builder gets nothing and pays no fee."""
    table = given(2, faces={(15, 3): "treasure_1"})
    table.build("hab_b_1", (15, 9))
    table.build("hab_b_2", (15, 6), 2)
    table.hold(0, "hab_a_1")
    table.wait("place", 0)
    table.pay(0, 10)
    done = table.when(0, PlaceModule("hab_a_1", (15, 3), 0))
    assert done.of(FindCovered) == [FindCovered(0, (15, 3), "treasure_1")]
    assert table.state.money[0] == 10 - done.of(ModulePlaced)[0].cost
    assert table.state.treasures[0] == -1
    assert table.state.fields == [(), ()]
    assert table.state.pending is None
    assert (15, 3) not in {(c, r) for c, r, *_ in table.view(0).hidden}
    assert table.state.round_log.revealed


@pytest.mark.rule("NAU-25", "NAU-53")
def test_a_covered_find_is_no_longer_known():
    table = given(2, faces={(16, 7): "chest_1"})
    table.build("hab_b_2", (15, 9))
    table.state.known = [(PLACE_OF[16, 7],), (PLACE_OF[16, 7],)]
    table.hold(0, "hab_a_1")
    table.wait("place", 0)
    table.play(0, PlaceModule("hab_a_1", (17, 7), 0))
    assert table.view(0).known == ((), ())


@pytest.mark.rule("NAU-26")
def test_modules_of_one_build_touch_each_other():
    table = building("hab_a_1", "hab_a_2")
    table.play(0, PlaceModule("hab_a_1", (15, 9), 0))
    table.when(0, PlaceModule("hab_a_2", (15, 15), 0)).refused("not-contiguous")
    assert PlaceModule("hab_a_2", (15, 15), 0) not in table.legal(0)
    assert {c.cell for c in table.legal(0, PlaceModule)} <= {
        (15, 6), (12, 9), (18, 9), (13, 7), (17, 7), (13, 11), (17, 11)
    }  # fmt: skip
    table.play(0, EndBuild())
    table.hold(0, "hab_a_3")
    table.wait("place", 0)
    assert table.when(0, PlaceModule("hab_a_3", (15, 15), 0)).events


@pytest.mark.rule("NAU-25")
def test_several_covered_finds_come_in_row_order():
    table = given(2)
    table.build("hab_a_1", (24, 13), 2)
    table.hold(0, "hab_b_1")
    table.wait("place", 0)
    done = table.when(0, PlaceModule("hab_b_1", (24, 16), 0))
    assert [e.cell for e in done.of(FindCovered)] == [(23, 15), (25, 16)]


@pytest.mark.rule("NAU-26")
def test_touching_is_enough_where_the_passage_leads_elsewhere():
    """The second has a passage to `hab_a_1`, and touches the first without a passage."""
    table = building("hab_b_1", "hab_a_2")
    table.build("hab_a_1", (15, 9), 2)
    table.play(0, PlaceModule("hab_b_1", (12, 12), 1), PlaceModule("hab_a_2", (12, 9), 0))
    assert table.state.passages[3] == 1 << 1
    assert table.state.passages[2] == 1 << 0
