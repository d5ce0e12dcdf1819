"""Invitations of a named player or bot to a match."""

from typing import Annotated

import msgspec
from litestar import delete, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody
from msgspec import Meta

from games.match.commands import Entropy, Seat, TakeSeat
from service.http.access import MatchAccess
from service.http.matches import JoinCode, Key
from service.play.caller import Caller
from service.play.invitations import Invitation, Invitations, Word
from service.play.matches import Matches


class NewInvitation(msgspec.Struct, forbid_unknown_fields=True):
    """An invitation to a match."""

    player: Annotated[str, Meta(max_length=64)]
    """Id of the player or bot account to invite."""
    seat: Seat | None = None
    """The seat to take; null for the first free one."""
    text: Word = ""
    """A word to the invited player."""


class InvitationList(msgspec.Struct):
    """Open invitations, newest first."""

    received: list[Invitation]
    """Invitations to you."""
    sent: list[Invitation]
    """Invitations from you."""


class Acceptance(msgspec.Struct, forbid_unknown_fields=True):
    """What a player brings who takes a seat."""

    entropy: Entropy = ""
    """Your share of the match seed."""


class Seated(msgspec.Struct):
    """The seat that you have taken."""

    match: str
    seat: int
    version: int
    """Your version of the match."""


@post(
    "/matches/{match:str}/invitations",
    status_code=201,
    tags=["invitations"],
    operation_id="invite",
    scope="play",
    refuses=(
        "already-invited", "already-seated", "match-started", "no-such-seat", "not-at-the-table",
        "seat-taken", "too-many-invitations",
    ),
)  # fmt: skip
async def invite(
    match: FromPath[str],
    data: JSONBody[NewInvitation],
    caller: NamedDependency[Caller],
    access: NamedDependency[MatchAccess],
    invitations: NamedDependency[Invitations],
    join_code: JoinCode = None,
) -> Invitation:
    """Invite a player to a match that waits for players. A private match opens to that player."""
    found = await access.find(match, caller, join_code)
    return await invitations.invite(found.cached, caller, data.player, data.seat, data.text)


@get("/players/me/invitations", tags=["invitations"], operation_id="listInvitations")
async def list_invitations(
    caller: NamedDependency[Caller], invitations: NamedDependency[Invitations]
) -> InvitationList:
    """List your open invitations, received and sent."""
    return InvitationList(*await invitations.of(caller.player))


@post(
    "/invitations/{invitation:str}/accept",
    status_code=200,
    tags=["invitations"],
    operation_id="acceptInvitation",
    scope="play",
    refuses=("rules",),
)
async def accept_invitation(
    invitation: FromPath[str],
    data: JSONBody[Acceptance],
    caller: NamedDependency[Caller],
    access: NamedDependency[MatchAccess],
    matches: NamedDependency[Matches],
    invitations: NamedDependency[Invitations],
    idempotency_key: Key = None,
) -> Seated:
    """Accept an invitation: take the seat that it names, or else the first free one."""
    found = await invitations.received(invitation, caller.player)
    cached = await access.find_whole(found.match, caller, None)
    sit = TakeSeat(found.seat, data.entropy)
    accepted = await matches.play(cached, caller, sit, idempotency_key)
    await invitations.accept(found)
    return Seated(found.match, cached.folded.players[caller.player], accepted.version)


@post(
    "/invitations/{invitation:str}/decline",
    status_code=204,
    tags=["invitations"],
    operation_id="declineInvitation",
    scope="play",
    refuses=("not-found",),
)
async def decline_invitation(
    invitation: FromPath[str],
    caller: NamedDependency[Caller],
    invitations: NamedDependency[Invitations],
) -> None:
    """Decline an invitation. It cannot be repeated until it would have expired."""
    await invitations.decline(invitation, caller.player)


@delete(
    "/invitations/{invitation:str}",
    tags=["invitations"],
    operation_id="withdrawInvitation",
    scope="play",
    refuses=("not-found",),
)
async def withdraw_invitation(
    invitation: FromPath[str],
    caller: NamedDependency[Caller],
    invitations: NamedDependency[Invitations],
) -> None:
    """Withdraw an invitation of yours."""
    await invitations.withdraw(invitation, caller.player)


HANDLERS = (invite, list_invitations, accept_invitation, decline_invitation, withdraw_invitation)
