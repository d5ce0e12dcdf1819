"""What callers of the library pass: for what is wrong, a `ValueError` says what is expected."""

from operator import index

from games import GAMES
from games.game import AnyGame


def game_named(slug: str) -> AnyGame:
    """Return an installed game; raises `ValueError`."""
    if slug not in GAMES:
        raise ValueError(f"Unknown game {slug!r}. Installed games: {', '.join(GAMES)}.")
    return GAMES[slug]


def seat_among(seat: int, seats: int) -> int:
    """Return a seat of so many as a plain number, also one of numpy's; raises `ValueError`."""
    if seat not in range(seats):
        raise ValueError(f"Seat must be between 0 and {seats - 1}, got {seat!r}.")
    return int(seat)


def whole(name: str, value: int) -> int:
    """Return a whole number of any kind, such as numpy's, as a plain one; raises `ValueError`."""
    try:
        return index(value)
    except TypeError:
        raise ValueError(f"{name} must be a whole number, got {value!r}.") from None
