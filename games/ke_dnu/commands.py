"""The commands. A default stands for a field that is absent."""

from typing import Literal

from games.game import Tagged


class Maid(Tagged, frozen=True):
    """Move a hand card to the bottom of the deck before drawing (KED-97)."""

    card: str


class Draw(Tagged, frozen=True):
    """Make the own draw of the turn (KED-12)."""


class Tycoon(Tagged, frozen=True):
    """Draw a Tycoon's extra card from an opponent's deck (KED-96)."""

    target: int = -1


class Jettison(Tagged, frozen=True):
    """Jettison a hand card for its points (KED-20)."""

    card: str


class JettisonPair(Tagged, frozen=True):
    """Jettison a Seal with another card, which gives double points (KED-45)."""

    seal: str
    card: str


class Buy(Tagged, frozen=True):
    """Buy a shop card or the Iceberg (KED-21)."""

    card: str


class Play(Tagged, frozen=True):
    """Lay a hand card on the board (KED-31)."""

    card: str
    target: int = -1
    """The seat that gets a Stowaway."""
    host: str = ""
    """The card that an Assistant joins."""


class Activate(Tagged, frozen=True):
    """Exhaust a card of the own board for its effect (KED-34)."""

    card: str
    target: int = -1
    cards: tuple[str, ...] = ()
    """Own cards in the zone of the effect."""
    victims: tuple[str, ...] = ()
    """Cards of opponents."""
    host: str = ""
    """The card that an Assistant joins if a Life Jacket brings one."""


class DiscardAnchor(Tagged, frozen=True):
    """Discard the Anchor from the own board (KED-47)."""

    card: str


class RearrangeTop(Tagged, frozen=True):
    """Move one of the top cards of the own deck that are in sight (KED-61)."""

    take: int
    put: int


class EndTurn(Tagged, frozen=True):
    """Declare the end of the turn (KED-8)."""


class DiscardDown(Tagged, frozen=True):
    """Discard a card over the hand limit (KED-18)."""

    card: str


class Pass(Tagged, frozen=True):
    """Decline to answer (KED-87)."""


class React(Tagged, frozen=True):
    """Use a Bartender, Ship Guard, Lifebuoy or Steward (KED-80)."""

    card: str
    cards: tuple[str, ...] = ()
    """A Steward's picks on the board or in the hand."""
    positions: tuple[int, ...] = ()
    """A Steward's picks in the deck; 0 is the top."""


class Claim(Tagged, frozen=True):
    """Lay a card that another seat discarded, by a Teacher (KED-86)."""

    card: str
    pay: tuple[str, ...] = ()
    host: str = ""


class ChooseCard(Tagged, frozen=True):
    """Choose a card for a Janitor or Proletarian (KED-94)."""

    card: str


class PlaceStory(Tagged, frozen=True):
    """Place the card drawn for a Storyteller (KED-93)."""

    where: Literal["board", "deck"]
    host: str = ""


class UseFlapper(Tagged, frozen=True):
    """Use the effect of a card on an opponent's board by a Flapper (KED-43)."""

    source: str
    target: int = -1
    cards: tuple[str, ...] = ()
    victims: tuple[str, ...] = ()


Command = (
    Maid
    | Draw
    | Tycoon
    | Jettison
    | JettisonPair
    | Buy
    | Play
    | Activate
    | DiscardAnchor
    | RearrangeTop
    | EndTurn
    | DiscardDown
    | Pass
    | React
    | Claim
    | ChooseCard
    | PlaceStory
    | UseFlapper
)
