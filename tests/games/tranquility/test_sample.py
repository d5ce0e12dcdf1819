"""Sampled worlds fit what their viewer knows."""

import pytest

from games.chance import Chance
from games.game import Seen, SeenRecord
from games.playout import Watchers, at_random, plies, seed_of
from games.tranquility import GAME
from games.tranquility.commands import DiscardTwo, PlayFinish
from games.tranquility.components import IS_FINISH, IS_MONSTER, IS_START, NUMBER
from games.tranquility.events import CardsDrawn, FinishBlocked, StartPlaced
from games.tranquility.players.blueprint import BLUEPRINT
from games.tranquility.players.habits import dead_numbers
from games.tranquility.setup import census
from tests.games.tranquility.table import full, table

DICE = Chance(seed_of(3), 8)


def positions(seats, seed, **options):
    """Yield every position of a random playout, with everything that each viewer saw."""
    options = GAME.Options(**options)
    watchers = Watchers(GAME, seats, options)
    for state, ply in plies(
        GAME, seats, options, seed_of(seed), at_random(Chance(seed_of(seed), 9))
    ):
        watchers.watch(ply)
        yield state, watchers


def worlds(state, watchers, viewer, count=4):
    view = GAME.view(state, viewer)
    return [GAME.players.sample(view, watchers.seen(viewer), DICE) for _ in range(count)]


def test_own_discards_are_remembered_and_others_are_not():
    for state, watchers in positions(2, 1):
        if state.turn == 8:
            for world in worlds(state, watchers, 0):
                assert world.discards[0] == state.discards[0]
                assert len(world.discards[1]) == len(state.discards[1])
            assert len({tuple(world.discards[1]) for world in worlds(state, watchers, 0)}) > 1
            return


@pytest.mark.rule("TRA-22")
def test_while_none_lies_a_start_is_in_its_pile_or_came_with_the_last_draw():
    for state, watchers in positions(3, 4):
        if state.start_placed or state.phase != "action" or state.result is not None:
            continue
        just_drew = (state.active - 1) % 3
        for world in worlds(state, watchers, just_drew, 2):
            for seat in range(3):
                start = f"start_{seat + 1}"
                assert start in (*world.piles[seat], *world.hands[seat])
                if seat not in (state.active, (state.active + 1) % 3, just_drew):
                    assert start in world.piles[seat] or world.hands[seat] == state.hands[seat]


def test_monsters_and_storms_lie_where_they_may():
    for state, watchers in positions(2, 5, storms=True, monsters=5, wilds=2):
        if state.turn % 5 or state.result is not None:
            continue
        for world in worlds(state, watchers, None, 2):
            for seat in range(2):
                open_discards = set(world.discards[seat]) - set(world.blind[seat])
                assert IS_MONSTER.isdisjoint(open_discards)
                assert not any(card.startswith("storm") for card in world.hands[seat])
                assert (
                    IS_START.isdisjoint(world.piles[seat])
                    or f"start_{seat + 1}" in world.piles[seat]
                )
            assert all(card.startswith("island") for card in world.removed)


def shown(state, viewer, events):
    return tuple(GAME.redact(event, viewer, state) for event in events)


@pytest.mark.rule("TRA-45")
def test_who_announced_a_monster_holds_one_in_every_world():
    hands = ["finish_1 10 20 22 24", "monster_1 30 32 34 36", "40 50 52 54 56"]
    given = table(*hands, grid=full(), start="start_1", monsters=3)
    state = given.state
    lying = {laid.card for laid in state.grid} | {card for hand in state.hands for card in hand}
    rest = [card for card in census(3, state.options) if card not in {*lying, "start_1"}]
    state.piles = [[card for card in rest if card not in IS_START], ["start_2"], ["start_3"]]
    drawn = [CardsDrawn(seat, tuple(hand), len(hand)) for seat, hand in enumerate(state.hands)]
    records = [SeenRecord(1, None, None, shown(state, 0, [*drawn, StartPlaced(0, "start_1")]))]
    events = given.when(0, PlayFinish("finish_1")).events
    assert events[0] == FinishBlocked(0, (1,))
    records.append(SeenRecord(2, 0, PlayFinish("finish_1"), shown(state, 0, events)))
    view = GAME.view(state, 0)
    for _ in range(20):
        world = GAME.players.sample(view, Seen(0, 3, state.options, records), DICE)
        assert GAME.view(world, 0) == view
        assert not IS_MONSTER.isdisjoint(world.hands[1])
        assert IS_MONSTER.isdisjoint(world.hands[2])


def test_a_discard_by_the_clock_is_placed_among_what_was_drawn():
    """A default is no command of the seat: its discards follow from the cards it has lost."""
    options = GAME.Options()
    state = GAME.initial(2, options)
    records = []
    version = 0

    def see(seat, command, events):
        nonlocal version
        shown = []
        for event in events:
            GAME.apply(state, event)
            shown.append(GAME.redact(event, 0, state))
        version += 1
        records.append(SeenRecord(version, seat, command, tuple(shown)))

    see(None, None, GAME.setup(2, options, Chance(seed_of(2), 1)))
    for turn in range(8):
        (seat,) = GAME.waiting(state)
        command = DiscardTwo(tuple(state.hands[seat][:2]))
        if GAME.legal(state, seat)[0].__class__.__name__ == "PlayStart":
            break
        see(None, None, GAME.decide(state, seat, command, Chance(seed_of(2), 2 + turn)))
    view = GAME.view(state, 0)
    for _ in range(10):
        world = GAME.players.sample(view, Seen(0, 2, options, records), DICE)
        assert sorted(world.discards[0]) == sorted(state.discards[0])
        assert GAME.view(world, 0) == view


def test_sampled_hands_and_discards_look_like_those_of_a_crew_that_keeps_what_it_needs():
    zones = {"hands": [0, 0, 0, 0], "discards": [0, 0, 0, 0]}
    dice = Chance(seed_of(3), 9)
    for seed in range(20):
        options = GAME.Options()
        watchers = Watchers(GAME, 2, options)

        def choose(state, seat, _, seed=seed):
            return BLUEPRINT.policy(state, seat, Chance(seed_of(seed), 9))

        for state, ply in plies(GAME, 2, options, seed_of(seed), choose):
            watchers.watch(ply)
            if state.turn % 6 or state.result is not None:
                continue
            dead = dead_numbers([0 if laid is None else laid.number for laid in state.grid])
            world = GAME.players.sample(GAME.view(state, 0), watchers.seen(0), dice)
            for zone, counts in zones.items():
                for at, cards in enumerate((getattr(state, zone)[1], getattr(world, zone)[1])):
                    counts[at] += sum(NUMBER.get(card) in dead for card in cards)
                    counts[2 + at] += sum(card in IS_FINISH for card in cards)
    for dead, dealt_dead, finishes, dealt_finishes in zones.values():
        assert dealt_dead == pytest.approx(dead, rel=0.2)
        assert dealt_finishes == pytest.approx(finishes, rel=0.3)
