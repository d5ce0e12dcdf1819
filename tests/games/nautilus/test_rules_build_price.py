"""NAU-27 to NAU-32: the price of a build, the hand after it, and compulsory builds."""

import pytest

from games.nautilus import GAME
from games.nautilus.commands import BuyModule, EndBuild, PlaceModule, SkipBuy
from games.nautilus.components import AT, DEPTH, PLACES_UNDER
from games.nautilus.events import ModulePlaced, ModulesDiscarded
from games.nautilus.model import Turn
from tests.games.nautilus.table import building, given


@pytest.mark.rule("NAU-27")
def test_one_price_for_the_build_by_its_deepest_cell():
    """Each placement pays the rise of the deepest rank: 3 N in all, down to the deep sea."""
    table = building("hab_b_1", "hab_a_2", "hab_b_3", "hab_b_4")
    costs = []
    for module, cell, rot in (
        ("hab_b_1", (15, 9), 0),
        ("hab_a_2", (15, 6), 0),
        ("hab_b_3", (15, 3), 0),
        ("hab_b_4", (18, 6), 1),
    ):
        placed = table.when(0, PlaceModule(module, cell, rot)).of(ModulePlaced)[0]
        costs.append((placed.rank, placed.cost))
    assert costs == [(1, 1), (2, 1), (3, 1), (3, 0)]
    assert table.state.money[0] == 52
    table.hold(1, "hab_a_3")
    table.wait("place", 1)
    assert table.when(1, PlaceModule("hab_a_3", (15, 15), 2)).of(ModulePlaced)[0].cost == 1


@pytest.mark.rule("NAU-27")
@pytest.mark.parametrize(
    ("cell", "neighbour", "rank"),
    [((15, 9), (15, 6), 1), ((17, 17), (17, 14), 2), ((10, 3), (10, 6), 3), ((25, 4), (25, 7), 4)],
)
def test_prices_by_zone(cell, neighbour, rank):
    table = given(2)
    table.build("hab_b_1", neighbour)
    table.hold(0, "hab_b_3")
    table.wait("place", 0)
    build = PlaceModule("hab_b_3", cell, 0)
    table.pay(0, rank - 1)
    table.when(0, build).refused("not-enough-money")
    assert build not in table.legal(0)
    table.pay(0, rank)
    assert build in table.legal(0)
    assert table.when(0, build).events[0].cost == rank
    assert table.state.money[0] == 0


@pytest.mark.rule("NAU-28")
def test_only_research_modules_have_an_owner():
    table = given(2)
    for module in ("hab_a_1", "res_grey_3"):
        table.hold(1, module)
    table.wait("place", 1)
    table.play(1, PlaceModule("hab_a_1", (15, 9), 0), PlaceModule("res_grey_3", (15, 6), 0))
    assert [placed.owner for placed in table.view(0).modules] == [-1, -1, 1]


@pytest.mark.rule("NAU-29")
def test_a_crew_arrives_with_its_habitation():
    table = given(2)
    table.hold(0, "hab_a_1", "r0_01", "r0_02")
    table.wait("place", 0)
    placed = table.when(0, PlaceModule("hab_a_1", (15, 9), 0)).of(ModulePlaced)[0]
    assert placed.researchers == ("r0_01", "r0_02")
    assert table.view(None).researchers == {"r0_01": "hab_a_1", "r0_02": "hab_a_1"}
    assert table.view(None).employed == ()


@pytest.mark.rule("NAU-30")
def test_what_is_left_after_building_is_discarded():
    """Modules bought in this turn are discarded too. Crews return, money does not."""
    table = given(2)
    table.hold(0, "hab_b_1", "r0_03")
    table.play(0, BuyModule("hab_a", 2))
    table.hold(0, "res_grey_1")
    money = table.state.money[0]
    table.play(0, PlaceModule("res_grey_1", (15, 9), 0))
    done = table.when(0, EndBuild())
    crews = ("r0_01", "r0_02", "r0_03")
    assert done.events[0] == ModulesDiscarded(0, ("hab_b_1", "hab_a_1"), crews)
    assert done.names[1] == "build_ended"
    assert table.state.money[0] == money - 1
    assert table.state.supply[0] == "hab_a_1"
    assert table.state.supply[10] == "hab_b_1"
    assert len(table.view(0).stock[0]) == 15
    assert table.state.hand[0] == ()


@pytest.mark.rule("NAU-31")
def test_who_bought_and_built_nothing_keeps_the_hand():
    table = given(2)
    table.hold(0, "hab_b_1", "r0_03")
    table.play(0, BuyModule("hab_a", 2))
    assert table.when(0, EndBuild()).names[0] == "build_ended"
    assert [held.module for held in table.state.hand[0]] == ["hab_b_1", "hab_a_1"]


@pytest.mark.rule("NAU-32", "NAU-22")
def test_what_must_be_built_but_cannot_is_discarded():
    """Submarines lie on all sides of the base."""
    table = given(2)
    table.hold(0, "hab_a_1", "r0_01")
    cells = ((16, 10), (14, 10), (14, 14), (16, 14), (17, 12), (13, 12))
    for name, cell in zip(("s0_1", "s0_2", "s0_3", "s1_1", "s1_2", "s1_3"), cells, strict=True):
        table.float(name, cell)
    done = table.when(0, SkipBuy())
    assert done.names == ["buy_skipped", "modules_discarded", "turn_advanced"]
    assert done.events[1] == ModulesDiscarded(0, ("hab_a_1",), ("r0_01",))
    assert table.at[2:] == ("buy", 1)


@pytest.mark.rule("NAU-32")
def test_without_money_the_hand_is_discarded_too():
    """Such a seat cannot buy either: it is passed in the command of the seat before."""
    table = given(2)
    table.hold(1, "hab_a_1", "r1_01")
    table.pay(1, 0)
    table.play(0, BuyModule("hab_a", 1))
    done = table.when(0, EndBuild())
    assert done.names[:3] == ["build_ended", "buy_skipped", "modules_discarded"]


def test_forced_at_four_but_nowhere_to_build():
    """With option `force_build_at_four` the purchase itself discards the hand (NAU-32)."""
    table = given(2, force_build_at_four=True)
    for module in ("res_grey_1", "res_grey_2", "res_grey_3"):
        table.hold(0, module)
    table.pay(0, 1)
    done = table.when(0, BuyModule("res_grey_4", 0))
    assert done.names == ["module_bought", "modules_discarded", "turn_advanced"]
    assert table.state.hand[0] == ()


def test_four_in_hand_may_be_kept_without_the_option():
    table = given(2)
    for module in ("res_grey_1", "res_grey_2", "res_grey_3"):
        table.hold(0, module)
    table.play(0, BuyModule("res_grey_4", 0), EndBuild())
    assert len(table.state.hand[0]) == 4


def test_forced_at_four_building_is_compulsory():
    table = given(2, force_build_at_four=True)
    for module in ("res_grey_1", "res_grey_2"):
        table.hold(0, module)
    table.play(0, BuyModule("res_grey_3", 0))
    assert EndBuild() in table.legal(0)
    table.wait("buy", 0)
    table.play(0, BuyModule("res_grey_4", 0))
    table.when(0, EndBuild()).refused("must-build")
    table.play(0, table.legal(0)[0])
    assert EndBuild() in table.legal(0)


@pytest.mark.rule("NAU-18", "NAU-27")
def test_legal_tells_at_once_what_can_no_longer_be_built():
    """With 1 N the build cannot leave the lagoon: placements outside are no longer listed."""
    table = building("hab_a_1", "hab_b_1", money=1)
    assert {c.module for c in table.legal(0, PlaceModule)} == {"hab_a_1", "hab_b_1"}
    table.play(0, PlaceModule("hab_a_1", (12, 12), 0))
    left = table.legal(0, PlaceModule)
    assert {c.module for c in left} == {"hab_b_1"}
    assert {DEPTH[AT[c.cell]] for c in left} == {1}
    for cell in {c.cell for c in left}:
        table.float("s1_1", cell)
        again = table.legal(0, PlaceModule)
        assert cell not in {c.cell for c in again}
    table.pay(0, 0)
    table.state.turn = Turn(paid_rank=0, built=("hab_a_1",))
    assert table.legal(0) == [EndBuild()]


def test_equal_rotations_are_listed_once_and_all_are_accepted():
    table = building("res_blue_1")
    assert {c.rotation for c in table.legal(0, PlaceModule)} == {0, 1}
    placed = table.when(0, PlaceModule("res_blue_1", (15, 9), 2)).of(ModulePlaced)[0]
    assert placed.rotation == 2


def test_placements_come_by_hand_row_column_and_rotation():
    table = building("res_blue_2", "hab_b_1")
    order = {"res_blue_2": 0, "hab_b_1": 1}
    legal = table.legal(0, PlaceModule)
    keys = [(order[c.module], c.cell[1], c.cell[0], c.rotation) for c in legal]
    assert keys == sorted(keys)
    assert len(set(keys)) == len(keys)


def test_the_clock_places_the_cheapest():
    """The order is: cost, finds covered, place in hand, row, column, rotation."""
    table = building("hab_b_1", "hab_a_1", must_build=True)
    assert GAME.default(table.state, 0) == PlaceModule("hab_b_1", (15, 9), 0)
    table.state.turn = Turn(must_build=True, built=("hab_a_1",))
    assert GAME.default(table.state, 0) == EndBuild()

    table = given(2, base_cell=(18, 10))
    table.hold(0, "hab_a_1")
    table.wait("place", 0, must_build=True)
    chosen = GAME.default(table.state, 0)
    spots = {c.cell: c for c in table.legal(0, PlaceModule)}
    costs = {cell: (DEPTH[AT[cell]], len(PLACES_UNDER[AT[cell]])) for cell in spots}
    assert costs[chosen.cell] == min(costs.values())
    assert max(costs.values()) > min(costs.values())
