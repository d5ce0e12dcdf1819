"""What the rows need of a match, from its fold alone: lobby, histories, standings and deadlines follow from this."""

from typing import Any

import msgspec

from games.match.commands import Clock
from games.match.due import next_due
from games.match.model import Match, Status
from games.match.viewers import own_number
from projections.views import Lineage, lineage, places, result


class Sitter(msgspec.Struct, frozen=True):
    """Who sits on a seat: a player, a bot of a level, or nobody."""

    player: str = ""
    bot: str = ""

    @property
    def name(self) -> str:
        """The name that results are counted under: all bots of a level are one."""
        return self.player or (f"bot:{self.bot}" if self.bot else "")


class Outcome(msgspec.Struct, frozen=True):
    """How a match ended that has a result."""

    at: int
    """Microseconds since 1970."""
    teams: tuple[tuple[int, ...], ...]
    """The seats that won or lost together; a single team is a cooperative game."""
    places: tuple[int, ...]
    """By seat, 1 the best."""
    winners: tuple[int, ...]
    """Ascending."""


class Summary(msgspec.Struct, frozen=True):
    """A match at one version of its log."""

    match: str
    version: int
    """The log's: for the service alone, as it may tell of hidden records."""
    game: str
    status: Status
    private: bool
    creator: str
    options: dict[str, Any]
    clock: Clock | None
    sitters: tuple[Sitter, ...]
    """By seat."""
    opened: int
    """Microseconds since 1970."""
    told_version: int
    """A spectator's number of the version."""
    told_at: int
    """When a spectator was last shown something; microseconds since 1970."""
    deadline: int | None
    """When the clock next has something to do, in microseconds since 1970."""
    bots_from: int | None
    """From when on a waiting bot may act, in microseconds since 1970; None while no bot is waited for."""
    outcome: Outcome | None
    branch: Lineage | None = None
    """Branches count for no standings."""


def summary(match: Match) -> Summary:
    """Give a folded match's summary."""
    header = match.header
    due = next_due(match)
    return Summary(
        match=header.match,
        version=match.version,
        game=header.game,
        status=match.status,
        private=header.private,
        creator=header.creator,
        options=header.options,
        clock=header.clock,
        sitters=tuple(Sitter(chair.player, chair.bot) for chair in match.chairs),
        opened=match.opened,
        told_version=own_number(match, None, match.version),
        told_at=match.times[None],
        deadline=None if due is None else due.at,
        bots_from=_bots_from(match),
        outcome=_outcome(match),
        branch=lineage(header),
    )


def waiting_bots(match: Match) -> list[int]:
    """List the bots' seats that the match waits for; the one that has waited longest comes first."""
    if match.status != "running" or match.paused is not None:
        return []
    waiting = match.game.waiting(match.state)
    bots = [seat for seat in sorted(waiting) if match.bot_at(seat)]
    if len(bots) > 1:
        acted = {entry.seat: place for place, entry in enumerate(match.line)}
        bots.sort(key=lambda seat: acted.get(seat, -1))
    return bots


def _bots_from(match: Match) -> int | None:
    """Bots hold still while people are being asked, but not for more than half of their own time.

    A command would close the proposal; who asks again and again must not make them run out of time.
    """
    if not (bots := waiting_bots(match)):
        return None
    asked_until = max((its.made.expires for its in match.proposals), default=match.at)
    clocks = (match.clocks[bot] for bot in bots if bot in match.clocks)
    patience = min((clock.since + clock.allowed // 2 for clock in clocks), default=asked_until)
    return max(match.at, min(asked_until, patience))


def _outcome(match: Match) -> Outcome | None:
    if (end := result(match)) is None:
        return None
    teams = (tuple(sorted(team)) for team in match.game.teams(match.state))
    return Outcome(
        at=match.at,
        teams=tuple(sorted(teams)),
        places=tuple(places(match)),
        winners=tuple(sorted(end.winners)),
    )
