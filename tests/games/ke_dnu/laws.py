"""Ke dnu's part of the laws that hold for all games."""

from collections.abc import Iterable, Sequence
from itertools import permutations
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from games.chance import Chance
from games.ke_dnu import GAME
from games.ke_dnu.commands import (
    Activate,
    Buy,
    ChooseCard,
    Claim,
    DiscardAnchor,
    DiscardDown,
    Draw,
    EndTurn,
    Jettison,
    JettisonPair,
    Maid,
    Pass,
    PlaceStory,
    Play,
    React,
    RearrangeTop,
    Tycoon,
    UseFlapper,
)
from games.ke_dnu.components import CARDS, by_value
from games.ke_dnu.legal import payment
from games.ke_dnu.model import State, StoryFrame
from games.ke_dnu.rules.choices import Use, zone_of
from games.ke_dnu.rules.laying import claim_price
from games.ke_dnu.rules.ships import best_worth, free_cards, others, sight, times
from games.ke_dnu.setup import census as cards_of
from games.ke_dnu.view import hand_in_sight
from games.playout import Ply
from games.testing.laws import Laws

TABLES: Sequence[tuple[int, dict[str, Any]]] = (
    (2, {}),
    (3, {}),
    (4, {}),
    (2, {"first_seat": "1", "include_singer": True, "lifeboat_cost": 1}),
    (3, {"arbiter_mode": "hand", "readied_limit": False, "first_seat": "2", "house": "classic"}),
    (4, {"no_reactions": True, "voyage_round_limit": 5, "sinking_round_limit": 10}),
    (2, {"exclude_types": ["lifeboat", "rats", "torpedo"], "voyage_round_limit": 40}),
    (3, {"turn_seconds": 30, "window_seconds": 5, "sinking_round_limit": 60, "house": "balanced"}),
)
RECORDS_MAX = 3000


def census(state: State) -> list[str]:
    """List all cards of all zones."""
    zones = (*state.deck, *state.hand, *state.water, *state.gone)
    cards = [card for zone in zones for card in zone]
    cards += [*state.shop, *state.shop_deck, *state.removed, *state.unused]
    cards += [place.card for board in state.board for place in board]
    cards += [f.card for f in state.stack if isinstance(f, StoryFrame) and f.card]
    if state.iceberg:
        cards.append("iceberg_1")
    return sorted(cards)


def twins(state: State, viewer: int | None, chance: Chance) -> Iterable[State]:
    """Yield states with other deck orders; with an empty stack, with other hands too."""
    if state.phase == "over":
        return
    for _ in range(2):
        twin = state.copy()
        chance.shuffle(twin.shop_deck)
        for seat in range(len(twin.deck)):
            remix(twin, seat, viewer, chance)
        yield twin


def remix(twin: State, seat: int, viewer: int | None, chance: Chance) -> None:
    """Mix the cards of a seat's deck and hand that the viewer cannot see."""
    hand, deck = twin.hand[seat], twin.deck[seat]
    seen = sight(twin.board[seat]) if seat == viewer else 0
    rest = deck[seen:]
    if seat != viewer and not twin.stack and not hand_in_sight(twin, seat, viewer):
        rest += hand
        chance.shuffle(rest)
        twin.hand[seat] = sorted(rest[: len(hand)])
        del rest[: len(hand)]
    chance.shuffle(rest)
    twin.deck[seat] = deck[:seen] + rest


def rehistory(plies: Sequence[Ply], viewer: int | None, chance: Chance) -> Sequence[Ply] | None:
    """Exchange two cards that the viewer cannot tell apart, starting at a hidden order."""
    tape = Tape(plies, viewer)
    for _ in range(40):
        start, order = chance.choice(tape.orders)
        one, two = chance.sample(order, 2)
        if (events := tape.exchanged(start, one, two)) is not None:
            return [Ply(p.version, p.seat, c, e) for p, (c, e) in zip(plies, events, strict=True)]
    return None


class Tape:
    """A playout as rows of encoded commands and events, each with what the viewer sees after it.

    That is the view: what `redact` shows is on trial here.
    """

    def __init__(self, plies: Sequence[Ply], viewer: int | None) -> None:
        state = GAME.initial(len(plies[0].events[0].decks), GAME.Options())
        self.plies = plies
        self.rows: list[tuple[int, str, str]] = []
        """Ply, encoded command or event, and the viewer's own command or view."""
        self.hands: list[list[list[str]]] = []
        self.orders: list[tuple[int, Sequence[str]]] = []
        for at, ply in enumerate(plies):
            command = encode(ply.command)
            self.row(at, command, command if ply.seat == viewer else "", state)
            for event in ply.events:
                GAME.apply(state, event)
                orders = [order for order in orders_of(event) if len(order) > 1]
                self.orders += [(len(self.rows), order) for order in orders]
                self.row(at, encode(event), encode(GAME.view(state, viewer)), state)

    def row(self, at: int, text: str, shown: str, state: State) -> None:
        self.rows.append((at, text, shown))
        self.hands.append([hand[:] for hand in state.hand])

    def exchanged(self, start: int, one: str, two: str) -> list[tuple[Any, list[Any]]] | None:
        """Exchange two cards, starting at a row, until both are in one hand or the playout ends."""
        a, b = f'"{one}"', f'"{two}"'
        texts = [text for _, text, _ in self.rows]
        for at in range(start, len(self.rows)):
            _, text, shown = self.rows[at]
            if a in shown or b in shown:
                return None
            texts[at] = text.replace(a, '"%"').replace(b, a).replace('"%"', b)
            if any(one in hand and two in hand for hand in self.hands[at]):
                break
        plies: list[tuple[Any, list[Any]]] = [(ply.command, []) for ply in self.plies]
        first = True
        last = -1
        for (ply, _, _), text in zip(self.rows, texts, strict=True):
            first, last = ply != last, ply
            if first:
                command = msgspec.json.decode(text, type=GAME.Command | None)
                plies[ply] = (command, plies[ply][1])
            else:
                plies[ply][1].append(msgspec.json.decode(text, type=GAME.Event))
        return plies


def encode(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def orders_of(event: Any) -> list[Sequence[str]]:
    """List the hidden orders in an event."""
    match type(event).__name__:
        case "Dealt":
            return [*event.decks, event.shop_deck]
        case "SinkingStarted":
            return [(*d, *h) for d, h in zip(event.decks, event.hands, strict=True)]
        case "WaterShuffled" | "DeckShuffled":
            return [event.order]
        case _:
            return []


def canonical(state: State, seat: int, command: Any) -> Any:
    """Return the member of a command's family that is listed."""
    match command:
        case Activate(card=card) if any(p.card == card for p in state.board[seat]):
            use = Use(seat, card, times(state.board[seat], card))
            return listed_choice(state, use, command)
        case UseFlapper(source=card):
            return listed_choice(state, Use(seat, card, 1), command)
        case React(cards=cards, positions=positions):
            zones = [[p.card for p in state.board[seat]], state.hand[seat]]
            for zone in zones:
                if cards and set(cards) <= set(zone):
                    cards = tuple(sorted(cards, key=zone.index))
            size = len(state.deck[seat])
            if len(set(positions)) == len(positions) and all(0 <= p < size for p in positions):
                run = tuple(
                    range(min(positions, default=0), min(positions, default=0) + len(positions))
                )
                positions = run if run == tuple(sorted(positions)) else tuple(range(len(positions)))
            return replace(command, cards=cards, positions=positions)
        case Claim(card=card, pay=pay):
            free = free_cards(state, seat)
            payable = len(set(pay)) == len(pay) and set(pay) <= set(free)
            if payable and best_worth(pay) >= claim_price(state, seat, card, pay):
                return replace(command, pay=payment(state, seat, card) or ())
            return command
        case _:
            return command


def listed_choice(state: State, use: Use, command: Any) -> Any:
    """Return a command with lists in zone order and the representative of a large family."""
    return replace(
        command,
        cards=listed_cards(state, use, command.cards),
        victims=listed_victims(state, use, command.victims),
    )


def listed_cards(state: State, use: Use, cards: tuple[str, ...]) -> tuple[str, ...]:
    pick = use.kind.pick
    if pick is None or len(set(cards)) < len(cards):
        return cards
    zone = zone_of(state, use.seat, pick)
    if not set(cards) <= set(zone):
        return cards
    cards = tuple(sorted(cards, key=zone.index))
    if pick.any and len(cards) > 1:
        return tuple(zone)
    most = min(pick.count * use.times, len(zone))
    if pick.count > 1 and pick.count < len(cards) <= most:
        lowest = sorted(zone, key=by_value)[:most]
        return tuple(card for card in zone if card in lowest)
    return cards


def listed_victims(state: State, use: Use, victims: tuple[str, ...]) -> tuple[str, ...]:
    reach = use.kind.reach
    if reach is None or reach.zone == "deck" or len(set(victims)) < len(victims):
        return victims
    zones = [
        state.hand[seat] if reach.zone == "hand" else [p.card for p in state.board[seat]]
        for seat in others(state, use.seat)
    ]
    order = [card for zone in zones for card in zone]
    if not set(victims) <= set(order):
        return victims
    victims = tuple(sorted(victims, key=order.index))
    if reach.whom != "each":
        return victims
    parts = [tuple(card for card in victims if card in zone) for zone in zones]
    counts = [min(use.times, len(zone)) for zone in zones]
    if [len(part) for part in parts] != counts:
        return victims
    firsts = [tuple(zone[:count]) for zone, count in zip(zones, counts, strict=True)]
    differing = sum(part != first for part, first in zip(parts, firsts, strict=True))
    return victims if differing <= 1 else sum(firsts, ())


def probes(state: State, seat: int, chance: Chance) -> Iterable[Any]:
    """Yield random commands of every type with cards that might fit, in any order and number."""
    match = sorted(cards_of(len(state.status), state.options))
    own = [p.card for p in state.board[seat]]
    theirs = [p.card for s, b in enumerate(state.board) if s != seat for p in b]
    hands = [card for hand in state.hand for card in hand]
    near = [*state.hand[seat], *own, *theirs, *state.water[seat][-6:], *state.shop]

    def card(*pools: list[str]) -> str:
        pool = [c for p in pools for c in p] or match
        return chance.choice(pool if chance.randbelow(8) else match)

    def some(*pools: list[str]) -> tuple[str, ...]:
        pool = [c for p in pools for c in p]
        return tuple(chance.sample(pool, chance.randbelow(min(4, len(pool)) + 1)))

    def target() -> int:
        return chance.randbelow(len(state.status) + 1) - 1

    def host() -> str:
        return card(own, theirs) if chance.randbelow(3) == 0 else ""

    hand = state.hand[seat]
    yield from (Draw(), EndTurn(), Pass(), Tycoon(target()))
    for _ in range(3):
        yield Jettison(card(hand))
        yield JettisonPair(card(hand), card(hand))
        yield Buy(card(state.shop, ["iceberg_1"]))
        yield Play(card(hand), target() if chance.randbelow(3) == 0 else -1, host())
        yield Maid(card(hand))
        yield DiscardDown(card(hand))
        yield DiscardAnchor(card(own))
        yield RearrangeTop(chance.randbelow(9) - 1, chance.randbelow(9) - 1)
        yield ChooseCard(card(hand, own))
        yield PlaceStory(chance.choice(("board", "deck")), host())
        yield React(card(own), some(own, hand), ())
        yield React(card(own), (), tuple(chance.sample(range(6), chance.randbelow(4))))
        offered = [c for f in state.stack for c in getattr(f, "cards", ())]
        yield Claim(card(offered, near), some(hand), host())
        yield Activate(card(own), -1, some(hand, own), some(theirs), "")
    yield from effect_probes(state, seat, chance, own, theirs, hands)


def effect_probes(
    state: State, seat: int, chance: Chance, own: list[str], theirs: list[str], hands: list[str]
) -> Iterable[Any]:
    """Yield choices that might fit each card that could act."""
    sources = [card for card in [*own, *theirs] if CARDS[card].acts]
    for source in sources[:6]:
        kind = CARDS[source]
        pool = zone_of(state, seat, kind.pick) if kind.pick else []
        zone = hands if kind.reach and kind.reach.zone == "hand" else theirs
        for _ in range(3):
            cards = tuple(chance.sample(pool, chance.randbelow(min(5, len(pool)) + 1)))
            victims = tuple(chance.sample(zone, chance.randbelow(min(3, len(zone)) + 1)))
            target = chance.randbelow(len(state.status) + 1) - 1
            aim = target if kind.reach and kind.reach.whom == "target" else -1
            if kind.reach is None or kind.reach.zone == "deck":
                victims = ()
            host = chance.choice(own) if own and chance.randbelow(6) == 0 else ""
            yield Activate(source, aim, cards, victims, host)
            yield UseFlapper(source, aim, cards, victims)
        for order in list(permutations(pool[:3], 2))[:3]:
            yield Activate(source, -1, order)


LAWS = Laws(
    tables=TABLES,
    records_max=RECORDS_MAX,
    perft=Path(__file__).with_name("perft.toml"),
    census=census,
    twins=twins,
    rehistory=rehistory,
    canonical=canonical,
    probes=probes,
)
