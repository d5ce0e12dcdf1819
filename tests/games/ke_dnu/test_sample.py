"""Sampled worlds fit everything that a viewer has seen and never exclude the true world."""

from typing import Any

from games.chance import Chance
from games.game import Seen, SeenRecord
from games.ke_dnu import GAME
from games.ke_dnu.commands import Activate, Buy, Draw, EndTurn, Jettison, Pass, Play, RearrangeTop
from games.ke_dnu.components import CARDS
from games.ke_dnu.model import State
from games.ke_dnu.players.knowledge import Knowledge
from games.playout import Watchers, plies, seed_of
from tests.games.ke_dnu.laws import census
from tests.games.ke_dnu.table import Table

WEIGHTS = {Pass: 1, EndTurn: 1, RearrangeTop: 1, Jettison: 4, Buy: 20, Play: 30, Activate: 20}


def eager(dice: Chance):
    """Prefer to buy, lay and act, so that hands and decks get mixed."""

    def choose(state: State, _seat: int, legal: Any) -> Any:
        weights = [
            0 if isinstance(c, Buy) and c.card == "iceberg_1" else WEIGHTS.get(type(c), 8)
            for c in legal
        ]
        draw = dice.randbelow(sum(weights))
        for command, weight in zip(legal, weights, strict=True):
            draw -= weight
            if draw < 0:
                return command
        raise AssertionError

    return choose


def playout(seed: int, seats: int):
    """Yield the states of a playout with what every viewer has seen so far."""
    options = GAME.Options(voyage_round_limit=7)
    watchers = Watchers(GAME, seats, options)
    dice = Chance(seed_of(seed), 1 << 44)
    for state, ply in plies(GAME, seats, options, seed_of(seed), eager(dice)):
        watchers.watch(ply)
        yield state, watchers, ply


def test_a_world_gives_its_viewer_the_same_view_and_commands():
    dice = Chance(seed_of(1), 1)
    for seed in range(4):
        seats = 2 + seed % 3
        for state, watchers, ply in playout(seed, seats):
            if ply.version % 23 and not (state.stack and ply.version % 3 == 0):
                continue
            for viewer in (*range(seats), None):
                world = GAME.players.sample(GAME.view(state, viewer), watchers.seen(viewer), dice)
                assert GAME.view(world, viewer) == GAME.view(state, viewer)
                assert census(world) == census(state)
                if viewer is not None:
                    assert GAME.legal(world, viewer) == GAME.legal(state, viewer)


def test_the_true_world_is_never_excluded():
    """Every card lies in a slot that may be it, and every named card is the true one."""
    for seed in range(3):
        seats = 2 + seed
        for state, watchers, ply in playout(seed + 10, seats):
            if ply.version % 19 or state.phase == "over":
                continue
            for viewer in (*range(seats), None):
                knowledge = Knowledge(seats, watchers.seen(viewer).options)
                for record in watchers.seen(viewer).records:
                    for event in record.events:
                        knowledge.see(event)
                for seat in range(seats):
                    for place, card in zip(
                        knowledge.state.deck[seat], state.deck[seat], strict=True
                    ):
                        assert fits(knowledge, place, card)
                    assert matched(knowledge, knowledge.state.hand[seat], state.hand[seat])


def fits(knowledge: Knowledge, place: str, card: str) -> bool:
    return knowledge.may_be(place, card) if knowledge.is_slot(place) else place == card


def matched(knowledge: Knowledge, places: list[str], cards: list[str]) -> bool:
    """Return whether the cards can be dealt to the places (augmenting paths)."""
    holder: dict[str, str] = {}

    def seat(place: str, tried: set[str]) -> bool:
        for card in cards:
            if card not in tried and fits(knowledge, place, card):
                tried.add(card)
                if card not in holder or seat(holder[card], tried):
                    holder[card] = place
                    return True
        return False

    return all(seat(place, set()) for place in places)


def seen_of(state: State, viewer: int, events: list[Any]) -> Seen:
    """Return a viewer's records from the set-up to a state."""
    return Seen(
        viewer, len(state.status), state.options, [SeenRecord(1, None, None, tuple(events))]
    )


def test_worlds_differ_where_the_viewer_knows_nothing():
    options = GAME.Options()
    state = GAME.initial(2, options)
    records: list[Any] = []
    for event in GAME.setup(2, options, Chance(seed_of(2), 1)):
        GAME.apply(state, event)
        records.append(GAME.redact(event, 0, state))
    p = Table(state)
    while state.active == 0:
        then = p.when(0, p.legal(0)[-1] if state.step == "main" else Draw())
        records += [GAME.redact(event, 0, state) for event in then.events]
    worlds = [
        GAME.players.sample(GAME.view(state, 0), seen_of(state, 0, records), Chance(seed_of(3), at))
        for at in range(20)
    ]
    assert len({tuple(world.deck[1]) for world in worlds}) > 15
    assert len({tuple(world.shop_deck) for world in worlds}) == 20
    assert len({tuple(world.hand[0]) for world in worlds}) == 1
    own = {"baby_1", "baby_2", *(f"passenger_{n}" for n in range(1, 9))}
    for world in worlds:
        assert {*world.deck[0], *world.hand[0], *world.water[0]} <= own
        assert not {CARDS[card].id for card in world.deck[1]} - {"passenger", "baby"}
