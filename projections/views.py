"""A match as one viewer may know it: computed from the fold, never stored."""

from typing import Any

import msgspec
from msgspec import UNSET

from events.record import at_text
from games.match import viewers
from games.match.clocks import knows_clock
from games.match.commands import Clock, OrderEnd
from games.match.events import MatchCreated
from games.match.model import Match, Status
from games.match.viewers import own_number
from projections.folded import Viewer
from projections.takeback import Preview, preview


class ClockView(msgspec.Struct, frozen=True):
    """A running clock."""

    name: str
    since: str
    deadline: str


class SeatView(msgspec.Struct, frozen=True):
    """A seat at the table."""

    seat: int
    player: str | None
    name: str | None
    """Filled in from the player's record."""
    bot: str | None
    clock: ClockView | None
    left: bool
    away: bool


class ProposalView(msgspec.Struct, frozen=True):
    """An open proposal: answer it by its number."""

    proposal: int
    kind: str
    seat: int
    asked: list[int]
    accepted: list[int]
    expires: str
    to: int | None
    """Undo: the viewer's version that the match would go back to."""
    undo: str | None
    """Undo: its class; `all` would be marked for good."""
    preview: Preview | None
    """Undo: what it would take back from the viewer, and change for it."""


class Lineage(msgspec.Struct, frozen=True):
    """Where a branch comes from."""

    parent: str
    version: int
    """As the seat counts whose knowledge was kept, or the parent's log where everything was."""
    seat: int | None
    """Null: everything is as it was."""


def lineage(header: MatchCreated) -> Lineage | None:
    """Tell where a match was forked from; None if it is no branch."""
    fork = header.branch
    return None if fork is None else Lineage(fork.parent, fork.number, fork.seat)


class OrdersView(msgspec.Struct, frozen=True):
    """Standing orders: the match answers in the seat's stead where they apply."""

    orders: list[str]
    until: OrderEnd


class MatchView(msgspec.Struct, frozen=True):
    """A match at one of the viewer's versions."""

    match: str
    game: str
    version: int
    head: str
    at: str
    status: Status
    seats: list[SeatView]
    you: int | None
    waiting: list[int]
    """As far as the viewer may know."""
    paused: bool
    proposal: ProposalView | None
    orders: OrdersView | None
    """The viewer's own; null while there are none."""
    options: dict[str, Any]
    clock: Clock | None
    private: bool
    creator: str
    commitment: str
    branch: Lineage | None
    """Null for all but branches."""
    rules: int
    view: Any
    """The game's view; null before the start."""
    result: Any
    """The game's result; for a match that leavers ended, its winners and places."""


class EndedByLeaving(msgspec.Struct, frozen=True):
    """The result of a match that ended because one team was left, or none."""

    reason: str
    winners: list[int]
    ranks: list[int]


def match_view(match: Match, viewer: Viewer, head: str, names: dict[str, str]) -> MatchView:
    """Build what a viewer may know; `names` are the players' by id."""
    header = match.header
    return MatchView(
        match=header.match,
        game=header.game,
        version=own_number(match, viewer, match.version),
        head=head,
        at=at_text(match.times[viewer]),
        status=match.status,
        seats=[_seat_view(match, seat, viewer, names) for seat in range(header.seats)],
        you=viewer,
        waiting=sorted(match.game.awaited(match.state, viewer))
        if match.status == "running"
        else [],
        paused=match.paused is not None,
        proposal=_proposal_view(match, viewer),
        orders=_orders_view(match, viewer),
        options=header.options,
        clock=header.clock,
        private=header.private,
        creator=header.creator,
        commitment=header.commitment,
        branch=lineage(header),
        rules=header.rules,
        view=game_view(match, viewer),
        result=result(match),
    )


def game_view(match: Match, viewer: Viewer) -> Any:
    """Give the game's view; None before the start."""
    return None if match.state is None else match.game.view(match.state, viewer)


def result(match: Match) -> Any:
    """Give how the match ended; None while it runs and when it was abandoned."""
    if match.status != "finished":
        return None
    own = match.game.result(match.state)
    return own if own is not None else _ended_by_leaving(match)


def places(match: Match) -> list[int]:
    """Give every seat's place in a finished match: leavers behind all who stayed."""
    own = match.game.result(match.state)
    base = [1] * match.header.seats if own is None else own.places(match.header.seats)
    if len(match.game.teams(match.state)) == 1 and own is not None:
        return base
    left = {seat: order for order, seat in enumerate(reversed(match.leavers))}
    keys = [(seat in left, left.get(seat, base[seat])) for seat in range(match.header.seats)]
    return [1 + sum(other < key for other in keys) for key in keys]


def _ended_by_leaving(match: Match) -> EndedByLeaving:
    ranks = places(match)
    stayed = [seat for seat, chair in enumerate(match.chairs) if not chair.left]
    teams = match.game.teams(match.state)
    winners = sorted({s for team in teams for s in team if team & set(stayed)})
    return EndedByLeaving(
        "resigned", winners, [1 if s in winners else r for s, r in enumerate(ranks)]
    )


def _seat_view(match: Match, seat: int, viewer: Viewer, names: dict[str, str]) -> SeatView:
    chair = match.chairs[seat]
    return SeatView(
        seat=seat,
        player=chair.player or None,
        name=names.get(chair.player),
        bot=chair.bot or None,
        clock=_clock_view(match, seat, viewer),
        left=chair.left,
        away=chair.away,
    )


def _clock_view(match: Match, seat: int, viewer: Viewer) -> ClockView | None:
    clock = match.clocks.get(seat)
    if clock is None or not knows_clock(match, seat, viewer):
        return None
    return ClockView(clock.name, at_text(clock.since), at_text(clock.deadline))


def _proposal_view(match: Match, viewer: Viewer) -> ProposalView | None:
    proposal = viewers.proposal(match, viewer)
    if proposal is None:
        return None
    made = proposal.made
    kept = tuple(e.version for e in match.line if e.version > proposal.version)
    kept += () if made.kept is UNSET else made.kept
    return ProposalView(
        proposal=own_number(match, viewer, proposal.version),
        kind=made.kind,
        seat=made.seat,
        asked=list(made.asked),
        accepted=list(proposal.accepted),
        expires=at_text(made.expires),
        to=own_number(match, viewer, made.to) if made.kind == "undo" else None,
        undo=made.undo,
        preview=None if made.kind != "undo" else preview(match, viewer, made.to, kept),
    )


def _orders_view(match: Match, viewer: Viewer) -> OrdersView | None:
    if viewer is None or not (chair := match.chairs[viewer]).orders:
        return None
    return OrdersView(list(chair.orders), chair.orders_end)
