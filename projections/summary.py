"""The summary of a match, from which lobby, histories, standings and deadlines are computed."""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import msgspec

from events.errata import SignedErratum
from games.match.commands import BotPace, Clock
from games.match.due import next_due
from games.match.model import Match, Status
from games.match.viewers import own_number, was_shown
from projections.notices import EndNotice, Notice, StandingNotice, StartNotice, standing
from projections.views import Lineage, lineage

PAUSES_MS: Mapping[BotPace, tuple[int, int]] = MappingProxyType(
    {"instant": (0, 0), "brisk": (800, 400), "human": (2_500, 1_200)}
)
"""By pace, how long a bot waits before the first move of a turn, and before each later one (ms)."""


class Sitter(msgspec.Struct, frozen=True):
    """The occupant of a seat: a player, a bot of a level, or nobody."""

    player: str = ""
    bot: str = ""

    @property
    def name(self) -> str:
        """The name under which results are counted. All bots of a level share one name."""
        return self.player or (f"bot:{self.bot}" if self.bot else "")


class Outcome(msgspec.Struct, frozen=True):
    """The result of a match."""

    at: int
    """Time at which the match ended (microseconds since 1970)."""
    teams: tuple[tuple[int, ...], ...]
    """Seats that won or lost together. A cooperative match has a single team."""
    places: tuple[int, ...]
    """Place of each seat. 1 is the best."""
    winners: tuple[int, ...]
    """Winning seats in ascending order."""
    counts: bool = True
    """Whether the result counts for the standings. An erratum may say that it does not."""


class Summary(msgspec.Struct, frozen=True):
    """A match at one version of its log."""

    match: str
    version: int
    """The version of the log. Not for clients, because it reveals hidden records."""
    game: str
    status: Status
    private: bool
    creator: str
    options: dict[str, Any]
    clock: Clock | None
    sitters: tuple[Sitter, ...]
    """Occupant of each seat."""
    opened: int
    """Time at which the match was created (microseconds since 1970)."""
    told_version: int
    """The spectator's version. While spectators are behind, the one at the start."""
    told_at: int
    """Time of that record (microseconds since 1970)."""
    deadline: int | None
    """Time at which the service must act in the match (microseconds since 1970)."""
    bots_from: int | None
    """Time from which a bot may act (microseconds since 1970). None if no bot is to move.

    With a `bot_pace`, that is after the bot's pause. Otherwise the service adds its own.
    """
    outcome: Outcome | None
    """None if the match has no result."""
    branch: Lineage | None = None
    """None unless the match is a branch. Branches do not count for standings."""
    standing: tuple[StandingNotice, ...] = ()
    """What players at the table are asked to do now."""
    errata: int = 0
    """Number of errata that the outcome takes into account."""
    spectator_delay: int | None = None
    """Time after which spectators are shown a record (seconds). None if that is at once."""
    bot_pace: BotPace | None = None
    """How long bots wait before they move. None if the service decides."""


def summary(match: Match) -> Summary:
    """Build the summary of a folded match."""
    header = match.header
    due = next_due(match)
    behind = bool(match.spectators_behind)
    return Summary(
        match=header.match,
        version=match.version,
        game=header.game,
        status=match.status,
        private=header.private,
        creator=header.creator,
        options=match.plain_options,
        clock=header.clock,
        sitters=tuple(Sitter(chair.player, chair.bot) for chair in match.chairs),
        opened=match.opened,
        told_version=own_number(match, None, match.started if behind else match.version),
        told_at=match.started_at if behind else match.times[None],
        deadline=None if due is None else due.at,
        bots_from=_bots_from(match),
        outcome=_outcome(match),
        branch=lineage(header),
        standing=standing(match),
        spectator_delay=match.spectator_delay,
        bot_pace=match.bot_pace,
    )


def corrected(summary: Summary, errata: Sequence[SignedErratum]) -> Summary:
    """Return the summary of a match that has ended with the outcome that its errata state.

    The last corrected ending counts. The match counts for the standings if all errata say so.
    """
    outcome = summary.outcome
    if outcome is None or not errata:
        return msgspec.structs.replace(summary, errata=len(errata))
    for given in errata:
        if (ending := given.erratum.ending) is not None:
            outcome = msgspec.structs.replace(outcome, places=ending.places, winners=ending.winners)
    counts = all(given.erratum.counts for given in errata)
    return msgspec.structs.replace(
        summary, outcome=msgspec.structs.replace(outcome, counts=counts), errata=len(errata)
    )


def status_notices(summary: Summary) -> Iterator[tuple[str, Notice]]:
    """Yield by player the notice of a match that has just started or ended."""
    outcome = summary.outcome
    winners = None if outcome is None else outcome.winners
    for seat, sitter in enumerate(summary.sitters):
        about = (summary.match, summary.game, seat)
        if sitter.player and summary.status == "running":
            yield sitter.player, StartNotice(*about)
        elif sitter.player and summary.status != "waiting":
            yield sitter.player, EndNotice(*about, summary.status, winners)


def waiting_bots(match: Match) -> list[int]:
    """List the seats of bots that are to move, longest waiting first."""
    if match.status != "running" or match.paused is not None:
        return []
    waiting = match.game.waiting(match.state)
    bots = [seat for seat in sorted(waiting) if match.bot_at(seat)]
    if len(bots) > 1:
        bots.sort(key=match.line.last_by)
    return bots


def _bots_from(match: Match) -> int | None:
    """Return the time from which a bot may act.

    Bots wait while a proposal that they were shown is open, because a game command would close it,
    and then as long as the pace of the match says, from the last record that everybody was shown:
    otherwise what is hidden from rivals would show in the delay, and a crew could halt the bots of
    the other. They wait for at most half of their own time, so that repeated proposals cannot make
    them run out of time.
    """
    if not (bots := waiting_bots(match)):
        return None
    told_at = match.times[None]
    asked_until = min(_asked_until(match, bot) for bot in bots)
    clocks = (match.clocks[bot] for bot in bots if bot in match.clocks)
    ready = asked_until + _pause(match, bots[0])
    patience = min((clock.since + clock.allowed // 2 for clock in clocks), default=ready)
    return max(told_at, min(ready, patience))


def _asked_until(match: Match, bot: int) -> int:
    """Return when the last open proposal that a bot was shown expires."""
    shown = [one.made.expires for one in match.proposals if was_shown(match, bot, one.version)]
    return max(shown, default=match.times[None])


def _pause(match: Match, bot: int) -> int:
    """Return how long a bot waits before it moves (microseconds).

    The pause depends only on who moved last before everybody's eyes, and never on the choices of
    the bot, which may be hidden.
    """
    if match.bot_pace is None:
        return 0
    turn, step = PAUSES_MS[match.bot_pace]
    shown = match.line.until(match.shown[None][-1])
    goes_on = shown > 0 and match.line[shown - 1].seat == bot
    return (step if goes_on else turn) * 1_000


def _outcome(match: Match) -> Outcome | None:
    if match.ending is None:
        return None
    teams = (tuple(sorted(team)) for team in match.game.teams(match.state))
    return Outcome(
        at=match.at,
        teams=tuple(sorted(teams)),
        places=match.ending.places,
        winners=match.ending.winners,
    )
