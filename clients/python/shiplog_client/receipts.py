"""Receipts: what a player keeps to prove later that a log was not rewritten."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Receipt:
    """The head of a match that the service gave with an answer."""

    match: str
    version: int
    """The viewer's version."""
    head: str
    viewer: int | None
    """The seat that counts the version; None for a spectator."""
    signed: dict[str, Any] | None = None
    """The signed receipt as the service sent it, if it sent one."""


@dataclass
class Receipts:
    """All receipts that one player was given."""

    _kept: dict[tuple[str, int | None, int], Receipt] = field(
        default_factory=dict[tuple[str, int | None, int], Receipt]
    )
    _seats: dict[str, int | None] = field(default_factory=dict[str, int | None])

    def __iter__(self) -> Iterator[Receipt]:
        """Iterate over the receipts in the order in which they came."""
        return iter(self._kept.values())

    def __len__(self) -> int:
        """Count the receipts."""
        return len(self._kept)

    def of(self, match: str) -> list[dict[str, Any]]:
        """Return the receipts of a match in the form that `shiplog audit --receipts` reads."""
        return [
            {"version": one.version, "head": one.head, "viewer": one.viewer}
            for one in self
            if one.match == match
        ]

    def keep(self, match: str, body: dict[str, Any]) -> None:
        """Keep the receipt in an answer about a match, if there is one.

        The seat of the player is known from views and from the answers to its own commands. Until
        one of them has come, receipts are not kept.
        """
        if "you" in body:
            self._seats[match] = body["you"]
        for event in body.get("events", ()):
            if event["type"] == "seat_taken":
                self._seats[match] = event["seat"]
            elif event["type"] == "seat_freed" and self._seats.get(match) == event["seat"]:
                self._seats[match] = None
        version, head = body.get("version"), body.get("head")
        if match not in self._seats or not isinstance(version, int) or not isinstance(head, str):
            return
        viewer = self._seats[match]
        receipt = Receipt(match, version, head, viewer, body.get("receipt"))
        self._kept[match, viewer, version] = receipt
