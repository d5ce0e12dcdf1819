"""The events that all matches share, besides the game's own.

Versions in events are the log's; times are microseconds since 1970-01-01 UTC.
"""

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, UnsetType

from games.game import Tagged, Undo
from games.match.commands import BotPace, Clock, MatchId, OrderEnd
from games.wire import GameOptions, GameState, MatchResult, matching


class Fork(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where a branch was forked, and the state that it starts from."""

    parent: str
    version: int
    """Version of the parent's log."""
    head: str
    """Hash of the parent's record of that version."""
    seat: int | None
    """The seat whose knowledge was kept, everything else dealt anew; null: nothing changed."""
    number: int
    """The seat's version; the log's if nothing was dealt anew."""
    closed: bool
    """Whether the parent was still running: until it ends, only officers see the branch."""
    state: GameState | None
    """The game's state in plain form; null when shown to viewers."""


class MatchCreated(Tagged, frozen=True, omit_defaults=True, kw_only=True):
    """The header: everything that stays fixed while the match lives."""

    format: int
    """Record format."""
    match: MatchId
    game: str
    rules: int
    """Rules version of the game."""
    seats: int
    options: GameOptions = {}  # noqa: RUF012 - a Struct copies its default
    """Those that are not at their defaults; in record format 1, all."""
    clock: Clock | None = None
    private: bool = False
    away_after: int = 3
    undo_limit: int | None = None
    creator: str
    commitment: Annotated[str, matching("[0-9a-f]{64}")]
    """SHA-256 of the service seed, in hex."""
    service: str
    """ID of the key that signs heads."""
    key: str
    """ID of the master key from which the service seed was derived."""
    branch: Fork | None = None
    """Branches only."""
    stand_in: str | UnsetType = UNSET
    """Level of the bot that plays for seats that are away."""
    proposal_seconds: int | UnsetType = UNSET
    spectator_delay: int | UnsetType = UNSET
    """Time after which spectators are shown a record (seconds)."""
    bot_pace: BotPace | UnsetType = UNSET
    """How long bots wait before they move."""


class SeatTaken(Tagged, frozen=True):
    """A player took a seat."""

    seat: int
    player: str
    entropy: str


class BotSeated(Tagged, frozen=True):
    """A bot took a seat."""

    seat: int
    level: str


class SeatFreed(Tagged, frozen=True):
    """A seat is free again."""

    seat: int


class MatchStarted(Tagged, frozen=True):
    """The last seat was taken. The game's opening events follow."""

    options: GameOptions | UnsetType = UNSET
    """All options, also those at their defaults. Not in record format 1: there the header has
    them."""


class TimedOut(Tagged, frozen=True):
    """A seat's clock ran out. The events of its defaults follow."""

    seat: int


class SeatAway(Tagged, frozen=True):
    """A seat timed out too often: its defaults are played at once."""

    seat: int


class SeatBack(Tagged, frozen=True):
    """A seat that was away acts again."""

    seat: int


class SeatResigned(Tagged, frozen=True):
    """A seat left for good. The game's events for it follow."""

    seat: int


class ProposalMade(Tagged, frozen=True):
    """A seat asked others, who may answer until `expires` (microseconds) or the game goes on."""

    kind: Literal["undo", "abandon", "pause", "solve"]
    seat: int
    asked: tuple[int, ...]
    expires: int
    to: int = 0
    """Undo: the version to rewind to."""
    undo: Undo | None = None
    """Undo: the undo class."""
    kept: tuple[int, ...] | UnsetType = UNSET
    """Undo: later records that would stay. Shown to nobody."""


class ProposalAnswered(Tagged, frozen=True):
    """A seat accepted or refused. A refusal closes the proposal at once."""

    seat: int
    accept: bool


class ProposalClosed(Tagged, frozen=True):
    """A proposal ended."""

    outcome: Literal["accepted", "refused", "withdrawn", "overtaken"]
    """`overtaken`: what was done in secret since cannot stay after the undo."""


class Undone(Tagged, frozen=True):
    """The match is again as it was after record `to`.

    Class `all` marks that something hidden had been revealed.
    """

    to: int
    seat: int
    undo: Undo
    kept: tuple[int, ...] | UnsetType = UNSET
    """Later records that stay: what others did in secret. Shown to nobody."""


class StandingOrdersSet(Tagged, frozen=True):
    """The match answers in the seat's stead when these orders apply. Shown to that seat only."""

    seat: int
    orders: tuple[str, ...]
    until: OrderEnd


class MatchPaused(Tagged, frozen=True):
    """All clocks stopped."""


class MatchResumed(Tagged, frozen=True):
    """All clocks resumed."""


class MatchFinished(Tagged, frozen=True):
    """The match has a result; the service seed is revealed.

    Logs in record format 1 have only the secret: there the rest follows from the state.
    """

    secret: str
    """32 bytes in hex; its SHA-256 is the header's commitment."""
    reason: str | UnsetType = UNSET
    """The game's reason; `resigned` if at most one team was left."""
    winners: tuple[int, ...] | UnsetType = UNSET
    """The winning seats, ascending."""
    places: tuple[int, ...] | UnsetType = UNSET
    """By seat, 1 the best; seats that left come last."""
    scores: tuple[int, ...] | UnsetType = UNSET
    """By seat; empty if the game keeps no score, or was not played to its end."""
    result: MatchResult | UnsetType = UNSET
    """The whole result, as the match shows it."""


class MatchAbandoned(Tagged, frozen=True):
    """The match ended without a result; the service seed is revealed."""

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
