"""A match as one viewer may know it. Views are computed from the fold and never stored."""

from typing import Any

import msgspec
from msgspec import UNSET

from events.record import at_text
from games.match import viewers
from games.match.clocks import knows_clock
from games.match.commands import BotPace, Clock, OrderEnd
from games.match.events import MatchCreated
from games.match.model import Match, Status
from games.match.viewers import own_number
from games.wire import GameOptions, GameView, MatchResult, Time
from projections.folded import Viewer
from projections.people import is_bot_account
from projections.takeback import Preview, preview


class ClockView(msgspec.Struct, frozen=True):
    """A running clock of a seat."""

    name: str
    since: Time
    deadline: Time


class SeatView(msgspec.Struct, frozen=True):
    """A seat at the table."""

    seat: int
    player: str | None
    """Id of the player."""
    name: str | None
    """Name from the player's record."""
    bot: str | None
    """Level of the bot."""
    program: bool
    """Whether the player is a bot account."""
    clock: ClockView | None
    """Null if no clock is running, or if it is hidden from this viewer."""
    left: bool
    """Whether the seat has left the match for good."""
    away: bool
    """Whether the seat has timed out so often that defaults or a bot play for it."""


class ProposalView(msgspec.Struct, frozen=True):
    """An open proposal."""

    proposal: int
    """Number of the proposal, for the answer. It is the viewer's version of the proposal."""
    kind: str
    seat: int
    """The seat that made the proposal."""
    asked: list[int]
    """Seats that must accept."""
    accepted: list[int]
    """Seats that have accepted."""
    expires: Time
    to: int | None
    """For an undo: the viewer's version that the match would go back to."""
    undo: str | None
    """For an undo: its class. An undo of class `all` is marked in the log."""
    preview: Preview | None
    """For an undo: its effect on this viewer."""


class Lineage(msgspec.Struct, frozen=True):
    """The origin of a branch."""

    parent: str
    """Id of the parent match."""
    version: int
    """The seat's version in the parent, or the version of the parent's log if `seat` is null."""
    seat: int | None
    """The seat whose knowledge was kept. Null if the whole state was kept."""


def lineage(header: MatchCreated) -> Lineage | None:
    """Return the origin of a branch, or None if the match is not a branch."""
    fork = header.branch
    return None if fork is None else Lineage(fork.parent, fork.number, fork.seat)


class OrdersView(msgspec.Struct, frozen=True):
    """Standing orders of a seat. The match answers in its place when they apply."""

    orders: list[str]
    until: OrderEnd


class MatchView(msgspec.Struct, frozen=True):
    """A match as one viewer may know it."""

    match: str
    game: str
    version: int
    """The viewer's version."""
    head: str
    """The viewer's receipt at that version."""
    at: Time
    """Time of the last record shown to the viewer."""
    status: Status
    seats: list[SeatView]
    you: int | None
    """The viewer's seat. Null for the spectator."""
    waiting: list[int]
    """Seats that are to move, as far as the viewer may know."""
    paused: bool
    proposal: ProposalView | None
    """The latest open proposal that the viewer may know."""
    orders: OrdersView | None
    """The viewer's own standing orders."""
    options: GameOptions
    clock: Clock | None
    private: bool
    spectator_delay: int | None
    """Time after which spectators are shown a move (seconds). Null if that is at once."""
    bot_pace: BotPace | None
    """How long bots wait before they move. Null if they wait as long as the service is set to."""
    creator: str
    """Id of the player who created the match."""
    commitment: str
    """SHA-256 of the service seed, in hex."""
    branch: Lineage | None
    """Origin of a branch. Null for other matches."""
    rules: int
    """Rules version."""
    view: GameView | None
    """The game's view. Null before the start."""
    result: MatchResult | None
    """The game's result. If the match ended because seats left, its winners and places."""


def match_view(match: Match, viewer: Viewer, head: str, names: dict[str, str]) -> MatchView:
    """Build the view of a match for a viewer. `names` are the names of players by id."""
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
        options=match.plain_options,
        clock=header.clock,
        private=header.private,
        spectator_delay=match.spectator_delay,
        bot_pace=match.bot_pace,
        creator=header.creator,
        commitment=header.commitment,
        branch=lineage(header),
        rules=header.rules,
        view=game_view(match, viewer),
        result=result(match),
    )


def game_view(match: Match, viewer: Viewer) -> Any:
    """Return the game's view, or None before the start."""
    return None if match.state is None else match.game.view(match.state, viewer)


def result(match: Match) -> Any:
    """Return the result of a match, or None unless it is finished."""
    return None if match.ending is None else match.ending.result


def _seat_view(match: Match, seat: int, viewer: Viewer, names: dict[str, str]) -> SeatView:
    chair = match.chairs[seat]
    return SeatView(
        seat=seat,
        player=chair.player or None,
        name=names.get(chair.player),
        bot=chair.bot or None,
        program=is_bot_account(chair.player),
        clock=_known_clock(match, seat, viewer),
        left=chair.left,
        away=chair.away,
    )


def _known_clock(match: Match, seat: int, viewer: Viewer) -> ClockView | None:
    shown = clock_view(match, seat)
    return None if shown is None or not knows_clock(match, seat, viewer) else shown


def clock_view(match: Match, seat: int) -> ClockView | None:
    """Return the running clock of a seat, also if it is hidden from others."""
    clock = match.clocks.get(seat)
    if clock is None:
        return None
    return ClockView(clock.name, at_text(clock.since), at_text(clock.deadline))


def _proposal_view(match: Match, viewer: Viewer) -> ProposalView | None:
    proposal = viewers.proposal(match, viewer)
    if proposal is None:
        return None
    made = proposal.made
    kept = tuple(match.line.after(proposal.version))
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
