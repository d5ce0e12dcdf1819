"""Old shapes of events and commands, brought up to date as they are read. The stored bytes stay as they are.

One function per change, oldest first: it takes the plain form of a record written under an older version of the
rules and gives the form that the next version would have written.
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
"""By game, ascending by version."""


def upcast(
    slug: str,
    rules: int,
    record: Plain,
    upcasts: Mapping[str, Sequence[Upcast]] | None = None,
) -> Plain:
    """Bring a record of a rules version up to the present shape."""
    for step in (UPCASTS if upcasts is None else upcasts).get(slug, ()):
        if rules < step.since:
            record = step.change(record)
    return record
