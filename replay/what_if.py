"""What if: remove or replace one command of a match, and decide all later commands again.

Every command gets the dice of its own record, so that all differences are due to the change. No
log is written. Versions are those of the log.
"""

from collections import deque
from collections.abc import Sequence
from typing import Any

import msgspec

from games.chance import Sealed
from games.draft import Draft
from games.game import AnyGame, Illegal
from games.match import states
from games.match.commands import Phases, Resign, TimeOut, is_match_command
from games.match.decide import play_defaults
from games.match.dice import dice
from games.match.line import Entry
from games.match.model import Match
from games.wire import GameCommand, GameEvent, GameState, MatchResult, RecordedCommand
from projections.folded import Folded
from replay.header import reveal
from replay.travel import Games, folds


class Replayed(msgspec.Struct, frozen=True):
    """A command that is still legal, with the events that follow from it now."""

    v: int
    """Version of the command's record in the log."""
    seat: int
    command: RecordedCommand
    events: Sequence[GameEvent]
    """Events of the game."""


class Refused(msgspec.Struct, frozen=True):
    """A command that is no longer legal."""

    v: int
    """Version of the command's record in the log."""
    seat: int
    command: RecordedCommand
    code: str
    """Refusal code of the rules, or `dice-unknown` if the log does not reveal its secret yet."""
    details: dict[str, Any]


class WhatIf(msgspec.Struct, frozen=True):
    """A match with one command removed or replaced."""

    match: str
    game: str
    v: int
    """Version of the record whose command was removed."""
    seat: int
    command: GameCommand
    """The removed command."""
    instead: GameCommand | None
    """The command that was played in its place. Null for none."""
    branch_at: int
    """Version before the removed command, at which the match diverges from the log."""
    replayed: Sequence[Replayed]
    """Commands that are still legal, starting with `instead`."""
    first_illegal: Refused | None
    left_out: Sequence[Refused]
    """The first command that is no longer legal and, with `skip`, all others."""
    not_tried: int
    """Number of commands after the first that is no longer legal. 0 with `skip`."""
    waiting: Sequence[int]
    """Seats to move at the end."""
    state: GameState
    """State of the game at the end."""
    result: MatchResult | None


def take_back(
    games: Games,
    lines: Sequence[bytes],
    version: int,
    *,
    service_seed: bytes = b"",
    instead: Any = None,
    skip: bool = False,
) -> WhatIf:
    """Remove the game command of one record, and decide the later commands again.

    `instead` is played in its place by the same seat, unless it is None. The replay stops at the
    first command that is no longer legal. With `skip`, such commands are left out and the replay
    goes on. `service_seed` is the service seed, for a log that does not reveal it yet.

    Raises `Illegal`: `no-such-command` if the version has no game command on the effective line,
    or the refusal of the rules if `instead` is not legal.
    """
    absent: dict[int, frozenset[int]] = {}
    """Seats that had left or were away just before each version."""
    folded: Folded | None = None
    for folded, _ in folds(games, lines):
        chairs = enumerate(folded.match.chairs)
        seats = frozenset(seat for seat, chair in chairs if chair.left or chair.away)
        absent[folded.version + 1] = seats
    assert folded is not None, "a log has a header"
    match = folded.match
    place = _place(match, version)
    removed = match.line[place]
    assert removed.seat is not None, "only the command of a seat can be removed"
    line = _Line(match, place, reveal(lines).service_seed or service_seed, absent)
    if instead is not None:
        line.play(Entry(version, removed.seat, instead, ()))
    later = deque(match.line[place + 1 :])
    while later and (line.try_to_play(later.popleft()) or skip):
        pass
    return WhatIf(
        match=match.header.match,
        game=match.header.game,
        v=version,
        seat=removed.seat,
        command=removed.command,
        instead=instead,
        branch_at=version - 1,
        replayed=line.replayed,
        first_illegal=line.refused[0] if line.refused else None,
        left_out=line.refused,
        not_tried=len(later),
        waiting=sorted(match.game.waiting(line.state)),
        state=line.state,
        result=match.game.result(line.state),
    )


def _place(match: Match, version: int) -> int:
    """Return the index of a game command in the effective line."""
    place = match.line.until(version) - 1
    if place < 1 or match.line[place].version != version or not _by_player(match.line[place]):
        raise Illegal("no-such-command", version=version)
    return place


def _by_player(entry: Entry) -> bool:
    return entry.seat is not None and not is_match_command(entry.command)


class _Line:
    """A sequence of commands that diverges from the match."""

    def __init__(
        self, match: Match, entries: int, service_seed: bytes, absent: dict[int, frozenset[int]]
    ) -> None:
        self._match = match
        self._game: AnyGame = match.game
        self._service_seed = service_seed
        self._absent = absent
        self.state = states.state_after(match, entries)
        self.replayed: list[Replayed] = []
        self.refused: list[Refused] = []

    def try_to_play(self, entry: Entry) -> bool:
        """Play an entry if it is still legal. Return whether it was."""
        try:
            self.play(entry)
        except Illegal as error:
            self._refuse(entry, error.code, error.details)
        except Sealed:
            self._refuse(entry, "dice-unknown", {})
        else:
            return True
        return False

    def play(self, entry: Entry) -> None:
        """Play an entry. Raises `Illegal`, `Sealed`."""
        assert entry.seat is not None, "after the set-up every entry has a seat"
        events = self._decided(entry, entry.seat)
        self.replayed.append(Replayed(entry.version, entry.seat, entry.command, events))

    def _decided(self, entry: Entry, seat: int) -> list[Any]:
        entropies = tuple(chair.entropy for chair in self._match.chairs)
        draft = self._game.draft(self.state, dice(self._service_seed, entropies, entry.version))
        match entry.command:
            case TimeOut():
                self._default(draft, entry.version, seat)
            case Resign():
                self._game.leave_on(draft, seat)
            case _:
                self._game.decide_on(draft, seat, entry.command)
        self.state = draft.state
        return draft.events

    def _default(self, draft: Draft[Any, Any], version: int, seat: int) -> None:
        """Draft what the clock plays for a seat when it runs out."""
        if seat not in self._game.waiting(draft.state):
            raise Illegal("no-such-deadline")
        whole_phase = isinstance(self._match.header.clock, Phases)
        play_defaults(
            self._game, draft, seat, whole_phase=whole_phase and seat not in self._absent[version]
        )

    def _refuse(self, entry: Entry, code: str, details: dict[str, Any]) -> None:
        assert entry.seat is not None, "after the set-up every entry has a seat"
        self.refused.append(Refused(entry.version, entry.seat, entry.command, code, details))
