"""Progress of a long computation."""

from collections.abc import Callable

OnProgress = Callable[[int, int], None]
"""Called with the amounts of work that are done, and that are to be done in all."""


def ignore_progress(_done: int, _total: int) -> None:
    """Ignore progress."""
