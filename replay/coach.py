"""The coach: words for each kind of decision that a player meets in a first match.

A coach is a TOML file of tips. A tip belongs to a decision if one of its commands is legal and the
view has the values that the tip names, so it follows from what the seat is shown. The first tip
of the file that belongs to a decision and is new to the player is the one to show.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, get_args

import msgspec

from games import BadGame
from games.game import AnyGame, Tagged
from replay.tutorial import TutorialText


class BadCoach(BadGame):
    """A coach's file is not valid. The message names the file and the tip."""


class CoachTip(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is said about one kind of decision."""

    name: str
    """Name by which a client remembers that the tip was shown."""
    commands: Annotated[tuple[str, ...], msgspec.Meta(min_length=1)]
    """Types of commands. The tip belongs to decisions in which one of them is legal."""
    when: dict[str, str] = msgspec.field(default_factory=dict[str, str])
    """Fields of the view with the values that the tip needs."""
    mark: tuple[str, ...] = ()
    """Fields of these commands. What they name is marked on the board."""
    rule: str
    """Number of the rule to read."""
    text: TutorialText
    """What the coach says."""


class CoachWords(msgspec.Struct, frozen=True):
    """The tips of a game."""

    game: str
    tips: list[CoachTip]
    """Those of rare decisions first."""


class _Script(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file of a coach."""

    tips: Annotated[list[CoachTip], msgspec.Meta(min_length=1)]


def coaches_of(games: Mapping[str, AnyGame]) -> dict[str, CoachWords]:
    """Return the coaches of games, by slug; raises `BadCoach`."""
    return {
        slug: read_coach(game, game.files.coach)
        for slug, game in games.items()
        if game.files.coach is not None
    }


def read_coach(game: AnyGame, path: Path) -> CoachWords:
    """Read a coach's file and check that it fits the game; raises `BadCoach`."""
    try:
        tips = msgspec.toml.decode(path.read_bytes(), type=_Script).tips
    except (OSError, msgspec.MsgspecError) as error:
        raise BadCoach(f"{path.name}: {error}") from error
    fields = {
        kind.__struct_config__.tag: kind.__struct_encode_fields__
        for kind in get_args(game.Command) or (game.Command,)
    }
    names = set[str]()
    for tip in tips:
        known = set[str]().union(*(fields.get(each, ()) for each in tip.commands))
        for wrong, what in (
            ({tip.name} & names, "name is taken"),
            (set(tip.commands) - fields.keys(), "command is unknown"),
            (
                set(tip.when) - set(game.View.__struct_encode_fields__),
                "field of the view is unknown",
            ),
            (set(tip.mark) - known, "field of these commands is unknown"),
        ):
            if wrong:
                raise BadCoach(f"{path.name}: tip {tip.name}: {what}: {', '.join(sorted(wrong))}")
        names.add(tip.name)
    return CoachWords(game.slug, tips)


def fitting(tips: Sequence[CoachTip], view: Any, legal: Sequence[Tagged]) -> list[CoachTip]:
    """Return the tips that belong to a decision, in the order of the file."""
    types = {command.__struct_config__.tag for command in legal}
    return [
        tip
        for tip in tips
        if not types.isdisjoint(tip.commands)
        and all(getattr(view, field) == value for field, value in tip.when.items())
    ]
