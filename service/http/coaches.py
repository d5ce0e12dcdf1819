"""What the coach of a game says in a player's first match."""

from collections.abc import Mapping

from litestar import get
from litestar.di import NamedDependency
from litestar.params import FromPath, SkipValidation

from replay.coach import CoachWords
from service.base.problems import not_found
from service.http.games import Offered

Coached = SkipValidation[NamedDependency[Mapping[str, CoachWords]]]
"""The coaches, by game."""


@get(
    "/games/{slug:str}/coach",
    tags=["games"],
    operation_id="getCoach",
    refuses=("not-found",),
)
async def get_coach(slug: FromPath[str], offered: Offered, coached: Coached) -> CoachWords:
    """Return the tips of a game: words for each kind of decision that a player meets.

    A tip belongs to a decision if one of its commands is legal and the view has the values of
    `when`. Show the first such tip that the player has not seen. A game may have none.
    """
    if slug not in offered:
        raise not_found("game")
    return coached.get(slug, CoachWords(slug, []))


HANDLERS = (get_coach,)
