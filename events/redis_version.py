"""The oldest version of Redis that Shiplog works with."""

OLDEST = (6, 2)
"""Earlier versions lack NOMKSTREAM."""


def is_too_old(version: str) -> bool:
    """Return whether a server with this version cannot be used."""
    return tuple(map(int, version.split(".")[:2])) < OLDEST


def dotted(version: tuple[int, ...]) -> str:
    """Write a version as people do."""
    return ".".join(map(str, version))
