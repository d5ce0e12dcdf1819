"""What happens without a seat: its clock, the default that the clock plays, and leaving (section 10)."""

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
from games.tranquility.events import Event, RaceEnded, VoyageLost
from games.tranquility.fold import hand_share
from games.tranquility.legal import legal, to_take
from games.tranquility.model import State
from games.tranquility.rules.sea import (
    cheapest,
    dead,
    discardable,
    finishing_cards,
    free_in_row,
    is_monster,
    layout,
    loses_by_sides,
    must_start,
    prey,
    rescuing_storms,
    rows_open,
    to_shed,
    wrong_side,
)

NOWHERE = 5
"""Ranks a card that fits somewhere but can be laid nowhere now above every cost."""


def clock(state: State, seat: int) -> tuple[str, int] | None:
    """Name the clock that a waiting seat is on, and its seconds."""
    options = state.options
    match state.phase:
        case "start_pledge" | "start_pay":
            name, seconds = f"{state.phase}:{state.turn}", options.pledge_seconds
        case "storm_window" | "storm_row" | "storm_discard":
            pending = state.pending_storm
            assert pending is not None, "a storm is being resolved"
            name, seconds = f"{state.phase}:{pending.card}", options.reaction_seconds
        case "rescue":
            name, seconds = f"rescue:{state.turn}", options.reaction_seconds
        case _:
            name, seconds = f"turn:{state.turn}", options.turn_seconds
    return (name, seconds) if seconds else None


def leave(state: State, seat: int) -> list[Event]:
    """Lose the voyage or the race with the option `lose`; else the default plays on."""
    if state.result is not None:
        return []
    if state.options.variant == "competitive":
        return [RaceEnded("abandoned", tuple(race_scores(state)), (1 - seat,))]
    if state.options.abandon == "lose":
        return [VoyageLost(seat, "abandoned")]
    return []


def default(state: State, seat: int) -> Command:
    """Give what the clock plays: never illegal, from the seat's own cards and what is public."""
    match state.phase:
        case "action":
            return _action(state, seat)
        case "start_pledge":
            return _pledge(state, seat)
        case "start_pay":
            offer = state.pledges[seat]
            assert offer is not None, "everyone pledged"
            return PayStart(tuple(waste_order(state, seat)[: hand_share(offer)]))
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
    """Give the discardable cards, the most useless first (section 10)."""
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
    pending = state.pending_storm
    assert pending is not None, "a storm is being resolved"
    if seat == pending.seat:
        return UseCompass(_lowest_compass(state, seat), pending.card)
    return LetPass()


def _lowest_compass(state: State, seat: int) -> str:
    return min(state.compasses[seat], key=rank)


def _fullest_open_row(state: State) -> int:
    return min(rows_open(state), key=lambda row: (free_in_row(state, row), row))
