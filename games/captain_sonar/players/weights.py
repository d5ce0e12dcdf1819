"""The weights by which a crew fights."""

from typing import NamedTuple


class Weights(NamedTuple):
    """One set of weights."""

    fire_at: float = 0.5
    """Least worth of a torpedo that is fired."""
    trigger_at: float = 0.35
    """Least worth of an own mine that is triggered. It costs no gauge."""
    seek_above: float = 6.0
    """With more cells than this where the enemy can be, the crew searches."""
    telling: float = 0.2
    """Least share of these cells that a drone must rule out in any case."""
    hide_below: float = 7.0
    """With fewer cells than this where the enemy can think the own boat is, the boat hides."""
    safe_away: float = 6.0
    """Least expected distance of the enemy for surfacing to be safe."""
    surface_cost: float = 7.0
    """Least cost of a board that is worth surfacing for."""
    room: float = 6.0
    """Worth of open water ahead, at most."""
    board: float = 0.5
    """Share of the cost of a board that counts against a move."""
    range: float = 0.15
    """Cost of each cell too near to the enemy or too far away."""
    attack_range: float = 3.0
    evade_range: float = 7.0
    run: float = 0.3
    """Worth of each cell of a silent run."""
    attack: float = 0.0
    """Share of the best torpedo's worth that counts for the move that allows it."""
    stealth: float = 0.0
    """Cost if the enemy knows exactly where the own boat is."""
    fading: float = 1.0
    """How fast that cost falls with the number of cells where the own boat can be."""
    mine_astern: float = 2.0
    """Cost of a mine straight ahead or astern."""
    sinking: float = 4.0
    """Worth of sinking the enemy, beside the damage."""
    own_damage: float = 1.2
    """Cost of a point of damage to the own boat."""
    hunting: tuple[str, ...] = ("torpedo", "mine", "silence", "sonar", "drone", "scenario")
    seeking: tuple[str, ...] = ("torpedo", "sonar", "drone", "mine", "silence", "scenario")
    """Gauges in the order of marks, while the enemy is found and while it is lost."""
    lost_at_most: float = 8.0
    """The enemy counts as found if it can be on at most this many cells."""
    broken: tuple[float, float, float] = (3.0, 1.0, 1.0)
    """Costs of broken weapons, detection and special systems."""
    symbol: float = 0.3
    """Cost of a crossed symbol of these systems."""
    radiation: float = 1.0
    panel: float = 1.0
    damage: float = 12.0
    """Cost of the damage of a breakdown."""
    halfway: float = 1.0
    """Factors of three tables: radiation, filling panels, and circuits about to repair."""


PLAIN = Weights()
"""Weights chosen by hand."""
TUNED = Weights(
    hunting=("torpedo", "silence", "sonar", "drone", "mine", "scenario"),
    seeking=("sonar", "torpedo", "silence", "drone", "mine", "scenario"),
    fire_at=0.75,
    attack=3.0,
    stealth=40.0,
    fading=0.5,
)
"""Weights found by self-play with two seats (seeds from 100,000 on).

These crews look first, steer to where a torpedo can be fired, and stay hidden.
"""
