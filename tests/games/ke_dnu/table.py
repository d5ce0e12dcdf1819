"""Positions drawn as text, on which commands are tried.

A board is written `stoker_1 polka_dancer_1+assistant_1 lady_1*`: `*` is exhausted, `+` joins an
Assistant to its host. Cards that a position does not name lie in `unused` or, in the Voyage, in
the supply; a deck that it does not name holds five Passengers of its seat.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from games.ke_dnu import GAME
from games.ke_dnu.model import Berth, Options, State
from games.ke_dnu.setup import census
from games.testing.given import Given

Zones = Mapping[int, str]


def board(text: str) -> list[Berth]:
    """Read a board."""
    places: list[Berth] = []
    for word in text.split():
        exhausted = word.endswith("*")
        host, _, assistant = word.rstrip("*").partition("+")
        places.append(Berth(host, exhausted))
        if assistant:
            places.append(Berth(assistant, host=host))
    return places


def drawn(state: State, seat: int) -> str:
    """Write a board."""
    hosts = {place.host: place.card for place in state.board[seat] if place.host}
    return " ".join(
        place.card
        + (f"+{hosts[place.card]}" if place.card in hosts else "")
        + ("*" if place.exhausted else "")
        for place in state.board[seat]
        if not place.host
    )


def table(
    seats: int = 2,
    *,
    boards: Zones | None = None,
    hands: Zones | None = None,
    decks: Zones | None = None,
    waters: Zones | None = None,
    shop: str = "",
    supply: str = "",
    options: Mapping[str, Any] | None = None,
    **fields: Any,
) -> State:
    """Set up a position. By default it is the main step of seat 0 in the Sinking."""
    state = GAME.initial(seats, Options(**(options or {})))
    state.phase = "sinking"
    state.step = "main"
    state.turn_index = 8
    state.round = 3
    state.drawn = state.draw_begun = True
    for name, value in fields.items():
        assert hasattr(state, name), name
        setattr(state, name, value)
    state.iceberg = state.phase == "voyage"
    lay_out(state, boards or {}, hands or {}, decks or {}, waters or {}, shop, supply)
    return state


def lay_out(
    state: State,
    boards: Zones,
    hands: Zones,
    decks: Zones,
    waters: Zones,
    shop: str,
    supply: str,
) -> None:
    """Put every card of the match into a zone."""
    seats = len(state.status)
    for seat in range(seats):
        state.board[seat] = board(boards.get(seat, ""))
        state.hand[seat] = sorted(hands.get(seat, "").split())
        state.water[seat] = waters.get(seat, "").split()
    state.shop = shop.split()
    state.shop_deck = supply.split()
    used = {place.card for places in state.board for place in places}
    for zone in (*state.hand, *state.water, state.shop, state.shop_deck):
        used.update(zone)
    for text in decks.values():
        used.update(text.split())
    for seat in range(seats):
        own = [f"passenger_{8 * seat + n}" for n in range(1, 9)]
        spare = [card for card in own if card not in used][:5]
        state.deck[seat] = decks[seat].split() if seat in decks else spare
        used.update(state.deck[seat])
    if state.iceberg:
        used.add("iceberg_1")
    rest = sorted(census(seats, state.options) - used)
    if state.phase == "voyage" and not supply:
        mine = [card for card in rest if card.startswith(("passenger", "baby"))]
        state.removed = mine
        state.shop_deck = [card for card in rest if card not in mine]
    else:
        state.unused = rest


class Table(Given):
    """A position whose zones are read as text."""

    def __init__(self, state: State, seed: int = 0) -> None:
        super().__init__(GAME, state, seed=seed)

    def board(self, seat: int) -> str:
        return drawn(self.state, seat)

    def hand(self, seat: int) -> str:
        return " ".join(self.state.hand[seat])

    def water(self, seat: int) -> str:
        return " ".join(self.state.water[seat])

    def deck(self, seat: int) -> str:
        return " ".join(self.state.deck[seat])


def given(seats: int = 2, seed: int = 0, **position: Any) -> Table:
    """Set up a position on which commands are tried."""
    return Table(table(seats, **position), seed)


def drawing(seats: int = 2, **position: Any) -> Table:
    """Set up the beginning of a turn, when nothing has been drawn yet."""
    return given(seats, step="draw", drawn=False, draw_begun=False, **position)


def cards(events: Sequence[Any]) -> list[str]:
    """List the cards of events."""
    return [event.card for event in events]
