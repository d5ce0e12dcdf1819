"""The shop of the Voyage (KED-21 to KED-26)."""

from games.game import Illegal
from games.ke_dnu import commands, events
from games.ke_dnu.components import CARDS, ICEBERG_CARD, LIFEBOAT, LOCKDOWN, TYPE
from games.ke_dnu.fold import Draft
from games.ke_dnu.model import State
from games.ke_dnu.rules.rounds import start_sinking

SHOP_SIZE = 5
SHOP_PRICE = {
    card: kind.value if kind.printed_cost is None else kind.printed_cost
    for card, kind in CARDS.items()
}
"""Prices in the shop, but for the Lifeboat's, which the options say."""


def shop_price(state: State, card: str) -> int:
    """Return the price of a card in the shop (KED-21, KED-24)."""
    return state.options.lifeboat_cost if TYPE[card] == LIFEBOAT else SHOP_PRICE[card]


def buy(draft: Draft, seat: int, command: commands.Buy) -> None:
    """Buy a card and fill up the shop, or end the Voyage by the Iceberg (KED-21 to KED-26)."""
    state, card = draft.state, command.card
    if state.phase != "voyage":
        raise Illegal("no-shop")
    if card not in state.shop and not (card == ICEBERG_CARD and state.iceberg):
        raise Illegal("card-not-in-shop", card=card)
    cost = shop_price(state, card)
    if cost > state.points:
        raise Illegal("not-enough-points", price=cost, points=state.points)
    draft.add(events.CardBought(seat, card, cost))
    if card == ICEBERG_CARD:
        draft.add(events.VoyageEnded(seat, "iceberg"))
        start_sinking(draft, seat)
        return
    if state.shop_deck:
        draft.add(events.ShopRevealed((state.shop_deck[0],)))
    while any(TYPE[shown] == LOCKDOWN for shown in state.shop):
        fresh = tuple(state.shop_deck[:SHOP_SIZE])
        draft.add(events.LockdownStruck(tuple(state.shop), fresh))
