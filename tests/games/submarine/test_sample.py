"""Sampled worlds keep what the viewer can infer about hidden cards, and shuffle the rest."""

from collections import Counter

import pytest

from games.chance import Chance
from games.game import Seen, SeenRecord
from games.playout import Watchers, at_random, plies, seed_of
from games.submarine import GAME
from games.submarine.commands import MoveShip, Salvage, SwapCard
from games.submarine.components import COLOURS
from games.submarine.events import (
    CardDiscarded,
    CardsDrawn,
    CardSwapped,
    CompensationPaid,
    SeatWithdrawn,
)
from games.submarine.model import Options
from tests.games.submarine.laws import census
from tests.games.submarine.table import reference, reference_deal


def history(viewer, players, events, **options):
    """Fold events onto the reference deal; return the state and what the viewer has seen."""
    state = reference(players, **options).state
    for event in events:
        GAME.apply(state, event)
    shown = [GAME.redact(event, viewer, None) for event in (reference_deal(players), *events)]
    records = [SeenRecord(at, None, None, (event,)) for at, event in enumerate(shown, 1)]
    return state, Seen(viewer, players, state.options, records)


def worlds(viewer, players, events, count=12, **options):
    state, seen = history(viewer, players, events, **options)
    view = GAME.view(state, viewer)
    for number in range(count):
        world = GAME.players.sample(view, seen, Chance(seed_of(number), 1))
        assert GAME.view(world, viewer) == view
        assert census(world) == census(state)
        yield world


def test_unseen_cards_differ_from_world_to_world():
    hands = {world.hand[1] for world in worlds(0, 2, [])}
    assert len(hands) > 3
    assert len({world.pile[0] for world in worlds(0, 2, [])}) > 3


def test_the_own_swapped_card_lies_under_the_pile():
    events = [CardSwapped(0, "green", "blue")]
    assert {world.pile[0][-1] for world in worlds(0, 2, events)} == {"green"}
    assert len({world.pile[0][-1] for world in worlds(1, 2, events)}) > 1, "its rival can't tell"


def test_a_card_paid_from_the_own_hand_lies_on_the_payees_pile():
    """Seat 0 pays 12 cards from its pile and one from its hand, which is then on top."""
    deck = reference_deal(3).decks[0]
    events = [CompensationPaid(0, 1, 12, 1, (*deck[3:], "green"))]
    assert {world.pile[1][0] for world in worlds(0, 3, events)} == {"green"}
    assert len({world.pile[1][0] for world in worlds(2, 3, events)}) > 1


def test_a_known_card_is_followed_from_pile_to_hand_and_to_the_discards():
    deck = reference_deal(3).decks[0]
    paid = CompensationPaid(0, 1, 12, 1, (*deck[3:], "green"))
    taken = CardDiscarded(1, "blue"), CardsDrawn(1, ("green",), "refill")
    for world in worlds(0, 3, [paid, *taken]):
        assert "green" in world.hand[1]
    gone = CardDiscarded(1, "green"), CardDiscarded(1, "green"), CardDiscarded(1, "yellow")
    for world in worlds(0, 3, [paid, *taken, *gone]):
        assert world.hand[1] == ()


def test_a_rivals_hidden_choice_is_taken_back_when_it_is_contradicted():
    """Seat 1 holds a green card that seat 0 paid and one more, swaps one, and spends two others."""
    deck = reference_deal(3).decks[0]
    events = [
        CompensationPaid(0, 1, 12, 1, (*deck[3:], "green")),
        CardDiscarded(1, "yellow"),
        CardDiscarded(1, "green"),
        CardsDrawn(1, ("green",), "refill"),
    ]
    put_it = [CardSwapped(1, "green", "grey"), CardDiscarded(1, "blue"), CardDiscarded(1, "grey")]
    bottoms = {world.pile[1][-1] for world in worlds(0, 3, events + put_it, count=30)}
    assert bottoms == {"green"}, "had it kept the green one, it could not have spent two others"
    kept_it = [CardSwapped(1, "blue", "grey"), CardDiscarded(1, "green")]
    bottoms = {world.pile[1][-1] for world in worlds(0, 3, events + kept_it, count=30)}
    assert len(bottoms) > 1, "the spent one may have been another green one"


def test_a_choice_that_is_contradicted_only_after_many_others_is_taken_back():
    """Seat 0 paid seat 1 a red, a yellow and a green card, and seat 1 swaps card after card."""
    decks = reference_deal(3).decks
    paid = [
        CompensationPaid(0, 2, 12, 0, decks[0][3:]),
        CompensationPaid(1, 2, 12, 0, decks[1][3:]),
        CardDiscarded(1, "yellow"),
        CardDiscarded(1, "green"),
        CompensationPaid(0, 1, 0, 3, ("red", "yellow", "green")),
        CardsDrawn(1, ("green", "yellow"), "compensation"),
        CardDiscarded(1, "green"),
    ]
    round_ = [("blue", "red"), ("yellow", "blue"), ("red", "yellow")]
    swaps = [CardSwapped(1, put, got) for put, got in round_ * 8]
    for world in worlds(0, 3, [*paid, *swaps, CardDiscarded(1, "blue")], count=30):
        left = sorted(world.hand[1] + world.pile[1])
        assert left == ["red", "yellow"], "the blue one was the other, so the green one was paid"


def note_bottoms(bottoms, state, events):
    """Keep the card that each seat last put under its own pile, while that card is there."""
    for event in events:
        if isinstance(event, CardSwapped):
            bottoms[event.seat] = event.put
        if isinstance(event, CompensationPaid | CardsDrawn) and not state.pile[event.seat]:
            bottoms.pop(event.seat, None)


@pytest.mark.parametrize(("seats", "number"), [(4, 157)])
def test_worlds_fit_when_everybody_swaps_wherever_it_can(seats, number):
    """After hundreds of hidden choices, a seat still knows the card that it put under its pile."""
    options = Options(stalemate_voyages=9)
    watchers = Watchers(GAME, seats, options)
    random = at_random(Chance(seed_of(number), 7))

    def swapping(state, seat, legal):
        swaps = [command for command in legal if isinstance(command, SwapCard)]
        lifts = [command for command in legal if isinstance(command, Salvage)]
        stops = [command for command in legal if isinstance(command, MoveShip)]
        return random(state, seat, swaps or lifts or stops[:1] or legal)

    bottoms = {}
    for state, ply in plies(GAME, seats, options, seed_of(number), swapping):
        watchers.watch(ply)
        note_bottoms(bottoms, state, ply.events)
        if state.phase == "over" or ply.version % 37:
            continue
        for seat, bottom in bottoms.items():
            world = GAME.players.sample(
                GAME.view(state, seat), watchers.seen(seat), Chance(seed_of(1), 5)
            )
            assert GAME.view(world, seat) == GAME.view(state, seat)
            assert world.pile[seat][-1] == bottom


@pytest.mark.parametrize(("players", "each"), [(2, 6), (3, 3)])
def test_an_even_trim_tells_every_card_aside(players, each):
    options = {"card_trim": "even"}
    state = GAME.initial(players, Options(**options))
    setup = GAME.setup(players, state.options, Chance(seed_of(4), 1))
    for event in setup:
        GAME.apply(state, event)
    shown = tuple(GAME.redact(event, 0, None) for event in setup)
    seen = Seen(0, players, state.options, [SeenRecord(1, None, None, shown)])
    for number in range(4):
        world = GAME.players.sample(GAME.view(state, 0), seen, Chance(seed_of(number), 1))
        assert Counter(world.aside) == dict.fromkeys(COLOURS, each)


def test_an_even_trim_for_four_leaves_three_colours_open():
    state = GAME.initial(4, Options(card_trim="even"))
    setup = GAME.setup(4, state.options, Chance(seed_of(4), 1))
    for event in setup:
        GAME.apply(state, event)
    shown = tuple(GAME.redact(event, None, None) for event in setup)
    seen = Seen(None, 4, state.options, [SeenRecord(1, None, None, shown)])
    asides = set()
    for number in range(12):
        aside = GAME.players.sample(GAME.view(state, None), seen, Chance(seed_of(number), 1)).aside
        assert sorted(Counter(aside).values()) == [1, 1, 2, 2, 2]
        assert list(aside) == sorted(aside, key=COLOURS.index)
        asides.add(aside)
    assert len(asides) > 3


def test_a_withdrawn_hand_lies_aside_in_colour_order():
    events = [CardSwapped(1, "green", "grey"), SeatWithdrawn(1, 3, 12)]
    for world in worlds(0, 3, events):
        hand = world.aside[15:18]
        assert list(hand) == sorted(hand, key=COLOURS.index)
    for world in worlds(1, 3, events):
        assert world.aside[15:18] == ("yellow", "blue", "grey")
        assert world.aside[-1] == "green"


def test_without_a_history_the_view_alone_is_filled():
    state, seen = history(0, 2, [])
    blank = Seen(0, 2, seen.options, [])
    world = GAME.players.sample(GAME.view(state, 0), blank, Chance(seed_of(1), 1))
    assert GAME.view(world, 0) == GAME.view(state, 0)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_worlds_of_a_whole_match_hold_the_viewers_own_truth(seats):
    """The card that a seat put under its own pile is there in every sampled world."""
    watchers = Watchers(GAME, seats, Options())
    bottoms = {}
    dice = Chance(seed_of(1), 5)
    match = plies(GAME, seats, Options(), seed_of(seats), at_random(Chance(seed_of(seats), 7)))
    for state, ply in match:
        watchers.watch(ply)
        note_bottoms(bottoms, state, ply.events)
        if state.phase == "over" or ply.version % 11:
            continue
        for seat, bottom in bottoms.items():
            world = GAME.players.sample(GAME.view(state, seat), watchers.seen(seat), dice)
            assert world.pile[seat][-1] == bottom


PAID = CompensationPaid(0, 1, 12, 1, (*reference_deal(3).decks[0][3:], "green"))


@pytest.mark.parametrize(
    ("event", "lies"),
    [
        (CardSwapped(0, "green", "blue"), lambda world: world.pile[0][-1]),
        (PAID, lambda world: world.pile[1][0]),
    ],
    ids=["swapped", "paid"],
)
def test_a_seat_of_a_branch_need_not_remember_its_deal(event, lies):
    """In a branch the seat may not know its deal, but it knows its hand and its later commands."""
    state, seen = history(0, 3, [event])
    seen.records[0] = SeenRecord(1, None, None, (GAME.redact(reference_deal(3), None, None),))
    for number in range(12):
        world = GAME.players.sample(GAME.view(state, 0), seen, Chance(seed_of(number), 1))
        assert GAME.view(world, 0) == GAME.view(state, 0)
        assert census(world) == census(state)
        assert lies(world) == "green"
