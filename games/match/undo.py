"""Undo: what it would take, and who must be asked.

The undo classes are the games' own. An undo is free only as long as no other seat's record follows.
Otherwise the seats that were shown an undone record are asked, and everybody if something hidden
was revealed, be it by the game or by a solver.
"""

from collections.abc import Container
from typing import Any, NamedTuple

from games.chance import SEED_BYTES, Chance
from games.game import Illegal, Undo
from games.match import clocks, states, viewers
from games.match.commands import Resign, TimeOut
from games.match.line import Entry
from games.match.model import Match


class Price(NamedTuple):
    """What an undo takes."""

    to: int
    """Version of the log to rewind to."""
    undo: Undo
    asked: tuple[int, ...]
    """The people who must accept, ascending."""
    kept: tuple[int, ...] = ()
    """Versions of the log after `to` that stay: what others did in secret."""


def price(match: Match, seat: int, number: int, at: int | None = None) -> Price:
    """Return what it takes a seat to go back to one of its own versions; raises `Illegal`.

    Without `at` (microseconds), the time of the last record that the seat was shown counts, so
    that records hidden from the seat do not show in the answer.
    """
    to = viewers.last_before_next(match, seat, number)
    if to is None:
        raise Illegal("no-such-version", version=number)
    entries = match.line.until(to)
    if match.line and entries == 0:
        raise Illegal("undo-never", version=number)
    kept = hidden(match, seat, entries)
    standing = frozenset(kept)
    undone = [entry for entry in match.line[entries:] if entry.version not in standing]
    if not undone:
        raise Illegal("nothing-to-undo")
    limit = match.header.undo_limit
    if limit is not None and match.chairs[seat].undos >= limit:
        raise Illegal("undo-limit", limit=limit)
    undo = _undo_class(match, seat, entries, standing)
    if undo == "free" and _too_late(
        match, seat, undone[0], match.times[seat] if at is None else at
    ):
        undo = "consent"
    if to < match.solved:
        undo = "all"
    return Price(to, undo, _asked(match, seat, to, undo, kept), kept)


def hidden(match: Match, seat: int, entries: int, since: int | None = None) -> tuple[int, ...]:
    """Return the versions of the later records that an undo by a seat leaves standing.

    These are records by others that the seat was not shown: to undo them, or to ask more for them,
    would reveal that they exist. A record stays if it can follow from what is left; otherwise it is
    undone too. With `since`, all records after that version of the log stay if they can.
    """
    state = states.state_after(match, entries)
    kept: list[Entry] = []
    for entry in match.line[entries:]:
        unseen = entry.seat != seat and not viewers.was_shown(match, seat, entry.version)
        late = since is not None and entry.version > since
        if not (unseen or late):
            continue
        if _follows(match, state, entry):
            kept.append(entry)
        else:
            state = states.state_after(match, entries)
            states.go_on(match, state, kept)
    return tuple(entry.version for entry in kept)


def _follows(match: Match, state: Any, entry: Entry) -> bool:
    """Return whether an entry, decided anew on another state, leads to the same events there.

    The state is then that after the entry, and is to be discarded otherwise. No dice are thrown.
    """
    if entry.seat is None or isinstance(entry.command, Resign):
        return False
    game, left = match.game, list(entry.events)
    while left:
        try:
            default = isinstance(entry.command, TimeOut)
            command = game.default(state, entry.seat) if default else entry.command
            events = game.step(state, entry.seat, command, Chance(bytes(SEED_BYTES), 0))
        except Illegal:
            return False
        if not events or events != left[: len(events)]:
            return False
        del left[: len(events)]
        if left and not default:
            return False
    return True


def _undo_class(match: Match, seat: int, entries: int, kept: Container[int]) -> Undo:
    state = states.state_after(match, entries)
    worst: Undo = "free"
    for entry in match.line[entries:]:
        if entry.version not in kept:
            undo = _entry_class(match, state, entry)
            if undo is None:
                raise Illegal("undo-never")
            if undo == "all":
                worst = "all"
            elif worst == "free" and (undo == "consent" or entry.seat != seat):
                worst = "consent"
        for event in entry.events:
            match.game.apply(state, event)
    return worst


def _too_late(match: Match, seat: int, first: Entry, at: int) -> bool:
    """Return whether the time for the undone command is up: a free undo gains no time."""
    return first.limit is not None and clocks.left(match, seat, first.limit, at) <= 0


def _entry_class(match: Match, state: Any, entry: Entry) -> Undo | None:
    if entry.seat is None or isinstance(entry.command, Resign):
        return None
    timed_out = isinstance(entry.command, TimeOut)
    command = match.game.default(state, entry.seat) if timed_out else entry.command
    undo = match.game.undo(state, entry.seat, command, entry.events)
    return "all" if timed_out and undo is not None else undo


def _asked(match: Match, seat: int, to: int, undo: Undo, kept: tuple[int, ...]) -> tuple[int, ...]:
    if undo == "free":
        return ()
    others = (s for s, chair in enumerate(match.chairs) if chair.person and s != seat)
    return tuple(s for s in others if undo == "all" or viewers.counts_for(match, s, to, kept))
