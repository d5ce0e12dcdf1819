"""How a crew fights: the numbers that its rules of thumb weigh with."""

from typing import NamedTuple


class Doctrine(NamedTuple):
    """One set of weights."""

    fire_at: float = 0.5
    """Worth of a torpedo that is fired."""
    trigger_at: float = 0.35
    """Worth of an own mine that is triggered: it costs no gauge."""
    seek_above: float = 6
    """Cells where the enemy can be: beyond it, it is sought."""
    telling: float = 0.2
    """Share of them that a drone must be sure to rule out."""
    hide_below: float = 7
    """Cells where the own boat can be for the enemy: below it, it hides."""
    safe_away: float = 6.0
    """Expected distance of the enemy at which surfacing is safe."""
    surface_cost: float = 7.0
    """Cost of a board that is worth surfacing for."""
    room: float = 6.0
    """Worth of open water ahead, at its fullest."""
    board: float = 0.5
    """Share of a board's cost that weighs against a course."""
    range: float = 0.15
    """Cost of a cell too near or too far."""
    attack_range: float = 3.0
    evade_range: float = 7.0
    run: float = 0.3
    """Worth of a cell of a silent run."""
    attack: float = 0.0
    """Share of the best torpedo's worth that draws a course to where it can be fired."""
    stealth: float = 0.0
    """Cost of being known exactly."""
    fading: float = 1.0
    """How fast that cost falls with the cells where the own boat can be."""
    mine_astern: float = 2.0
    """Cost of a mine straight ahead or astern."""
    sinking: float = 4.0
    """What sinking the enemy is worth beside its damage."""
    own_damage: float = 1.2
    """What a point of own damage costs."""
    hunting: tuple[str, ...] = ("torpedo", "mine", "silence", "sonar", "drone", "scenario")
    seeking: tuple[str, ...] = ("torpedo", "sonar", "drone", "mine", "silence", "scenario")
    """The order of marks while the enemy is found, and while it is lost."""
    lost_at_most: float = 8
    """Up to so many cells the enemy counts as found."""
    broken: tuple[float, float, float] = (3.0, 1.0, 1.0)
    """What it costs that weapons, detection, special systems are broken."""
    symbol: float = 0.3
    """What a crossed symbol of theirs costs."""
    radiation: float = 1.0
    panel: float = 1.0
    damage: float = 12.0
    """What a breakdown's damage costs."""
    halfway: float = 1.0
    """Factors of the rising costs of radiation and of filling panels, and of what circuits promise."""


PLAIN = Doctrine()
"""Set by hand."""
TUNED = Doctrine(
    hunting=("torpedo", "silence", "sonar", "drone", "mine", "scenario"),
    seeking=("sonar", "torpedo", "silence", "drone", "mine", "scenario"),
    fire_at=0.75,
    attack=3.0,
    stealth=40.0,
    fading=0.5,
)
"""Found by self-play with two seats (seeds from 100,000 on): look first, steer to where a torpedo tells, and stay hidden."""
