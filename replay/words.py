"""What changed between two pictures of a match, in words: `seat 2's hand: −seal; deck: 14→13`."""

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
"""Of a picture: they change with every version."""
TIMERS = frozenset(("clocks", "clock", "bank"))
"""Microseconds and deadlines, of which the timeline tells what a person would ask."""
NAMES = ("id", "card", "seat", "proposal")
"""Fields by which the elements of a list are told from each other, the first that all have."""
SHOWN_MAX = 60
"""Characters of a value."""
COUNTED_FROM = 6
"""Elements from which on a list's length is worth saying."""
HIDDEN = "?"


def words(game: AnyGame, before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """Say what is otherwise in the later of two plain pictures of one match, an owner a line.

    Everything said is in the pictures: a viewer's say nothing that it may not know.
    """
    seated = by_seat(game)
    lines: dict[str, dict[str, list[str]]] = {}
    for path, said in _changes((), before, after, seated):
        owner, label = _named(path, seated)
        heard = lines.setdefault(owner, {}).setdefault(label, [])
        if said not in heard:
            heard.append(said)
    return [_line(owner, labels) for owner, labels in lines.items()]


@cache
def by_seat(game: AnyGame) -> frozenset[str]:
    """Name the fields of a game's state and view that hold one value for each seat.

    Those are the lists that are as long as the table is wide, whichever size it has.
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
    """Compare by name where elements have names, by place where they are a row of things, else as a heap."""
    by_place = path[-1] in seated and len(path) <= 2
    if (name := _name_of(before, after)) is not None:
        was, now = ({str(value[name]): value for value in values} for values in (before, after))
        yield from _heap(path, list(was), list(now))
        for key in was.keys() & now.keys():
            yield from _changes((*path, key), was[key], now[key], seated)
    elif not by_place and _cell(before) and _cell(after):
        yield path, f"{_short(before)}→{_short(after)}"
    elif by_place or (len(before) == len(after) and _row(before) and _row(after)):
        for place, (one, other) in enumerate(zip(before, after, strict=False)):
            yield from _changes((*path, place), one, other, seated)
    else:
        yield from _heap(path, before, after)


def _name_of(before: Elements, after: Elements) -> str | None:
    """Give the field that tells the elements of both lists apart, if they have one."""
    for name in NAMES:
        if _apart(before, name) and _apart(after, name):
            return name
    return None


def _apart(values: Elements, name: str) -> bool:
    named = [cast("Plain", value) for value in values if isinstance(value, dict)]
    names = {str(value[name]) for value in named if name in value}
    return len(names) == len(values)


def _row(values: Elements) -> bool:
    """Tell whether places mean something: seats, cells, gauges; cards are a heap."""
    return not any(isinstance(value, str) for value in values)


def _cell(values: Elements) -> bool:
    """Tell a place on a board, which moves as a whole."""
    return 1 < len(values) <= 3 and all(type(value) is int for value in values)


def _heap(path: Path, before: Sequence[Any], after: Sequence[Any]) -> Changes:
    if before == after:
        return
    was, now = Counter(map(_short, before)), Counter(map(_short, after))
    gone, come = was - now, now - was
    said = [f"−{_times(gone)}"] if gone else []
    said += [f"+{_times(come)}"] if come else []
    counts = f"{len(before)}→{len(after)}"
    if set(was) | set(now) == {HIDDEN}:
        yield path, counts
    elif not said:
        yield path, "in another order"
    elif len(before) != len(after) and max(len(before), len(after)) >= COUNTED_FROM:
        yield path, f"{' '.join(said)} ({counts})"
    else:
        yield path, " ".join(said)


def _seats(seats: Elements | None) -> str:
    return " and ".join(f"seat {seat}" for seat in seats or ()) or "nobody"


def _times(values: Counter[str]) -> str:
    return ", ".join(
        f"{value}{f' ×{count}' if count > 1 else ''}" for value, count in values.items()
    )


def _named(path: Path, seated: frozenset[str]) -> tuple[str, str]:
    """Split a path into whose it is and what it is."""
    parts = [part for at, part in enumerate(path) if at or part not in ("state", "view")]
    for at, (name, place) in enumerate(pairwise(parts)):
        if name in seated and str(place).isdigit():
            rest = parts[:at] + ([] if name in ("seats", "chairs") else [name]) + parts[at + 2 :]
            return f"seat {place}'s ", _label(rest)
    return "", _label(parts)


def _label(parts: Sequence[str | int]) -> str:
    text = " ".join(str(part).replace("_", " ") for part in parts)
    return text or "place"


def _line(owner: str, labels: dict[str, list[str]]) -> str:
    return owner + "; ".join(f"{label}: {', '.join(said)}" for label, said in labels.items())


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
