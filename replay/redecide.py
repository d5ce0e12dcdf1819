"""Decide a recorded command again, and report how the record differs from the decision."""

from collections.abc import Sequence
from itertools import zip_longest
from typing import Any, Literal

from msgspec import UNSET

from events.codec import ENCODER
from events.record import AnyRecord
from games.game import Illegal
from games.match.commands import Actor, TimeOut
from projections.folded import Folded
from replay.report import Finding, difference, plain


def sender_problem(
    folded: Folded, by: Actor, command_id: str, command: Any
) -> tuple[Literal["sender", "command-id"], str] | None:
    """Return the rule that a record's actor or command id breaks with the reason, or None."""
    seat = by.seat
    played = seat is not None or by.clock
    senders = played + (by.player is not None) + (by.operator is not None)
    if senders != 1:
        return "sender", f"expected exactly one actor, found {senders}"
    if seat is not None:
        chairs = folded.match.chairs
        if not (0 <= seat < len(chairs) and chairs[seat].taken):
            return "sender", f"seat {seat} is empty or does not exist"
    elif by.player in folded.players:
        seat = folded.players[by.player]
        return "sender", f"{by.player} has seat {seat}, but acts without it"
    if (first := folded.trail.version_of(folded.actor(by, command), command_id)) is not None:
        return "command-id", f"record {first} already has this command"
    return None


def sender_finding(folded: Folded, place: int, record: AnyRecord) -> Finding | None:
    """Return the finding about a record's actor or command id, or None."""
    problem = sender_problem(folded, record.by, record.id, record.command)
    if problem is None:
        return None
    rule, why = problem
    path, actual = ("/by", record.by) if rule == "sender" else ("/id", record.id)
    return Finding(rule, place, why, path=path, actual=plain(actual))


def refusal(place: int, record: AnyRecord, error: Exception) -> Finding:
    """Return the finding for a recorded command that the rules refuse or fail on."""
    if isinstance(error, Illegal):
        why = f"refused: {error.code} {error.details or ''}".rstrip()
    else:
        why = f"the rules failed on the command: {error!r}"
    timeout = isinstance(error, Illegal) and isinstance(record.command, TimeOut)
    rule = "timeout" if timeout else "decision"
    return Finding(rule, place, why, path="/command", actual=plain(record.command))


def first_difference(place: int, recorded: Sequence[Any], decided: Sequence[Any]) -> Finding | None:
    """Return a finding about the first event that differs from the decided one, or None."""
    pairs = zip_longest(recorded, decided, fillvalue=UNSET)
    for number, (found, expected) in enumerate(pairs, start=1):
        if found is UNSET or expected is UNSET or ENCODER.encode(found) != ENCODER.encode(expected):
            why = f"event {number} {_odd(found, expected)}"
            path = f"/events/{number - 1}"
            return difference("events", place, why, path, expected, found, number)
    return None


def _odd(found: Any, expected: Any) -> str:
    if found is UNSET:
        return "is missing"
    return "does not follow" if expected is UNSET else "is another one than follows"
