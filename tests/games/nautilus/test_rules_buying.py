"""NAU-10 to NAU-16: the step `buy`."""

import pytest

from games.nautilus.commands import BuyModule, EndBuild, PlaceModule, SkipBuy
from games.nautilus.events import ModuleBought
from tests.games.nautilus.table import given


@pytest.mark.rule("NAU-10")
def test_one_module_a_turn_or_none():
    table = given(2)
    assert SkipBuy() in table.legal(0)
    table.play(0, BuyModule("hab_a", 1))
    assert table.at[2:] == ("place", 0)
    table.when(0, BuyModule("hab_b", 1)).refused("wrong-step")
    table.play(0, EndBuild())
    assert table.when(1, SkipBuy()).names[0] == "buy_skipped"


@pytest.mark.rule("NAU-11")
def test_any_module_of_the_supply_may_be_named():
    table = given(2)
    offered = table.legal(0, BuyModule)
    assert {c.kind for c in offered if c.researchers == 0} == {
        f"res_{colour}_{k}"
        for colour in ("green", "grey", "brown", "blue", "black")
        for k in (1, 2, 3, 4)
    }
    assert {c.kind for c in offered if c.researchers} == {"hab_a", "hab_b"}
    table.state.supply = [m for m in table.state.supply if not m.startswith("hab_b")]
    table.state.supply.remove("res_blue_2")
    table.when(0, BuyModule("hab_b", 1)).refused("sold-out")
    table.when(0, BuyModule("res_blue_2", 0)).refused("sold-out")
    assert not [c for c in table.legal(0, BuyModule) if c.kind in ("hab_b", "res_blue_2")]


@pytest.mark.rule("NAU-11")
def test_the_lowest_habitation_of_the_kind_is_sold():
    table = given(2)
    table.build("hab_a_1", (15, 9))
    assert table.when(0, BuyModule("hab_a", 1)).of(ModuleBought)[0].module == "hab_a_2"


@pytest.mark.rule("NAU-12")
def test_a_research_module_costs_one():
    table = given(2)
    assert table.when(0, BuyModule("res_grey_4", 0)).events[0] == ModuleBought(
        0, "res_grey_4", (), 1
    )
    assert table.state.money[0] == 54


@pytest.mark.rule("NAU-13")
@pytest.mark.parametrize(("seats", "most"), [(2, 3), (3, 3), (4, 4)])
def test_a_habitation_costs_its_crew(seats, most):
    crews = [c.researchers for c in given(seats).legal(0, BuyModule) if c.kind == "hab_b"]
    assert crews == list(range(1, most + 1))
    for crew in crews:
        table = given(seats)
        money = table.state.money[0]
        bought = table.when(0, BuyModule("hab_b", crew)).of(ModuleBought)[0]
        assert bought.cost == len(bought.researchers) == crew
        assert table.state.money[0] == money - crew
        assert len(table.view(0).stock[0]) == 15 - crew
        assert table.view(1).hand[0][0].researchers == bought.researchers
    table = given(seats)
    table.when(0, BuyModule("hab_b", 0)).refused("bad-researcher-count")
    table.when(0, BuyModule("hab_b", most + 1)).refused("bad-researcher-count")


@pytest.mark.rule("NAU-13")
def test_crews_are_the_lowest_in_stock():
    table = given(4)
    table.man("base", "r0_01", "r0_03")
    bought = table.when(0, BuyModule("hab_a", 3)).of(ModuleBought)[0]
    assert bought.researchers == ("r0_02", "r0_04", "r0_05")


@pytest.mark.rule("NAU-14")
def test_price_and_researchers_must_be_at_hand():
    table = given(4)
    table.man("base", *(f"r0_{k:02d}" for k in range(1, 14)))
    table.when(0, BuyModule("hab_a", 3)).refused("not-enough-researchers")
    assert max(c.researchers for c in table.legal(0, BuyModule)) == 2
    table.pay(0, 1)
    table.when(0, BuyModule("hab_a", 2)).refused("not-enough-money")
    assert max(c.researchers for c in table.legal(0, BuyModule)) == 1


@pytest.mark.rule("NAU-15", "NAU-76")
def test_four_in_hand_are_the_most():
    """Such a step is passed, so that a client never receives the refusal."""
    table = given(2)
    for k in (1, 2, 3, 4):
        table.hold(1, f"hab_b_{k}")
    table.wait("buy", 1)
    table.when(1, BuyModule("hab_a", 1)).refused("hand-full")
    assert table.legal(1, BuyModule) == []
    table.wait("buy", 0)
    done = table.when(0, SkipBuy())
    assert done.names == ["buy_skipped", "buy_skipped", "turn_advanced"]
    assert table.at[2:] == ("place", 1)
    table.when(1, EndBuild()).refused("must-build")


@pytest.mark.rule("NAU-16")
def test_what_is_bought_may_be_built_at_once_with_its_crew():
    table = given(2)
    table.play(0, BuyModule("hab_a", 2), PlaceModule("hab_a_1", (15, 9), 0))
    assert table.view(1).researchers == {"r0_01": "hab_a_1", "r0_02": "hab_a_1"}
    assert table.view(1).hand[0] == ()
