"""What things are worth to the players, in motifs."""

from typing import NamedTuple


class Weights(NamedTuple):
    """The worth of pieces, and discounts for what is uncertain or far away."""

    card: float = 0.3
    """A card, while there are as many cards as missing motifs."""
    joker: float = 0.5
    recoverable: float = 0.05
    """The extra cost of laying a duplicate, which others lift more easily than a shell."""
    gift: float = 0.15
    """The extra cost of a card that goes to a rival."""
    future: float = 0.4
    """Factor of a prospect, relative to a motif in hand."""
    patience: float = 0.85
    """Factor of a value that is one turn away."""
    voyage: float = 0.85
    """Factor of a value that waits for the next voyage."""
    onward: float = 0.0
    """Factor of the best cells that a stop's submarines reach, if they outweigh lifting there."""
    rivalry: float = 0.0
    """Share of a token's value lost to each rival beside the token who lacks its motif."""
    stop: float = 0.1
    """A column to stop at."""
    in_turn: tuple[float, ...] = (1.0, 0.9, 0.8, 0.4, 0.3, 0.2)
    """Factors of a column's best, second, third … token: hands are small."""
    draws: float = 1.5
    """Number of unseen cards that may turn up in time."""
    decisive: float = 100.0
    """An end of the game that wins; the negative if it loses."""


PLAIN = Weights()
"""Set by hand."""
TUNED_TWO = Weights(
    card=0.172,
    joker=0.433,
    recoverable=0.058,
    gift=0.069,
    future=0.557,
    patience=0.787,
    voyage=0.787,
    stop=0.233,
    draws=2.005,
    in_turn=(1.0, 0.956, 0.865, 0.067, 0.051, 0.034),
)
"""For two seats; found by self-play (cross-entropy method, seeds from 200,000 on)."""
TUNED_MORE = Weights(
    card=0.282,
    joker=0.502,
    recoverable=0.007,
    gift=0.213,
    future=0.272,
    patience=0.969,
    voyage=0.841,
    onward=0.345,
    rivalry=0.143,
    stop=0.292,
    draws=0.791,
    in_turn=(1.0, 0.601, 0.717, 0.53, 0.397, 0.265),
)
"""For more seats; found by self-play with four.

The weights follow the slopes of the share won against three heuristics, over random weights.
"""
TUNED = {2: TUNED_TWO, 3: TUNED_MORE, 4: TUNED_MORE, 5: TUNED_MORE}
"""By seats."""
