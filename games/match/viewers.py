"""What each viewer is shown of a match's records, under its own numbers.

A viewer is a seat, or None for a spectator. Its numbers count, without gaps, the records that show it an event or
change its view; they never change afterwards.
"""

from bisect import bisect_right
from collections.abc import Sequence
from typing import Any

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from games.match.clocks import knows_clock
from games.match.events import (
    MATCH_EVENT_TYPES,
    MatchCreated,
    ProposalAnswered,
    ProposalClosed,
    ProposalMade,
    StandingOrdersSet,
    TimedOut,
    Undone,
)
from games.match.model import Match, Proposal


def own_number(match: Match, viewer: int | None, version: int) -> int:
    """Give the viewer's number of the last record shown to it up to a version of the log."""
    return bisect_right(match.shown[viewer], version)


def last_before_next(match: Match, viewer: int | None, number: int) -> int | None:
    """Give the last log version at which the viewer still was at its own number.

    Records that others alone were shown may lie between a viewer's numbers; they belong to the earlier one.
    """
    shown = match.shown[viewer]
    if number < len(shown):
        return shown[number] - 1
    return match.version if number == len(shown) else None


def counts_for(
    match: Match, viewer: int | None, to: int, kept: tuple[int, ...] | UnsetType = UNSET
) -> bool:
    """Tell whether an undo to the log's version `to` takes back a record that the viewer was shown."""
    shown = frozenset(match.shown[viewer]).difference(() if kept is UNSET else kept)
    return any(entry.version in shown for entry in reversed(match.line) if entry.version > to)


def proposal(match: Match, viewer: int | None) -> Proposal | None:
    """Give the latest proposal that was made to a viewer and has not ended."""
    return _latest([its for its in match.proposals if its.version in match.shown[viewer]])


def own_proposal(match: Match, seat: int) -> Proposal | None:
    """Give the latest proposal of a seat that has not ended."""
    return _latest([its for its in match.proposals if its.made.seat == seat])


def _latest(proposals: Sequence[Proposal]) -> Proposal | None:
    return max(proposals, key=lambda its: its.version, default=None)


def numbered_proposal(match: Match, viewer: int | None, number: int) -> Proposal | None:
    """Give the proposal that a viewer knows by one of its own numbers."""
    shown = match.shown[viewer]
    version = shown[number - 1] if 0 < number <= len(shown) else 0
    return next((its for its in match.proposals if its.version == version), None)


def redact(match: Match, event: Any, viewer: int | None) -> Any:
    """Give what a viewer may know of an event just folded.

    Those that end a proposal or undo are asked about just before they are folded: their audience is the one from then.
    """
    if type(event) not in MATCH_EVENT_TYPES:
        return match.game.redact(event, viewer, match.state)
    if isinstance(event, MatchCreated):
        return _created(event)
    if isinstance(event, TimedOut):
        return event if knows_clock(match, event.seat, viewer) else None
    if isinstance(event, StandingOrdersSet):
        return event if viewer == event.seat else None
    if isinstance(event, Undone):
        return _undone(match, event, viewer)
    if isinstance(event, ProposalMade):
        return _proposed(match, event, viewer)
    if isinstance(event, ProposalAnswered | ProposalClosed) and match.proposals:
        return event if _was_asked(match, match.proposals[-1], viewer) else None
    return event


def _created(event: MatchCreated) -> MatchCreated:
    """Tell where a branch comes from, and not what lies hidden there."""
    if event.branch is None:
        return event
    return replace(event, branch=replace(event.branch, state=None))


def _undone(match: Match, event: Undone, viewer: int | None) -> Undone | None:
    if viewer != event.seat and not counts_for(match, viewer, event.to, event.kept):
        return None
    return Undone(own_number(match, viewer, event.to), event.seat, event.undo)


def _was_asked(match: Match, its: Proposal, viewer: int | None) -> bool:
    """Tell whether a viewer was shown a proposal; one that is being made and ended in one record, whether it will be."""
    if its.version == match.version:
        return _proposed(match, its.made, viewer) is not None
    return its.version in match.shown[viewer]


def _proposed(match: Match, event: ProposalMade, viewer: int | None) -> ProposalMade | None:
    if (
        viewer != event.seat
        and viewer not in event.asked
        and not counts_for(match, viewer, event.to, event.kept)
    ):
        return None
    to = own_number(match, viewer, event.to)
    return ProposalMade(event.kind, event.seat, event.asked, event.expires, to, event.undo)
