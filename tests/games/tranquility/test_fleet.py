"""Voyages that are played at once: by the same rules and thumb rules as one alone."""

import subprocess
import sys

import msgspec
import numpy as np
import pytest

from games.chance import SEED_BYTES, Chance
from games.game import HIDDEN, Seen
from games.playout import BOT_DICE, Watchers, by_bots, plies, seed_of
from games.search import Cancelled, choose, deliberate
from games.search.evaluate import Trials
from games.search.worlds import Worlds
from games.tranquility import GAME
from games.tranquility.commands import DiscardTwo, PayStart, PlayCard, PlayStart
from games.tranquility.components import BOX, FINISHES, HAND_LIMIT, START_PRICE
from games.tranquility.players.blueprint import at_once, known_discards
from games.tranquility.players.bot import Mind, mind_of
from games.tranquility.players.fleet.ahead import act
from games.tranquility.players.fleet.deals import DISCARD, HAND, PILE, REMOVED, Deals, Dice
from games.tranquility.players.fleet.outlooks import SURE, Outlooks, layings
from games.tranquility.players.fleet.play import play_on, start
from games.tranquility.players.fleet.voyages import (
    EDGE,
    FINISH,
    SPAN,
    START,
    Voyages,
    card_number,
)
from games.tranquility.players.memory import Memory
from games.tranquility.players.outlook import SHORT, split
from games.tranquility.players.weights import TUNED
from games.tranquility.setup import census
from tests.games.tranquility.table import full, table


def numbered(cards, width=None):
    numbers = [card_number(card) for card in cards]
    return numbers + [0] * ((width or len(numbers)) - len(numbers))


def voyages_of(state, copies=1):
    """Return voyages that all are at a state."""
    piles = [np.tile(np.array(numbered(pile), np.int64), (copies, 1)) for pile in state.piles]
    width = max(HAND_LIMIT, *map(len, state.hands))
    hands = np.array([[numbered(hand, width)] * copies for hand in state.hands])
    voyages = Voyages(piles, hands, state.active, BOX.removed[state.options.difficulty])
    rows = np.arange(copies)
    for seat, cards in enumerate(state.discards):
        for card in cards:
            voyages.discard(seat, rows, np.full(copies, card_number(card)))
            voyages.held[seat] += 1
    voyages.alive[:, numbered(state.removed)] = False
    for cell, laid in enumerate(state.grid):
        if laid is not None:
            voyages.lay(rows, np.full(copies, laid.number), np.full(copies, cell))
    voyages.started[:] = state.start_placed is not None
    return voyages


def picture(voyages):
    """Return all that a table shows, without the order of hands and of the cards drawn."""
    return {
        "hands": np.sort(voyages.hands, axis=2).tolist(),
        "left": [voyages.left(seat).tolist() for seat in range(voyages.seats)],
        **{
            name: getattr(voyages, name).tolist()
            for name in (
                *("held", "open", "alive", "lower", "upper", "cell"),
                *("free", "started", "discards", "finishes"),
            )
        },
    }


def game(seats, seed, **options):
    """Yield each position of a game by rules of thumb, with what was seen and what follows."""
    options = GAME.Options(**options)
    watchers = Watchers(GAME, seats, options)
    bots = by_bots(GAME, watchers, ["heuristic"] * seats, Chance(seed_of(seed), BOT_DICE))
    before = None
    for state, ply in plies(GAME, seats, options, seed_of(seed), bots):
        if before is not None:
            yield before, watchers, ply
        watchers.watch(ply)
        before = state.copy()


@pytest.mark.parametrize(("seats", "difficulty"), [(1, "none"), (2, "poseidon"), (4, "triton")])
def test_an_action_changes_the_table_as_the_rules_say(seats, difficulty):
    acted = 0
    for state, _, ply in game(seats, 3, difficulty=difficulty):
        if isinstance(ply.command, PlayCard | DiscardTwo):
            voyages = voyages_of(state, copies=2)
            act(voyages, voyages.which, ply.command)
            voyages.refill(state.active)
            GAME.step(state, ply.seat, ply.command, Chance(bytes(SEED_BYTES), 0))
            assert picture(voyages) == picture(voyages_of(state, copies=2))
            acted += 1
    assert acted > 20


@pytest.mark.rule("TRA-24", "TRA-25", "TRA-27", "TRA-66")
@pytest.mark.parametrize("seats", [1, 2, 3, 5])
def test_a_start_costs_eight_cards_and_all_draw(seats):
    before = next(state for state, _, ply in game(seats, 5) if isinstance(ply.command, PlayStart))
    voyages = voyages_of(before, copies=3)
    assert start(voyages, voyages.which, TUNED).all()
    assert voyages.discards.sum(0).tolist() == [START_PRICE + sum(map(len, before.discards))] * 3
    cards = sum(map(len, (*before.hands, *before.piles))) - START_PRICE - 1
    for seat in range(seats):
        assert voyages.held[seat].tolist() == (voyages.hands[seat] > 0).sum(1).tolist()
        assert ((voyages.held[seat] == HAND_LIMIT) | (voyages.left(seat) == 0)).all()
        cards -= (voyages.held[seat] + voyages.left(seat))[0]
    assert cards == 0
    assert voyages.started.all()


def test_a_start_that_cannot_be_paid_loses():
    state = table("start_1 2 3", "4", piles=("5", "6"), grid=full(without=(7, 8))).state
    voyages = voyages_of(state)
    assert not start(voyages, voyages.which, TUNED).any()


def close(one, other):
    return abs(one - other) <= 0.03 * max(1, abs(other))


@pytest.mark.parametrize("seats", [1, 3])
def test_gaps_cards_and_layings_are_worth_what_the_rules_of_thumb_say(seats):
    judged = 0
    for state, _, ply in game(seats, 8, difficulty="poseidon"):
        if not isinstance(ply.command, PlayCard | DiscardTwo):
            continue
        seat = state.active
        view = GAME.view(state, seat)
        mind = Mind.knowing(view, seat, known_discards(state, seat), TUNED)
        voyages = voyages_of(state)
        looks = Outlooks(voyages, seat, voyages.which, voyages.hands[seat], TUNED)
        losses = looks.losses()[0]
        for at, number in enumerate(looks.numbers):
            gap = mind.outlook.gap_of(number)
            assert (gap.low, gap.high, gap.first, gap.cells) == (
                looks.low[at], looks.high[at], looks.first[at], looks.cells[at],
            )  # fmt: skip
            assert close(looks.worth[at], mind.outlook.worth(gap))
        for gap in mind.gaps:
            places = [
                place
                for place, number in enumerate(numbered(state.hands[seat]))
                if gap.low < number < gap.high
            ]
            if places and gap.cells > SHORT:
                together = tuple(state.hands[seat][place] for place in places)
                assert close(losses[places].sum(), mind.loss(together))
            elif len(places) == 1:
                assert close(losses[places[0]], mind.loss((state.hands[seat][places[0]],)))
        offers = layings(looks, voyages.held[seat] - 1)
        for card, offset, gain in zip(offers.card, offers.offset, offers.gain, strict=True):
            number = int(looks.numbers[card])
            gap = mind.outlook.gap_of(number)
            sides = split(gap, gap.first + int(offset), number)
            expected = mind.outlook.laid(sides) - mind.outlook.worth(gap)
            assert close(gain, expected)
            judged += 1
    assert judged > 100


def test_two_cards_for_one_gap_are_missed_more_than_each_alone():
    state = table("10 11 12 60 61", "70", grid=full(without=(4, 5, 6)), start="start_1").state
    voyages = voyages_of(state)
    looks = Outlooks(voyages, 0, voyages.which, voyages.hands[0], TUNED)
    first, *others = sorted(looks.losses()[0][:3])
    assert first < others[0] < others[1]


@pytest.mark.parametrize(("seats", "difficulty"), [(1, "poseidon"), (3, "none"), (5, "triton")])
def test_dealt_worlds_fit_what_was_seen(seats, difficulty):
    for state, watchers, ply in game(seats, 4, difficulty=difficulty):
        if not isinstance(ply.command, PlayCard | DiscardTwo | PayStart):
            continue
        seat = ply.seat
        view, memory = GAME.view(state, seat), Memory(watchers.seen(seat))
        voyages = Deals(view, memory, seat).deal(6, Dice(bytes(SEED_BYTES)))
        every = sorted(numbered(set(census(seats, state.options)) - {state.start_placed}))
        on_the_sea = [laid.number for laid in state.grid if laid is not None]
        for world in range(6):
            hands = voyages.hands[:, world]
            assert sorted(hands[seat][hands[seat] > 0]) == sorted(numbered(view.hands[seat]))
            assert [int((hand > 0).sum()) for hand in hands] == [*map(len, view.hands)]
            alive = [
                *hands[hands > 0],
                *(card for pile in voyages.piles for card in pile[world]),
            ]
            islands = [card for card in alive if card < EDGE]
            assert len({*islands}) == len(islands)
            assert {*islands} == {*np.flatnonzero(voyages.alive[world])}
            assert {*islands}.isdisjoint(on_the_sea)
            finishes = voyages.finishes[:, world].sum()
            assert alive.count(FINISH) + finishes == len(FINISHES)
            assert alive.count(START) <= every.count(START)
            discarded = ~voyages.open[seat, world]
            assert {*numbered(memory.discards[seat])} - {FINISH, START} <= {
                *np.flatnonzero(discarded)
            }
        assert voyages.discards[:, 0].tolist() == [*map(len, view.discards)]


def test_what_a_clock_discarded_for_a_seat_is_known_to_it():
    """Nobody is shown such a discard, but the seat saw its hand before and after."""
    options = GAME.Options()
    watchers = Watchers(GAME, 2, options)
    bots = by_bots(GAME, watchers, ["heuristic"] * 2, Chance(seed_of(3), BOT_DICE))
    compared = 0
    for state, ply in plies(GAME, 2, options, seed_of(3), bots):
        late = ply.version % 3 == 0 and ply.seat is not None
        watchers.watch(msgspec.structs.replace(ply, command=None) if late else ply)
        for seat in GAME.waiting(state):
            view, memory = GAME.view(state, seat), Memory(watchers.seen(seat))
            deals = Deals(view, memory, seat)
            assert sorted(deals.discarded) == sorted(state.discards[seat])
            compared += HIDDEN in memory.discards[seat]
            if state.phase == "action" and compared % 7 == 1:
                voyages = deals.deal(2, Dice(bytes(SEED_BYTES)))
                assert voyages.discards[:, 0].tolist() == [*map(len, view.discards)]
    assert compared > 10


def test_worlds_are_dealt_by_the_same_habits():
    """Of the cards that others hold or discarded, as many are dead as in worlds dealt singly."""
    positions = (
        (state, watchers)
        for state, watchers, ply in game(3, 6)
        if state.turn > 30 and isinstance(ply.command, DiscardTwo)
    )
    state, watchers = next(positions)
    seat = state.active
    view, seen = GAME.view(state, seat), watchers.seen(seat)
    dice = Chance(seed_of(1), 1)
    singly = [GAME.players.sample(view, seen, dice) for _ in range(400)]
    deals = Deals(view, Memory(seen), seat)
    cards = deals._cards(4000, Dice(bytes(SEED_BYTES)))
    dead = {*deals.islands[deals.dead].tolist()}
    groups = {
        HAND: [world.hands for world in singly],
        DISCARD: [world.discards for world in singly],
    }
    for kind, worlds in groups.items():
        places = (deals.kind == kind) & (deals.owner != seat)
        shown = cards[:, places]
        other = [
            card_number(card)
            for world in worlds
            for owner, hidden in enumerate(world)
            if owner != seat
            for card in hidden
        ]
        for wanted in (dead, {FINISH}, {START}):
            at_once_share = np.isin(shown, [*wanted]).mean()
            singly_share = np.isin(other, [*wanted]).mean()
            assert at_once_share == pytest.approx(singly_share, abs=0.03)
    assert not np.isin(cards[:, deals.kind == REMOVED], [FINISH, START]).any()
    assert np.isin(cards[:, deals.kind == PILE], [FINISH]).any()


def test_a_sea_that_cannot_be_filled_is_lost_at_once():
    state = table("1 2", "60 61", grid=full(first=10, without=(0, 1, 2)), start="start_1").state
    state.removed = [f"island_{number}" for number in range(3, 16)]
    voyages = voyages_of(state)
    voyages.drop_hopeless()
    assert len(voyages) == 0
    hopeful = voyages_of(
        table("1 2", "3 61", grid=state.grid, start="start_1", removed=state.removed[1:]).state
    )
    hopeful.drop_hopeless()
    assert len(hopeful) == 1


def test_the_last_card_and_a_finish_win():
    state = table("2 4 19 finish_1", "60 61", grid=full(without=(9,)), start="start_1").state
    assert play_on(voyages_of(state, copies=3), TUNED, lambda: None).all()
    lone = table("19", "60", grid=full(without=(9,)), start="start_1").state
    assert not play_on(voyages_of(lone), TUNED, lambda: None).any()


def looked(state, watchers, seat):
    view, seen = GAME.view(state, seat), watchers.seen(seat)
    return view, seen, GAME.legal(state, seat)


def test_games_played_at_once_are_won_as_often_as_one_by_one():
    shares = []
    for state, watchers, ply in game(2, 11, difficulty="poseidon"):
        late = state.grid.count(None) == 6 and isinstance(ply.command, PlayCard)
        if late or (isinstance(ply.command, PayStart) and ply.seat == state.active):
            view, seen, legal = looked(state, watchers, ply.seat)
            candidates = mind_of(view, seen).ranked(legal)[:2]
            fleet = at_once(view, seen, candidates, bytes(SEED_BYTES), lambda: None)
            quick = np.mean(fleet([0, 1], 1000), axis=1)
            worlds = Worlds(GAME, view, seen, Chance(seed_of(2), 0))
            trials = Trials(GAME, worlds, ply.seat, candidates)
            trials.extend([0, 1], 40)
            shares += [(one, trials.mean(at)) for at, one in enumerate(quick)]
    assert len(shares) >= 4
    for quick, slow in shares:
        assert quick == pytest.approx(slow, abs=0.25)
    assert np.mean(shares, axis=0)[0] == pytest.approx(np.mean(shares, axis=0)[1], abs=0.12)


def test_equal_knowledge_gives_equal_choices():
    state, watchers, ply = next(
        found for found in game(2, 2, difficulty="triton") if found[0].turn == 20
    )
    view, seen, legal = looked(state, watchers, ply.seat)
    chosen = [choose(GAME, view, seen, legal, 240, Chance(seed_of(9), 1)) for _ in range(2)]
    assert chosen[0] == chosen[1]
    assert chosen[0].command in legal
    assert chosen[0].playouts > 200


def test_looking_ahead_can_be_cancelled():
    state, watchers, ply = next(found for found in game(2, 2) if found[0].turn == 20)
    view, seen, legal = looked(state, watchers, ply.seat)
    calls = 0

    def cancelled():
        nonlocal calls
        calls += 1
        return calls > 5

    with pytest.raises(Cancelled):
        list(deliberate(GAME, view, seen, legal, 240, Chance(seed_of(9), 1), cancelled))


def test_other_tables_are_played_one_by_one():
    for options in ({"storms": True}, {"wilds": 1}, {"variant": "day_night"}):
        state = table("1 2 3 4 5", "6 7 8 9 10", **options).state
        seen = Seen(0, 2, state.options, ())
        legal = GAME.legal(state, 0)
        assert at_once(GAME.view(state, 0), seen, legal, bytes(SEED_BYTES), lambda: None) is None


def test_dice_are_numbers_between_0_and_1():
    drawn = Dice(bytes(SEED_BYTES)).uniform(300, 300)
    assert drawn.min() > 0
    assert drawn.max() < 1
    assert drawn.mean() == pytest.approx(0.5, abs=0.01)
    assert SURE < SPAN * SURE


FIRST_HINT = """
import sys
from games.playout import plies, seed_of, Watchers
from games.search import advise
from games.tranquility import GAME

options = GAME.Options()
watchers = Watchers(GAME, 2, options)
for state, ply in plies(GAME, 2, options, seed_of(2), lambda state, seat, legal: legal[0]):
    watchers.watch(ply)
    break
seat = state.active
hints = advise(GAME, GAME.view(state, seat), watchers.seen(seat), GAME.legal(state, seat), 160)
next(hints)
assert "numpy" not in sys.modules
next(hints)
assert "numpy" in sys.modules
"""


def test_a_first_hint_loads_no_arrays():
    """It is asked for in processes that answer at once."""
    subprocess.run([sys.executable, "-c", FIRST_HINT], check=True)
