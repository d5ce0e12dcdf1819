"""Rematches: play a match again with the same people, in a series with a score."""

import msgspec
from litestar import delete, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

from service.http.access import MatchAccess
from service.http.invitations import Acceptance
from service.http.matches import JoinCode
from service.play.admission import Admission
from service.play.caller import Caller
from service.play.rematches import Rematches, RematchOffer
from service.play.series import SeriesReader, SeriesView


class RematchView(msgspec.Struct):
    """What follows a match, and the series that it belongs to."""

    series: SeriesView
    """The series up to this match."""
    offer: RematchOffer | None
    """The offer of a rematch, which only the players of the match see; null if there is none."""
    rematch: str | None
    """The match that follows; null if there is none."""


@get("/matches/{match:str}/rematch", tags=["invitations"], operation_id="getRematch")
async def get_rematch(
    match: FromPath[str],
    caller: NamedDependency[Caller],
    access: NamedDependency[MatchAccess],
    rematches: NamedDependency[Rematches],
    series: NamedDependency[SeriesReader],
    join_code: JoinCode = None,
) -> RematchView:
    """Return the series of a match with its score, and the rematch or the offer of one."""
    cached = (await access.find(match, caller, join_code)).cached
    return RematchView(
        await series.view(cached),
        await rematches.offer(cached, caller.player),
        await rematches.rematch(cached),
    )


@post(
    "/matches/{match:str}/rematch",
    status_code=200,
    tags=["invitations"],
    operation_id="agreeToRematch",
    scope="play",
    refuses=(
        "match-not-over", "no-rematch", "not-a-seat", "rematch-declined", "rules",
        "too-many-rematches", "log-quota",
    ),
)  # fmt: skip
async def agree_to_rematch(
    match: FromPath[str],
    data: JSONBody[Acceptance],
    caller: NamedDependency[Caller],
    access: NamedDependency[MatchAccess],
    admission: NamedDependency[Admission],
    rematches: NamedDependency[Rematches],
    series: NamedDependency[SeriesReader],
) -> RematchView:
    """Offer a rematch, or agree to it. With the last player's consent the match starts.

    The rematch has the same people, bots and options, and everybody sits one seat further. There is
    one rematch of a match at most.
    """
    await admission.require_room()
    cached = (await access.find(match, caller, None)).cached
    made = await rematches.agree(cached, caller, data.entropy)
    offer = None if made else await rematches.offer(cached, caller.player)
    return RematchView(await series.view(cached), offer, made)


@delete(
    "/matches/{match:str}/rematch",
    tags=["invitations"],
    operation_id="declineRematch",
    scope="play",
    refuses=("match-not-over", "no-rematch", "not-a-seat", "not-found"),
)
async def decline_rematch(
    match: FromPath[str],
    caller: NamedDependency[Caller],
    access: NamedDependency[MatchAccess],
    rematches: NamedDependency[Rematches],
) -> None:
    """Decline the offer of a rematch, or withdraw your own.

    Afterwards only the player who declined can offer a rematch, until the offer would have expired.
    """
    await rematches.decline((await access.find(match, caller, None)).cached, caller)


@get("/players/me/rematches", tags=["invitations"], operation_id="listRematches")
async def list_rematches(
    caller: NamedDependency[Caller], rematches: NamedDependency[Rematches]
) -> list[RematchOffer]:
    """List the open offers of a rematch that you have not answered."""
    return await rematches.asking(caller.player)


HANDLERS = (get_rematch, agree_to_rematch, decline_rematch, list_rematches)
