"""The events that all matches share, besides the game's own.

Versions in events are the log's; times are microseconds since 1970-01-01 UTC.
"""

from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from games.game import Tagged, Undo
from games.match.commands import Clock, OrderEnd


class Fork(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where a branch was forked from, and the state that it starts from."""

    parent: str
    version: int
    """Of the parent's log."""
    head: str
    """Hash of the parent's record of that version."""
    seat: int | None
    """Whose knowledge was kept, all else dealt anew; null: everything is as it was."""
    number: int
    """The version as that seat counts; the log's where everything was kept."""
    closed: bool
    """The parent was still being played: only officers see the branch until it has ended."""
    state: Any
    """The game's state in plain form; null where it is told to viewers."""


class MatchCreated(Tagged, frozen=True, omit_defaults=True):
    """The header: all that is fixed for the match's whole life."""

    format: int
    """Of the records."""
    match: str
    game: str
    rules: int
    """The version of the game's rules."""
    seats: int
    options: dict[str, Any]
    clock: Clock | None
    private: bool
    away_after: int
    undo_limit: int | None
    creator: str
    commitment: str
    """SHA-256 of the service's part of the seed, in hex."""
    service: str
    """Id of the key that signs the heads."""
    key: str
    """Id of the master key that the seed was made with."""
    branch: Fork | None = None
    """Only branches have it."""
    stand_in: str | UnsetType = UNSET
    """Level of the bot that plays for seats that are away."""
    proposal_seconds: int | UnsetType = UNSET


class SeatTaken(Tagged, frozen=True):
    """A player sat down."""

    seat: int
    player: str
    entropy: str


class BotSeated(Tagged, frozen=True):
    """A bot sat down."""

    seat: int
    level: str


class SeatFreed(Tagged, frozen=True):
    """A seat is free again."""

    seat: int


class MatchStarted(Tagged, frozen=True):
    """The last seat was taken; the game's opening events follow."""


class TimedOut(Tagged, frozen=True):
    """A seat's clock ran out; what its defaults did follows."""

    seat: int


class SeatAway(Tagged, frozen=True):
    """A seat timed out too often: its defaults come at once."""

    seat: int


class SeatBack(Tagged, frozen=True):
    """An away seat acts again."""

    seat: int


class SeatResigned(Tagged, frozen=True):
    """A seat left for good; what the game makes of it follows."""

    seat: int


class ProposalMade(Tagged, frozen=True):
    """The asked seats may answer until `expires` (microseconds), or until the game goes on."""

    kind: Literal["undo", "abandon", "pause", "solve"]
    seat: int
    asked: tuple[int, ...]
    expires: int
    to: int = 0
    """Undo: the version to rewind to."""
    undo: Undo | None = None
    """Undo: the class of what would be taken back."""
    kept: tuple[int, ...] | UnsetType = UNSET
    """Undo: later records that would stay. Told to nobody."""


class ProposalAnswered(Tagged, frozen=True):
    """A seat accepted; a refusal closes the proposal at once."""

    seat: int
    accept: bool


class ProposalClosed(Tagged, frozen=True):
    """A proposal ended."""

    outcome: Literal["accepted", "refused", "withdrawn", "overtaken"]
    """`overtaken`: what was done in hiding since can't stay without what would be taken back."""


class Undone(Tagged, frozen=True):
    """The match is again as it was after record `to`. Class "all" marks that hidden things had been seen."""

    to: int
    seat: int
    undo: Undo
    kept: tuple[int, ...] | UnsetType = UNSET
    """Later records that stay: what others did in hiding. Told to nobody."""


class StandingOrdersSet(Tagged, frozen=True):
    """The match answers in the seat's stead where these orders apply; only the seat knows."""

    seat: int
    orders: tuple[str, ...]
    until: OrderEnd


class MatchPaused(Tagged, frozen=True):
    """All clocks stand."""


class MatchResumed(Tagged, frozen=True):
    """The clocks go on."""


class MatchFinished(Tagged, frozen=True):
    """The match has a result; the service's part of the seed is revealed."""

    secret: str
    """32 bytes in hex; its SHA-256 is the header's commitment."""


class MatchAbandoned(Tagged, frozen=True):
    """The match ended without a result; the service's part of the seed is revealed."""

    secret: str


MatchEvent = (
    MatchCreated
    | SeatTaken
    | BotSeated
    | SeatFreed
    | MatchStarted
    | TimedOut
    | SeatAway
    | SeatBack
    | SeatResigned
    | ProposalMade
    | ProposalAnswered
    | ProposalClosed
    | Undone
    | StandingOrdersSet
    | MatchPaused
    | MatchResumed
    | MatchFinished
    | MatchAbandoned
)
MATCH_EVENT_TYPES: frozenset[type] = frozenset(MatchEvent.__args__)
