"""Hands, piles and discards (TRA-10 to TRA-21)."""

import pytest

from games.tranquility import GAME
from games.tranquility.commands import DiscardTwo, PlayCard, ShedToLimit
from games.tranquility.components import STARTS
from games.tranquility.events import CardsDiscarded, CardsDrawn, StartsShuffled, TurnBegun
from games.tranquility.model import PendingStorm
from tests.games.tranquility.table import (
    cards,
    dealt,
    drawn_by,
    laid,
    phase,
    storm,
    table,
)


@pytest.mark.rule("TRA-10")
@pytest.mark.parametrize(
    ("seats", "piles"),
    [(1, [85]), (2, [43, 42]), (3, [29, 28, 28]), (4, [22, 21, 21, 21]), (5, [17] * 5)],
)
def test_cards_are_dealt_evenly_and_a_start_comes_into_each_pile_last(seats, piles):
    for seed in range(6):
        given, then = dealt(seats, seed)
        deal = then.events[0]
        order = [(deal.deal_from + at) % seats for at in range(seats)]
        assert [len(deal.piles[seat]) for seat in order] == piles
        assert not any(card in STARTS for pile in deal.piles for card in pile)
        assert [len(hand) for hand in given.state.hands] == [5] * seats
        for seat, (pile, slot) in enumerate(
            zip(given.state.piles, then.of(StartsShuffled)[0].slots, strict=True)
        ):
            assert [card for card in pile if card in STARTS] == [STARTS[seat]]
            assert pile[slot] == STARTS[seat]
            assert len(pile) == len(deal.piles[seat]) - 5 + 1


@pytest.mark.rule("TRA-10")
def test_every_place_in_the_pile_may_get_the_start():
    places = {dealt(5, seed)[1].of(StartsShuffled)[0].slots[0] for seed in range(300)}
    assert places == set(range(13))


@pytest.mark.rule("TRA-11")
def test_the_seat_with_the_fewest_cards_begins_and_the_turn_goes_clockwise():
    for seed in range(12):
        given, then = dealt(3, seed)
        sizes = [len(pile) for pile in then.events[0].piles]
        assert sizes[given.state.active] == min(sizes)
        assert given.state.active == (then.events[0].deal_from + 85 % 3) % 3
    given = table("10 20", "30 40", "50 60", active=2)
    given.when(2, DiscardTwo(cards("50 60")))
    assert (given.state.active, given.state.turn) == (0, 10)


@pytest.mark.rule("TRA-11")
def test_the_first_seat_may_be_drawn_at_random():
    firsts = {dealt(3, seed, first_player="random")[0].state.active for seed in range(40)}
    assert firsts == {0, 1, 2}


@pytest.mark.rule("TRA-12")
def test_a_turn_is_one_action_and_nobody_passes():
    given = table("10 20 30", "40 50 60", piles=["1 2", "3 4"])
    given.when(0, PlayCard("island_10", (4, 0)))
    given.when(0, PlayCard("island_20", (0, 2))).refused("not-your-turn")
    listed = {type(command).__name__ for command in given.legal(1)}
    assert listed == {"PlayCard", "DiscardTwo"}


@pytest.mark.rule("TRA-13")
def test_two_cards_may_be_discarded_even_when_one_could_be_laid():
    given = table("10 20", "40 50")
    assert given.legal(0, PlayCard)
    then = given.when(0, DiscardTwo(cards("20 10")))
    assert then.events[0] == CardsDiscarded(0, cards("20 10"), 2, "pass")
    given = table("10 monster_1", "40 50", monsters=3)
    assert not given.legal(0, DiscardTwo)
    given.when(0, DiscardTwo(cards("10"))).refused("wrong-discard-count")


@pytest.mark.rule("TRA-14")
def test_the_seat_draws_to_five_or_what_is_left():
    given = table("10 20 30 40 50", "60 61", piles=["1 2 3", "4 5"])
    then = given.when(0, DiscardTwo(cards("10 20")))
    assert drawn_by(then) == [(0, cards("1 2"))]
    given.when(1, DiscardTwo(cards("60 61")))
    assert given.state.hands[1] == list(cards("4 5"))
    then = given.when(0, DiscardTwo(cards("30 40")))
    assert drawn_by(then) == [(0, cards("3"))]
    then = given.when(1, DiscardTwo(cards("4 5")))
    assert drawn_by(then) == []
    assert then.names == [
        "cards_discarded",
        "draws_queued",
        "draws_done",
        "turn_begun",
        "phase_entered",
    ]


@pytest.mark.rule("TRA-15")
def test_only_the_seat_that_acted_draws():
    given = table("10 20 30", "40 50", piles=["1 2 3", "4 5"])
    given.when(0, DiscardTwo(cards("10 20")))
    assert [len(hand) for hand in given.state.hands] == [4, 2]
    assert given.state.hands[1] == list(cards("40 50"))


@pytest.mark.rule("TRA-16")
def test_hands_are_secret_and_the_crew_is_silent():
    given = table("10 20", "40 50", piles=["1 2 3", "4 5"])
    assert given.view(1).hands == [["?", "?"], list(cards("40 50"))]
    assert given.view(None).hands == [["?", "?"], ["?", "?"]]
    assert given.view(0).talk == "closed"
    assert table("10", "20", phase="start_pledge").view(0).talk == "start"


@pytest.mark.rule("TRA-17")
def test_a_crew_may_agree_to_talk():
    given = table("10 20", "40 50", communication="open")
    assert given.view(0).talk == "open"


@pytest.mark.rule("TRA-18")
def test_all_but_monsters_and_a_start_still_to_be_laid_may_be_discarded():
    hand = "9 finish_3 wild_1 start_1 monster_2"
    listed = table(hand, "40 50", start="start_2").legal(0)
    pairs = {command.cards for command in listed if isinstance(command, DiscardTwo)}
    assert {card for pair in pairs for card in pair} == set(cards(hand)) - {"monster_2"}
    given = table("start_1 8 9 10 11", "40 50", phase="storm_discard", storms=True)
    given.state.pending_storm = PendingStorm("storm_yellow_1", 0, "draw")
    given.when(0, ShedToLimit(cards("8 start_1"))).refused("start-cannot-be-discarded")
    given.state.start_placed = "start_2"
    assert not given.trial(0, ShedToLimit(cards("8 start_1"))).code


@pytest.mark.rule("TRA-19")
def test_discards_never_come_back():
    given = table("10 20", "40 50", "60 70", piles=["", "1 2", ""])
    for seat, pair in enumerate(("10 20", "40 50", "60 70")):
        given.when(seat, DiscardTwo(cards(pair)))
    assert given.state.result.reason == "no-action"
    assert [len(discards) for discards in given.state.discards] == [2, 2, 2]


@pytest.mark.rule("TRA-20")
def test_nobody_sees_a_discard_not_even_its_owner():
    given = table("10 20 30", "40 50")
    (event, *_) = given.when(0, DiscardTwo(cards("10 20"))).events
    for viewer in (0, 1, None):
        assert given.view(viewer).discards[0] == ["?", "?"]
        assert GAME.redact(event, viewer, given.state) == CardsDiscarded(0, ("?", "?"), 2, "pass")


@pytest.mark.rule("TRA-20")
def test_the_memory_aid_shows_a_seat_its_own_discards():
    given = table("10 20 30", "40 50", memory_aid=True)
    (event, *_) = given.when(0, DiscardTwo(cards("10 20"))).events
    assert given.view(0).discards[0] == list(cards("10 20"))
    assert given.view(1).discards[0] == ["?", "?"]
    assert GAME.redact(event, 0, given.state) == event
    assert GAME.redact(event, 1, given.state).cards == ("?", "?")


@pytest.mark.rule("TRA-21")
def test_a_storm_interrupts_a_draw_and_fills_no_place_in_the_hand():
    given = table("10 20 30 40", "50 60", piles=["1 storm_orange_1 2 3", ""], storms=True)
    then = given.when(0, DiscardTwo(cards("10 20")))
    assert then.names == [
        "cards_discarded",
        "draws_queued",
        "cards_drawn",
        "storm_drawn",
        "storm_landed",
        "cards_drawn",
        "draws_done",
        "turn_begun",
        "phase_entered",
    ]
    assert [(event.cards, event.count) for event in then.of(CardsDrawn)] == [
        (cards("1"), 1),
        (cards("2 3"), 2),
    ]
    assert len(given.state.hands[0]) == 5


@pytest.mark.rule("TRA-21")
def test_a_storm_below_the_last_drawn_card_stays_in_the_pile():
    given = table("10 20 30 40 55", "50 60", piles=["1 2 storm_orange_1", ""], storms=True)
    given.when(0, DiscardTwo(cards("10 20")))
    assert given.state.piles[0] == ["storm_orange_1"]
    assert not given.state.storms


@pytest.mark.rule("TRA-14", "TRA-49")
def test_a_yellow_storm_lowers_the_limit_and_surplus_is_kept():
    given = table("10 20 30 40", "50 60", piles=["1 2 3", ""], storms=True, grid=laid(i5=12))
    given.state.storms = [storm("storm_yellow_1", seat=0)]
    then = given.when(0, PlayCard("island_20", (2, 1)))
    assert drawn_by(then) == []
    assert len(given.state.hands[0]) == 3
    assert phase(then) == ("action", (1,))
    assert then.of(TurnBegun) == [TurnBegun(1, 10)]


@pytest.mark.rule("TRA-11")
def test_a_first_seat_drawn_at_random_may_be_any_whoever_has_fewest_cards():
    deals = [dealt(3, seed, first_player="random")[1].events[0] for seed in range(60)]
    for deal_from in range(3):
        first = {deal.first_seat for deal in deals if deal.deal_from == deal_from}
        assert first == {0, 1, 2}
