"""Buying modules (NAU-10 to NAU-15)."""

from games.game import Illegal
from games.nautilus.commands import BuyModule
from games.nautilus.components import (
    COLOUR,
    HABITATIONS,
    HAND_MAX,
    KIND,
    KINDS,
    RESEARCHERS,
    TABLES,
)
from games.nautilus.events import ModuleBought
from games.nautilus.fold import Draft
from games.nautilus.model import IN_STOCK, State


def _crew_max(state: State, seat: int) -> int:
    """Return the largest crew that a habitation could be bought with now (NAU-13, NAU-14)."""
    stock = state.researchers[seat].count(IN_STOCK)
    return min(TABLES[state.seats].crew, stock, state.money[seat])


def can_buy(state: State, seat: int) -> bool:
    """Return whether any purchase is legal (NAU-76)."""
    if len(state.hand[seat]) >= HAND_MAX or state.money[seat] < 1 or not state.supply:
        return False
    return COLOUR[state.supply[-1]] >= 0 or _crew_max(state, seat) > 0


def purchases(state: State, seat: int) -> list[BuyModule]:
    """List the legal purchases: habitations first, in table order."""
    if len(state.hand[seat]) >= HAND_MAX or state.money[seat] < 1:
        return []
    kinds = {KIND[module] for module in state.supply}
    crews = range(1, _crew_max(state, seat) + 1)
    found = [BuyModule(kind, crew) for kind in HABITATIONS if kind in kinds for crew in crews]
    found += [BuyModule(module, 0) for module in state.supply if COLOUR[module] >= 0]
    return found


def buy_module(draft: Draft, seat: int, command: BuyModule) -> None:
    """Buy the first module of a kind, with its crew (NAU-10 to NAU-15)."""
    state = draft.state
    kind, count = command.kind, command.researchers
    if kind not in KINDS:
        raise Illegal("unknown-module", kind=kind)
    module = next((module for module in state.supply if KIND[module] == kind), None)
    if module is None:
        raise Illegal("sold-out", kind=kind)
    if len(state.hand[seat]) >= HAND_MAX:
        raise Illegal("hand-full")
    least, most = (1, TABLES[state.seats].crew) if kind in HABITATIONS else (0, 0)
    if not least <= count <= most:
        raise Illegal("bad-researcher-count", least=least, most=most)
    stock = [k for k, where in enumerate(state.researchers[seat]) if where == IN_STOCK]
    if count > len(stock):
        raise Illegal("not-enough-researchers", stock=len(stock))
    cost = max(1, count)
    if cost > state.money[seat]:
        raise Illegal("not-enough-money", cost=cost, money=state.money[seat])
    crew = tuple(RESEARCHERS[seat][k] for k in stock[:count])
    draft.add(ModuleBought(seat, module, crew, cost))
