"""Blame: find the record, command, event and rule that last set a value in a match.

A value is addressed by a JSON Pointer (RFC 6901) into the game's state or a viewer's view of it.
For a viewer, the result contains only what the viewer's timeline and views show, in the viewer's
versions. Records that were undone stay in the history, marked, and are not blamed for the current
value.
"""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec
from jsonpointer import JsonPointer, JsonPointerException

from events.codec import unseal_header
from games.match.events import MATCH_EVENT_TYPES, Undone
from games.match.model import Match
from games.match.states import state_after
from games.wire import RecordedEvent
from replay.facts import Fact, facts
from replay.header import reveal
from replay.history import History
from replay.subject import NOTHING, Subject, document, game_document, value_at
from replay.timeline import Moment, Watch
from replay.travel import Games, NoSuchVersion, Sight, Step, steps

PATH_MAX = 1_000
"""Maximum length of a pointer (characters)."""
RULE = re.compile(r"\b([A-Z]+)-(\d+)(?: to [A-Z]+-(\d+))?")


class BadPath(Exception):
    """Not a JSON Pointer. The message says why."""


class Change(msgspec.Struct):
    """A record that changed a value."""

    record: Moment
    event: RecordedEvent | None
    """The event that changed the value. Null if it is hidden from the viewer."""
    rules: list[str]
    """Ids of the rules named by the event or, if it names none, by the command."""
    there: bool
    """Whether the path exists after the record."""
    value: Any
    """Value after the record. Null if the path does not exist."""


class Blame(msgspec.Struct, frozen=True):
    """The origin of a value."""

    game: str
    path: str
    there: bool
    """Whether the path exists at the last version."""
    value: Any
    """Value at the last version. Null if the path does not exist."""
    set_by: Change | None
    """The record that set the current value. Null if the path never existed."""
    history: list[Change]
    """The latest changes of the value, oldest first."""
    earlier: int = 0
    """Number of older changes, which are not listed."""
    facts: list[Fact] = []
    """What the rule of the record that set the value had read, if `causes` were asked for. Only the
    full view of the game has them."""


class _Turn(NamedTuple):
    """A record at which the value changed."""

    place: int
    """Index among the records that are shown in the sight."""
    moment: Moment
    was: Any
    value: Any
    undoes: bool
    """Whether the record is an undo."""


def blame(
    games: Games,
    lines: Sequence[bytes],
    sight: Sight,
    path: str,
    subject: Subject = "game",
    limit: int | None = None,
    at: int | None = None,
    *,
    causes: bool = False,
) -> Blame:
    """Find the records that set a value, and list at most `limit` of them.

    `at` is the version at which to look, as numbered in the sight, by default the last one. With
    `causes`, what the rule had read is listed as well, in the full view of the game. Raises
    `BadPath`, `NoSuchVersion` and the errors of `Folded`.
    """
    pointer = parsed(path)
    rewound = subject == "game" or pointer.parts[:1] in (["state"], ["view"])
    turns = _turns(games, lines, sight, pointer, subject, at)
    standing = [one for one in turns if not (rewound and _taken_back(one))]
    listed = turns if limit is None else turns[len(turns) - min(limit, len(turns)) :]
    wanted = {one.place: one for one in (*listed, *standing[-1:])}
    inner = pointer if subject == "game" else JsonPointer.from_parts(pointer.parts[1:])
    changes: dict[int, Change] = {}
    for place, step in enumerate(steps(games, lines, sight) if rewound else ()):
        if place > max(wanted, default=-1):
            break
        if (turn := wanted.get(place)) is not None:
            changes[place] = _change(turn, _event(step, sight, inner, turn))
    if not rewound:
        changes = {place: _change(turn, _match_event(turn)) for place, turn in wanted.items()}
    value = turns[-1].value if turns else NOTHING
    game = unseal_header(lines[0]).events[0].game
    set_by = changes[standing[-1].place] if standing else None
    read: list[Fact] = []
    if causes and sight == "full" and subject == "game" and set_by is not None:
        seed = reveal(lines).service_seed
        read = facts(History(games, lines), set_by.record.v, seed)
    return Blame(
        game,
        path,
        value is not NOTHING,
        None if value is NOTHING else value,
        set_by,
        [changes[turn.place] for turn in listed],
        len(turns) - len(listed),
        read,
    )


def _turns(
    games: Games,
    lines: Sequence[bytes],
    sight: Sight,
    pointer: JsonPointer,
    subject: Subject,
    at: int | None,
) -> list[_Turn]:
    """Return every record up to a version at which the value changed."""
    turns: list[_Turn] = []
    watch = Watch(sight)
    data, value = b"", NOTHING
    last = 0
    for place, step in enumerate(steps(games, lines, sight)):
        last = step.told.v
        if at is not None and last > at:
            break
        moment = watch.moment(step)
        before, data = data, document(step.folded, sight, subject)
        if data == before:
            continue
        was, value = value, found(pointer, data)
        if value != was:
            undoes = any(isinstance(event, Undone) for event in step.told.events)
            turns.append(_Turn(place, moment, was, value, undoes))
    if at is not None and last < at:
        raise NoSuchVersion(at, last)
    return turns


def parsed(path: str) -> JsonPointer:
    """Parse a JSON Pointer. Raises `BadPath`."""
    if len(path) > PATH_MAX:
        raise BadPath(f"Path of {len(path)} characters, at most {PATH_MAX} are allowed.")
    try:
        return JsonPointer(path)
    except JsonPointerException as error:
        raise BadPath(f"Not a JSON Pointer such as /hand/0: {error}") from None


def found(pointer: JsonPointer, data: bytes) -> Any:
    """Return the value at a path of an encoded document, or `NOTHING`."""
    return value_at(pointer, msgspec.json.decode(data))


def rules_of(message: Any) -> list[str]:
    """Return the ids of the rules that the docstring of a command or event names."""
    named: list[str] = []
    for game, first, last in RULE.findall(message.__doc__ or ""):
        named += [f"{game}-{number}" for number in range(int(first), int(last or first) + 1)]
    return list(dict.fromkeys(named))


def _taken_back(turn: _Turn) -> bool:
    """Return whether a change no longer counts: it was undone, or it is an undo itself."""
    return turn.moment.undone_by is not None or turn.undoes


def _change(turn: _Turn, event: Any) -> Change:
    there = turn.value is not NOTHING
    rules = rules_of(event) or rules_of(turn.moment.command)
    return Change(turn.moment, event, rules, there, turn.value if there else None)


def _match_event(turn: _Turn) -> Any:
    """Return the event that changed the match outside the game, if only one is possible."""
    own = [event for event in turn.moment.events if type(event) in MATCH_EVENT_TYPES]
    return own[0] if len(own) == 1 else None


def _event(step: Step, sight: Sight, pointer: JsonPointer, turn: _Turn) -> Any:
    """Return the last event of a record that changed the value.

    The events are applied one by one, except the last: the value after it is known.
    """
    for event in step.told.events:
        if isinstance(event, Undone):
            return event
    match = step.folded.match
    if not match.line or match.line[-1].version != match.version:
        return None
    events = match.line[-1].events
    was, blamed = turn.was, None
    if len(events) > 1 or was is NOTHING:
        state = state_after(match, len(match.line) - 1)
        if was is NOTHING:
            was = found(pointer, game_document(match, state, sight))
        for event in events[:-1]:
            match.game.apply(state, event)
            now = found(pointer, game_document(match, state, sight))
            if now != was:
                was, blamed = now, _told(match, event, state, sight)
    if events and was != turn.value:
        return _told(match, events[-1], match.state, sight)
    return blamed


def _told(match: Match, event: Any, state: Any, sight: Sight) -> Any:
    return event if sight == "full" else match.game.redact(event, sight, state)
