"""Whose turn it is, clocks, the commands that clocks play, and leaving."""

from games.tranquility.commands import (
    Command,
    DiscardTwo,
    EndTurn,
    FeedMonster,
    FlipCard,
    LetPass,
    MoveRocks,
    PayStart,
    PlaceStorm,
    PlayCard,
    PlayFinish,
    PlayMonster,
    PlayStart,
    Pledge,
    SetRocks,
    ShedToLimit,
    TakeCards,
    UseCompass,
)
from games.tranquility.components import (
    IS_FINISH,
    IS_START,
    IS_WILD,
    NUMBER,
    RANK,
    START_PRICE,
    rank,
)
from games.tranquility.ending import race_scores
from games.tranquility.events import RaceEnded, VoyageLost
from games.tranquility.fold import Draft
from games.tranquility.legal import legal
from games.tranquility.model import State
from games.tranquility.rules.hands import (
    discardable,
    finishing_cards,
    is_monster,
    must_start,
    rescuing_storms,
    to_shed,
    to_take,
)
from games.tranquility.rules.sea import (
    cheapest,
    dead,
    free_in_row,
    layout,
    loses_by_sides,
    prey,
    rows_open,
    wrong_side,
)
from games.tranquility.rules.turn import pending_storm

NOWHERE = 5
"""Counts as the cost of a card that fits somewhere but can be laid nowhere now."""


def waiting(state: State) -> frozenset[int]:
    """Return the seats on the clock."""
    return frozenset(state.waiting)


def teams(state: State) -> list[frozenset[int]]:
    """Return the crew as one team; the two seats of a race are rivals."""
    if state.options.variant == "competitive":
        return [frozenset((seat,)) for seat in range(state.players)]
    return [frozenset(range(state.players))]


def clock(state: State, seat: int) -> tuple[str, int] | None:
    """Return the name and seconds of a waiting seat's clock; None without a clock."""
    options = state.options
    match state.phase:
        case "start_pledge" | "start_pay":
            name, seconds = f"{state.phase}:{state.turn}", options.pledge_seconds
        case "storm_window" | "storm_row" | "storm_discard":
            storm = pending_storm(state).card
            name, seconds = f"{state.phase}:{storm}", options.reaction_seconds
        case "rescue":
            name, seconds = f"rescue:{state.turn}", options.reaction_seconds
        case _:
            name, seconds = f"turn:{state.turn}", options.turn_seconds
    return (name, seconds) if seconds else None


def default(state: State, seat: int) -> Command:
    """Return the legal command that the clock plays, from the seat's cards and public facts."""
    match state.phase:
        case "action":
            return _action(state, seat)
        case "start_pledge":
            return _pledge(state, seat)
        case "start_pay":
            offer = state.pledges[seat]
            assert offer is not None, "everyone pledged"
            return PayStart(tuple(waste_order(state, seat)[: offer.from_hand]))
        case "rocks":
            return MoveRocks(next(row for row in rows_open(state) if row != state.rocks_row))
        case "storm_window":
            return _window(state, seat)
        case "storm_row":
            return PlaceStorm(_fullest_open_row(state))
        case "storm_discard":
            return ShedToLimit(tuple(waste_order(state, seat)[: to_shed(state, seat)]))
        case "rescue":
            storms = rescuing_storms(state)
            orange = [storm for storm in storms if storm.colour == "orange"]
            return UseCompass(_lowest_compass(state, seat), (orange or storms)[0].card)
        case "explore_monster":
            last = max(index for index, laid in enumerate(state.grid) if laid is not None)
            return FeedMonster(layout(state).cells[last])
        case "explore_rocks":
            return SetRocks(_fullest_open_row(state))
        case "take":
            return TakeCards(tuple(state.row[: to_take(state, seat)]))
        case "confirm" | "over":
            return EndTurn()


def _action(state: State, seat: int) -> Command:
    hand = state.hands[seat]
    cells = layout(state).cells
    finishes = finishing_cards(state, seat)
    if finishes and not loses_by_sides(state):
        return PlayFinish(finishes[0])
    if must_start(state, seat):
        return PlayStart(next(card for card in hand if card in IS_START))
    waste = waste_order(state, seat)
    if len(waste) >= 2:
        return DiscardTwo((waste[0], waste[1]))
    free = [
        command
        for command in legal(state, seat)
        if isinstance(command, PlayCard) and not command.discards
    ]
    if free:
        index = layout(state).index
        return min(
            free,
            key=lambda laying: (
                laying.as_ or NUMBER[laying.card],
                index[laying.cell],
                RANK[laying.card],
            ),
        )
    if (targets := prey(state)) and (monsters := [c for c in hand if is_monster(state, c)]):
        return PlayMonster(monsters[0], cells[targets[-1]])
    if state.start_placed is None and waste and waste[0] in IS_WILD:
        return PlayStart(waste[0])
    laid = [index for index, card in enumerate(state.grid) if card is not None]
    wrong = [index for index in laid if wrong_side(state, index)]
    return FlipCard(cells[(wrong or laid)[0]], waste[0])


def waste_order(state: State, seat: int) -> list[str]:
    """Return the discardable cards, the most useless first."""
    cards = discardable(state, seat)
    starts = [card for card in cards if card in IS_START]
    finishes = [card for card in cards if card in IS_FINISH]
    islands = [card for card in cards if card in NUMBER]
    lost = [card for card in islands if dead(state, NUMBER[card])]
    live = [card for card in islands if card not in lost]

    def dearest_first(card: str) -> tuple[int, int]:
        price = cheapest(state, seat, NUMBER[card])
        return -(NOWHERE if price is None else price), NUMBER[card]

    live.sort(key=dearest_first)
    wilds = [card for card in cards if card in IS_WILD]
    return [*starts, *lost, *live, *finishes[:-1], *wilds, *finishes[-1:]]


def _pledge(state: State, seat: int) -> Command:
    others = sum(
        offer.count for at, offer in enumerate(state.pledges) if offer is not None and at != seat
    )
    own = len(discardable(state, seat))
    share = seat in state.shares
    capacity = min(own + 2 * share, START_PRICE)
    if state.pledges[seat] is None:
        undecided = state.pledges.count(None)
        count = min(-(-max(0, START_PRICE - others) // undecided), capacity)
    else:
        count = min(max(0, START_PRICE - others), capacity)
    if share and count == 1 and own == 0:
        count = 2
    return Pledge(count, from_deck=share and count >= 2)


def _window(state: State, seat: int) -> Command:
    pending = pending_storm(state)
    if seat == pending.seat:
        return UseCompass(_lowest_compass(state, seat), pending.card)
    return LetPass()


def _lowest_compass(state: State, seat: int) -> str:
    return min(state.compasses[seat], key=rank)


def _fullest_open_row(state: State) -> int:
    return min(rows_open(state), key=lambda row: (free_in_row(state, row), row))


def leave_on(draft: Draft, seat: int) -> None:
    """End the race, or the voyage with the option `lose`; otherwise the default plays on."""
    state = draft.state
    if state.result is not None:
        return
    if state.options.variant == "competitive":
        draft.add(RaceEnded("abandoned", tuple(race_scores(state)), (1 - seat,)))
    elif state.options.abandon == "lose":
        draft.add(VoyageLost(seat, "abandoned"))
