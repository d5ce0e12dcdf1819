"""Describe the changes between two pictures of a match: `seat 2's hand: −seal; deck: 14→13`."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import Any, cast

import msgspec

from games.chance import Chance
from games.game import AnyGame, Illegal

Path = tuple[str | int, ...]
Plain = dict[str, Any]
Elements = list[Any]
Changes = Iterator[tuple[Path, str]]

SELF_EVIDENT = frozenset(("version", "head", "at"))
"""Fields of a picture that change with every version and are not described."""
TIMERS = frozenset(("clocks", "clock", "bank"))
"""Fields with times and deadlines that are not described. The timeline shows them."""
NAMES = ("id", "card", "seat", "proposal")
"""Fields that identify the elements of a list. The first one that all elements have is used."""
SHOWN_MAX = 60
"""Maximum length of a value (characters)."""
COUNTED_FROM = 6
"""Length from which the number of elements in a list is described."""
HIDDEN = "?"


def words(game: AnyGame, before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """Describe the changes between two pictures of a match, one line per seat.

    Both pictures are in plain JSON values. Only values in the pictures are described, so the text
    for a viewer reveals nothing that is hidden from that viewer.
    """
    seated = by_seat(game)
    lines: dict[str, dict[str, list[str]]] = {}
    for path, change in _changes((), before, after, seated):
        owner, label = _named(path, seated)
        changes = lines.setdefault(owner, {}).setdefault(label, [])
        if change not in changes:
            changes.append(change)
    return [_line(owner, labels) for owner, labels in lines.items()]


@cache
def by_seat(game: AnyGame) -> frozenset[str]:
    """Return the fields of a game's state and view that are lists with one value per seat.

    These are the fields whose length equals the number of seats, for every number of seats.
    """
    found: frozenset[str] | None = None
    options = msgspec.convert({}, game.Options)
    for seats in game.seats:
        state = game.initial(seats, options)
        try:
            for event in game.setup(seats, options, Chance(bytes(32), 1)):
                game.apply(state, event)
        except Illegal:
            continue
        fields = msgspec.to_builtins((state, game.view(state, None)), str_keys=True)
        fitting = {
            name
            for part in fields
            for name, value in part.items()
            if isinstance(value, list | tuple) and len(cast("Elements", value)) == seats
        }
        found = frozenset(fitting if found is None else found & fitting)
    return (found or frozenset()) | {"seats", "chairs"}


def _changes(path: Path, before: Any, after: Any, seated: frozenset[str]) -> Changes:
    if before == after or _silent(path):
        return
    if path[-1:] == ("waiting",):
        yield path, f"{_seats(before)}→{_seats(after)}"
        return
    match before, after:
        case dict(), dict():
            yield from _fields(path, cast("Plain", before), cast("Plain", after), seated)
        case list(), list():
            yield from _elements(path, cast("Elements", before), cast("Elements", after), seated)
        case _:
            yield path, f"{_short(before)}→{_short(after)}"


def _silent(path: Path) -> bool:
    return bool(path) and (path[0] in SELF_EVIDENT or path[-1] in TIMERS)


def _fields(path: Path, before: Plain, after: Plain, seated: frozenset[str]) -> Changes:
    for name in before | after:
        inner = (*path, name)
        if name not in after:
            yield inner, f"−{_short(before[name])}"
        elif name not in before:
            yield inner, f"+{_short(after[name])}"
        else:
            yield from _changes(inner, before[name], after[name], seated)


def _elements(path: Path, before: Elements, after: Elements, seated: frozenset[str]) -> Changes:
    """Compare two lists: by name, by position, or as unordered collections.

    Elements with a name are compared by it. Lists by seat and rows of values are compared by
    position. Everything else, such as cards, is compared as a collection.
    """
    by_place = path[-1] in seated and len(path) <= 2
    if (name := _name_of(before, after)) is not None:
        was, now = ({str(value[name]): value for value in values} for values in (before, after))
        yield from _collection(path, list(was), list(now))
        for key in (key for key in was if key in now):
            yield from _changes((*path, key), was[key], now[key], seated)
    elif not by_place and _cell(before) and _cell(after):
        yield path, f"{_short(before)}→{_short(after)}"
    elif by_place or (len(before) == len(after) and _row(before) and _row(after)):
        for place, (old, new) in enumerate(zip(before, after, strict=False)):
            yield from _changes((*path, place), old, new, seated)
    else:
        yield from _collection(path, before, after)


def _name_of(before: Elements, after: Elements) -> str | None:
    """Return the field that identifies the elements of both lists, or None."""
    for name in NAMES:
        if _apart(before, name) and _apart(after, name):
            return name
    return None


def _apart(values: Elements, name: str) -> bool:
    named = [cast("Plain", value) for value in values if isinstance(value, dict)]
    names = {str(value[name]) for value in named if name in value}
    return len(names) == len(values)


def _row(values: Elements) -> bool:
    """Return whether positions matter, as for cells or gauges. In lists of names they do not."""
    return not any(isinstance(value, str) for value in values)


def _cell(values: Elements) -> bool:
    """Return whether a list is the coordinates of a cell, which changes as a whole."""
    return 1 < len(values) <= 3 and all(type(value) is int for value in values)


def _collection(path: Path, before: Sequence[Any], after: Sequence[Any]) -> Changes:
    if before == after:
        return
    was, now = Counter(map(_short, before)), Counter(map(_short, after))
    removed, added = was - now, now - was
    changes = [f"−{_times(removed)}"] if removed else []
    changes += [f"+{_times(added)}"] if added else []
    counts = f"{len(before)}→{len(after)}"
    if set(was) | set(now) == {HIDDEN}:
        yield path, counts
    elif not changes:
        yield path, "in another order"
    elif len(before) != len(after) and max(len(before), len(after)) >= COUNTED_FROM:
        yield path, f"{' '.join(changes)} ({counts})"
    else:
        yield path, " ".join(changes)


def _seats(seats: Elements | None) -> str:
    return " and ".join(f"seat {seat}" for seat in seats or ()) or "nobody"


def _times(values: Counter[str]) -> str:
    return ", ".join(
        f"{value}{f' ×{count}' if count > 1 else ''}" for value, count in values.items()
    )


def _named(path: Path, seated: frozenset[str]) -> tuple[str, str]:
    """Split a path into its owner, such as `seat 2's`, and the label of the value."""
    parts = [part for index, part in enumerate(path) if index or part not in ("state", "view")]
    for index, (name, place) in enumerate(pairwise(parts)):
        if name in seated and str(place).isdigit():
            kept = [] if name in ("seats", "chairs") else [name]
            return f"seat {place}'s ", _label(parts[:index] + kept + parts[index + 2 :])
    return "", _label(parts)


def _label(parts: Sequence[str | int]) -> str:
    text = " ".join(str(part).replace("_", " ") for part in parts)
    return text or "place"


def _line(owner: str, labels: dict[str, list[str]]) -> str:
    return owner + "; ".join(f"{label}: {', '.join(changes)}" for label, changes in labels.items())


def _short(value: Any) -> str:
    if isinstance(value, str):
        text = value or "none"
    elif value is None:
        text = "none"
    elif isinstance(value, bool):
        text = "yes" if value else "no"
    else:
        text = msgspec.json.encode(value).decode()
    return text if len(text) <= SHOWN_MAX else f"{text[: SHOWN_MAX - 1]}…"
