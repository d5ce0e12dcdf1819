"""The cards: what `seeds/ke_dnu.toml` says of them, and tables by card id.

Abilities are data: a reach (whom the effect hits), a pick (what its player names) and a list of operations. Only cards
that bend a rule instead of doing something (Anchor, Assistant, Band, ...) are known to the code by name.
"""

from typing import Literal

import msgspec

from games.components import load
from games.game import snake_case

Zone = Literal["hand", "board", "deck", "water"]
Colour = Literal["beige", "red", "blue", "green", "purple"]
Reaction = Literal["block_play", "block_action", "shield", "redirect"]
Whom = Literal["any", "one", "each", "target", "dearest", "fullest", "everyone"]


class Titles(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A card's printed names; the Singer has no Czech one."""

    en: str
    cs: str = ""


class Reach(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What an effect does to other seats (KED-83, KED-84)."""

    zone: Literal["hand", "board", "deck"]
    whom: Whom
    hits: int = 1
    """Per doubling, or per card paid with."""
    refills: bool = True
    """In the Voyage the water counts with the deck (KED-16, KED-17)."""


class Pick(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the field `cards` of an effect names (6.2)."""

    zone: Literal["hand", "board", "water"]
    to: Literal["move", "drop", "ready", "place"] = "move"
    count: int = 1
    """Per doubling."""
    any: bool = False
    """Any number from one up."""


class Operation(
    msgspec.Struct,
    frozen=True,
    tag_field="do",
    tag=snake_case,
    forbid_unknown_fields=True,
):
    """One step of an effect."""


class Drop(Operation, frozen=True):
    """The hits are discarded."""


class Take(Operation, frozen=True):
    """The hits go to a hand."""

    to: Literal["actor", "holder"]


class Draw(Operation, frozen=True):
    """The acting seat draws; with a reach, everyone does."""


class Gain(Operation, frozen=True):
    """Points for the purse."""

    points: int


class DropSelf(Operation, frozen=True):
    """The acting card is discarded, or its Assistant (KED-71)."""


class MoveSelf(Operation, frozen=True):
    """The acting card moves."""

    to: Literal["deck_bottom", "victim_hand"]


class MoveCards(Operation, frozen=True):
    """The picked cards move to their deck."""

    to: Literal["deck_bottom", "deck_top"]


class DropCards(Operation, frozen=True):
    """The picked cards are discarded."""

    paid: bool = False
    """For points."""


class Redraw(Operation, frozen=True):
    """The deck is shuffled; as many cards as went into it are drawn."""


class Ready(Operation, frozen=True):
    """The picked cards become ready."""


class Place(Operation, frozen=True):
    """The picked cards go to the board."""


class Choose(Operation, frozen=True):
    """The hit seats choose cards of their own."""


class Tell(Operation, frozen=True):
    """One seat after another draws, and lays the card on its board or under its deck."""


AnyOperation = (
    Drop
    | Take
    | Draw
    | Gain
    | DropSelf
    | MoveSelf
    | MoveCards
    | DropCards
    | Redraw
    | Ready
    | Place
    | Choose
    | Tell
)


class Kind(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A type of card."""

    id: str
    titles: Titles
    colour: Colour
    value: int
    copies: int
    printed_cost: int | None = msgspec.field(default=None, name="cost")
    worth: int | None = None
    dealt: Literal["seat", "shop", "supply", "option"] = "supply"
    exhausts: bool = False
    copyable: bool = False
    ending: bool = False
    reaction: Reaction | None = None
    own_draw: int = 0
    discount: int = 0
    reach: Reach | None = None
    pick: Pick | None = None
    effect: tuple[AnyOperation, ...] = ()

    @property
    def jettison_points(self) -> int:
        """Points when thrown from the hand (KED-20, KED-44)."""
        return self.value if self.worth is None else self.worth

    @property
    def acts(self) -> bool:
        """An "Own" card with the exhaust symbol (KED-34)."""
        return self.exhausts and self.reaction is None

    @property
    def arrives_exhausted(self) -> bool:
        """Red, purple and beige cards with the symbol do (KED-33)."""
        return self.exhausts and self.colour != "blue"

    @property
    def drops(self) -> bool:
        """The effect discards what it hits."""
        return any(isinstance(step, Drop) for step in self.effect)


class _Seed(msgspec.Struct, forbid_unknown_fields=True):
    card: tuple[Kind, ...]


ANCHOR = "anchor"
ASSISTANT = "assistant"
BAND = "band"
BOOGEYMAN = "boogeyman"
CARETAKER = "caretaker"
FLAPPER = "flapper"
LIFEBOAT = "lifeboat"
LOCKDOWN = "lockdown"
MAID = "maid"
NAVIGATOR = "navigator"
RATS = "rats"
ROSE = "rose"
SEAL = "seal"
STEERSMAN = "steersman"
STOWAWAY = "stowaway"
TEACHER = "teacher"
TYCOON = "tycoon"

SEATS_MOST = 4

KINDS: dict[str, Kind] = {kind.id: kind for kind in load("ke_dnu", _Seed).card}
"""Every type of card, by its id."""

CARDS: dict[str, Kind] = {
    f"{kind.id}_{number}": kind
    for kind in KINDS.values()
    for number in range(1, kind.copies * (SEATS_MOST if kind.dealt == "seat" else 1) + 1)
}
"""The type of every card that any match may have, by the card's id."""

ICEBERG_CARD = "iceberg_1"
HIDDEN = "?"
"""Stands for a card that the viewer may not know."""
