"""How the bot spends its hand: what to buy or lay next, and which cards to jettison for it."""

from collections.abc import Iterable, Sequence
from operator import itemgetter

import msgspec

from games.ke_dnu import commands
from games.ke_dnu.commands import Command
from games.ke_dnu.components import (
    ANCHOR,
    ASSISTANT,
    CARDS,
    FLAPPER,
    ICEBERG_CARD,
    RATS,
    ROSE,
    STOWAWAY,
    TYPE,
    VALUE,
    WORTH,
)
from games.ke_dnu.model import assistant_of
from games.ke_dnu.players.outlook import Outlook
from games.ke_dnu.rules.ships import HAND_LIMIT, hosts, price, tariff


class Goal(msgspec.Struct, frozen=True):
    """A card to buy or lay."""

    command: Command
    cost: int
    gain: float
    keeps: str = ""
    """A hand card that cannot be jettisoned for it."""


class Coin(msgspec.Struct, frozen=True):
    """A way to get points."""

    command: Command
    points: int
    loss: float
    cards: tuple[str, ...] = ()
    """The hand cards that are jettisoned."""


Way = tuple[float, Command | None]
"""The loss of a payment, and its first command; None if nothing is owed."""


def next_step(outlook: Outlook, legal: Sequence[Command]) -> Command | None:
    """Return the next command of the best plan, or None."""
    planned = max(steps(outlook, legal), key=itemgetter(0), default=None)
    if planned is not None and planned[1] in legal:
        return planned[1]
    thrown = [c for c in legal if isinstance(c, commands.Jettison) and _worth_throwing(outlook, c)]
    return thrown[0] if thrown else None


def steps(outlook: Outlook, legal: Sequence[Command]) -> list[tuple[float, Command]]:
    """List the gain and the first command of every plan that gains."""
    found: list[tuple[float, Command]] = []
    window = _last_window(outlook) if outlook.last_turn else None
    purse = _coins(outlook, legal)
    ways: dict[tuple[str, int], Way | None] = {}
    for goal in _goals(outlook, window):
        need = goal.cost - outlook.view.points
        if (goal.keeps, need) not in ways:
            left = _spendable(purse, {goal.keeps, *(window or ())})
            ways[goal.keeps, need] = _payment(left, need)
        paid = ways[goal.keeps, need]
        if paid is not None and goal.gain > paid[0]:
            found.append((goal.gain - paid[0], paid[1] or goal.command))
    return found


def _worth_throwing(outlook: Outlook, command: commands.Jettison) -> bool:
    """Return whether jettisoning a card gains by itself: Rose, or a Flapper that can attack."""
    kind = TYPE[command.card]
    return kind == ROSE or (
        kind == FLAPPER
        and any(
            CARDS[place.card].copyable and CARDS[place.card].colour == "red"
            for seat in outlook.rivals
            for place in outlook.view.seats[seat].board
        )
    )


def _goals(outlook: Outlook, window: Sequence[str] | None) -> Iterable[Goal]:
    """Yield the cards that could be bought or laid."""
    view = outlook.view
    if window is not None:
        for card in window[:1]:
            if (command := _lay(outlook, card)) is not None:
                yield Goal(command, price(outlook.board, card), 100.0, card)
        return
    if view.phase == "voyage":
        yield from _purchases(outlook)
    times = min(tariff(outlook.board)[0], 3)
    for card in outlook.hand:
        value = VALUE[card]
        command = (
            _lay(outlook, card)
            if value >= outlook.weights.least_laid[outlook.sinking][times - 1]
            else None
        )
        if command is not None:
            gain = outlook.weights.laying[outlook.sinking] * value
            gain += outlook.weights.laid.get(TYPE[card], 0.0)
            yield Goal(command, price(outlook.board, card), gain, card)


def _purchases(outlook: Outlook) -> Iterable[Goal]:
    """Yield the cards that the shop offers."""
    view, weights = outlook.view, outlook.weights
    factor = weights.buying + weights.buying_later * view.round
    for card in view.shop:
        cost = outlook.options.lifeboat_cost if TYPE[card] == "lifeboat" else VALUE[card]
        gain = factor * (VALUE[card] - 2) + weights.liked.get(TYPE[card], 0.0)
        yield Goal(commands.Buy(card), cost, gain)
    if view.iceberg and _wants_iceberg(outlook):
        yield Goal(commands.Buy(ICEBERG_CARD), CARDS[ICEBERG_CARD].printed_cost or 0, 50.0)


def _wants_iceberg(outlook: Outlook) -> bool:
    """Return whether to end the Voyage."""
    values = [sum(VALUE[place.card] for place in seat.board) for seat in outlook.view.seats]
    lead = values[outlook.seat] - max(values[seat] for seat in outlook.rivals)
    return (
        outlook.view.round >= outlook.weights.iceberg_round or lead >= outlook.weights.iceberg_lead
    )


def _lay(outlook: Outlook, card: str) -> commands.Play | None:
    """Return the command that lays a card, or None if that is not allowed or not wanted."""
    kind = TYPE[card]
    view = outlook.view
    if kind in {RATS, STOWAWAY, ANCHOR} or card in view.locked or card in view.no_play:
        return None
    if kind == ASSISTANT:
        free = [host for host in hosts(outlook.board) if host != card]
        return commands.Play(card, host=max(free, key=VALUE.__getitem__)) if free else None
    return commands.Play(card)


def _last_window(outlook: Outlook) -> list[str]:
    """Choose the cards to lay in the last turn: the most value that the rest can pay."""
    cards = sorted(
        (card for card in outlook.hand if _lay(outlook, card) is not None),
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


def _coins(outlook: Outlook, legal: Sequence[Command]) -> list[Coin]:
    """List the ways to get points."""
    dear = sorted(outlook.hand, key=lambda card: -WORTH[card])[:HAND_LIMIT]
    found: list[Coin] = []
    for command in legal:
        match command:
            case commands.Jettison(card=card) if WORTH[card]:
                found.append(Coin(command, WORTH[card], _loss(outlook, card, dear), (card,)))
            case commands.Activate(card=card) if TYPE[card] == "convict":
                helper = assistant_of(outlook.board, card)
                found.append(Coin(command, 12 if helper else 6, 4.0 if helper else 3.0))
            case commands.JettisonPair(seal=seal, card=card):
                if WORTH[card] > WORTH[seal] and card == dear[0]:
                    lost = _loss(outlook, card, dear) + _loss(outlook, seal, dear)
                    found.append(Coin(command, 2 * WORTH[card], lost, (seal, card)))
            case _:
                pass
    return found


def _spendable(purse: Sequence[Coin], kept: set[str]) -> list[Coin]:
    """Return the coins without kept cards, and without single cards that a Seal can double."""
    left = [coin for coin in purse if kept.isdisjoint(coin.cards)]
    paired = {card for coin in left if len(coin.cards) > 1 for card in coin.cards}
    if not paired:
        return left
    return [coin for coin in left if len(coin.cards) != 1 or paired.isdisjoint(coin.cards)]


def _loss(outlook: Outlook, card: str, dear: Sequence[str]) -> float:
    """Return the loss of jettisoning a card."""
    if TYPE[card] == ROSE:
        return -2.0
    if outlook.last_turn:
        return 0.01 * VALUE[card]
    if outlook.sinking:
        return spare_points(outlook, card)
    return (outlook.weights.kept if card in dear else 0.02) * WORTH[card]


def spare_points(outlook: Outlook, card: str) -> float:
    """Return the worth of a hand card in victory points."""
    return outlook.weights.spare[min(tariff(outlook.board)[0], 3) - 1] * VALUE[card]


def _payment(found: Sequence[Coin], need: int) -> Way | None:
    """Return the cheapest payment: loss and first command. None if all coins fall short."""
    if need <= 0:
        return 0.0, None
    if sum(coin.points for coin in found) < need:
        return None
    ways: dict[int, Way] = {0: (0.0, None)}
    for coin in found:
        for points, (lost, first) in list(ways.items()):
            reached = min(need, points + coin.points)
            way = (lost + coin.loss, first or coin.command)
            if reached not in ways or way[0] < ways[reached][0]:
                ways[reached] = way
    return ways.get(need)
