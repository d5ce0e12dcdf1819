"""The dice of a match: those of a record follow from the match seed and the record's version."""

from games.chance import Chance, SealedChance
from games.match.model import Match
from games.match.seed import match_seed


def dice(service_seed: bytes, entropies: tuple[str, ...], version: int) -> Chance:
    """Return the dice of a record, sealed if the service seed is not known (`b""`)."""
    return Chance(match_seed(service_seed, entropies), version) if service_seed else SealedChance()


def dice_of(match: Match, service_seed: bytes) -> Chance:
    """Return the dice of the next record."""
    return MatchDice(match, service_seed) if service_seed else SealedChance()


class MatchDice(Chance):
    """The dice of a match's next record. Most commands throw none, so their seed is found late."""

    __slots__ = ("_match",)

    def __init__(self, match: Match, service_seed: bytes) -> None:
        """Take a match in play, and its service seed."""
        super().__init__(service_seed, match.version + 1)
        self._match = match

    def _match_seed(self) -> bytes:
        return match_seed(self._seed, tuple([chair.entropy for chair in self._match.chairs]))
