"""KED-1 to KED-6 and KED-116: the set-up."""

import msgspec
import pytest

from games.chance import Chance
from games.game import Illegal
from games.ke_dnu import GAME
from games.ke_dnu.components import CARDS, FIRST_POINTS, KINDS
from games.ke_dnu.events import Dealt, PointsGained, TurnStarted
from games.ke_dnu.setup import census, supply
from games.playout import seed_of
from games.testing.given import Given


def dealt(seats: int = 2, seed: int = 1, **options):
    """Set up a match; return its events and the state after them."""
    chosen = GAME.Options(**options)
    events = GAME.setup(seats, chosen, Chance(seed_of(seed), 1))
    state = GAME.initial(seats, chosen)
    for event in events:
        GAME.apply(state, event)
    return events, state


@pytest.mark.rule("KED-1")
def test_two_to_four_seats_play():
    assert list(GAME.seats) == [2, 3, 4]


@pytest.mark.rule("KED-2", "KED-101/passenger", "KED-101/baby")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_each_deck_is_eight_passengers_and_two_babies(seats):
    """The ids of a seat are fixed and their order is random. Nothing else is laid out."""
    _, state = dealt(seats)
    for seat in range(seats):
        passengers = [f"passenger_{n}" for n in range(8 * seat + 1, 8 * seat + 9)]
        babies = [f"baby_{n}" for n in range(2 * seat + 1, 2 * seat + 3)]
        assert sorted(state.deck[seat]) == sorted(passengers + babies)
        assert state.hand[seat] == state.water[seat] == state.board[seat] == []
    orders = {tuple(dealt(seats, seed)[1].deck[0]) for seed in range(10)}
    assert len(orders) > 1


@pytest.mark.rule("KED-3")
def test_passengers_and_babies_are_never_in_the_supply():
    assert not [c for c in supply(GAME.Options()) if c.startswith(("passenger", "baby"))]
    assert "passenger_17" not in census(2, GAME.Options())
    assert "passenger_17" in census(3, GAME.Options())


@pytest.mark.rule("KED-4", "KED-101/iceberg")
def test_five_cards_lie_open_beside_the_iceberg():
    events, state = dealt(2, 3)
    assert [type(event) for event in events] == [Dealt, TurnStarted]
    assert len(state.shop) == 5
    assert state.iceberg
    assert len(state.shop_deck) + len(state.shop) + len(state.removed) == 100
    shown = [*state.shop, *state.shop_deck, *state.removed]
    assert "iceberg_1" not in shown
    assert sorted(shown) == sorted(supply(GAME.Options()))


@pytest.mark.rule("KED-5")
def test_a_lockdown_among_the_first_five_strikes_at_once():
    """All five leave the game. This repeats while a Lockdown lies in the shop."""
    struck = [
        events[0] for seed in range(60) for events in [dealt(2, seed)[0]] if events[0].removed
    ]
    assert struck
    for deal in struck:
        assert len(deal.removed) % 5 == 0
        for at in range(0, len(deal.removed), 5):
            assert any(card.startswith("lockdown") for card in deal.removed[at : at + 5])
        assert not any(card.startswith("lockdown") for card in deal.shop)
        assert len(deal.shop) == 5


@pytest.mark.rule("KED-6")
def test_the_option_says_who_begins():
    for seat in range(3):
        events, state = dealt(3, first_seat=str(seat))
        assert events[0].first_seat == state.first_seat == state.active == seat
        assert events[1] == TurnStarted(seat, "voyage", 0, 1)
        assert GAME.waiting(state) == {seat}
    assert {dealt(3, seed)[1].first_seat for seed in range(30)} == {0, 1, 2}
    with pytest.raises(Illegal, match="bad-option"):
        dealt(2, first_seat="2")


@pytest.mark.rule("KED-116")
@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("first", ["0", "1"])
def test_in_the_balanced_set_later_seats_have_points_in_their_first_turn(seats, first):
    given = Given.dealt(GAME, seats, first_seat=first, house="balanced")
    had = [given.state.points]
    while given.state.round == 1:
        then = given.when(given.state.active, GAME.default(given.state, given.state.active))
        if then.of(TurnStarted) and given.state.round == 1:
            had.append(given.state.points)
            gained = PointsGained(given.state.active, given.state.points, "house")
            assert then.of(PointsGained) == ([gained] if gained.points else [])
    assert had == [*FIRST_POINTS[seats]]
    assert given.state.points == 0


@pytest.mark.rule("KED-116")
def test_classic_has_no_trace_of_the_balanced_set():
    events, _ = dealt(3)
    assert dealt(3, house="classic")[0] == dealt(3, house="balanced")[0] == events
    assert b"house" not in msgspec.json.encode(GAME.Options())


def test_the_supply_has_the_copies_of_the_table():
    """There are 50 types and 100 cards. The Singer is an option. The rulebook has 53 types."""
    cards = supply(GAME.Options())
    kinds = [CARDS[card].id for card in cards]
    assert len(cards) == 100
    assert len(set(kinds)) == 50
    assert sorted({kinds.count(kind) for kind in kinds}) == [1, 2, 3, 4]
    assert kinds.count("rats") == 4
    assert len(KINDS) == 54
    assert len(supply(GAME.Options(include_singer=True))) == 102


def test_options_take_types_out_of_the_supply():
    assert len(supply(GAME.Options(no_reactions=True))) == 89
    without = supply(GAME.Options(exclude_types=("rats", "rose")))
    assert len(without) == 95
    assert not [card for card in without if CARDS[card].id in {"rats", "rose"}]


def test_at_least_forty_supply_cards_must_stay():
    """The cards left out by `no_reactions` count too."""
    twos = [kind.id for kind in KINDS.values() if kind.copies == 2 and kind.dealt == "supply"]
    thirty = tuple(twos[:30])
    _, state = dealt(2, exclude_types=thirty)
    assert len(state.shop_deck) <= 35
    with pytest.raises(Illegal, match="bad-option"):
        dealt(2, exclude_types=tuple(twos[:31]))
    reactions = {"bartender", "lifebuoy", "ship_guard", "steward", "teacher"}
    kept = tuple(kind for kind in thirty if kind not in reactions)
    with pytest.raises(Illegal, match="bad-option"):
        dealt(2, exclude_types=kept, no_reactions=True)


@pytest.mark.parametrize(
    "option",
    [
        {"voyage_round_limit": 4},
        {"sinking_round_limit": 61},
        {"lifeboat_cost": 0},
        {"arbiter_mode": "deck"},
        {"first_seat": "4"},
        {"turn_seconds": 29},
        {"window_seconds": 4},
        {"exclude_types": ("passenger",)},
    ],
)
def test_a_value_outside_the_table_is_refused(option):
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(option, GAME.Options)
