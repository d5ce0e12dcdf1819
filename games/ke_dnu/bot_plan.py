"""How the bot spends its hand: what to buy or lay next, and which cards to throw for it."""

from collections.abc import Iterable, Sequence

import msgspec

from games.ke_dnu import commands
from games.ke_dnu.bot_actions import Outlook
from games.ke_dnu.cards import (
    ANCHOR,
    ASSISTANT,
    CARDS,
    FLAPPER,
    ICEBERG_CARD,
    RATS,
    ROSE,
    STOWAWAY,
)
from games.ke_dnu.commands import Command
from games.ke_dnu.ship import (
    HAND_LIMIT,
    TYPE,
    VALUE,
    WORTH,
    assistant_of,
    hosts,
    price,
    tariff,
)

LIKED = {
    "lifeboat": 3.0, "polka_dancer": 1.5, "steersman": 0.5, "tycoon": 2.0, "fisherman": 1.0,
    "seal": 2.0, "convict": 1.5, "teacher": 0.5, "lifeguard": 2.0, "priest": 1.5, "pirate": 1.0,
    "fanatic": 1.0, "singer": 1.0, "rose": 2.0, "burglar": 0.5, "lifebuoy": 0.5,
    "rats": -1.0, "anchor": -3.0, "drunkard": -1.5, "stoker": -1.5, "jack": -3.0,
    "flapper": -3.0, "proletarian": -1.0, "arbiter": -1.0, "captain": 0.0, "band": -1.5,
}  # fmt: skip
"""What the bot adds to a card's value when it buys or lays it."""
BUYING = 1.0
LAYING = {"voyage": 0.9, "sinking": 1.0}
LEAST_LAID = {"voyage": {1: 7, 2: 9, 3: 12}, "sinking": {1: 5, 2: 8, 3: 10}}
"""By phase and multiplier, the least value that is laid while there is time."""
KEPT = 0.28
"""Loss for each point of a card that could be kept, in the Voyage."""
SPARE = {1: 0.45, 2: 0.33, 3: 0.25}
"""By multiplier, what a point in the hand is worth in the Sinking."""
ICEBERG_ROUND = 9
"""Round of the Voyage from which the Iceberg is bought whenever it can be."""
ICEBERG_LEAD = 12
"""Lead on the boards with which it is bought earlier."""


class Goal(msgspec.Struct, frozen=True):
    """Something to spend points on."""

    command: Command
    cost: int
    gain: float
    keeps: str = ""
    """A hand card that can't be thrown for it."""


class Coin(msgspec.Struct, frozen=True):
    """A way to get points."""

    command: Command
    points: int
    loss: float


def next_step(outlook: Outlook, legal: Sequence[Command]) -> Command | None:
    """Give the next command of the best plan, or None."""
    best, step = 0.0, None
    window = last_window(outlook) if outlook.last_turn else None
    for goal in goals(outlook, window):
        paid = payment(coins(outlook, legal, goal, window), goal.cost - outlook.view.points)
        if paid is not None and goal.gain - paid[0] > best:
            best, step = goal.gain - paid[0], paid[1] or goal.command
    if step is not None and step in legal:
        return step
    thrown = [c for c in legal if isinstance(c, commands.Jettison) and worth_throwing(outlook, c)]
    return thrown[0] if thrown else None


def worth_throwing(outlook: Outlook, command: commands.Jettison) -> bool:
    """Tell whether a card gains by being thrown alone: Rose comes back, a Flapper copies an attack."""
    kind = TYPE[command.card]
    return kind == ROSE or (
        kind == FLAPPER
        and any(
            CARDS[place.card].copyable and CARDS[place.card].colour == "red"
            for seat in outlook.rivals
            for place in outlook.view.seats[seat].board
        )
    )


def goals(outlook: Outlook, window: Sequence[str] | None) -> Iterable[Goal]:
    """List what could be bought or laid."""
    view = outlook.view
    if window is not None:
        for card in window[:1]:
            if (command := lay(outlook, card)) is not None:
                yield Goal(command, price(outlook.board, card), 100.0, card)
        return
    if view.phase == "voyage":
        yield from purchases(outlook)
    times = min(tariff(outlook.board)[0], 3)
    for card in outlook.hand:
        value = VALUE[card]
        command = lay(outlook, card) if value >= LEAST_LAID[view.phase][times] else None
        if command is not None:
            gain = LAYING[view.phase] * value + LIKED.get(TYPE[card], 0.0)
            yield Goal(command, price(outlook.board, card), gain, card)


def purchases(outlook: Outlook) -> Iterable[Goal]:
    """List what the shop offers."""
    view = outlook.view
    for card in view.shop:
        cost = outlook.options.lifeboat_cost if TYPE[card] == "lifeboat" else VALUE[card]
        gain = BUYING * (VALUE[card] - 2) + LIKED.get(TYPE[card], 0.0)
        yield Goal(commands.Buy(card), cost, gain)
    if view.iceberg and wants_iceberg(outlook):
        yield Goal(commands.Buy(ICEBERG_CARD), CARDS[ICEBERG_CARD].printed_cost or 0, 50.0)


def wants_iceberg(outlook: Outlook) -> bool:
    """Tell whether to end the Voyage."""
    values = [sum(VALUE[place.card] for place in seat.board) for seat in outlook.view.seats]
    lead = values[outlook.me] - max(values[seat] for seat in outlook.rivals)
    return outlook.view.round >= ICEBERG_ROUND or lead >= ICEBERG_LEAD


def lay(outlook: Outlook, card: str) -> commands.Play | None:
    """Give the command that lays a card, if that is allowed and wanted."""
    kind = TYPE[card]
    view = outlook.view
    if kind in {RATS, STOWAWAY, ANCHOR} or card in view.locked or card in view.no_play:
        return None
    if kind == ASSISTANT:
        free = [host for host in hosts(outlook.board) if host != card]
        return commands.Play(card, host=max(free, key=VALUE.__getitem__)) if free else None
    return commands.Play(card)


def last_window(outlook: Outlook) -> list[str]:
    """Choose what to lay in the last turn, dearest first: the most value that the rest can pay."""
    cards = sorted(
        (card for card in outlook.hand if lay(outlook, card) is not None),
        key=lambda card: -VALUE[card],
    )
    rest = sum(WORTH[card] for card in outlook.hand) + outlook.view.points
    most: list[str] = []
    top = 0
    for first in range(len(cards)):
        chosen: list[str] = []
        cost = 0
        for card in cards[first:]:
            more = price(outlook.board, card, more=len(chosen))
            if cost + more + sum(WORTH[held] for held in (*chosen, card)) > rest:
                continue
            chosen.append(card)
            cost += more
        value = sum(VALUE[card] for card in chosen)
        if value > top:
            top, most = value, chosen
    return most


def coins(
    outlook: Outlook, legal: Sequence[Command], goal: Goal, window: Sequence[str] | None
) -> list[Coin]:
    """List the ways to get points that leave a goal's card alone."""
    kept = {goal.keeps, *(window or ())}
    found: list[Coin] = []
    dear = sorted(outlook.hand, key=lambda card: -WORTH[card])[:HAND_LIMIT]
    for command in legal:
        match command:
            case commands.Jettison(card=card) if card not in kept and WORTH[card]:
                found.append(Coin(command, WORTH[card], loss(outlook, card, dear)))
            case commands.Activate(card=card) if TYPE[card] == "convict":
                helper = assistant_of(outlook.board, card)
                found.append(Coin(command, 12 if helper else 6, 4.0 if helper else 3.0))
            case commands.JettisonPair(seal=seal, card=card) if kept.isdisjoint((seal, card)):
                if WORTH[card] > WORTH[seal] and card == dear[0]:
                    points = 2 * WORTH[card]
                    cost = loss(outlook, card, dear) + loss(outlook, seal, dear)
                    found = [c for c in found if not single(c.command, seal, card)]
                    found.append(Coin(command, points, cost))
            case _:
                pass
    return found


def single(command: Command, *cards: str) -> bool:
    """Tell whether a command throws one of the cards alone."""
    return isinstance(command, commands.Jettison) and command.card in cards


def loss(outlook: Outlook, card: str, dear: Sequence[str]) -> float:
    """Give what throwing a card loses."""
    if TYPE[card] == ROSE:
        return -2.0
    if outlook.last_turn:
        return 0.01 * VALUE[card]
    if outlook.sinking:
        return spare_points(outlook, card)
    return (KEPT if card in dear else 0.02) * WORTH[card]


def spare_points(outlook: Outlook, card: str) -> float:
    """Give what a hand card is worth in points of victory."""
    return SPARE[min(tariff(outlook.board)[0], 3)] * VALUE[card]


def payment(found: Sequence[Coin], need: int) -> tuple[float, Command | None] | None:
    """Find the cheapest coins for a need: their loss, and the first to use; None if they fall short."""
    if need <= 0:
        return 0.0, None
    ways: dict[int, tuple[float, Command | None]] = {0: (0.0, None)}
    for coin in found:
        for points, (lost, first) in list(ways.items()):
            reached = min(need, points + coin.points)
            way = (lost + coin.loss, first or coin.command)
            if reached not in ways or way[0] < ways[reached][0]:
                ways[reached] = way
    return ways.get(need)
