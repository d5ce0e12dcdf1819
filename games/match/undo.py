"""Taking back: what it would cost, and who must be asked.

The classes are the games' own (specification §13). Free stays free only while no other seat's record follows; the
asked are those to whom an undone record counts, and for what showed hidden things everyone.
"""

from collections.abc import Sequence
from typing import NamedTuple

from games.game import Illegal, Undo
from games.match import states, viewers
from games.match.commands import Resign, TimeOut
from games.match.model import Entry, Match


class Price(NamedTuple):
    """What an undo needs."""

    to: int
    """The log's version to rewind to."""
    undo: Undo
    asked: tuple[int, ...]
    """The people who must accept, ascending."""


def price(match: Match, seat: int, number: int) -> Price:
    """Price an undo by a seat back to one of its own numbers; raises `Illegal`."""
    to = viewers.last_before_next(match, seat, number)
    if to is None:
        raise Illegal("no-such-version", version=number)
    entries = states.entries_until(match, to)
    undone = match.line[entries:]
    if not undone:
        raise Illegal("nothing-to-undo")
    if entries == 0:
        raise Illegal("undo-never", version=number)
    limit = match.header.undo_limit
    if limit is not None and match.chairs[seat].undos >= limit:
        raise Illegal("undo-limit", limit=limit)
    undo = _undo_class(match, seat, entries, undone)
    return Price(to, undo, _asked(match, seat, to, undo))


def _undo_class(match: Match, seat: int, entries: int, undone: Sequence[Entry]) -> Undo:
    state = states.state_after(match, entries)
    worst: Undo = "free"
    for entry in undone:
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


def _entry_class(match: Match, state: object, entry: Entry) -> Undo | None:
    if entry.seat is None or isinstance(entry.command, Resign):
        return None
    if isinstance(entry.command, TimeOut):
        return "all"
    return match.game.undo(state, entry.seat, entry.command, entry.events)


def _asked(match: Match, seat: int, to: int, undo: Undo) -> tuple[int, ...]:
    if undo == "free":
        return ()
    others = (s for s, chair in enumerate(match.chairs) if chair.person and s != seat)
    return tuple(s for s in others if undo == "all" or viewers.counts_for(match, s, to))
