"""Worked examples from set-up to research: 1 to 9."""

import pytest

from games.nautilus.commands import (
    BuyModule,
    EndBuild,
    MoveResearcher,
    PlaceModule,
    SkipBuy,
)
from games.nautilus.components import TABLES
from games.nautilus.ending import module_points
from games.nautilus.events import (
    BuySkipped,
    FindCovered,
    ModuleActivated,
    ModuleBought,
    ModulePlaced,
    ModulesDiscarded,
    TurnAdvanced,
)
from games.nautilus.rules.sailing import speed
from tests.games.nautilus.table import Table, given


@pytest.mark.rule("NAU-5", "NAU-6", "NAU-8", "NAU-9", "NAU-13", "NAU-77")
def test_1_set_up_for_two():
    table = given(2)
    view = table.view(0)
    assert view.money == (55, 55)
    assert [len(stock) for stock in view.stock] == [15, 15]
    assert [len(stock) for stock in view.subs_stock] == [3, 3]
    assert all(level == 0 for levels in view.level for level in levels.values())
    assert len(view.supply) == 40
    zones = [zone for _, _, zone, _ in view.hidden]
    assert [zones.count(z) for z in ("lagoon", "slope", "deep", "abyss")] == [8, 16, 22, 14]
    assert view.mission == ("mission_1", "?")
    assert view.mission_rest == ("?", "?")
    crews = [c.researchers for c in table.legal(0, BuyModule) if c.kind == "hab_a"]
    assert crews == [1, 2, 3]
    assert TABLES[2].discs == (4, 2)


@pytest.mark.rule("NAU-1", "NAU-2", "NAU-3", "NAU-5", "NAU-13", "NAU-77")
@pytest.mark.parametrize(
    ("seats", "money", "crews", "discs", "undealt"),
    [(3, 50, 3, (5, 3, 1), 1), (4, 45, 4, (5, 4, 2, 1), 0)],
)
def test_2_set_up_for_three_and_four(seats, money, crews, discs, undealt):
    table = given(seats)
    assert table.state.money == [money] * seats
    assert max(c.researchers for c in table.legal(0, BuyModule)) == crews
    assert TABLES[seats].discs == discs
    assert len(table.state.mission_rest) == undealt


@pytest.mark.rule("NAU-2", "NAU-3")
def test_2_the_order_of_a_round():
    """If seat 2 of 4 is drawn as first, rounds run 2, 3, 0, 1 and then 3, 0, 1, 2."""
    table = given(4, first_seat=2)
    order: dict[int, list[int]] = {1: [], 2: []}
    while table.state.round < 3:
        round_, _, step, seat = table.at
        if step == "buy":
            order[round_].append(seat)
            table.play(seat, BuyModule("hab_a", 1))
        else:
            table.play(seat, EndBuild())
    assert order == {1: [2, 3, 0, 1], 2: [3, 0, 1, 2]}


@pytest.mark.rule("NAU-10", "NAU-13", "NAU-16", "NAU-24", "NAU-25", "NAU-27", "NAU-29")
def test_3_buy_and_build_at_once():
    table = given(4, first_seat=2, faces={(16, 7): "chest_1"})
    table.build("hab_b_2", (15, 9))
    done = table.when(2, BuyModule("hab_a", 4))
    crew = ("r2_01", "r2_02", "r2_03", "r2_04")
    assert done.events[0] == ModuleBought(2, "hab_a_1", crew, 4)
    assert table.state.money[2] == 41
    assert len(table.view(2).stock[2]) == 11
    table.when(2, PlaceModule("hab_a_1", (17, 7), 0)).then(
        ModulePlaced(2, "hab_a_1", (17, 7), 0, 2, 2, -1, crew),
        FindCovered(2, (16, 7), "chest_1"),
        TurnAdvanced(1, "build", "buy", 3, 2),
    )
    assert table.state.money[2] == 39
    assert table.state.removed == ("chest_1",)
    assert table.state.fields[2] == ()


@pytest.mark.rule("NAU-10", "NAU-13", "NAU-14", "NAU-15")
def test_4_refused_purchases():
    table = given(3)
    table.when(0, BuyModule("hab_b", 4)).refused("bad-researcher-count")
    table.when(0, BuyModule("res_grey_1", 1)).refused("bad-researcher-count")
    table.pay(0, 2)
    table.when(0, BuyModule("hab_a", 3)).refused("not-enough-money")
    table.play(0, BuyModule("res_grey_1", 0))
    table.when(0, BuyModule("res_grey_2", 0)).refused("wrong-step")
    table.wait("buy", 0)
    for module in ("hab_a_1", "hab_a_2", "hab_a_3"):
        table.hold(0, module)
    table.when(0, BuyModule("res_grey_2", 0)).refused("hand-full")


@pytest.mark.rule("NAU-19", "NAU-20", "NAU-21", "NAU-22", "NAU-23", "NAU-24")
def test_5_placements_refused():
    table = given(2)
    table.hold(0, "hab_a_1")
    table.wait("place", 0)
    table.when(0, PlaceModule("hab_a_1", (18, 12), 0)).refused("no-passage")
    assert PlaceModule("hab_a_1", (18, 12), 2) in table.legal(0)
    table.when(0, PlaceModule("hab_a_1", (17, 11), 0)).refused("modules-overlap")
    table.when(0, PlaceModule("hab_a_1", (0, 12), 0)).refused("off-board")
    table.float("s1_1", (18, 10))
    table.when(0, PlaceModule("hab_a_1", (17, 10), 0)).refused("submarine-in-the-way")
    table.state.submarines[1][0] = None
    placed = table.when(0, PlaceModule("hab_a_1", (17, 10), 0)).of(ModulePlaced)[0]
    assert placed.cost == 1
    assert table.draw(14, 9, 18, 13) == [
        "ll###",
        "ll###",
        "#####",
        "###ll",
        "###ll",
    ]


@pytest.mark.rule("NAU-20", "NAU-21", "NAU-25", "NAU-26", "NAU-27", "NAU-28")
def test_6_one_price_and_a_partly_covered_cell():
    table = given(2, faces={(17, 19): "treasure_2"})
    table.build("hab_a_1", (17, 14))
    table.hold(0, "hab_b_1")
    table.hold(0, "res_brown_1")
    table.wait("place", 0)
    table.pay(0, 10)
    placed = table.when(0, PlaceModule("hab_b_1", (17, 17), 0)).of(ModulePlaced)[0]
    assert (placed.rank, placed.cost) == (2, 2)
    done = table.when(0, PlaceModule("res_brown_1", (17, 20), 0))
    assert done.events[:2] == [
        ModulePlaced(0, "res_brown_1", (17, 20), 0, 3, 1, 0, ()),
        FindCovered(0, (17, 19), "treasure_2"),
    ]
    assert table.view(1).treasures == {"2": -1}
    assert table.state.money[0] == 7


@pytest.mark.rule("NAU-17", "NAU-30", "NAU-31", "NAU-32", "NAU-76")
def test_7_compulsory_build_and_discarding():
    def holding(money: int = 55) -> Table:
        table = given(2)
        table.hold(1, "hab_b_2", "r1_01", "r1_02")
        table.hold(1, "res_blue_3")
        table.wait("buy", 1)
        table.pay(1, money)
        return table

    table = holding()
    table.play(1, SkipBuy())
    table.when(1, EndBuild()).refused("must-build")
    table.play(1, PlaceModule("res_blue_3", (15, 9), 0))
    done = table.when(1, EndBuild())
    assert done.events[0] == ModulesDiscarded(1, ("hab_b_2",), ("r1_01", "r1_02"))
    assert done.names[1] == "build_ended"
    assert "hab_b_2" in table.state.supply
    assert len(table.view(0).stock[1]) == 15
    assert table.state.money[1] == 54

    table = holding()
    table.play(1, BuyModule("res_grey_1", 0), EndBuild())
    assert [held.module for held in table.state.hand[1]] == ["hab_b_2", "res_blue_3", "res_grey_1"]

    table = holding(money=0)
    table.wait("buy", 0)
    assert table.when(0, SkipBuy()).events[:3] == [
        BuySkipped(0),
        BuySkipped(1),
        ModulesDiscarded(1, ("hab_b_2", "res_blue_3"), ("r1_01", "r1_02")),
    ]
    assert table.state.hand[1] == ()


def walkway() -> Table:
    """Return three free researchers of seat 0 in `hab_a_1`, and modules around it."""
    table = given(2)
    table.build("hab_a_1", (15, 9))
    table.build("hab_a_2", (15, 6))
    table.build("res_green_1", (15, 3))
    table.build("hab_b_1", (18, 9), 1)
    table.build("res_black_2", (21, 9), 2, owner=1)
    table.man("hab_a_1", "r0_01", "r0_02", "r0_03")
    table.wait("move", 0)
    return table


@pytest.mark.rule("NAU-33", "NAU-34", "NAU-36", "NAU-38", "NAU-40", "NAU-41", "NAU-42", "NAU-76")
def test_8_research_turn_green_at_once():
    table = walkway()
    done = table.when(0, MoveResearcher("r0_01", "res_green_1"))
    assert done.events[0].path == ("hab_a_1", "hab_a_2", "res_green_1")
    assert done.events[1] == ModuleActivated(
        0, "res_green_1", "r0_01", "green", 1, -1, 0, three_taken=False, three_from=-1
    )
    assert table.when(0, MoveResearcher("r0_02", "hab_b_1")).names == ["researcher_moved"]
    assert table.state.turn.moves_used == 3
    table.when(0, MoveResearcher("r0_03", "base")).refused("two-researchers-only")
    table.pay(0, 0)
    table.when(0, MoveResearcher("r0_02", "res_black_2")).refused("not-enough-money")
    table.pay(0, 55)
    done = table.when(0, MoveResearcher("r0_02", "res_black_2"))
    activated = done.of(ModuleActivated)[0]
    assert (activated.colour, activated.level, activated.rent_to) == ("black", 1, 1)
    assert table.state.money == [54, 56]
    assert done.events[-1] == TurnAdvanced(2, "build", "buy", 1, 1)


@pytest.mark.rule("NAU-42", "NAU-43", "NAU-44", "NAU-45")
def test_9_levels_and_the_three_disc():
    table = given(2)
    table.build("res_grey_1", (15, 9))
    table.build("res_grey_2", (15, 6), 2)
    table.build("res_grey_3", (15, 15))
    table.build("hab_a_1", (12, 12), 2)
    table.man("base", "r0_01", "r1_01", "r1_02")
    table.levels(0, grey=1)
    table.levels(1, grey=1)

    def reach(seat: int, researcher: str, module: str) -> ModuleActivated:
        table.wait("move", seat)
        return table.when(seat, MoveResearcher(researcher, module)).of(ModuleActivated)[0]

    raised = reach(0, "r0_01", "res_grey_1")
    assert (raised.level, raised.disc, raised.three_taken, raised.three_from) == (2, 1, True, -1)
    raised = reach(1, "r1_01", "res_grey_1")
    assert (raised.level, raised.disc, raised.three_taken, raised.three_from) == (2, 1, False, -1)
    raised = reach(1, "r1_02", "res_grey_3")
    assert (raised.level, raised.disc, raised.three_taken, raised.three_from) == (3, 1, True, 0)
    assert [module_points(table.state, seat)["grey"] for seat in (0, 1)] == [1, 3]
    assert [speed(table.state, seat) for seat in (0, 1)] == [6, 6]
