"""Worked examples, number by number."""

import pytest

from games.chance import Chance
from games.ke_dnu import GAME
from games.ke_dnu.commands import (
    Activate,
    Buy,
    Claim,
    Draw,
    EndTurn,
    Jettison,
    JettisonPair,
    Maid,
    Pass,
    Play,
    React,
    Tycoon,
)
from games.ke_dnu.events import (
    Blocked,
    CardsDrawn,
    Jettisoned,
    Moved,
    Picked,
    PointsGained,
    ReactionAnnounced,
    Resolved,
    Shielded,
    ShipSank,
    ShopRevealed,
    SinkingStarted,
    TurnStarted,
)
from tests.games.ke_dnu.table import Table, cards, drawing, given


class Dice(Chance):
    """Dice that keep every order, except for given cards in front, and choose a given seat."""

    def __init__(self, first: int = 0, front: tuple[str, ...] = ()) -> None:
        self.first = first
        self.front = front

    def randbelow(self, n: int) -> int:
        return self.first % n

    def shuffle(self, items: list) -> None:
        front = [card for card in self.front if card in items]
        items[:] = [*front, *(card for card in items if card not in front)]


def dealt(seats: int, first: int, front: tuple[str, ...] = ("anchor_1",)) -> Table:
    options = GAME.Options()
    state = GAME.initial(seats, options)
    for event in GAME.setup(seats, options, Dice(first, front)):
        GAME.apply(state, event)
    return Table(state)


@pytest.mark.rule("KED-2", "KED-4", "KED-10")
def test_example_1_set_up_of_two():
    p = dealt(2, 1)
    own = [[f"passenger_{n}" for n in range(1, 9)], [f"passenger_{n}" for n in range(9, 17)]]
    assert sorted(p.state.deck[0]) == sorted([*own[0], "baby_1", "baby_2"])
    assert sorted(p.state.deck[1]) == sorted([*own[1], "baby_3", "baby_4"])
    assert (len(p.state.shop), len(p.state.shop_deck)) == (5, 95)
    assert p.waiting == {1}
    assert p.legal(1) == [Draw()]
    p.when(1, Draw())
    assert (len(p.state.hand[1]), len(p.state.deck[1])) == (3, 7)


@pytest.mark.rule("KED-5", "KED-23")
def test_example_2_set_up_with_a_lockdown():
    front = (
        "rats_1", "lockdown_1", "maid_1", "lady_1", "tycoon_1",
        "anchor_1", "seal_1", "jack_1", "pirate_1", "doctor_1",
    )  # fmt: skip
    p = dealt(3, 0, front)
    assert p.state.removed == list(front[:5])
    assert p.state.shop == list(front[5:])
    assert len(p.state.shop_deck) == 90


@pytest.mark.rule("KED-7", "KED-10")
def test_example_3_first_draws_of_four():
    p = dealt(4, 2)
    own = {f"passenger_{n}" for n in range(25, 33)} | {"baby_7", "baby_8"}
    assert set(p.state.deck[3]) == own
    drawn = []
    for seat in (2, 3, 0, 1, 2):
        drawn.append(len(p.when(seat, Draw()).of(CardsDrawn)[0].cards))
        left = len(p.state.deck[seat])
        while p.state.active == seat:
            p.when(seat, p.legal(seat)[-1] if p.state.step == "main" else p.legal(seat)[0])
    assert drawn == [3, 4, 5, 5, 5]
    assert left == 2


@pytest.mark.rule("KED-20", "KED-21", "KED-22")
def test_example_4_buying_with_a_remainder():
    p = given(
        phase="voyage",
        hands={0: "baby_1 baby_2 passenger_1"},
        shop="caretaker_1 stowaway_1 maid_1 lady_1 tycoon_1",
        supply="rats_1",
    )
    p.when(0, Jettison("baby_1"))
    p.when(0, Jettison("baby_2"))
    assert p.state.points == 4
    then = p.when(0, Buy("caretaker_1"))
    assert (p.state.points, p.water(0)) == (1, "baby_1 baby_2 caretaker_1")
    assert then.of(ShopRevealed) == [ShopRevealed(("rats_1",))]
    p.when(0, Buy("stowaway_1"))
    assert p.state.points == 0
    p.when(0, Buy("maid_1")).refused("not-enough-points")


@pytest.mark.rule("KED-20", "KED-35")
def test_example_5_choice_of_purchases():
    p = given(
        phase="voyage",
        hands={0: "rats_1 passenger_1"},
        shop="lifebuoy_1 polka_dancer_1 maid_1 lady_1 tycoon_1",
        points=0,
    )
    p.when(0, Play("rats_1")).refused("cannot-board")
    p.when(0, Jettison("rats_1"))
    assert [c.card for c in p.legal(0, Buy)] == ["lifebuoy_1", "polka_dancer_1"]
    p.when(0, Jettison("passenger_1"))
    assert [c.card for c in p.legal(0, Buy)] == ["lifebuoy_1", "polka_dancer_1", "maid_1"]


@pytest.mark.rule("KED-31", "KED-85")
def test_example_6_multiplier_and_lifeguard():
    board = "passenger_1 passenger_2 passenger_3 passenger_4 lifeguard_1"
    p = given(boards={0: board}, hands={0: "passenger_5 passenger_6 maid_1"}, points=30)
    assert p.when(0, Play("passenger_5")).events[0].price == 0
    assert p.when(0, Play("passenger_6")).events[0].price == 1
    assert p.when(0, Play("maid_1")).events[0].price == 7
    ten = f"{board} passenger_5 passenger_6 passenger_7 passenger_8 baby_1 baby_2"
    p = given(boards={0: ten}, hands={0: "maid_1"}, points=30, decks={0: ""})
    assert p.when(0, Play("maid_1")).events[0].price == 11


@pytest.mark.rule("KED-11", "KED-12", "KED-15", "KED-26", "KED-27", "KED-28", "KED-29", "KED-111")
def test_example_7_iceberg():
    p = given(
        phase="voyage",
        active=1,
        points=20,
        boards={0: "fisherman_1"},
        hands={1: "jack_1", 0: "seal_1 seal_2 lady_1"},
        decks={
            1: "rats_1 rats_2 rats_3 rats_4",
            0: "passenger_1 passenger_2 passenger_3 passenger_4 passenger_5 passenger_6",
        },
        waters={
            1: "baby_3 baby_4 passenger_9 passenger_10 passenger_11 passenger_12 passenger_13 "
            "passenger_14 passenger_15",
            0: "baby_1 baby_2 maid_1 maid_2",
        },
    )
    then = p.when(1, Buy("iceberg_1"))
    assert then.of(SinkingStarted)
    assert [(len(h), len(d)) for h, d in zip(p.state.hand, p.state.deck, strict=True)] == [
        (5, 8),
        (5, 10),
    ]
    assert p.board(0) == "fisherman_1"
    drawn = []
    for seat in (1, 0, 1, 0, 1):
        drawn.append(len(p.when(seat, Draw()).of(CardsDrawn)[0].cards))
        p.when(seat, EndTurn())
    assert drawn == [0, 2, 2, 4, 3]
    assert len(p.state.deck[0]) == 2
    assert p.when(0, Draw()).of(ShipSank) == [ShipSank(0, 2, "empty_deck")]


@pytest.mark.rule("KED-52", "KED-70", "KED-71", "KED-74")
def test_example_8_assistant():
    p = given(
        boards={
            0: "polka_dancer_1+assistant_1 passenger_1 passenger_2 passenger_3",
            1: "fanatic_1",
        },
        hands={0: "baby_1"},
        points=4,
    )
    assert p.when(0, Play("baby_1")).events[0].price == 4
    then = p.when(0, Activate("polka_dancer_1"))
    assert len(then.of(CardsDrawn)[0].cards) == 2
    p.when(0, EndTurn())
    p.when(1, Draw())
    then = p.when(1, Activate("fanatic_1", victims=("polka_dancer_1",)))
    assert cards(then.of(Jettisoned)) == ["assistant_1"]
    assert "polka_dancer_1" in p.board(0)
    p = given(boards={0: "convict_1+assistant_2"})
    then = p.when(0, Activate("convict_1"))
    assert then.of(PointsGained) == [PointsGained(0, 12, "convict")]
    assert (p.water(0), p.board(0)) == ("assistant_2", "convict_1*")


@pytest.mark.rule("KED-32", "KED-81")
def test_example_9_bartender():
    p = given(
        boards={0: "jack_1 maid_1", 1: "bartender_1"},
        hands={0: "seal_1 stoker_1 stoker_2"},
    )
    p.when(0, Jettison("seal_1"))
    assert p.state.points == 5
    p.when(0, Play("stoker_1"))
    assert p.waiting == {1}
    assert p.when(1, React("bartender_1")).names == ["reaction_announced", "blocked"]
    assert (p.hand(0), p.state.points, p.water(0)) == ("stoker_1 stoker_2", 5, "seal_1")
    p.when(0, Play("stoker_1")).refused("card-blocked")
    assert p.when(0, Play("stoker_2")).names == ["play_announced", "card_played"]
    assert p.state.points == 0


@pytest.mark.rule("KED-53", "KED-66", "KED-82", "KED-87")
def test_example_10_ship_guard_nested():
    def position():
        p = given(
            3,
            boards={0: "saboteur_1", 1: "ship_guard_1", 2: "ship_guard_2"},
            hands={1: "jack_1 seal_1", 2: "lady_1"},
        )
        p.when(0, Activate("saboteur_1"))
        assert p.waiting == {1, 2}
        p.when(1, React("ship_guard_1"))
        assert p.waiting == {2}
        return p

    p = position()
    assert p.when(2, Pass()).names == ["passed", "blocked"]
    assert (p.hand(1), p.hand(2), p.board(0)) == ("jack_1 seal_1", "lady_1", "saboteur_1*")
    p = position()
    then = p.when(2, React("ship_guard_2"))
    assert then.events[:3] == [
        ReactionAnnounced(2, "ship_guard_2", "", (), ()),
        Blocked(1, "ship_guard_1", 2, "ship_guard_2"),
        Resolved(0, "saboteur_1"),
    ]
    assert [(type(e), e.seat) for e in then.events[3:]] == [
        (Picked, 1),
        (Jettisoned, 1),
        (Picked, 2),
        (Jettisoned, 2),
    ]
    assert p.board(1) == "ship_guard_1*"


@pytest.mark.rule("KED-82", "KED-83", "KED-96")
def test_example_11_lifebuoy_against_tycoon():
    p = drawing(
        boards={0: "tycoon_1", 1: "lifebuoy_1 ship_guard_1"},
        tycoon_left=1,
        turn_index=4,
    )
    p.when(0, Tycoon(1))
    p.when(1, React("ship_guard_1")).refused("not-applicable")
    then = p.when(1, React("lifebuoy_1"))
    assert then.of(Shielded) == [Shielded(1, "lifebuoy_1")]
    assert then.names == ["reaction_announced", "shielded", "jettisoned", "resolved"]
    assert (p.water(1), p.state.tycoon_left) == ("lifebuoy_1", 0)
    assert not then.of(Moved)
    assert len(p.when(0, Draw()).of(CardsDrawn)[0].cards) == 3


@pytest.mark.rule("KED-31", "KED-45", "KED-86")
def test_example_12_teacher_and_seal():
    board = "teacher_1 passenger_17 passenger_18 passenger_19 passenger_20"
    p = given(
        3,
        boards={2: board},
        hands={0: "seal_1 pirate_1", 2: "lady_1 rats_1 baby_5"},
    )
    p.when(0, JettisonPair("seal_1", "pirate_1"))
    assert p.state.points == 24
    assert p.legal(2, Claim) == [Claim("seal_1", ("rats_1", "lady_1"))]
    p.when(2, Claim("pirate_1", ("baby_5",))).refused("price-not-met")
    p.when(2, Claim("seal_1", ("lady_1", "rats_1")))
    assert p.board(2) == f"{board} seal_1"
    assert p.state.points == 24
    p.when(2, Claim("pirate_1", ("baby_5",))).refused("price-not-met")


@pytest.mark.rule("KED-52", "KED-99")
def test_example_13_arbiter():
    p = given(boards={0: "arbiter_1 passenger_1", 1: "pirate_1 steersman_1"})
    then = p.when(0, EndTurn())
    assert [(e.seat, e.card) for e in then.of(Jettisoned)] == [(1, "pirate_1")]
    p = given(boards={0: "arbiter_1 passenger_1", 1: "steersman_1"})
    assert cards(p.when(0, EndTurn()).of(Jettisoned)) == ["arbiter_1", "steersman_1"]
    p = given(boards={0: "arbiter_1 passenger_1", 1: "steersman_1+assistant_1"})
    assert cards(p.when(0, EndTurn()).of(Jettisoned)) == ["arbiter_1", "assistant_1"]
    assert p.board(1) == "steersman_1"


@pytest.mark.rule("KED-21", "KED-25", "KED-34", "KED-36", "KED-38", "KED-41", "KED-95", "KED-97")
def test_example_14_refused():
    p = given(
        phase="voyage",
        boards={0: "fisherman_1 torpedo_1 jack_1"},
        hands={0: "assistant_1 stowaway_1 band_1"},
        points=3,
    )
    p.when(0, Buy("iceberg_1")).refused("not-enough-points")
    p.when(1, EndTurn()).refused("not-your-turn")
    p.when(0, Play("assistant_1")).refused("bad-host")
    p.when(0, Play("stowaway_1", -1)).refused("bad-target")
    p.when(0, Jettison("band_1")).refused("band-held")
    p.when(0, Activate("fisherman_1")).refused("no-action")
    p.when(0, Maid("band_1")).refused("wrong-step")
    p.when(0, Jettison("passenger_17")).refused("unknown-card")
    p.state.hand[0] = []
    p.when(0, Activate("torpedo_1")).refused("hand-empty")
    given(hands={0: "assistant_1"}).when(0, Play("assistant_1")).refused("no-host")
    given(points=30).when(0, Buy("maid_1")).refused("no-shop")


@pytest.mark.rule("KED-110", "KED-111", "KED-112", "KED-113")
def test_example_15_end_and_tie():
    p = given(
        3,
        active=2,
        status=["sunk", "sunk", "afloat"],
        score=[18, 18, None],
        sank_order=[0, 1],
        boards={
            0: "iceberg_1 stoker_1 baby_1 passenger_1",
            1: "lifeboat_1 polka_dancer_1+assistant_1 passenger_9 jack_1",
            2: "torpedo_1 rose_1 baby_5 anchor_1",
        },
        decks={2: ""},
        hands={2: "rats_1"},
    )
    then = p.when(2, EndTurn())
    assert then.of(TurnStarted)
    assert p.when(2, Draw()).names == ["draw_skipped", "draw_ended"], "the Anchor holds it"
    p.state.board[2].pop()
    p.state.board[2].append(type(p.state.board[2][0])("jack_1"))
    p.state.step = "draw"
    p.state.drawn = False
    assert p.when(2, Draw()).names == ["ship_sank", "game_over"]
    result = p.state.result
    assert (result.winners, result.ranks, result.scores) == ((0, 1), (1, 1, 3), (18, 18, 17))
    assert (result.sank_order, result.reason) == ((0, 1, 2), "all_sunk")
