"""KED-20 to KED-30: points, the shop, the change of phase."""

import pytest

from games.ke_dnu.commands import Activate, Buy, EndTurn, Jettison, Play
from games.ke_dnu.events import (
    CardBought,
    Jettisoned,
    LockdownStruck,
    ShipSank,
    ShopRevealed,
    SinkingStarted,
    TurnEnded,
    TurnStarted,
    VoyageEnded,
)
from tests.games.ke_dnu.table import given

SHOP = "lifebuoy_1 polka_dancer_1 maid_1 lady_1 lifeboat_1"


@pytest.mark.rule("KED-20", "KED-32")
def test_jettisoned_cards_add_up_and_lapse():
    p = given(hands={0: "baby_1 rats_1 passenger_1"})
    p.when(0, Jettison("rats_1")).then(Jettisoned(0, "rats_1", "hand", "jettison", 3))
    p.when(0, Jettison("baby_1"))
    assert p.state.points == 5
    p.when(0, Play("passenger_1"))
    assert p.state.points == 4
    p.when(0, EndTurn())
    assert p.state.points == 0
    assert p.water(0) == "rats_1 baby_1"


@pytest.mark.rule("KED-20", "KED-21")
def test_nothing_has_to_be_thrown_bought_or_laid():
    p = given(phase="voyage", hands={0: "baby_1"}, shop=SHOP, points=30)
    assert p.when(0, EndTurn()).names == ["end_declared", "turn_ended", "turn_started"]


@pytest.mark.rule("KED-21", "KED-22")
def test_a_bought_card_goes_to_the_water_and_is_replaced():
    """Any number of cards may be bought. A purchase is not a discard."""
    p = given(
        phase="voyage",
        boards={1: "teacher_1"},
        hands={1: "pirate_1"},
        shop=SHOP,
        supply="rose_1 flapper_1",
        points=8,
    )
    p.when(0, Buy("lifebuoy_1")).then(CardBought(0, "lifebuoy_1", 3), ShopRevealed(("rose_1",)))
    assert p.state.points == 5
    assert p.state.shop == ["polka_dancer_1", "maid_1", "lady_1", "lifeboat_1", "rose_1"]
    p.when(0, Buy("rose_1")).then(CardBought(0, "rose_1", 3), ShopRevealed(("flapper_1",)))
    assert p.water(0) == "lifebuoy_1 rose_1", "no Rose goes aboard by being bought"
    p.when(0, Buy("polka_dancer_1")).refused("not-enough-points")
    p.when(0, Buy("lady_2")).refused("card-not-in-shop")


@pytest.mark.rule("KED-22")
def test_with_an_empty_supply_the_shop_shrinks():
    p = given(phase="voyage", shop=SHOP, supply="rats_1", points=8)
    p.state.shop_deck.clear()
    p.when(0, Buy("maid_1")).then(CardBought(0, "maid_1", 4))
    assert len(p.state.shop) == 4


@pytest.mark.rule("KED-23", "KED-101/lockdown")
def test_a_lockdown_clears_the_shop():
    """The Lockdown leaves too. This repeats while one lies in the shop. The Iceberg stays."""
    supply = "lockdown_1 rats_1 rats_2 lockdown_2 rats_3 rats_4 jack_1 seal_1 seal_2"
    p = given(phase="voyage", shop=SHOP, supply=supply, points=8)
    then = p.when(0, Buy("maid_1"))
    left = ("lifebuoy_1", "polka_dancer_1", "lady_1", "lifeboat_1", "lockdown_1")
    second = ("rats_1", "rats_2", "lockdown_2", "rats_3", "rats_4")
    assert then.events[1:] == [
        ShopRevealed(("lockdown_1",)),
        LockdownStruck(left, second),
        LockdownStruck(second, ("jack_1", "seal_1", "seal_2")),
    ]
    assert p.state.removed[-10:] == [*left, *second]
    assert p.state.shop == ["jack_1", "seal_1", "seal_2"]
    assert p.state.iceberg


@pytest.mark.rule("KED-24", "KED-101/lifeboat")
def test_iceberg_and_lifeboat_cost_other_than_their_ten():
    p = given(
        phase="voyage", shop=SHOP, points=7, hands={0: "lifeboat_2"}, boards={0: "lifeboat_3"}
    )
    p.when(0, Buy("lifeboat_1")).refused("not-enough-points")
    p.state.points = 8
    assert p.when(0, Buy("lifeboat_1")).events[0] == CardBought(0, "lifeboat_1", 8)
    p.when(0, Jettison("lifeboat_2"))
    assert p.state.points == 10
    p.state.points = 19
    p.when(0, Buy("iceberg_1")).refused("not-enough-points")
    p.state.points = 20
    assert p.when(0, Buy("iceberg_1")).events[0] == CardBought(0, "iceberg_1", 20)

    p = given(phase="voyage", shop=SHOP, points=3, options={"lifeboat_cost": 3})
    assert p.when(0, Buy("lifeboat_1")).events[0] == CardBought(0, "lifeboat_1", 3)
    p = given(hands={0: "iceberg_1"}, points=10)
    assert p.when(0, Play("iceberg_1")).events[-1].price == 10


@pytest.mark.rule("KED-25")
def test_in_the_sinking_there_is_no_shop():
    p = given(points=30)
    p.when(0, Buy("iceberg_1")).refused("no-shop")
    assert not p.legal(0, Buy)


@pytest.mark.rule("KED-26", "KED-27", "KED-28", "KED-29", "KED-101/iceberg")
def test_the_iceberg_ends_the_voyage_at_once():
    """There are no end effects and no limit. All cards are shuffled; boards stay as they are."""
    nine = " ".join(f"passenger_{n}" for n in range(1, 9))
    p = given(
        phase="voyage",
        active=1,
        hands={1: f"{nine} rats_1", 0: "baby_1"},
        decks={1: "seal_1", 0: "baby_2"},
        waters={1: "rats_2", 0: "jack_1"},
        boards={0: "fanatic_1* stoker_1", 1: "arbiter_1 polka_dancer_1+assistant_1*"},
        shop=SHOP,
        supply="rats_3",
        points=27,
    )
    bought, ended, sinking, started = p.when(1, Buy("iceberg_1")).events
    assert bought == CardBought(1, "iceberg_1", 20)
    assert ended == VoyageEnded(1, "iceberg")
    assert isinstance(sinking, SinkingStarted)
    assert sinking.first_seat == 1
    assert started == TurnStarted(1, "sinking", 0, 1)
    mine = [*sinking.hands[1], *sinking.decks[1]]
    assert sorted(mine) == sorted([*nine.split(), "rats_1", "rats_2", "seal_1", "iceberg_1"])
    assert (len(sinking.hands[1]), len(sinking.decks[1])) == (5, 7)
    assert sorted(sinking.hands[0]) == ["baby_1", "baby_2", "jack_1"], "too few: all, no sinking"
    assert p.state.points == 0
    assert p.water(0) == p.water(1) == ""
    assert p.board(0) == "fanatic_1* stoker_1"
    assert p.board(1) == "arbiter_1 polka_dancer_1+assistant_1", "the buyer's turn begins ready"
    assert p.state.removed[-5:] == SHOP.split()
    assert p.state.unused == ["rats_3"]
    assert p.state.shop_deck == []
    assert (p.state.step, p.state.turn_index, p.state.round) == ("draw", 0, 1)


@pytest.mark.rule("KED-30")
def test_the_voyage_ends_with_its_last_round():
    """Without a buyer the Iceberg leaves the game. The Voyage's first seat or the next begins."""
    p = given(3, phase="voyage", active=2, first_seat=0, round=25, shop=SHOP)
    then = p.when(2, EndTurn())
    declared, ended, voyage, sinking, started = then.events
    assert (declared.seat, ended) == (2, TurnEnded(2))
    assert voyage == VoyageEnded(-1, "limit")
    assert sinking.first_seat == 0
    assert started == TurnStarted(0, "sinking", 0, 1)
    assert p.state.removed[-6:] == [*SHOP.split(), "iceberg_1"]
    assert not p.state.iceberg

    status = ["abandoned", "afloat", "afloat"]
    p = given(3, phase="voyage", active=2, round=25, shop=SHOP, status=status)
    assert p.when(2, EndTurn()).events[-1].seat == 1
    p = given(3, phase="voyage", active=1, first_seat=2, round=5, options={"voyage_round_limit": 5})
    assert p.when(1, EndTurn()).of(VoyageEnded), (
        "the round ends where the first seat would come again"
    )


@pytest.mark.rule("KED-30", "KED-114")
def test_a_round_is_over_where_the_first_seat_would_come_again():
    p = given(3, active=0, first_seat=1, round=4, status=["afloat", "sunk", "afloat"])
    assert p.when(0, EndTurn()).events[-1] == TurnStarted(2, "sinking", 9, 5), (
        "it passes a sunk one"
    )
    p = given(3, active=2, first_seat=1, round=4)
    assert p.when(2, EndTurn()).events[-1] == TurnStarted(0, "sinking", 9, 4)
    p = given(2, active=1, first_seat=1, round=4, status=["sunk", "afloat"])
    then = p.when(1, EndTurn())
    assert then.events[-1] == TurnStarted(1, "sinking", 9, 5)
    assert not then.of(ShipSank)


def test_a_purchase_in_the_voyage_may_follow_an_action():
    p = given(phase="voyage", boards={0: "convict_1"}, shop=SHOP)
    p.when(0, Activate("convict_1"))
    assert not p.when(0, Buy("maid_1")).code
