"""The laws of all games, applied to Tranquility."""

from itertools import product
from pathlib import Path

import msgspec

from games.playout import Ply
from games.testing.laws import Laws
from games.tranquility import GAME
from games.tranquility.commands import (
    DiscardHand,
    DiscardTwo,
    EndTurn,
    FeedMonster,
    FlipCard,
    KeepRocks,
    LetPass,
    MoveRocks,
    PayStart,
    PlaceStorm,
    PlayCard,
    PlayFinish,
    PlayMonster,
    PlayStart,
    Pledge,
    SetRocks,
    ShedToLimit,
    TakeCards,
    UseCompass,
)
from games.tranquility.components import (
    CARDS,
    IS_MONSTER,
    IS_START,
    IS_STORM,
    NUMBER,
    RANK,
    STARTS,
    STORMS,
    rank,
)

TABLES = [
    (1, {}),
    (2, {"difficulty": "galatea", "memory_aid": True}),
    (3, {"confirm_draw": True, "communication": "open"}),
    (4, {"difficulty": "triton", "abandon": "lose"}),
    (5, {"difficulty": "leucothea", "first_player": "random"}),
    (1, {"rocks": True, "monsters": 3, "storms": True, "wilds": 3}),
    (2, {"rocks": True, "monsters": 5, "storms": True, "wilds": 2, "confirm_draw": True}),
    (3, {"storms": True, "difficulty": "poseidon", "hints": "off"}),
    (4, {"storms": True, "rocks": True, "monsters": 4, "memory_aid": True}),
    (5, {"storms": True, "wilds": 1, "house": "classic"}),
    (2, {"rocks": True}),
    (3, {"monsters": 4}),
    (2, {"variant": "high_arch", "monsters": 5, "wilds": 1, "difficulty": "amphitrite"}),
    (4, {"variant": "high_arch"}),
    (1, {"variant": "pyramid", "wilds": 2}),
    (3, {"variant": "pyramid", "confirm_draw": True}),
    (5, {"variant": "pyramid"}),
    (2, {"variant": "day_night", "rocks": True, "monsters": 3, "storms": True, "wilds": 1}),
    (3, {"variant": "day_night", "turn_seconds": 0, "pledge_seconds": 0, "reaction_seconds": 0}),
    (2, {"variant": "competitive"}),
    (2, {"variant": "competitive", "difficulty": "poseidon", "house": "balanced"}),
]


def census(state):
    """List all cards, wherever they are."""
    cards = [
        card
        for group in (state.hands, state.piles, state.discards)
        for pile in group
        for card in pile
    ]
    cards += [card for compasses in state.compasses for card in compasses]
    cards += [laid.card for laid in state.grid if laid is not None]
    cards += [*state.removed, *state.out, *state.compass_supply, *state.explore, *state.deck]
    cards += [*state.row, *(storm.card for storm in state.storms)]
    cards += filter(None, (state.start_placed, state.finish_placed, state.revealed))
    if state.pending_storm is not None:
        cards.append(state.pending_storm.card)
    if state.rocks_row >= 0 or state.rocks_done:
        cards.append("rocks")
    if state.turn == 0 and IS_START.isdisjoint(cards):
        cards += STARTS[: state.players]
    return sorted(cards, key=rank)


def twins(state, viewer, chance):
    """Yield tables with exchanged hidden cards, in which seats can act and pay as before."""
    if state.result is not None:
        return
    for _ in range(2):
        twin = state.copy()
        places = list(_hidden_places(twin, viewer))
        for _ in range(3 * len(places)):
            _exchange(twin, chance.choice(places), chance.choice(places))
        for hand in twin.hands:
            hand.sort(key=rank)
        if twin.options.memory_aid and viewer is not None:
            twin.blind = [cards[:] for cards in state.blind]
        yield twin


def _hidden_places(state, viewer):
    for seat in range(state.players):
        hand = state.hands[seat]
        if seat != viewer and len(hand) > 2:
            yield from ((hand, at, "hand", seat) for at in range(len(hand)))
        yield from ((state.piles[seat], at, "pile", seat) for at in range(len(state.piles[seat])))
        if seat != viewer and not state.blind[seat]:
            discards = state.discards[seat]
            yield from ((discards, at, "discard", seat) for at in range(len(discards)))
    for cards, kind in (
        (state.removed, "removed"),
        (state.explore, "explore"),
        (state.deck, "deck"),
    ):
        yield from ((cards, at, kind, -1) for at in range(len(cards)))


def _exchange(state, one, other):
    if _fits(one, other) and _fits(other, one):
        (a, i, *_), (b, j, *_) = one, other
        a[i], b[j] = b[j], a[i]


def _fits(source, target):
    """Return whether the card at `source` may lie at `target`."""
    cards, at, kind, seat = source
    _, _, other, holder = target
    card = cards[at]
    if kind == "explore" or other == "explore":
        return kind == other
    if card in NUMBER:
        return True
    if card in IS_START:
        return seat == holder and kind == other == "pile"
    if card in IS_STORM:
        return other == "pile"
    if card in IS_MONSTER:
        return other == "pile" or (other == "hand" and len(target[0]) > 4)
    return other in ("pile", "hand", "discard")


def rehistory(plies, viewer, chance):
    """Return the plies with two islands exchanged that the viewer never saw."""
    met = _met(plies, viewer)
    hidden = [card for card in NUMBER if f'"{card}"' not in met]
    if len(hidden) < 2:
        return None
    a, b = chance.sample(hidden, 2)
    return [
        Ply(
            ply.version,
            ply.seat,
            _renamed(ply.command, a, b, GAME.Command) if ply.seat is not None else None,
            [_renamed(event, a, b, GAME.Event) for event in ply.events],
        )
        for ply in plies
    ]


def _met(plies, viewer):
    """Return what the viewer's views showed before the end, as JSON.

    Not the viewer's records: what `redact` shows is on trial here.
    """
    state = GAME.initial(plies[0].events[0].players, _options_of(plies))
    views = []
    for ply in plies:
        for event in ply.events:
            GAME.apply(state, event)
            if state.result is None:
                views.append(msgspec.json.encode(GAME.view(state, viewer)))
    return b"".join(views).decode()


def _options_of(plies):
    """Return options under which the plies fold to the same states."""
    dealt = plies[0].events[0]
    events = [event for ply in plies for event in ply.events]
    kinds = {type(event).__name__ for event in events}
    variant = "standard"
    if dealt.hands:
        variant = "competitive"
    elif dealt.explore:
        variant = "pyramid"
    elif any(getattr(event, "side", "") for event in events):
        variant = "day_night"
    elif any(getattr(event, "cell", (0, 0))[1] == 6 for event in events):
        variant = "high_arch"
    storms = any(card in IS_STORM for pile in dealt.piles for card in pile)
    return GAME.Options(
        variant=variant, storms=storms or ("StormDrawn" in kinds and not dealt.explore)
    )


def _renamed(value, a, b, kind):
    text = msgspec.json.encode(value).decode()
    text = text.replace(f'"{a}"', '"#"').replace(f'"{b}"', f'"{a}"').replace('"#"', f'"{b}"')
    return msgspec.json.decode(text, type=kind)


def canonical(state, seat, command):
    """Return the command with its cards sorted: any order is legal, but only one is listed."""
    for name in ("cards", "discards"):
        cards = getattr(command, name, ())
        if cards and isinstance(command, TakeCards):
            if all(card in state.row for card in cards):
                cards = sorted(cards, key=state.row.index)
        elif cards:
            cards = sorted(cards, key=lambda card: RANK.get(card, -1))
        if cards:
            command = msgspec.structs.replace(command, **{name: tuple(cards)})
    return command


def probes(state, seat, chance):
    """Yield commands of every kind with own, foreign and unknown cards."""
    hand = state.hands[seat]
    foreign = [chance.choice(CARDS), "island_99", "?"]
    cells = [(column, row) for column, row in product(range(-1, 7), range(-1, 8))]
    for _ in range(12):
        cards = chance.sample([*hand, chance.choice(foreign)], min(len(hand) + 1, 6))
        some = tuple(cards[1 : 1 + chance.randbelow(5)])
        as_ = chance.choice((0, 0, 0, chance.randbelow(83)))
        yield PlayCard(cards[0], chance.choice(cells), some, as_)
        yield FlipCard(chance.choice(cells), cards[0])
        yield PlayMonster(cards[0], chance.choice(cells))
        yield PlayStart(cards[0])
        yield PlayFinish(cards[0])
        yield DiscardTwo(tuple(cards[:2]), turn_hands=chance.randbelow(3) == 0)
        yield DiscardTwo((cards[0], cards[0]))
        yield PayStart(some)
        yield KeepRocks(tuple(cards[:2]))
        yield ShedToLimit(some)
        yield TakeCards(tuple(chance.sample(state.row, min(len(state.row), chance.randbelow(6)))))
        yield UseCompass(chance.choice([*cards, "compass_1", "compass_2"]), chance.choice(STORMS))
        yield Pledge(chance.randbelow(11) - 1, from_deck=chance.randbelow(2) == 0)
        yield MoveRocks(chance.randbelow(9) - 1)
        yield SetRocks(chance.randbelow(9) - 1)
        yield PlaceStorm(chance.randbelow(9) - 1)
        yield FeedMonster(chance.choice(cells))
    yield from (DiscardHand(), LetPass(), EndTurn())


LAWS = Laws(
    tables=TABLES,
    records_max=700,
    perft=Path(__file__).with_name("perft.toml"),
    census=census,
    twins=twins,
    rehistory=rehistory,
    canonical=canonical,
    probes=probes,
)
