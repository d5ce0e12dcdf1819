"""Options, frames, state, view and result of a match, and lookups on one board."""

from collections.abc import Sequence
from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType, field

from games.game import House, snake_case
from games.ke_dnu.components import TYPE
from games.structs import Copyable, Public

Phase = Literal["voyage", "sinking", "over"]
Step = Literal["draw", "main", "ending", "limit"]
Status = Literal["afloat", "sunk", "abandoned"]
Source = Literal["exhaust", "flapper", "passive"]
Via = Literal["hand", "teacher"]
Attacked = Literal["board", "hand", "deck"]

SupplyType = Literal[
    "anchor", "arbiter", "assistant", "band", "bartender", "beggar", "boogeyman", "burglar",
    "captain", "caretaker", "chef", "convict", "dealer", "diver", "doctor", "drunkard", "fanatic",
    "fisherman", "flapper", "jack", "janitor", "lady", "life_jacket", "lifeboat", "lifebuoy",
    "lifeguard", "lockdown", "maid", "mime", "navigator", "pirate", "polka_dancer", "priest",
    "profiteer", "proletarian", "rats", "rose", "saboteur", "seal", "ship_guard", "singer",
    "steersman", "steward", "stimulants", "stoker", "storyteller", "stowaway", "teacher",
    "technician", "torpedo", "tycoon",
]  # fmt: skip


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The game's options. The number of players is an option of the match."""

    first_seat: Literal["random", "0", "1", "2", "3"] = "random"
    voyage_round_limit: Annotated[int, Meta(ge=5, le=60)] = 25
    sinking_round_limit: Annotated[int, Meta(ge=10, le=60)] = 25
    arbiter_mode: Literal["discard", "hand"] = "discard"
    lifeboat_cost: Annotated[int, Meta(ge=1, le=20)] = 8
    include_singer: bool = False
    exclude_types: tuple[SupplyType, ...] = ()
    no_reactions: bool = False
    readied_limit: bool = True
    house: House | UnsetType = UNSET
    """`balanced` gives later seats points in their first turn (KED-116). If omitted: `classic`."""
    turn_seconds: Annotated[int, Meta(ge=30, le=86400)] = 180
    window_seconds: Annotated[int, Meta(ge=5, le=86400)] = 30


class Berth(msgspec.Struct, frozen=True, gc=False):
    """A card on a board."""

    card: str
    exhausted: bool = False
    host: str = ""
    """The card that this Assistant is attached to, if any."""


class Redirect(msgspec.Struct, frozen=True):
    """The cards that the holder of a Steward chose to be hit (KED-84)."""

    seat: int
    zone: Attacked
    cards: tuple[str, ...]
    positions: tuple[int, ...]


class Frame(msgspec.Struct, frozen=True, tag_field="kind", tag=lambda n: snake_case(n)[:-6]):
    """Something on the stack that seats may answer."""


class PlayFrame(Frame, frozen=True):
    """A card is being laid."""

    seat: int
    card: str
    price: int
    board_seat: int
    host: str
    via: Via
    passed: tuple[int, ...] = ()


class ActionFrame(Frame, frozen=True):
    """An effect is being used."""

    seat: int
    card: str
    source: Source
    times: int
    target: int
    cards: tuple[str, ...]
    victims: tuple[str, ...]
    host: str
    passed: tuple[int, ...] = ()
    shields: tuple[int, ...] = ()
    redirects: tuple[Redirect, ...] = ()


class ReactionFrame(Frame, frozen=True):
    """A reaction card is being used."""

    seat: int
    card: str
    zone: Literal["", "board", "hand", "deck"]
    cards: tuple[str, ...]
    positions: tuple[int, ...]
    passed: tuple[int, ...] = ()


class DiscardFrame(Frame, frozen=True):
    """Discards are offered to Flappers, then to Teachers."""

    cards: tuple[str, ...]
    holders: tuple[int, ...]
    flappers: tuple[str, ...]
    passed: tuple[int, ...] = ()


class ChoiceFrame(Frame, frozen=True):
    """Seats choose cards of their own."""

    cause: str
    need: tuple[int, ...]


class StoryFrame(Frame, frozen=True):
    """The seats that draw for a Storyteller; `holder` is -1 until a card is drawn."""

    seat: int
    queue: tuple[int, ...]
    holder: int = -1
    card: str = ""


AnyFrame = PlayFrame | ActionFrame | ReactionFrame | DiscardFrame | ChoiceFrame | StoryFrame


class Result(msgspec.Struct, frozen=True):
    """How the match ended."""

    winners: tuple[int, ...]
    ranks: tuple[int, ...]
    scores: tuple[int, ...]
    boards: tuple[tuple[str, ...], ...]
    sank_order: tuple[int, ...]
    reason: Literal["all_sunk", "limit", "abandoned"]

    def places(self, seats: int) -> list[int]:
        """Return the place of each seat. Equal scores share a place."""
        assert len(self.ranks) == seats, "a rank for each seat"
        return list(self.ranks)


class State(Copyable):
    """The state of a match. Sharing a frame or berth is safe: both are frozen."""

    options: Options
    deck: list[list[str]]
    hand: list[list[str]]
    """Always sorted."""
    water: list[list[str]]
    board: list[list[Berth]]
    gone: list[Sequence[str]]
    """Sorted."""
    status: list[Status]
    score: list[int | None]
    rearranged: list[int]
    phase: Public[Phase] = "voyage"
    step: Public[Step] = "draw"
    first_seat: Public[int] = 0
    active: Public[int] = 0
    turn_index: Public[int] = 0
    round: Public[int] = 1
    points: Public[int] = 0
    iceberg: Public[bool] = True
    drawn: Public[bool] = False
    draw_begun: Public[bool] = False
    tycoon_left: Public[int] = 0
    maid_left: Public[int] = 0
    frames: int = 0
    """Number of frames pushed so far in the match."""
    shop: Public[list[str]] = field(default_factory=list[str])
    shop_deck: list[str] = field(default_factory=list[str])
    removed: Public[list[str]] = field(default_factory=list[str])
    unused: Sequence[str] = field(default_factory=list[str])
    """Sorted."""
    sank_order: Public[list[int]] = field(default_factory=list[int])
    locked: Public[list[str]] = field(default_factory=list[str])
    no_play: Public[list[str]] = field(default_factory=list[str])
    readied: Public[list[str]] = field(default_factory=list[str])
    end_queue: Public[list[str]] = field(default_factory=list[str])
    stack: list[AnyFrame] = field(default_factory=list[AnyFrame])
    numbers: list[int] = field(default_factory=list[int])
    """Number of each frame on the stack, counted through the match. Clocks are named by it."""
    result: Public[Result | None] = None


class SeatView(msgspec.Struct, frozen=True):
    """One seat as a viewer sees it. None stands for what is hidden."""

    status: Status
    score: int | None
    board: tuple[Berth, ...]
    water: tuple[str, ...]
    hand_count: int
    deck_count: int
    rearranged: int
    hand: tuple[str, ...] | None
    top: tuple[str, ...]
    """The top cards of the viewer's own deck that are in sight (KED-60)."""
    gone: tuple[str, ...] | None
    deck: tuple[str, ...] | None


class View(msgspec.Struct, frozen=True):
    """The match as a viewer sees it."""

    phase: Phase
    step: Step
    first_seat: int
    active: int
    turn_index: int
    round: int
    points: int
    shop: tuple[str, ...]
    iceberg: bool
    removed: tuple[str, ...]
    locked: tuple[str, ...]
    no_play: tuple[str, ...]
    readied: tuple[str, ...]
    drawn: bool
    draw_begun: bool
    tycoon_left: int
    maid_left: int
    end_queue: tuple[str, ...]
    sank_order: tuple[int, ...]
    result: Result | None
    shop_deck_count: int
    shop_deck: tuple[str, ...] | None
    unused: tuple[str, ...] | None
    seats: tuple[SeatView, ...]
    stack: tuple[AnyFrame, ...]
    waiting: tuple[int, ...]


def berth(board: Sequence[Berth], card: str) -> Berth | None:
    """Find a card on a board."""
    for place in board:
        if place.card == card:
            return place
    return None


def assistant_of(board: Sequence[Berth], card: str) -> str:
    """Return the Assistant attached to a card, or ""."""
    for place in board:
        if place.host == card:
            return place.card
    return ""


def has(board: Sequence[Berth], kind: str) -> bool:
    """Return whether a type of card lies on a board."""
    return kind in [TYPE[place.card] for place in board]


def weight(board: Sequence[Berth], kind: str) -> int:
    """Count the cards of a type on a board, one with an Assistant twice (KED-75)."""
    return sum(
        2 if assistant_of(board, place.card) else 1 for place in board if TYPE[place.card] == kind
    )
