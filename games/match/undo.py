"""Taking back: what it would cost, and who must be asked.

The classes are the games' own (specification §13). Free stays free only while no other seat's record follows; the
asked are those to whom an undone record counts, and for what showed hidden things everyone: so does a solver's answer.
"""

from typing import Any, NamedTuple

from games.chance import SEED_BYTES, Chance
from games.game import Illegal, Undo
from games.match import clocks, states, viewers
from games.match.commands import Resign, TimeOut
from games.match.model import Entry, Match


class Price(NamedTuple):
    """What an undo needs."""

    to: int
    """The log's version to rewind to."""
    undo: Undo
    asked: tuple[int, ...]
    """The people who must accept, ascending."""
    kept: tuple[int, ...] = ()
    """The log's versions after `to` that stay: what others did in hiding."""


def price(match: Match, seat: int, number: int, at: int | None = None) -> Price:
    """Price an undo by a seat back to one of its own numbers, at a time; raises `Illegal`.

    None is the time of the last record that the seat was shown: those that it wasn't must not tell of themselves.
    """
    to = viewers.last_before_next(match, seat, number)
    if to is None:
        raise Illegal("no-such-version", version=number)
    entries = states.entries_until(match, to)
    if match.line and entries == 0:
        raise Illegal("undo-never", version=number)
    kept = hidden(match, seat, entries)
    undone = [entry for entry in match.line[entries:] if entry.version not in kept]
    if not undone:
        raise Illegal("nothing-to-undo")
    limit = match.header.undo_limit
    if limit is not None and match.chairs[seat].undos >= limit:
        raise Illegal("undo-limit", limit=limit)
    undo = _undo_class(match, seat, entries, kept)
    if undo == "free" and _too_late(
        match, seat, undone[0], match.times[seat] if at is None else at
    ):
        undo = "consent"
    if to < match.solved:
        undo = "all"
    return Price(to, undo, _asked(match, seat, to, undo, kept), kept)


def hidden(match: Match, seat: int, entries: int, since: int | None = None) -> tuple[int, ...]:
    """Give the later records that an undo by a seat leaves standing: those that it isn't shown, by others.

    An undo that took them back, or cost more for them, would tell the seat that they exist. They stay where they
    follow just as well from what is left; where one does not, it is taken back too. `since`: records after that
    version of the log are to stay as well, whoever was shown them.
    """
    shown = frozenset(match.shown[seat])
    state = states.state_after(match, entries)
    kept: list[int] = []
    for entry in match.line[entries:]:
        unseen = entry.seat != seat and entry.version not in shown
        late = since is not None and entry.version > since
        if (unseen or late) and (after := _again(match, state, entry)) is not None:
            state = after
            kept.append(entry.version)
    return tuple(kept)


def _again(match: Match, state: Any, entry: Entry) -> Any:
    """Give the state after an entry that follows from another state too; None if it does not, or draws dice."""
    if entry.seat is None or isinstance(entry.command, Resign):
        return None
    game, after, left = match.game, state.copy(), list(entry.events)
    while left:
        try:
            default = isinstance(entry.command, TimeOut)
            command = game.default(after, entry.seat) if default else entry.command
            events = game.decide(after, entry.seat, command, Chance(bytes(SEED_BYTES), 0))
        except Illegal:
            return None
        if not events or events != left[: len(events)]:
            return None
        for event in events:
            game.apply(after, event)
        del left[: len(events)]
        if left and not default:
            return None
    return after


def _undo_class(match: Match, seat: int, entries: int, kept: tuple[int, ...]) -> Undo:
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
    """Tell whether the time is up for what would be taken back: free undo buys none."""
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
