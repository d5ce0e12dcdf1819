"""The options of a match (specification section 15)."""

from typing import Annotated, Literal

import msgspec

TurnSeconds = Annotated[int, msgspec.Meta(ge=5, le=86400)]
LiveSeconds = Annotated[int, msgspec.Meta(ge=3, le=600)]
Milliseconds = Annotated[int, msgspec.Meta(ge=0, le=60000)]
BoatName = Literal[
    "Yellow",
    "Blue",
    "Marlin",
    "Orca",
    "Narwhal",
    "Kraken",
    "Triton",
    "Thetis",
    "Scylla",
    "Borealis",
    "Abyss",
    "Tempest",
]
Assignment = tuple[tuple[int | str, ...], ...]
"""Per seat its crew and its roles; the set-up refuses what is neither, so nothing else gets into a log."""


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the table agreed on."""

    mode: Literal["turns", "real_time"] = "turns"
    map: Literal["alpha", "bravo", "charlie", "delta", "echo"] = "alpha"
    board_side: Literal["auto", "light", "dark"] = "auto"
    """`auto`: light in turns, dark in real time (SON-4)."""
    first_crew: Literal[-1, 0, 1] = -1
    """-1 draws it (SON-8)."""
    role_assignment: Assignment = ()
    """Per seat its crew and its roles; empty for the rulebook's table (SON-3)."""
    damage_first: bool = False
    """A panel's damage comes before its circuit's repair (SON-34)."""
    bonus_surface: Literal["alternate", "three"] = "alternate"
    """What follows when a crew surfaces within its bonus turns (SON-83)."""
    torpedo_over_islands: bool = False
    """Range in a straight count of rows and columns (SON-49)."""
    ready_announcements: Literal["public", "crew"] = "public"
    """Who hears that a gauge is full (SON-24)."""
    strict_stations: bool = False
    """Each seat sees only its own roles' sheets."""
    trace_mode: Literal["drawn", "simple"] = "drawn"
    """How hull sections are traced (SON-87)."""
    radio_assist: Literal["none", "overlay", "inference"] = "overlay"
    """Help of the radio operator: none, the overlay, or also the exact set of enemy cells."""
    max_turns: Annotated[int, msgspec.Meta(ge=0, le=2000)] = 0
    """Turns, in real time courses, after which damage decides; 0 is no limit (SON-107)."""
    clock_deploy_s: TurnSeconds = 120
    clock_course_s: TurnSeconds = 120
    clock_task_s: TurnSeconds = 60
    clock_answer_s: TurnSeconds = 60
    clock_idle_s: LiveSeconds = 60
    clock_task_rt_s: LiveSeconds = 20
    clock_answer_rt_s: LiveSeconds = 30
    clock_trace_s: LiveSeconds = 30
    min_course_gap_ms: Milliseconds = 3000
    """Real time: between two courses of one crew."""
    min_trace_ms: Milliseconds = 4000
    """Real time: from surfacing or the last trace to a crew's next trace."""
    boat_names: tuple[BoatName, BoatName] = ("Yellow", "Blue")
