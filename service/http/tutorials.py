"""Tutorials of the games: their steps, the board at a step, and tries that nobody keeps."""

from collections.abc import Mapping

import msgspec
from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody, SkipValidation

from games.game import Illegal
from replay.tutorial import (
    Commands,
    NoSuchStep,
    Tutorial,
    TutorialAttempt,
    TutorialBoard,
    TutorialWords,
)
from service.base.input_errors import input_error
from service.base.problems import invalid, not_found, ruled_out

Taught = SkipValidation[NamedDependency[Mapping[str, Tutorial]]]
"""The tutorials, by game."""


class TutorialTry(msgspec.Struct, forbid_unknown_fields=True):
    """What the learner does at a step."""

    attempt: Commands
    """Commands of the game, in order, from the board at the step."""


@get(
    "/games/{slug:str}/tutorial",
    tags=["games"],
    operation_id="getTutorial",
    refuses=("not-found",),
)
async def get_tutorial(slug: FromPath[str], taught: Taught) -> TutorialWords:
    """Return the words of a game's tutorial, step by step."""
    return _found(slug, taught).syllabus


@get(
    "/games/{slug:str}/tutorial/steps/{step:int}",
    tags=["games"],
    operation_id="getTutorialStep",
    counts="calls",
    refuses=("not-found",),
)
async def get_step(slug: FromPath[str], step: FromPath[int], taught: Taught) -> TutorialBoard:
    """Return the board at a step of a tutorial, and what happened since the step before."""
    try:
        return _found(slug, taught).position(step)
    except NoSuchStep as error:
        raise not_found("step") from error


@post(
    "/games/{slug:str}/tutorial/steps/{step:int}/try",
    status_code=200,
    tags=["games"],
    operation_id="tryTutorialStep",
    counts="calls",
    response_description="What the commands do. Nothing is kept.",
    refuses=("not-found", "rules"),
)
async def try_step(
    slug: FromPath[str], step: FromPath[int], data: JSONBody[TutorialTry], taught: Taught
) -> TutorialAttempt:
    """Decide commands at a step of a tutorial, and return whether they reach its goal."""
    tutorial = _found(slug, taught)
    try:
        return tutorial.attempt(step, data.attempt)
    except NoSuchStep as error:
        raise not_found("step") from error
    except msgspec.ValidationError as error:
        expected = list[tutorial.game.Command]
        raise invalid(input_error(str(error), expected, data.attempt, "/attempt")) from error
    except Illegal as error:
        raise ruled_out(error, tutorial.game) from error


def _found(slug: str, taught: Mapping[str, Tutorial]) -> Tutorial:
    if (tutorial := taught.get(slug)) is None:
        raise not_found("tutorial")
    return tutorial


HANDLERS = (get_tutorial, get_step, try_step)
