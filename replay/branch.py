"""Branches: matches that go on from a version of another match, the parent.

A branch for a seat keeps what that seat knew, and deals the rest anew. A branch for officers keeps
the whole state. The header contains the state that the branch starts from, so the branch can be
folded, played and audited without the parent's log. The parent's log adds two things: proof that
the start is correct, and what each viewer had seen before.
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

Ancestry = Sequence[Sequence[bytes]]
"""Known logs of a chain of branches: each log is followed by the log of its parent."""

DEALS_MAX = 16
"""Maximum number of sampled worlds to try before giving up."""

INHERITED = (
    "game", "seats", "options", "stand_in", "proposal_seconds", "spectator_delay", "bot_pace",
)  # fmt: skip
"""Fields of the header that a branch has from its parent."""


def fork(games: Games, ancestry: Ancestry, seat: int | None, number: int, chance: Chance) -> Fork:
    """Create the start of a branch at a version of the first log in `ancestry`.

    `number` is the seat's version or, without a seat, the version of the log. The branch is closed
    if the parent is not over, or is a closed branch itself. Raises `NoSuchVersion`, and `Illegal`
    if the match was not running at that version.
    """
    parent = History(games, ancestry[0]).at("full" if seat is None else seat, number)
    match = parent.match
    if match.status == "waiting":
        raise Illegal("match-not-started", version=number)
    if match.status != "running":
        raise Illegal("game-over", version=number)
    recall(games, match, ancestry[1:])
    state = match.state if seat is None else _dealt(match, seat, chance)
    return Fork(
        parent=match.header.match,
        version=match.version,
        head=parent.head,
        seat=seat,
        number=number,
        closed=_is_closed(Folded.of(games, ancestry[0]).match),
        state=msgspec.to_builtins(state, str_keys=True, order="deterministic"),
    )


def _is_closed(match: Match) -> bool:
    origin = match.header.branch
    return not match.over or (origin is not None and origin.closed)


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


def recall(games: Games, match: Match, ancestry: Ancestry) -> None:
    """Set what the viewers of a branch had seen before the fork, for its bots.

    `ancestry` begins with the parent's log. Logs that do not belong to the branch are ignored.
    """
    if match.header.branch is None or not ancestry:
        return
    parent = History(games, ancestry[0]).at("full", match.header.branch.version)
    if parent.head != match.header.branch.head:
        return
    recall(games, parent.match, ancestry[1:])
    viewers: tuple[Viewer, ...] = (*range(match.header.seats), None)
    match.past = {viewer: _past(match, parent.match, viewer) for viewer in viewers}


def _past(match: Match, parent: Match, viewer: Viewer) -> Sequence[SeenRecord]:
    """Return what a viewer saw of the parent.

    In a branch for a seat, the other viewers remember only what that seat knew of their records,
    because everything else was dealt anew. A viewer whose records contradict the new deal starts
    without memory. So does every viewer if the records before the parent are not known.
    """
    assert match.header.branch is not None, "a branch"
    seat = match.header.branch.seat
    if seat is None or viewer == seat:
        known = seen(parent, viewer)
        return known.records if known.whole else ()
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
    except Exception:  # noqa: BLE001 - a game may fail on a memory with gaps
        return False


def findings(games: Games, header: MatchCreated, parent: Sequence[bytes]) -> Iterator[Finding]:
    """Compare the start of a branch with its parent's log."""
    assert header.branch is not None, "a branch"
    try:
        why = _difference(games, header, header.branch, parent)
    except Exception as error:  # noqa: BLE001 - either log may be forged in any way
        why = f"the branch cannot be compared with its parent: {error!r}"
    if why is not None:
        yield Finding("branch", 1, why)


def _difference(
    games: Games, header: MatchCreated, origin: Fork, lines: Sequence[bytes]
) -> str | None:
    parent = History(games, lines).at("full", origin.version)
    match = parent.match
    if parent.head != origin.head:
        return f"record {origin.version} of {origin.parent} has another hash than the branch names"
    if match.header.match != origin.parent:
        return f"the branch names the parent {origin.parent}, not {match.header.match}"
    for name in INHERITED:
        if getattr(match.header, name) != getattr(header, name):
            return f"the field `{name}` differs from the parent's"
    if match.status != "running":
        return f"{origin.parent} was {match.status} at version {origin.version}"
    return _other_start(match.game, origin, parent)


def _other_start(game: AnyGame, origin: Fork, parent: Folded) -> str | None:
    state = msgspec.convert(origin.state, game.State, str_keys=True)
    before = parent.match.state
    if origin.seat is None:
        same = origin.number == origin.version and state == before
        return None if same else "the state differs from the parent's"
    if parent.number(origin.seat) != origin.number:
        number = parent.number(origin.seat)
        return f"seat {origin.seat} was at version {number}, not at {origin.number}"
    if game.view(state, origin.seat) != game.view(before, origin.seat):
        return f"the view of seat {origin.seat} differs from the parent's"
    return None
