"""What each viewer is shown of a match's records, and the viewer's versions.

A viewer is a seat, or None for a spectator. A viewer's versions count, without gaps, the records
that show it an event or change its view; they never change afterwards.
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

ANSWERS = frozenset((ProposalAnswered, ProposalClosed))


def was_shown(match: Match, viewer: int | None, version: int) -> bool:
    """Return whether a viewer was shown the record at a version of the log."""
    shown = match.shown[viewer]
    place = bisect_right(shown, version)
    return place > 0 and shown[place - 1] == version


def shown_since(match: Match, viewer: int | None, version: int) -> bool:
    """Return whether a viewer was shown a record after a version of the log."""
    shown = match.shown[viewer]
    return bool(shown) and shown[-1] > version


def is_current(match: Match, viewer: int | None, version: int) -> bool:
    """Return whether what a viewer was shown up to a version of the log is all there is."""
    return match.version >= version and not shown_since(match, viewer, version)


def own_number(match: Match, viewer: int | None, version: int) -> int:
    """Return the viewer's version as of a version of the log."""
    return bisect_right(match.shown[viewer], version)


def last_before_next(match: Match, viewer: int | None, number: int) -> int | None:
    """Return the last version of the log before the viewer's version rises beyond `number`.

    Records shown only to others belong to the viewer's version before them.
    """
    shown = match.shown[viewer]
    if number < len(shown):
        return shown[number] - 1
    return match.version if number == len(shown) else None


def counts_for(
    match: Match, viewer: int | None, to: int, kept: tuple[int, ...] | UnsetType
) -> bool:
    """Return whether an undo to the log's version `to` undoes a record shown to the viewer."""
    standing = frozenset(() if kept is UNSET else kept)
    undone = (version for version in match.line.after(to) if version not in standing)
    return any(was_shown(match, viewer, version) for version in undone)


def proposal(match: Match, viewer: int | None) -> Proposal | None:
    """Return the latest open proposal that the viewer was shown."""
    return _latest([one for one in match.proposals if was_shown(match, viewer, one.version)])


def own_proposal(match: Match, seat: int) -> Proposal | None:
    """Return the latest open proposal of a seat."""
    return _latest([one for one in match.proposals if one.made.seat == seat])


def _latest(proposals: Sequence[Proposal]) -> Proposal | None:
    return max(proposals, key=lambda one: one.version, default=None)


def numbered_proposal(match: Match, viewer: int | None, number: int) -> Proposal | None:
    """Return the open proposal that a viewer knows by one of its own versions."""
    shown = match.shown[viewer]
    version = shown[number - 1] if 0 < number <= len(shown) else 0
    return next((one for one in match.proposals if one.version == version), None)


def redact(match: Match, event: Any, viewer: int | None) -> Any:
    """Return what a viewer may know of an event that was just folded; None for nothing.

    Events that end a proposal or undo are redacted just before they are folded, for the audience
    that they had then.
    """
    if type(event) not in MATCH_EVENT_TYPES:
        return match.game.redact(event, viewer, match.state)
    if type(event) is MatchCreated:
        return _created(event)
    if type(event) is TimedOut:
        return event if knows_clock(match, event.seat, viewer) else None
    if type(event) is StandingOrdersSet:
        return event if viewer == event.seat else None
    if type(event) is Undone:
        return _undone(match, event, viewer)
    if type(event) is ProposalMade:
        return _proposed(match, event, viewer)
    if type(event) in ANSWERS and match.proposals:
        return event if _was_asked(match, match.proposals[-1], viewer) else None
    return event


def _created(event: MatchCreated) -> MatchCreated:
    """Name the branch's parent, without the state that it starts from."""
    if event.branch is None:
        return event
    return replace(event, branch=replace(event.branch, state=None))


def _undone(match: Match, event: Undone, viewer: int | None) -> Undone | None:
    if viewer != event.seat and not counts_for(match, viewer, event.to, event.kept):
        return None
    return Undone(own_number(match, viewer, event.to), event.seat, event.undo)


def _was_asked(match: Match, open_: Proposal, viewer: int | None) -> bool:
    """Return whether a viewer was shown a proposal, or will be if this record makes and ends it."""
    if open_.version == match.version:
        return _proposed(match, open_.made, viewer) is not None
    return was_shown(match, viewer, open_.version)


def _proposed(match: Match, event: ProposalMade, viewer: int | None) -> ProposalMade | None:
    if (
        viewer != event.seat
        and viewer not in event.asked
        and not counts_for(match, viewer, event.to, event.kept)
    ):
        return None
    to = own_number(match, viewer, event.to)
    return ProposalMade(event.kind, event.seat, event.asked, event.expires, to, event.undo)
