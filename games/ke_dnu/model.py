"""What a match consists of: options, frames, state, view and result. Types only."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from games.game import snake_case

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
    """The options of section 15; the number of players is the match's."""

    first_seat: Literal["random", "0", "1", "2", "3"] = "random"
    voyage_round_limit: Annotated[int, Meta(ge=5, le=60)] = 25
    sinking_round_limit: Annotated[int, Meta(ge=10, le=60)] = 25
    arbiter_mode: Literal["discard", "hand"] = "discard"
    lifeboat_cost: Annotated[int, Meta(ge=1, le=20)] = 8
    include_singer: bool = False
    exclude_types: tuple[SupplyType, ...] = ()
    no_reactions: bool = False
    readied_limit: bool = True
    turn_seconds: Annotated[int, Meta(ge=30, le=86400)] = 180
    window_seconds: Annotated[int, Meta(ge=5, le=86400)] = 30


class Berth(msgspec.Struct, frozen=True, gc=False):
    """A card on a board."""

    card: str
    exhausted: bool = False
    host: str = ""
    """The card that this Assistant is attached to."""


class Redirect(msgspec.Struct, frozen=True):
    """What a Steward's holder chose to be hit (KED-84)."""

    seat: int
    zone: Attacked
    cards: tuple[str, ...]
    positions: tuple[int, ...]


class Frame(msgspec.Struct, frozen=True, tag_field="kind", tag=lambda n: snake_case(n)[:-6]):
    """Something that seats may answer (5.3)."""


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
    """Discards are on offer to Flappers, then to Teachers."""

    cards: tuple[str, ...]
    holders: tuple[int, ...]
    flappers: tuple[str, ...]
    passed: tuple[int, ...] = ()


class ChoiceFrame(Frame, frozen=True):
    """Seats choose cards of their own."""

    cause: str
    need: tuple[int, ...]


class StoryFrame(Frame, frozen=True):
    """A Storyteller's row of seats; `holder` is -1 while no card is drawn."""

    seat: int
    queue: tuple[int, ...]
    holder: int = -1
    card: str = ""


AnyFrame = PlayFrame | ActionFrame | ReactionFrame | DiscardFrame | ChoiceFrame | StoryFrame


class Result(msgspec.Struct, frozen=True):
    """How the match ended (section 11)."""

    winners: tuple[int, ...]
    ranks: tuple[int, ...]
    scores: tuple[int, ...]
    boards: tuple[tuple[str, ...], ...]
    sank_order: tuple[int, ...]
    reason: Literal["all_sunk", "limit", "abandoned"]

    def places(self, seats: int) -> list[int]:
        """Give the place of each seat; equal scores share one."""
        assert len(self.ranks) == seats, "a rank for each seat"
        return list(self.ranks)


class State(msgspec.Struct):
    """All of a match (section 3), and the numbers of the frames for their clocks."""

    options: Options
    deck: list[list[str]]
    hand: list[list[str]]
    """Always sorted."""
    water: list[list[str]]
    board: list[list[Berth]]
    gone: list[list[str]]
    """Sorted."""
    status: list[Status]
    score: list[int | None]
    rearranged: list[int]
    phase: Phase = "voyage"
    step: Step = "draw"
    first_seat: int = 0
    active: int = 0
    turn_index: int = 0
    round: int = 1
    points: int = 0
    iceberg: bool = True
    drawn: bool = False
    draw_begun: bool = False
    tycoon_left: int = 0
    maid_left: int = 0
    frames: int = 0
    """Frames pushed so far in the match."""
    shop: list[str] = []
    shop_deck: list[str] = []
    removed: list[str] = []
    unused: list[str] = []
    """Sorted."""
    sank_order: list[int] = []
    locked: list[str] = []
    no_play: list[str] = []
    readied: list[str] = []
    end_queue: list[str] = []
    stack: list[AnyFrame] = []
    numbers: list[int] = []
    """Of each frame on the stack, its place among all frames of the match."""
    result: Result | None = None

    def copy(self) -> "State":
        """Give an independent copy; what lies in the lists is frozen."""
        return State(
            self.options,
            [zone[:] for zone in self.deck],
            [zone[:] for zone in self.hand],
            [zone[:] for zone in self.water],
            [zone[:] for zone in self.board],
            [zone[:] for zone in self.gone],
            self.status[:],
            self.score[:],
            self.rearranged[:],
            self.phase,
            self.step,
            self.first_seat,
            self.active,
            self.turn_index,
            self.round,
            self.points,
            self.iceberg,
            self.drawn,
            self.draw_begun,
            self.tycoon_left,
            self.maid_left,
            self.frames,
            self.shop[:],
            self.shop_deck[:],
            self.removed[:],
            self.unused[:],
            self.sank_order[:],
            self.locked[:],
            self.no_play[:],
            self.readied[:],
            self.end_queue[:],
            self.stack[:],
            self.numbers[:],
            self.result,
        )


class SeatView(msgspec.Struct, frozen=True):
    """One seat as a viewer sees it; None where the viewer may not."""

    status: Status
    score: int | None
    board: tuple[Berth, ...]
    water: tuple[str, ...]
    hand_count: int
    deck_count: int
    rearranged: int
    hand: tuple[str, ...] | None
    top: tuple[str, ...]
    """The cards in sight of the viewer's own deck (KED-60)."""
    gone: tuple[str, ...] | None
    deck: tuple[str, ...] | None


class View(msgspec.Struct, frozen=True):
    """The match as a viewer sees it (section 12)."""

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
