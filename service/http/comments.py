"""Comments on moments of finished matches."""

from typing import Annotated

import msgspec
from litestar import delete, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody
from msgspec import Meta

from service.http.access import MatchAccess
from service.http.matches import JoinCode
from service.play.analyses import Analyses
from service.play.caller import Caller
from service.play.comments import Comment, Comments, CommentText


class NewComment(msgspec.Struct, forbid_unknown_fields=True):
    """A comment on a moment of a match."""

    version: Annotated[int, Meta(ge=1)]
    """Version of the log, as in the full view."""
    text: CommentText


class MatchComments(msgspec.Struct):
    """What is said of a match that is over."""

    comments: list[Comment]
    """All comments, in the order of the versions. None while the match is played."""
    analysed: bool
    """Whether there is an analysis, whose mistakes are moments too."""


@post(
    "/matches/{match:str}/comments",
    status_code=201,
    tags=["travel"],
    operation_id="addComment",
    scope="play",
    refuses=("forbidden", "no-such-version", "too-many-comments", "work-unavailable"),
)
async def add_comment(
    match: FromPath[str],
    data: JSONBody[NewComment],
    caller: NamedDependency[Caller],
    access: NamedDependency[MatchAccess],
    comments: NamedDependency[Comments],
    join_code: JoinCode = None,
) -> Comment:
    """Comment on a moment of a match that is over. Everybody who may see the match may read it.

    It is kept outside the log, for a year after the first comment on the match.
    """
    found = await access.find(match, caller, join_code)
    return await comments.add(found.cached.match, caller, data.version, data.text)


@get(
    "/matches/{match:str}/comments",
    tags=["travel"],
    operation_id="getComments",
    refuses=("work-unavailable",),
)
async def get_comments(
    match: FromPath[str],
    caller: NamedDependency[Caller],
    access: NamedDependency[MatchAccess],
    comments: NamedDependency[Comments],
    analyses: NamedDependency[Analyses],
    join_code: JoinCode = None,
) -> MatchComments:
    """Return the comments on a match."""
    found = await access.find(match, caller, join_code)
    over = found.cached.match.over
    analysed = over and await analyses.get(found.folded.head) is not None
    return MatchComments(await comments.of(found.cached.match), analysed)


@delete(
    "/matches/{match:str}/comments/{comment:str}",
    tags=["travel"],
    operation_id="deleteComment",
    scope="play",
    refuses=("forbidden", "work-unavailable"),
)
async def delete_comment(
    match: FromPath[str],
    comment: FromPath[str],
    caller: NamedDependency[Caller],
    access: NamedDependency[MatchAccess],
    comments: NamedDependency[Comments],
    join_code: JoinCode = None,
) -> None:
    """Delete a comment: your own or, as an operator, any."""
    found = await access.find(match, caller, join_code)
    await comments.delete(found.cached.match, caller, comment)


HANDLERS = (add_comment, get_comments, delete_comment)
