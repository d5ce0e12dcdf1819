"""Random positions full of cards that affect each other. Random playouts rarely reach such."""

from collections.abc import Callable

from games.chance import Chance
from games.ke_dnu.components import CARDS, TYPE
from games.ke_dnu.model import Options, State, weight
from games.ke_dnu.rules.ships import anchored
from games.ke_dnu.setup import census
from games.playout import seed_of
from tests.games.ke_dnu.table import table

SOCIABLE = {
    "teacher", "flapper", "lifebuoy", "ship_guard", "steward", "bartender", "navigator",
    "steersman", "assistant", "boogeyman", "priest", "band", "rose",
}  # fmt: skip
"""Cards that affect or answer cards of other seats."""


class Pool:
    """The supply cards that are not laid out yet. Half of the draws prefer sociable cards."""

    def __init__(self, cards: list[str], dice: Chance) -> None:
        self.dice = dice
        self.cards = cards
        dice.shuffle(self.cards)

    def take(self, count: int, fits: Callable[[str], bool]) -> list[str]:
        taken: list[str] = []
        if self.dice.randbelow(2):
            self.cards.sort(key=lambda card: TYPE[card] not in SOCIABLE)
        for card in list(self.cards):
            if len(taken) < count and fits(card):
                taken.append(card)
                self.cards.remove(card)
        self.dice.shuffle(self.cards)
        return taken


def aboard(pool: Pool) -> str:
    """Draw a board of up to eight cards, with Assistants joined and some cards exhausted."""
    dice = pool.dice
    cards = pool.take(dice.randbelow(9), lambda card: TYPE[card] not in {"rats", "lockdown"})
    helpers = [card for card in cards if TYPE[card] == "assistant"]
    words: list[str] = []
    for card in cards:
        if TYPE[card] != "assistant":
            spent = CARDS[card].exhausts and dice.randbelow(4) == 0
            joined = f"+{helpers.pop()}" if helpers else ""
            words.append(card + joined + ("*" if spent else ""))
    return " ".join(words or helpers)


def rich(seed: int) -> State:
    """Lay out a random position."""
    dice = Chance(seed_of(seed), 1 << 43)
    seats = 2 + dice.randbelow(3)
    options = {
        "arbiter_mode": dice.choice(("discard", "hand")),
        "readied_limit": bool(dice.randbelow(3)),
        "include_singer": bool(dice.randbelow(2)),
        "sinking_round_limit": 10,
        "voyage_round_limit": 5,
    }
    cards = sorted(census(seats, Options(**options)))
    pool = Pool([c for c in cards if TYPE[c] not in {"passenger", "baby", "iceberg"}], dice)
    loose = lambda card: TYPE[card] != "lockdown"  # noqa: E731
    voyage = dice.randbelow(3) == 0
    drawing = dice.randbelow(3) == 0
    state = table(
        seats,
        boards={seat: aboard(pool) for seat in range(seats)},
        hands={seat: " ".join(pool.take(dice.randbelow(6), loose)) for seat in range(seats)},
        waters={seat: " ".join(pool.take(dice.randbelow(5), loose)) for seat in range(seats)},
        decks={
            seat: " ".join(
                pool.take(dice.randbelow(6), loose)
                + [f"passenger_{8 * seat + n}" for n in range(1, 1 + dice.randbelow(6))]
            )
            for seat in range(seats)
        },
        shop=" ".join(pool.take(5, loose)) if voyage else "",
        options=options,
        phase="voyage" if voyage else "sinking",
        step="draw" if drawing else "main",
        drawn=not drawing,
        draw_begun=not drawing,
        active=dice.randbelow(seats),
        points=dice.randbelow(15),
        turn_index=5,
        round=2,
    )
    board = state.board[state.active]
    if drawing:
        state.maid_left = weight(board, "maid")
        state.tycoon_left = 0 if anchored(board) else weight(board, "tycoon")
    return state
