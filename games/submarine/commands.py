"""The commands of Submarine."""

from typing import TypeAlias

from games.game import Tagged
from games.submarine.components import Cards, Cell, Colour, Token


class PlaceSub(Tagged, frozen=True):
    """Put the lowest-numbered unplaced submarine into row 2 (SUB-13)."""

    column: int


class MoveShip(Tagged, frozen=True):
    """Sail to a column, or off the board (SUB-16 to SUB-18)."""

    to: int
    """1 … 6, or 7 off the board."""


class MoveSub(Tagged, frozen=True):
    """Move one submarine under the own ship (SUB-25 to SUB-29)."""

    sub: int
    to: Cell


class Salvage(Tagged, frozen=True):
    """Lift a token with a card of the same colour, and pay compensation (SUB-30 to SUB-38)."""

    token: Token
    card: Colour
    pay: Cards
    """Hand cards for what the pile cannot pay, in the order of payment."""


class SalvageWithJoker(Tagged, frozen=True):
    """Lift a treasure and lay a joker in its place (SUB-42 to SUB-50)."""

    token: Token
    joker: Token


class SwapCard(Tagged, frozen=True):
    """Put a hand card under the own pile and take the top card (SUB-51, SUB-52)."""

    card: Colour


class EndTurn(Tagged, frozen=True):
    """End the turn (SUB-24)."""


Command: TypeAlias = PlaceSub | MoveShip | MoveSub | Salvage | SalvageWithJoker | SwapCard | EndTurn
