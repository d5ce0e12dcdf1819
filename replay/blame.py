"""Blame: which record last set a place in a match, by which command, event and rule, and what stood there before.

Places are JSON Pointers (RFC 6901) into the game's state or a viewer's view of it. A viewer's blame tells what its
timeline and its views tell, in its own numbers. What was taken back stays in the history, marked, and is not to
blame for what stands there now.
"""

import re
from collections.abc import Iterable
from typing import Any

import msgspec
from jsonpointer import EndOfList, JsonPointer, JsonPointerException

from games.match.events import MATCH_EVENT_TYPES, Undone
from games.match.model import Match
from games.match.states import state_after
from replay.subject import Subject, document, game_document
from replay.timeline import Moment, Watch
from replay.travel import Games, Sight, Step, steps

PATH_MAX = 1_000
"""Characters of a pointer."""
RULE = re.compile(r"\b([A-Z]{3})-(\d+)(?: to [A-Z]{3}-(\d+))?")
NOTHING = object()
"""What a pointer finds where there is no such place."""


class BadPath(Exception):
    """Not a JSON Pointer; the message says why."""


class Change(msgspec.Struct):
    """A record that set a place."""

    record: Moment
    event: Any
    """The one that did it, as the sight was told it; null where it may not know."""
    rules: list[str]
    """Ids in the game's rules, of that event or, where it names none, of the command."""
    there: bool
    """The place exists since."""
    value: Any
    """What stands there since; null where the place does not exist."""


class Blame(msgspec.Struct, frozen=True):
    """Who is to blame for what stands at a place."""

    path: str
    there: bool
    value: Any
    set_by: Change | None
    """Null where the place never existed."""
    history: list[Change]
    """All that set it, the first first."""


def blame(
    games: Games, lines: Iterable[bytes], sight: Sight, path: str, subject: Subject = "game"
) -> Blame:
    """Tell who set a place in a sight; raises `BadPath`, and what `Folded` raises."""
    pointer = parsed(path)
    rewound = subject == "game" or pointer.parts[:1] in (["state"], ["view"])
    history: list[Change] = []
    watch, value = Watch(sight), NOTHING
    for step in steps(games, lines, sight):
        moment = watch.moment(step)
        was, value = value, found(pointer, document(step.folded, sight, subject))
        if value != was:
            inner = pointer if subject == "game" else JsonPointer.from_parts(pointer.parts[1:])
            event = _event(step, sight, inner) if rewound else _match_event(moment)
            history.append(_change(moment, event, value))
    standing = [change for change in history if not (rewound and _taken_back(change))]
    return Blame(
        path,
        value is not NOTHING,
        None if value is NOTHING else value,
        standing[-1] if standing else None,
        history,
    )


def parsed(path: str) -> JsonPointer:
    """Read a pointer; raises `BadPath`."""
    if len(path) > PATH_MAX:
        raise BadPath(f"a path has at most {PATH_MAX} characters")
    try:
        return JsonPointer(path)
    except JsonPointerException as error:
        raise BadPath(f"not a JSON Pointer such as /hand/0: {error}") from None


def found(pointer: JsonPointer, data: bytes) -> Any:
    """Give what stands at a place of a JSON document, or `NOTHING`."""
    value: Any = msgspec.json.decode(data)
    for part in pointer.parts:
        if not isinstance(value, dict | list):
            return NOTHING
        try:
            value = pointer.walk(value, part)
        except JsonPointerException:
            return NOTHING
    return NOTHING if isinstance(value, EndOfList) else value


def rules_of(told: Any) -> list[str]:
    """Give the rules that a command or event carries out: those that its type's docstring names, ranges written out."""
    named: list[str] = []
    for game, first, last in RULE.findall(told.__doc__ or ""):
        named += [f"{game}-{number}" for number in range(int(first), int(last or first) + 1)]
    return list(dict.fromkeys(named))


def _taken_back(change: Change) -> bool:
    """Tell whether a change no longer counts: undone, or itself the undoing, which only restores."""
    return change.record.undone_by is not None or isinstance(change.event, Undone)


def _change(moment: Moment, event: Any, value: Any) -> Change:
    there = value is not NOTHING
    rules = rules_of(event) or rules_of(moment.command)
    return Change(moment, event, rules, there, value if there else None)


def _match_event(moment: Moment) -> Any:
    """Give the event of a change beside the game, where only one can have done it."""
    own = [event for event in moment.events if type(event) in MATCH_EVENT_TYPES]
    return own[0] if len(own) == 1 else None


def _event(step: Step, sight: Sight, pointer: JsonPointer) -> Any:
    """Find the last event of a record that changed the place, by playing them out one by one."""
    for event in step.told.events:
        if isinstance(event, Undone):
            return event
    match = step.folded.match
    if not match.line or match.line[-1].version != match.version:
        return None
    state = state_after(match, len(match.line) - 1)
    was, blamed = found(pointer, game_document(match, state, sight)), None
    for event in match.line[-1].events:
        match.game.apply(state, event)
        now = found(pointer, game_document(match, state, sight))
        if now != was:
            was, blamed = now, _told(match, event, state, sight)
    return blamed


def _told(match: Match, event: Any, state: Any, sight: Sight) -> Any:
    return event if sight == "full" else match.game.redact(event, sight, state)
