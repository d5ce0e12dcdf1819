"""Convert old shapes of commands and events to the current ones when they are read.

The stored bytes stay unchanged. There is one function per change, oldest first. It takes a record
in plain JSON values as an older rules version wrote it, and returns the record as the next version
would have written it.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

Plain = dict[str, Any]


class Upcast(NamedTuple):
    """One change of a shape."""

    since: int
    """The first rules version that writes the new shape."""
    change: Callable[[Plain], Plain]


UPCASTS: Mapping[str, Sequence[Upcast]] = {}
"""Changes by game, in ascending order of version."""


def upcast(
    slug: str,
    rules: int,
    record: Plain,
    upcasts: Mapping[str, Sequence[Upcast]] | None = None,
) -> Plain:
    """Convert a record of a rules version to the current shape."""
    for step in (UPCASTS if upcasts is None else upcasts).get(slug, ()):
        if rules < step.since:
            record = step.change(record)
    return record
