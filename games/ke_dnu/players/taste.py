"""The weights of the heuristic bot, in victory points unless stated otherwise."""

from collections.abc import Mapping
from typing import NamedTuple

HINTED = {
    "lifeboat": 3.0, "polka_dancer": 1.5, "steersman": 0.5, "tycoon": 2.0, "fisherman": 1.0,
    "seal": 2.0, "convict": 1.5, "teacher": 0.5, "lifeguard": 2.0, "priest": 1.5, "pirate": 1.0,
    "fanatic": 1.0, "singer": 1.0, "rose": 2.0, "burglar": 0.5, "lifebuoy": 0.5,
    "rats": -1.0, "anchor": -3.0, "drunkard": -1.5, "stoker": -1.5, "jack": -3.0,
    "flapper": -3.0, "proletarian": -1.0, "arbiter": -1.0, "captain": 0.0, "band": -1.5,
}  # fmt: skip


class Taste(NamedTuple):
    """One set of weights."""

    liked: Mapping[str, float] = HINTED
    """What is added to the value of a type of card when it is bought or laid."""
    buying: float = 1.0
    laying: tuple[float, float] = (0.9, 1.0)
    """Factor of the value of a laid card, in the Voyage and in the Sinking (as all pairs below)."""
    least_laid: tuple[tuple[float, float, float], tuple[float, float, float]] = (
        (7, 9, 12),
        (5, 8, 10),
    )
    """Least value that is laid before the last turn, by phase and multiplier."""
    kept: float = 0.28
    """Loss for each point of a card that could be kept in the Voyage."""
    spare: tuple[float, float, float] = (0.45, 0.33, 0.25)
    """Worth of a point in the hand in the Sinking, by multiplier."""
    iceberg_round: float = 9
    """Round of the Voyage from which the Iceberg is bought whenever it can be."""
    iceberg_lead: float = 12
    """Lead on the boards with which it is bought earlier."""
    hand_card: float = 2.5
    """Worth of a card in a hand."""
    deck_card: tuple[float, float] = (0.8, 1.5)
    """Worth of a card in a deck. In the Sinking it keeps a ship afloat."""
    rival_point: float = 0.6
    """Worth of a point that the only rival loses."""
    readied: tuple[float, float] = (2.0, 3.0)
    """Worth of a red and of a beige card that can act once more."""
    acting: float = 0.5
    """Least gain for which an action is used."""
    blocking: float = 6.0
    """Least value of a card that a Bartender keeps off a board."""
    answering: float = 4.0
    """Least loss against which a Lifebuoy or Ship Guard is used."""
    guarding: float = 8.0
    """Least value of a card whose action a Ship Guard stops although it does not hit the seat."""


PLAIN = Taste()
"""Set by hand."""

LIKED = {
    "anchor": -3.0, "arbiter": -2.3, "assistant": -0.3, "baby": 0.9, "band": -2.1,
    "bartender": -0.2, "beggar": 2.1, "boogeyman": 1.7, "burglar": 1.2, "captain": -0.5,
    "caretaker": -0.1, "chef": 0.4, "convict": -0.9, "dealer": -0.4, "diver": -1.2,
    "doctor": -0.1, "drunkard": -1.2, "fanatic": 4.0, "fisherman": -0.8, "flapper": -0.8,
    "iceberg": -2.6, "jack": -2.8, "janitor": -0.7, "lady": 0.4, "life_jacket": -0.5,
    "lifeboat": 1.9, "lifebuoy": 0.1, "lifeguard": 3.1, "lockdown": 0.3, "maid": -0.4,
    "mime": 0.5, "navigator": -0.3, "passenger": 0.5, "pirate": 0.7, "polka_dancer": 0.1,
    "priest": 4.2, "profiteer": -0.2, "proletarian": -1.4, "rats": -0.0, "rose": 0.8,
    "saboteur": -1.1, "seal": 2.1, "ship_guard": 1.4, "singer": -1.6, "steersman": -0.3,
    "steward": -1.7, "stimulants": 0.4, "stoker": -4.4, "storyteller": -0.6, "stowaway": 0.2,
    "teacher": -0.2, "technician": 1.2, "torpedo": -0.2, "tycoon": 3.9,
}  # fmt: skip
TUNED = Taste(
    liked=LIKED,
    buying=0.99,
    laying=(0.83, 0.96),
    least_laid=((6.24, 6.8, 12.13), (2.47, 8.29, 9.96)),
    kept=0.41,
    spare=(0.48, 0.37, 0.27),
    iceberg_round=11.07,
    iceberg_lead=14.67,
    hand_card=1.46,
    deck_card=(0.47, 2.03),
    rival_point=0.64,
    readied=(2.89, 3.18),
    acting=0.54,
    blocking=4.32,
    answering=3.65,
    guarding=6.8,
)
"""Found by self-play with two seats (cross-entropy method, seeds from 200,000 on)."""
