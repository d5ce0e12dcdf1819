"""Branches: matches that go on from a version of another.

A branch for a seat keeps what that seat knew and deals the rest anew; one for officers keeps everything. Its header
has the state that it starts from, so that its log needs no other to be folded, played on and audited. The parent's log
adds two things: the proof that the start is the right one, and what everyone had seen before.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from games.chance import Chance
from games.game import AnyGame, Illegal, NothingFits, Seen, SeenRecord
from games.match.events import Fork, MatchCreated
from games.match.model import Match
from projections.folded import Folded, Viewer
from projections.seen import memory, seen, told
from replay.history import History
from replay.report import Finding
from replay.travel import Games

Lineage = Sequence[Sequence[bytes]]
"""The logs of a branch's parent, of the parent's parent, and so on, as far as they are known."""

DEALS_MAX = 16
"""Worlds that are drawn for a seat until one fits what it sees."""


def fork(games: Games, lineage: Lineage, seat: int | None, number: int, chance: Chance) -> Fork:
    """Fork the first log of a lineage at a version.

    With a seat, `number` is one of its own; without, one of the log's. The branch is closed while the log goes on, and
    where it is that of a closed branch itself. Raises `NoSuchVersion`, and `Illegal` where there is nothing to go on
    from.
    """
    parent = History(games, lineage[0]).at("full" if seat is None else seat, number)
    match = parent.match
    if match.status == "waiting":
        raise Illegal("match-not-started", version=number)
    if match.status != "running":
        raise Illegal("game-over", version=number)
    recall(games, match, lineage[1:])
    state = match.state if seat is None else _dealt(match, seat, chance)
    return Fork(
        parent=match.header.match,
        version=match.version,
        head=parent.head,
        seat=seat,
        number=number,
        closed=_is_closed(Folded.of(games, lineage[0]).match),
        state=msgspec.to_builtins(state, str_keys=True, order="deterministic"),
    )


def _is_closed(match: Match) -> bool:
    its = match.header.branch
    return not match.over or (its is not None and its.closed)


def _dealt(match: Match, seat: int, chance: Chance) -> Any:
    game = match.game
    view, records = game.view(match.state, seat), seen(match, seat)
    if not records.whole:
        raise NothingFits(seat)
    for _ in range(DEALS_MAX):
        world = game.players.sample(view, records, chance)
        if game.view(world, seat) == view:
            return world
    raise NothingFits(seat)


def recall(games: Games, match: Match, lineage: Lineage) -> None:
    """Give a branch what its viewers saw before the fork, for its bots; a lineage that is not its own is left alone."""
    if match.header.branch is None or not lineage:
        return
    parent = History(games, lineage[0]).at("full", match.header.branch.version)
    if parent.head != match.header.branch.head:
        return
    recall(games, parent.match, lineage[1:])
    viewers: tuple[Viewer, ...] = (*range(match.header.seats), None)
    match.past = {viewer: _past(match, parent.match, viewer) for viewer in viewers}


def _past(match: Match, parent: Match, viewer: Viewer) -> Sequence[SeenRecord]:
    """Give what a viewer saw of the parent.

    Where all but one seat's knowledge was dealt anew, the others have it from that seat: anything more would be of
    the parent's cards, which the branch does not have. Where that does not agree with what they hold now, they begin
    with a clear memory, and so does everyone where what came before the parent is not known.
    """
    assert match.header.branch is not None, "a branch"
    seat = match.header.branch.seat
    if seat is None or viewer == seat:
        its = seen(parent, viewer)
        return its.records if its.whole else ()
    if not memory(parent, None, ()).whole:
        return ()
    records = list(parent.past.get(None, ()))
    for entry, events in told(parent, (seat, viewer)):
        if events:
            records.append(SeenRecord(len(records) + 1, entry.seat, None, events))
    return records if _agrees(match, viewer, records) else ()


def _agrees(match: Match, viewer: Viewer, records: Sequence[SeenRecord]) -> bool:
    game = match.game
    view = game.view(match.start, viewer)
    before = Seen(viewer, match.header.seats, match.options, records)
    try:
        return game.view(game.players.sample(view, before, Chance(bytes(32), 1)), viewer) == view
    except Exception:  # noqa: BLE001 - a game need not make sense of a memory that has gaps
        return False


def findings(games: Games, header: MatchCreated, parent: Sequence[bytes]) -> Iterator[Finding]:
    """Hold a branch's start against its parent's log."""
    assert header.branch is not None, "a branch"
    try:
        why = _difference(games, header, header.branch, parent)
    except Exception as error:  # noqa: BLE001 - either log may be forged in any way
        why = f"it can't be compared with its parent: {error!r}"
    if why is not None:
        yield Finding(1, "branch", why)


def _difference(
    games: Games, header: MatchCreated, its: Fork, lines: Sequence[bytes]
) -> str | None:
    parent = History(games, lines).at("full", its.version)
    match = parent.match
    if parent.head != its.head:
        return f"record {its.version} of {its.parent} is another than the one it was forked from"
    if match.header.match != its.parent:
        return f"forked from {its.parent}, not from {match.header.match}"
    same = ("game", "seats", "options")
    for name in same:
        if getattr(match.header, name) != getattr(header, name):
            return f"{name} are not the parent's"
    if match.status != "running":
        return f"{its.parent} was {match.status} at version {its.version}"
    return _other_start(match.game, its, parent)


def _other_start(game: AnyGame, its: Fork, parent: Folded) -> str | None:
    state = msgspec.convert(its.state, game.State, str_keys=True)
    before = parent.match.state
    if its.seat is None:
        same = its.number == its.version and state == before
        return None if same else "not the state of its parent"
    if parent.number(its.seat) != its.number:
        return f"seat {its.seat} was at {parent.number(its.seat)}, not at {its.number}"
    if game.view(state, its.seat) != game.view(before, its.seat):
        return f"not a state that looks to seat {its.seat} as its parent's did"
    return None
