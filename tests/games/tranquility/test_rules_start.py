"""Start cards, pledges and payment (TRA-22 to TRA-30, TRA-65, TRA-66)."""

import pytest

from games.testing.given import Then
from games.tranquility.commands import (
    DiscardTwo,
    PayStart,
    PlayCard,
    PlayStart,
    Pledge,
    UseCompass,
)
from games.tranquility.events import (
    CardsDiscarded,
    CompassGained,
    DeckDiscarded,
    DrawsQueued,
    PhaseEntered,
    VoyageLost,
)
from tests.games.tranquility.table import (
    cards,
    dealt,
    drawn_by,
    phase,
    storm,
    table,
)

PILE = "71 72 73 74 75 76 77 78"


def pledged(*counts, hands=None, **more):
    """Return a table where a Start lies and the seats pledged, and the last pledge's events."""
    hands = hands or ["10 20 30 40 50"] * len(counts)
    given = table(*hands, piles=[PILE] * len(hands), start="start_1", phase="start_pledge", **more)
    given.state.waiting = tuple(range(len(hands)))
    then = Then([])
    for seat, count in enumerate(counts):
        then = given.when(seat, Pledge(count))
    return given, then


@pytest.mark.rule("TRA-22")
def test_a_start_in_hand_must_be_laid_first():
    given = table("start_1 1 2 3", "40 50")
    assert given.legal(0) == [PlayStart("start_1")]
    given.when(0, DiscardTwo(cards("1 2"))).refused("start-must-be-played")
    given.when(0, PlayCard("island_1", (0, 0))).refused("start-must-be-played")
    given.state.start_placed = "start_2"
    assert not given.trial(0, DiscardTwo(cards("1 2"))).code


@pytest.mark.rule("TRA-22")
def test_a_wild_is_no_way_round_a_start_but_a_compass_is_no_action():
    given = table("start_1 wild_1 2 3", "40 50", wilds=1, storms=True)
    given.state.storms = [storm("storm_orange_1", seat=0)]
    given.state.compasses[0] = ["compass_1"]
    given.when(0, PlayStart("wild_1")).refused("start-must-be-played")
    assert not given.trial(0, UseCompass("compass_1", "storm_orange_1")).code
    assert not given.trial(0, UseCompass("wild_1", "storm_orange_1")).code


@pytest.mark.rule("TRA-23")
def test_a_start_lies_beside_the_sea_and_costs_nothing_itself():
    given = table("start_1 1 2 3 4", "10 20 30 40", "50 51 52 53")
    then = given.when(0, PlayStart("start_1"))
    assert then.names == ["start_placed", "phase_entered"]
    assert given.state.start_placed == "start_1"
    assert given.state.grid == [None] * 36
    assert given.state.hands[0] == list(cards("1 2 3 4"))


@pytest.mark.rule("TRA-23", "TRA-56")
def test_the_compass_of_a_start_comes_before_the_extra_cards():
    given = table("start_1 1 2 3", "10 20 30", piles=["storm_orange_1 5 6", "7 8"], storms=True)
    then = given.when(0, PlayStart("start_1"))
    assert then.events[1] == CompassGained(0, "compass_1", "start")
    assert phase(then) == ("storm_window", (0,))
    then = given.when(0, UseCompass("compass_1", "storm_orange_1"))
    assert drawn_by(then) == [(0, cards("5 6")), (1, cards("7 8"))]
    assert phase(then) == ("start_pledge", (0, 1))


@pytest.mark.rule("TRA-24")
def test_two_seats_draw_two_extra_cards_first():
    given = table("start_2 1 2 3 4", "10 20 30 40 50", piles=[PILE, "60"], active=0)
    then = given.when(0, PlayStart("start_2"))
    assert then.of(DrawsQueued) == [DrawsQueued(((0, 2), (1, 2)), "pledge")]
    assert drawn_by(then) == [(0, cards("71 72")), (1, cards("60"))]
    assert [len(hand) for hand in given.state.hands] == [6, 6]
    given = table("1 2 3 4 5", "start_2 10 20 30 40", piles=[PILE, PILE], active=1)
    assert drawn_by(given.when(1, PlayStart("start_2")))[0][0] == 1


@pytest.mark.rule("TRA-21", "TRA-24")
def test_a_storm_among_the_extra_cards_is_none_of_them():
    piles = ["71 storm_orange_1 72 73", "60 61 62"]
    given = table("start_1 1 2 3 4", "10 20 30 40 50", piles=piles, storms=True, compass_supply=[])
    then = given.when(0, PlayStart("start_1"))
    assert drawn_by(then) == [(0, cards("71")), (0, cards("72")), (1, cards("60 61"))]


@pytest.mark.rule("TRA-24")
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_more_seats_draw_nothing_extra(seats):
    given = table("start_1 1 2 3 4", *["10 20 30 40 50"] * (seats - 1), piles=[PILE] * seats)
    then = given.when(0, PlayStart("start_1"))
    assert not then.of(DrawsQueued)
    assert phase(then) == ("start_pledge", tuple(range(seats)))


@pytest.mark.rule("TRA-25")
def test_the_crew_pays_eight_in_all_each_choosing_its_own_cards():
    given, then = pledged(3, 5, 0)
    assert phase(then) == ("start_pay", (0, 1))
    then = given.when(1, PayStart(cards("50 40 30 20 10")))
    assert then.events[0] == CardsDiscarded(1, cards("50 40 30 20 10"), 5, "start")
    assert phase(then) == ("start_pay", (0,))
    given.when(0, PayStart(cards("10 20"))).refused("wrong-discard-count")
    given.when(0, PayStart(cards("10 20 30")))
    assert sum(map(len, given.state.discards)) == 8


@pytest.mark.rule("TRA-26")
def test_pledges_may_change_until_they_add_up_to_eight():
    given, then = pledged(3, 3, 3)
    assert phase(then) == ("start_pledge", (0, 1, 2))
    given.when(0, PayStart(cards("10 20 30"))).refused("wrong-phase")
    then = given.when(2, Pledge(2))
    assert phase(then) == ("start_pay", (0, 1, 2))
    given.when(2, Pledge(3)).refused("wrong-phase")


@pytest.mark.rule("TRA-26")
def test_those_without_a_pledge_are_waited_for():
    given, then = pledged(3, hands=["10 20 30 40 50", "1 2 3 4 5", "6 7 8 9 11"])
    assert phase(then) == ("start_pledge", (1, 2))
    assert phase(given.when(0, Pledge(4))) == ("start_pledge", (1, 2))


@pytest.mark.rule("TRA-26")
def test_a_pledge_of_nothing_is_paid_at_once():
    given, _ = pledged(4, 4, 0)
    assert given.state.paid == [False, False, True]
    given.when(2, PayStart(())).refused("already-paid")


@pytest.mark.rule("TRA-27")
def test_after_paying_all_draw_to_their_limit_clockwise_from_the_active_seat():
    given, _ = pledged(0, 5, 3, active=1)
    given.when(1, PayStart(cards("10 20 30 40 50")))
    then = given.when(2, PayStart(cards("10 20 30")))
    assert then.of(DrawsQueued) == [DrawsQueued(((1, -1), (2, -1), (0, -1)), "next_turn")]
    assert drawn_by(then) == [(1, cards("71 72 73 74 75")), (2, cards("71 72 73"))]


@pytest.mark.rule("TRA-27")
def test_a_hand_above_the_limit_draws_nothing():
    given, _ = pledged(5, 3, hands=["10 20 30 40 50", "1 2 3 4 5 6 7 8 9"])
    given.when(0, PayStart(cards("10 20 30 40 50")))
    then = given.when(1, PayStart(cards("1 2 3")))
    assert drawn_by(then) == [(0, cards("71 72 73 74 75"))]
    assert len(given.state.hands[1]) == 6


@pytest.mark.rule("TRA-28")
def test_a_second_start_cannot_be_laid_only_thrown_away():
    given = table("start_1 1 2", "40 50", start="start_2")
    given.when(0, PlayStart("start_1")).refused("start-already-placed")
    assert not given.trial(0, DiscardTwo(("start_1", "island_1"))).code
    given, _ = pledged(4, 4, hands=["start_3 1 2 3", "10 20 30 40"])
    assert not given.trial(0, PayStart(("start_3", *cards("1 2 3")))).code


@pytest.mark.rule("TRA-29")
def test_a_start_that_cannot_be_paid_loses_the_voyage():
    given = table("start_1 1 2", "10 20", "30 40 50")
    then = given.when(0, PlayStart("start_1"))
    assert then.events[-1] == VoyageLost(0, "start-unpaid")
    given = table("start_1 1 2 3", "10 20", "30 40 50")
    assert phase(given.when(0, PlayStart("start_1")))[0] == "start_pledge"


@pytest.mark.rule("TRA-29")
def test_monsters_pay_nothing_and_a_share_of_a_pile_counts_two():
    hands = ["start_1 1 2 3", "10 20 monster_1", "30 40 50"]
    given = table(*hands, piles=["", "", "60 61"], monsters=3, storms=True)
    then = given.when(0, PlayStart("start_1"))
    assert phase(then)[0] == "start_pledge"
    given = table("start_1 1 2 3", "10 monster_1", "30 40 50", monsters=3)
    assert given.when(0, PlayStart("start_1")).events[-1] == VoyageLost(0, "start-unpaid")
    given = table("start_1 1 2 3", "10 20", "30", piles=["", "", "60 61"], storms=True)
    given.state.storms = [storm("storm_yellow_1", seat=2)]
    assert phase(given.when(0, PlayStart("start_1")))[0] == "start_pledge"
    given = table("start_1 1 2 3", "10 20", "30", piles=["", "", "60"], storms=True)
    given.state.storms = [storm("storm_yellow_1", seat=2)]
    assert given.when(0, PlayStart("start_1")).events[-1] == VoyageLost(0, "start-unpaid")


@pytest.mark.rule("TRA-30")
def test_a_start_is_the_whole_turn():
    given, _ = pledged(3, 3, 2)
    for seat, count in ((0, 3), (1, 3), (2, 2)):
        then = given.when(seat, PayStart(cards("10 20 30")[:count]))
    assert phase(then) == ("action", (1,))
    assert given.state.pledges == [None, None, None]
    assert given.state.paid == [False, False, False]
    assert given.state.shares == ()


@pytest.mark.rule("TRA-65")
def test_solo_is_the_same_game_with_one_start():
    given, _events = dealt(1)
    assert len(given.state.hands[0]) == 5
    assert len(given.state.piles[0]) == 81
    assert sum(card.startswith("start_") for card in given.state.piles[0]) == 1
    given.when(0, DiscardTwo(tuple(given.state.hands[0][:2])))
    assert (given.state.active, given.state.turn, len(given.state.hands[0])) == (0, 2, 5)


@pytest.mark.rule("TRA-66")
def test_solo_draws_eight_more_and_keeps_four_of_twelve():
    given = table("start_1 1 2 3 4", piles=[PILE + " 79 80"])
    then = given.when(0, PlayStart("start_1"))
    assert then.of(DrawsQueued) == [DrawsQueued(((0, 8),), "pledge")]
    assert len(given.state.hands[0]) == 12
    given.when(0, Pledge(8))
    then = given.when(0, PayStart(cards(PILE)))
    assert drawn_by(then) == [(0, cards("79"))]
    assert given.state.hands[0] == list(cards("1 2 3 4 79"))


@pytest.mark.rule("TRA-66")
def test_solo_with_too_short_a_pile_is_lost():
    given = table("start_1 1 2 3 4", piles=["10 20 30"])
    then = given.when(0, PlayStart("start_1"))
    assert then.events[-1] == VoyageLost(0, "start-unpaid")
    assert len(given.state.hands[0]) == 7


@pytest.mark.rule("TRA-51")
def test_a_seat_under_a_yellow_storm_may_give_two_unseen_cards():
    hands = ["10 20 30 40", "1 2 3", "5 6 7"]
    given = table(*hands, piles=[PILE] * 3, storms=True)
    given.state.hands[0].append("start_1")
    given.state.storms = [storm("storm_yellow_1", seat=1)]
    given.when(0, PlayStart("start_1"))
    assert given.state.shares == (1,)
    given.when(0, Pledge(3, from_deck=True)).refused("no-deck-share")
    given.when(1, Pledge(1, from_deck=True)).refused("bad-count")
    given.when(1, Pledge(6, from_deck=True)).refused("pledge-too-high")
    given.when(0, Pledge(3))
    given.when(1, Pledge(3, from_deck=True))
    given.when(2, Pledge(2))
    then = given.when(1, PayStart(cards("2")))
    assert then.events[:2] == [
        DeckDiscarded(1, cards("71 72"), 2),
        CardsDiscarded(1, cards("2"), 1, "start"),
    ]
    assert given.state.blind == [[], list(cards("71 72")), []]
    given.when(0, PayStart(cards("10 20 30")))
    given.when(2, PayStart(cards("5 6")))
    assert (given.state.shares, given.state.turn) == ((), 10)
    assert given.state.discards[1] == list(cards("71 72 2"))


@pytest.mark.rule("TRA-26", "TRA-51")
def test_a_pledge_of_the_share_alone_is_given_when_pledges_bind():
    given = table("10 20 30", "1 2 3", "5 6 7", piles=[PILE] * 3, start="start_1", storms=True)
    given.state.phase, given.state.shares = "start_pledge", (1,)
    given.when(1, Pledge(2, from_deck=True))
    given.when(0, Pledge(3))
    then = given.when(2, Pledge(3))
    assert then.events[1:] == [
        DeckDiscarded(1, cards("71 72"), 2),
        PhaseEntered("start_pay", (0, 2)),
    ]
    assert given.state.paid == [False, True, False]


@pytest.mark.rule("TRA-51")
def test_a_share_stays_when_a_compass_ends_the_storm():
    given = table("10 20 30", "1 2 3", "5 6 7", piles=[PILE] * 3, start="start_1", storms=True)
    given.state.phase, given.state.shares = "start_pledge", (1,)
    given.state.storms = [storm("storm_yellow_1", seat=1)]
    given.state.compasses[2] = ["compass_1"]
    then = given.when(2, UseCompass("compass_1", "storm_yellow_1"))
    assert then.events[-1].phase == "start_pledge"
    assert not given.trial(1, Pledge(2, from_deck=True)).code
