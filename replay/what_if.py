"""What if one command had not been sent, or another one in its place: the later ones, decided again.

Every command meets the dice of its own record, so what differs follows from the change alone. Nothing of it is
written anywhere. Versions are the log's.
"""

from collections import deque
from collections.abc import Sequence
from typing import Any

import msgspec

from games.chance import Sealed
from games.draft import Draft
from games.game import AnyGame, Illegal
from games.match import states
from games.match.commands import MATCH_COMMAND_TYPES, Phases, Resign, TimeOut
from games.match.decide import play_defaults
from games.match.model import Entry, Match
from games.match.seed import dice
from projections.folded import Folded
from replay.header import reveal
from replay.travel import Games, folds


class Replayed(msgspec.Struct, frozen=True):
    """A command that is still legal, and what follows from it now."""

    v: int
    """Of its record in the log."""
    seat: int
    command: Any
    events: Sequence[Any]
    """The game's own."""


class Refused(msgspec.Struct, frozen=True):
    """A command that is no longer legal."""

    v: int
    seat: int
    command: Any
    code: str
    """Why: the rules' own code, or `dice-unknown` where they are not revealed yet."""
    details: dict[str, Any]


class WhatIf(msgspec.Struct, frozen=True):
    """A match without one of its commands."""

    match: str
    v: int
    """Of the record whose command was taken back."""
    seat: int
    command: Any
    """What was taken back."""
    instead: Any
    """What was played in its place; null for nothing."""
    branch_at: int
    """The last version before: here the match parts from the log."""
    replayed: Sequence[Replayed]
    """What came after, `instead` first, as far as it is still legal."""
    first_illegal: Refused | None
    left_out: Sequence[Refused]
    """The first that is not legal any more, and with `skip` all others."""
    not_tried: int
    """Commands behind the first that is not legal, where none is skipped."""
    waiting: Sequence[int]
    state: Any
    """The game's, in the end."""
    result: Any


def take_back(
    games: Games,
    lines: Sequence[bytes],
    version: int,
    *,
    part: bytes = b"",
    instead: Any = None,
    skip: bool = False,
) -> WhatIf:
    """Take back the game command of one record and replay the later ones by the real rules.

    It stops at the first that is not legal any more; with `skip` it leaves those out and goes on. `part` is the
    service's part of the seed, for a log that does not reveal it yet. Raises `Illegal`: `no-such-command` where no
    game command of the effective line stands, or the rules' own code where `instead` is not legal.
    """
    gone: dict[int, frozenset[int]] = {}
    """By version, the seats that had left or were away just before."""
    folded: Folded | None = None
    for folded, _ in folds(games, lines):
        chairs = enumerate(folded.match.chairs)
        gone[folded.version + 1] = frozenset(s for s, chair in chairs if chair.left or chair.away)
    assert folded is not None, "a log has a header"
    match = folded.match
    at = _place(match, version)
    taken = match.line[at]
    assert taken.seat is not None, "only a seat's command is taken back"
    line = _Line(match, at, bytes.fromhex(reveal(lines).secret) or part, gone)
    if instead is not None:
        line.play(Entry(version, taken.seat, instead, ()))
    later = deque(match.line[at + 1 :])
    while later and (line.tried(later.popleft()) or skip):
        pass
    return WhatIf(
        match=match.header.match,
        v=version,
        seat=taken.seat,
        command=taken.command,
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
    """Find a game command of the effective line."""
    at = states.entries_until(match, version) - 1
    if at < 1 or match.line[at].version != version or not _by_player(match.line[at]):
        raise Illegal("no-such-command", version=version)
    return at


def _by_player(entry: Entry) -> bool:
    return entry.seat is not None and type(entry.command) not in MATCH_COMMAND_TYPES


class _Line:
    """A line of play that parts from the match."""

    def __init__(
        self, match: Match, entries: int, part: bytes, gone: dict[int, frozenset[int]]
    ) -> None:
        self._match = match
        self._game: AnyGame = match.game
        self._part = part
        self._gone = gone
        self.state = states.state_after(match, entries)
        self.replayed: list[Replayed] = []
        self.refused: list[Refused] = []

    def tried(self, entry: Entry) -> bool:
        """Play an entry if it is still legal; tell whether it was."""
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
        """Play an entry; raises `Illegal`, `Sealed`."""
        assert entry.seat is not None, "behind the set-up every entry is a seat's"
        events = self._decided(entry, entry.seat)
        self.replayed.append(Replayed(entry.version, entry.seat, entry.command, events))

    def _decided(self, entry: Entry, seat: int) -> list[Any]:
        entropies = tuple(chair.entropy for chair in self._match.chairs)
        draft = self._game.draft(self.state, dice(self._part, entropies, entry.version))
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
            self._game, draft, seat, whole_phase=whole_phase and seat not in self._gone[version]
        )

    def _refuse(self, entry: Entry, code: str, details: dict[str, Any]) -> None:
        assert entry.seat is not None, "behind the set-up every entry is a seat's"
        self.refused.append(Refused(entry.version, entry.seat, entry.command, code, details))
