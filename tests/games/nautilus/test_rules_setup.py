"""NAU-1 to NAU-9: rounds, order and set-up."""

from collections import Counter

import msgspec
import pytest

from games.chance import Chance
from games.nautilus import GAME, RULES_1
from games.nautilus.commands import BuyModule, EndBuild
from games.nautilus.components import (
    AT,
    FIND_ZONE,
    FINDS,
    LAGOON_CENTRES,
    MISSIONS,
    MODULES,
    PLACE_CELLS,
    PLACE_ZONES,
    ZONE,
)
from games.nautilus.events import FindCovered, GameSetUp, MissionsDealt, SeaStocked, TurnAdvanced
from games.nautilus.fold import apply
from games.nautilus.model import Options
from games.playout import at_random, plies, seed_of
from games.testing.given import Given, Then
from tests.games.nautilus.table import given


def opening(seats=2, seed=1, **options):
    return Then(GAME.setup(seats, Options(**options), Chance(seed_of(seed), 1)))


@pytest.mark.rule("NAU-1", "NAU-2")
def test_all_seats_build_then_all_research_then_all_dive():
    table = given(3, first_seat=1)
    for module, cell, rot in (("res_grey_1", (15, 9), 0), ("hab_a_1", (15, 15), 2)):
        table.build(module, cell, rot)
    for seat in range(3):
        table.man("base", f"r{seat}_01")
        table.float(f"s{seat}_1", (3 + seat, 10))
    turns = []
    while table.state.round == 1:
        _, phase, _, seat = table.at
        if (phase, seat) not in turns:
            turns.append((phase, seat))
        table.play(seat, GAME.default(table.state, seat))
    assert turns == [(phase, seat) for phase in ("build", "research", "dive") for seat in (1, 2, 0)]


@pytest.mark.rule("NAU-3")
def test_the_first_seat_marker_passes_on_each_round():
    firsts = {}
    for state, _ in plies(GAME, 4, Options(), seed_of(5), at_random(Chance(seed_of(5), 9))):
        firsts.setdefault(state.round, state.first_seat)
    start = firsts[1]
    assert len(firsts) > 5
    assert firsts == {r: (start + r - 1) % 4 for r in firsts}


@pytest.mark.rule("NAU-4")
def test_the_first_seat_is_drawn_evenly():
    drawn = Counter(opening(3, seed).events[0].first_seat for seed in range(300))
    assert set(drawn) == {0, 1, 2}
    assert min(drawn.values()) > 70
    assert {opening(3, seed, first_seat="seat_0").events[0].first_seat for seed in range(20)} == {0}


@pytest.mark.rule("NAU-5")
@pytest.mark.parametrize(("seats", "money"), [(2, 55), (3, 50), (4, 45)])
def test_money_by_seats(seats, money):
    assert opening(seats).of(GameSetUp)[0].money == money
    assert given(seats).state.money == [money] * seats


@pytest.mark.rule("NAU-83")
@pytest.mark.parametrize(
    ("game", "seats", "money"),
    [
        (GAME, 2, [55, 57]),
        (GAME, 3, [50, 50, 50]),
        (GAME, 4, [45, 45, 45, 45]),
        (RULES_1, 2, [55, 60]),
        (RULES_1, 3, [50, 50, 50]),
    ],
)
def test_in_the_balanced_set_the_second_of_two_seats_has_more_money(game, seats, money):
    for seed in range(6):
        dealt = Given.dealt(game, seats, seed=seed, house="balanced").state
        order = [(dealt.first_seat + place) % seats for place in range(seats)]
        assert [dealt.money[seat] for seat in order] == money


@pytest.mark.rule("NAU-83")
def test_the_set_changes_nothing_else_and_classic_has_no_trace_of_it():
    classic, balanced = opening(), opening(house="balanced")
    assert opening(house="classic").events == classic.events
    assert opening(3, house="balanced").events == opening(3).events
    assert balanced.events[1:] == classic.events[1:]
    assert b"extra" not in msgspec.json.encode(classic.events)
    assert b"house" not in msgspec.json.encode(Options())


@pytest.mark.rule("NAU-6")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_nothing_is_out_but_the_base(seats):
    view = given(seats).view(None)
    assert [placed.id for placed in view.modules] == ["base"]
    assert view.supply == MODULES
    assert len(MODULES) == 40
    assert all(len(stock) == 15 for stock in view.stock)
    assert all(len(stock) == 3 for stock in view.subs_stock)
    assert view.researchers == view.submarines == {}
    assert view.employed == ()
    assert all(set(levels.values()) == {0} for levels in view.level)
    assert set(view.three.values()) == {-1}


@pytest.mark.rule("NAU-7")
def test_the_base_lies_in_the_middle_or_where_agreed():
    assert given(2).state.modules[0].cell == (15, 12)
    assert given(2, base_cell=(13, 10)).state.modules[0].cell == (13, 10)
    for column, row in LAGOON_CENTRES:
        around = [(column + i, row + j) for i in (-1, 0, 1) for j in (-1, 0, 1)]
        assert {ZONE[AT[cell]] for cell in around} == {0}


@pytest.mark.rule("NAU-7", "NAU-25")
def test_a_base_elsewhere_covers_what_lies_there():
    """`find_covered` without a seat follows `sea_stocked`, and is no find of round 1."""
    opened = opening(2, base_cell=(11, 9))
    assert opened.names == [
        "game_set_up",
        "sea_stocked",
        "find_covered",
        "missions_dealt",
        "turn_advanced",
    ]
    (covered,) = opened.of(FindCovered)
    lies = {(c, r): find for c, r, find in opened.of(SeaStocked)[0].finds}
    assert covered == FindCovered(-1, (11, 8), lies[11, 8])
    state = GAME.initial(2, Options(base_cell=(11, 9)))
    for event in opened.events:
        apply(state, event)
    assert state.removed == (covered.find,)
    assert not state.round_log.revealed


@pytest.mark.rule("NAU-8")
def test_each_zone_holds_its_own_finds_shuffled():
    seas = [opening(2, seed).of(SeaStocked)[0].finds for seed in range(40)]
    for finds in seas:
        assert [(c, r) for c, r, _ in finds] == list(PLACE_CELLS)
        assert sorted(find for *_, find in finds) == sorted(FINDS)
        assert tuple(FIND_ZONE[find] for *_, find in finds) == PLACE_ZONES
    for place in range(60):
        assert len({finds[place][2] for finds in seas}) > 3


@pytest.mark.rule("NAU-9")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_each_seat_gets_a_card_that_only_it_knows(seats):
    table = given(seats)
    for viewer in range(seats):
        shown = table.view(viewer).mission
        assert shown[viewer] == MISSIONS[viewer]
        assert set(shown[:viewer] + shown[viewer + 1 :]) == {"?"}
        assert table.view(viewer).mission_rest == ("?",) * (4 - seats)
    assert set(table.view(None).mission) == {"?"}
    orders = {opening(seats, seed).of(MissionsDealt)[0].order for seed in range(200)}
    assert len(orders) == 24


def test_setup_waits_for_the_first_seat_to_buy():
    events = opening(4, seed=3).events
    seat = events[0].first_seat
    assert events[-1] == TurnAdvanced(1, "build", "buy", seat, seat)


@pytest.mark.rule("NAU-2")
def test_nobody_else_may_act():
    table = given(3, first_seat=2)
    assert GAME.waiting(table.state) == {2}
    assert GAME.awaited(table.state, 0) == GAME.awaited(table.state, None) == {2}
    table.when(0, BuyModule("hab_a", 1)).refused("not-your-turn")
    table.play(2, BuyModule("hab_a", 1), EndBuild())
    assert GAME.waiting(table.state) == {0}
