"""The cards as `seeds/ke_dnu.toml` describes them, and tables by card id.

Abilities are data: a reach (whom the effect hits), a pick (which own cards the player names) and a
list of operations. The code knows only those cards by name that change a rule (Anchor, Assistant,
Band, ...).
"""

from typing import Literal

import msgspec

from games.components import SEEDS, load
from games.game import snake_case

Zone = Literal["hand", "board", "deck", "water"]
Colour = Literal["beige", "red", "blue", "green", "purple"]
Reaction = Literal["block_play", "block_action", "shield", "redirect"]
Whom = Literal["any", "one", "each", "target", "dearest", "fullest", "everyone"]


class Titles(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A card's printed names. The Singer has no Czech name."""

    en: str
    cs: str = ""


class Reach(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which cards of other seats an effect hits (KED-83, KED-84)."""

    zone: Literal["hand", "board", "deck"]
    whom: Whom
    hits: int = 1
    """Number of cards hit, per doubling or per card in the payment."""
    refills: bool = True
    """Whether the water counts as part of the deck in the Voyage (KED-16, KED-17)."""


class Pick(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which own cards the field `cards` of a command names."""

    zone: Literal["hand", "board", "water"]
    to: Literal["move", "drop", "ready", "place"] = "move"
    count: int = 1
    """Number of cards, per doubling."""
    any: bool = False
    """Whether any number of cards may be named, at least one."""


class Operation(
    msgspec.Struct,
    frozen=True,
    tag_field="do",
    tag=snake_case,
    forbid_unknown_fields=True,
):
    """One step of an effect."""


class Drop(Operation, frozen=True):
    """Discard the cards that are hit."""


class Take(Operation, frozen=True):
    """Move the cards that are hit to a hand."""

    to: Literal["actor", "holder"]


class Draw(Operation, frozen=True):
    """Draw cards: the acting seat, or every seat if the effect has a reach."""


class Gain(Operation, frozen=True):
    """Gain points."""

    points: int


class DropSelf(Operation, frozen=True):
    """Discard the acting card, or its Assistant instead (KED-71)."""


class MoveSelf(Operation, frozen=True):
    """Move the acting card."""

    to: Literal["deck_bottom", "victim_hand"]


class MoveCards(Operation, frozen=True):
    """Move the picked cards to their owner's deck."""

    to: Literal["deck_bottom", "deck_top"]


class DropCards(Operation, frozen=True):
    """Discard the picked cards."""

    paid: bool = False
    """Whether the discards give points."""


class Redraw(Operation, frozen=True):
    """Shuffle the deck and draw as many cards as were moved into it."""


class Ready(Operation, frozen=True):
    """Ready the picked cards."""


class Place(Operation, frozen=True):
    """Put the picked cards on the board."""


class Choose(Operation, frozen=True):
    """Open a choice of own cards for the seats that are hit."""


class Tell(Operation, frozen=True):
    """Draw a card for one seat after another, for its board or for under its deck."""


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
        """Points for jettisoning the card from the hand (KED-20, KED-44)."""
        return self.value if self.worth is None else self.worth

    @property
    def acts(self) -> bool:
        """Whether the card has an action: an "Own" card with the exhaust symbol (KED-34)."""
        return self.exhausts and self.reaction is None

    @property
    def arrives_exhausted(self) -> bool:
        """Whether the card arrives exhausted: red, purple and beige with the symbol (KED-33)."""
        return self.exhausts and self.colour != "blue"

    @property
    def drops(self) -> bool:
        """Whether the effect discards what it hits."""
        return any(isinstance(step, Drop) for step in self.effect)


class Start(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the house set `balanced` gives for a late place in the first round (KED-116)."""

    seats: int
    points: tuple[int, ...]
    """Points in the first turn, by place."""


class Components(msgspec.Struct, forbid_unknown_fields=True):
    """All component data."""

    balanced: tuple[Start, ...]
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

BOX = load(SEEDS / "ke_dnu.toml", Components)
KINDS: dict[str, Kind] = {kind.id: kind for kind in BOX.card}
"""Types of cards by their ids."""
FIRST_POINTS = {start.seats: start.points for start in BOX.balanced}
"""By number of seats: points in the first turn by place, in the house set `balanced`."""

CARDS: dict[str, Kind] = {
    f"{kind.id}_{number}": kind
    for kind in KINDS.values()
    for number in range(1, kind.copies * (SEATS_MOST if kind.dealt == "seat" else 1) + 1)
}
"""Types of all cards that a match may have, by the card's id."""

VALUE = {card: kind.value for card, kind in CARDS.items()}
WORTH = {card: kind.jettison_points for card, kind in CARDS.items()}
TYPE = {card: kind.id for card, kind in CARDS.items()}

ICEBERG_CARD = "iceberg_1"


def by_value(card: str) -> tuple[int, str]:
    """Return a sort key: the card's value, then its id."""
    return VALUE[card], card


def is_rose(card: str) -> bool:
    """Return whether a card goes to the board when it is discarded (KED-42)."""
    return TYPE[card] == ROSE


VALUES = (*range(-1, len(CARDS)), *CARDS, "", "board", "deck")
"""What fields of commands can hold (`Game.values`)."""
