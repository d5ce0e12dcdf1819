"""What a seek is, and which seek fits what a player wants."""

from collections.abc import Iterable
from typing import Annotated

import msgspec
from msgspec import Meta

from games.match.commands import Clock, CreateMatch, Level
from games.wire import GameOptions, Time

BOT = "bot:"
"""Prefix of the places that bots have taken. Ids of players contain no colon."""


class Offer(msgspec.Struct, frozen=True):
    """What a seek offers."""

    game: str
    seats: int
    options: GameOptions
    clock: Clock | None
    undo_limit: int | None

    def command(self) -> CreateMatch:
        """Return the command that creates the match."""
        return CreateMatch(
            self.game,
            self.seats,
            self.options,
            self.clock,
            undo_limit=self.undo_limit,
        )


class SeekBots(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Bots that take the free seats of a seek if nobody else does in time."""

    level: Level = "heuristic"
    after_s: Annotated[int, Meta(ge=10, le=300)] = 30
    """Time after which the bots come (seconds)."""


class Seek(msgspec.Struct, frozen=True):
    """An offer of a match that waits for others to take it."""

    id: str
    by: str
    """Id of the player who posted the seek."""
    offer: Offer
    created: Time
    expires: Time
    match: str | None = None
    """The match, once the seek is complete."""
    bots: SeekBots | None = None
    """Bots that complete the seek if nobody else does in time."""


class Taken(msgspec.Struct, frozen=True):
    """A place that a player or a bot has taken."""

    at: int
    """When it was taken (microseconds since 1970)."""
    entropy: str


class OpenSeek(msgspec.Struct, frozen=True):
    """A seek and the players who have taken places, the one who posted it first."""

    seek: Seek
    players: list[str]


def fits(one: OpenSeek, player: str, offer: Offer, bots: SeekBots | None) -> bool:
    """Return whether an open seek is what a player wants.

    Without another place after the player's, it does not matter whether bots would come.
    """
    if one.seek.offer != offer:
        return False
    if player in one.players:
        return True
    free = offer.seats - len(one.players)
    return free == 1 or (free > 1 and _level(one.seek.bots) == _level(bots))


def _level(bots: SeekBots | None) -> str | None:
    return None if bots is None else bots.level


def rank(one: OpenSeek, player: str) -> tuple[bool, int, Time]:
    """Return a key that sorts a player's own seeks first, then the fullest, then the oldest."""
    return player not in one.players, -len(one.players), one.seek.created


def people_of(places: Iterable[str]) -> list[str]:
    """Return the players among those who have taken places, without bots."""
    return [player for player in places if not player.startswith(BOT)]
