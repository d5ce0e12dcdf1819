"""Windows: which seats a frame asks. It follows from public facts alone (KED-88)."""

from games.ke_dnu.components import (
    ASSISTANT,
    CARDS,
    NAVIGATOR,
    RATS,
    STEERSMAN,
    TEACHER,
    TYPE,
    VALUE,
    Reaction,
)
from games.ke_dnu.model import (
    ActionFrame,
    AnyFrame,
    ChoiceFrame,
    DiscardFrame,
    PlayFrame,
    ReactionFrame,
    Redirect,
    State,
    StoryFrame,
    berth,
    has,
)
from games.ke_dnu.rules.ships import (
    REARRANGE_LIMIT,
    free_cards,
    hosts,
    others,
    price,
    rearranges,
    reserve,
    sight,
)


def asked(state: State, frame: AnyFrame) -> list[int]:
    """List the seats that a frame on top of the stack awaits."""
    match frame:
        case PlayFrame() | ActionFrame() | ReactionFrame():
            return [
                seat
                for seat in bystanders(state, frame.passed)
                if seat != frame.seat and _may_answer(state, frame, seat)
            ]
        case DiscardFrame(flappers=flappers) if flappers:
            holder = flapper_holder(frame)
            return [holder] if copyable_cards(state, holder) else []
        case DiscardFrame():
            return [
                seat
                for seat in bystanders(state, frame.passed)
                if has(state.board[seat], TEACHER) and claimable(state, frame, seat)
            ]
        case ChoiceFrame(need=need):
            return [
                seat
                for seat, count in enumerate(need)
                if count > 0
                and state.status[seat] == "afloat"
                and choosable_cards(state, frame, seat)
            ]
        case StoryFrame(holder=holder, card=card):
            return [holder] if card else []


def bystanders(state: State, passed: tuple[int, ...]) -> list[int]:
    """List the non-active seats afloat that have not passed (KED-80)."""
    return [
        seat
        for seat, status in enumerate(state.status)
        if status == "afloat" and seat != state.active and seat not in passed
    ]


def _may_answer(state: State, frame: PlayFrame | ActionFrame | ReactionFrame, seat: int) -> bool:
    """Return whether a seat has a card that could answer now."""
    helmsmen: set[str] = set()
    for place in state.board[seat]:
        kind = CARDS[place.card]
        reaction = kind.reaction
        if reaction is not None:
            if not place.exhausted and applies(state, frame, seat, reaction):
                return True
        elif kind.id in {NAVIGATOR, STEERSMAN}:
            helmsmen.add(kind.id)
    return len(helmsmen) == 2 and isinstance(frame, ActionFrame) and _may_steer(state, frame, seat)


def applies(state: State, frame: AnyFrame, seat: int, reaction: Reaction) -> bool:
    """Return whether a ready reaction card of a seat fits a frame (KED-81 to KED-84)."""
    match frame:
        case PlayFrame():
            return reaction == "block_play"
        case ReactionFrame():
            return reaction == "block_action"
        case ActionFrame():
            if reaction == "block_action":
                return frame.source == "exhaust"
            if reaction == "shield":
                return touches(state, frame, seat)
            return reaction == "redirect" and _redirectable(state, frame, seat)
        case _:
            return False


def _redirectable(state: State, frame: ActionFrame, seat: int) -> bool:
    """Return whether a Steward can choose among more cards than are hit (KED-84)."""
    reach = CARDS[frame.card].reach
    return (
        reach is not None
        and reach.whom not in {"everyone", "fullest"}
        and redirect_of(frame, seat) is None
        and touches(state, frame, seat)
        and zone_size(state, seat, reach.zone) > hit_count(state, frame, seat)
    )


def zone_size(state: State, seat: int, zone: str) -> int:
    """Count the cards of a zone that can be attacked."""
    if zone == "board":
        return len(state.board[seat])
    return len(state.hand[seat] if zone == "hand" else state.deck[seat])


def _may_steer(state: State, frame: ActionFrame, seat: int) -> bool:
    """Return whether a seat may reorder its deck in the window of an action (KED-61)."""
    return (
        steerable(state, frame, seat)
        and state.rearranged[seat] < REARRANGE_LIMIT
        and min(sight(state.board[seat]), len(state.deck[seat])) >= 2
    )


def steerable(state: State, frame: ActionFrame, seat: int) -> bool:
    """Return whether a seat's deck is touched, not redirected, and may be reordered."""
    reach = CARDS[frame.card].reach
    return (
        reach is not None
        and reach.zone == "deck"
        and rearranges(state.board[seat])
        and redirect_of(frame, seat) is None
        and touches(state, frame, seat)
    )


def redirect_of(frame: ActionFrame, seat: int) -> Redirect | None:
    """Find the choice of a seat's Steward."""
    for redirect in frame.redirects:
        if redirect.seat == seat:
            return redirect
    return None


def touches(state: State, frame: ActionFrame, seat: int) -> bool:
    """Return whether the effect would now do something to an opponent (KED-83)."""
    reach = CARDS[frame.card].reach
    if reach is None or seat in frame.shields:
        return False
    whom, zone = reach.whom, reach.zone
    if whom == "everyone":
        return zone == "deck" or bool(state.board[seat])
    if whom == "fullest":
        return 0 < len(state.hand[seat]) == fullest(state)
    if zone == "board":
        return bool(board_hits(state, frame, seat))
    if whom == "target" and seat != frame.target:
        return False
    if zone == "hand":
        return bool(state.hand[seat])
    return reserve(state, seat, refills=reach.refills) > 0


def touched(state: State, frame: ActionFrame) -> list[int]:
    """List the opponents to whom the effect would now do something, clockwise (KED-53)."""
    return [seat for seat in others(state, frame.seat) if touches(state, frame, seat)]


def board_hits(state: State, frame: ActionFrame, seat: int) -> list[str]:
    """List the cards of a board that are hit and still lie there, in order (KED-54)."""
    board = state.board[seat]
    redirect = redirect_of(frame, seat)
    if redirect is not None:
        return [card for card in redirect.cards if berth(board, card)]
    reach = CARDS[frame.card].reach
    if reach is not None and reach.whom == "dearest":
        top = dearest(state)
        return [place.card for place in board if VALUE[place.card] == top]
    return [card for card in frame.victims if berth(board, card)]


def hit_count(state: State, frame: ActionFrame, seat: int) -> int:
    """Count the hits on a seat, in the attacked zone (KED-84)."""
    reach = CARDS[frame.card].reach
    if reach is None:
        return 0
    if reach.zone == "board":
        return len(board_hits(state, frame, seat))
    if reach.zone == "hand":
        return min(frame.times, len(state.hand[seat]))
    return min(deck_hits(frame), len(state.deck[seat]))


def deck_hits(frame: ActionFrame) -> int:
    """Return how many deck cards an action hits. A Torpedo hits per card paid (KED-95)."""
    kind = CARDS[frame.card]
    if kind.reach is None:
        return 0
    return kind.reach.hits * (len(frame.cards) if kind.pick else frame.times)


def dearest(state: State) -> int:
    """Return the highest value on all boards afloat (KED-99)."""
    return max(
        (
            VALUE[place.card]
            for seat, board in enumerate(state.board)
            if state.status[seat] == "afloat"
            for place in board
        ),
        default=-1,
    )


def fullest(state: State) -> int:
    """Return the size of the largest hand."""
    return max(map(len, state.hand))


def flapper_holder(frame: DiscardFrame) -> int:
    """Return the seat that is asked first about its Flapper (KED-43)."""
    return frame.holders[frame.cards.index(frame.flappers[0])]


def copyable_cards(state: State, seat: int) -> list[str]:
    """List the cards whose effect a seat's Flapper may use (KED-43)."""
    if state.status[seat] != "afloat":
        return []
    return [
        place.card
        for other in others(state, seat)
        for place in state.board[other]
        if CARDS[place.card].copyable
    ]


def claimable(state: State, frame: DiscardFrame, seat: int) -> list[str]:
    """List the offered cards that a seat's Teacher could claim (KED-86)."""
    board, hand = state.board[seat], state.hand[seat]
    return [
        card
        for card, holder in zip(frame.cards, frame.holders, strict=True)
        if holder != seat
        and TYPE[card] != RATS
        and card not in state.no_play
        and (TYPE[card] != ASSISTANT or hosts(board))
        and (hand or price(board, card) == 0)
        and card in state.water[holder]
    ]


def in_choice_board(frame: ChoiceFrame) -> bool:
    """Return whether cards of the board are to be chosen, not of the hand."""
    reach = CARDS[f"{frame.cause}_1"].reach
    return reach is not None and reach.zone == "board"


def choosable_cards(state: State, frame: ChoiceFrame, seat: int) -> list[str]:
    """List the cards that a seat may choose (KED-94)."""
    if in_choice_board(frame):
        return [place.card for place in state.board[seat]]
    return free_cards(state, seat) or state.hand[seat]
