"""What a seat may do: every legal command, or the representatives that section 6.2 names; and the default."""

from collections.abc import Iterator
from itertools import combinations

from games.ke_dnu import commands
from games.ke_dnu.answers import claim_price, discards
from games.ke_dnu.cards import (
    ANCHOR,
    ASSISTANT,
    CARDS,
    ICEBERG_CARD,
    MAID,
    RATS,
    SEAL,
    STOWAWAY,
)
from games.ke_dnu.choices import Use, arrival_hosts, choices
from games.ke_dnu.commands import Command
from games.ke_dnu.model import (
    ActionFrame,
    ChoiceFrame,
    DiscardFrame,
    PlayFrame,
    ReactionFrame,
    State,
    StoryFrame,
)
from games.ke_dnu.ship import (
    REARRANGE_LIMIT,
    TYPE,
    VALUE,
    band_held,
    best_worth,
    by_value,
    free_cards,
    has,
    hosts,
    is_rose,
    others,
    rearranges,
    sight,
    tariff,
    times,
    tycoon_targets,
)
from games.ke_dnu.turn import shop_price
from games.ke_dnu.windows import (
    applies,
    asked,
    claimable,
    copyable_cards,
    hit_count,
    in_choice_board,
    steerable,
    zone_size,
)


def legal(state: State, seat: int) -> list[Command]:
    """List the commands of a seat."""
    if state.phase == "over" or state.status[seat] != "afloat":
        return []
    if state.stack:
        return answers(state, seat) if seat in asked(state, state.stack[-1]) else []
    if seat != state.active:
        return []
    if state.step == "draw":
        return [*draw_step(state, seat), *rearrangements(state, seat)]
    if state.step == "main":
        return [*main_step(state, seat), *rearrangements(state, seat)]
    down: list[Command] = [commands.DiscardDown(card) for card in free_cards(state, seat)]
    return [*down, *rearrangements(state, seat)]


def draw_step(state: State, seat: int) -> Iterator[Command]:
    """KED-12, KED-96, KED-97."""
    if not state.drawn:
        yield commands.Draw()
    for target in sorted(tycoon_targets(state)):
        yield commands.Tycoon(target)
    if state.maid_left and not state.draw_begun and has(state.board[seat], MAID):
        for card in state.hand[seat]:
            yield commands.Maid(card)


def main_step(state: State, seat: int) -> Iterator[Command]:
    """KED-20 to KED-47."""
    free = free_cards(state, seat)
    for card in free:
        yield commands.Jettison(card)
    for seal in free:
        if TYPE[seal] == SEAL:
            for card in free:
                if card != seal:
                    yield commands.JettisonPair(seal, card)
    if state.phase == "voyage":
        yield from purchases(state)
    yield from plays(state, seat)
    for place in state.board[seat]:
        card = place.card
        if CARDS[card].acts and not place.exhausted:
            use = Use(seat, card, times(state.board[seat], card))
            for choice in choices(state, use):
                yield commands.Activate(
                    card, choice.target, choice.cards, choice.victims, choice.host
                )
        elif TYPE[card] == ANCHOR:
            yield commands.DiscardAnchor(card)
    yield commands.EndTurn()


def purchases(state: State) -> Iterator[Command]:
    """KED-21."""
    for card in state.shop:
        if shop_price(state, card) <= state.points:
            yield commands.Buy(card)
    if state.iceberg and shop_price(state, ICEBERG_CARD) <= state.points:
        yield commands.Buy(ICEBERG_CARD)


def plays(state: State, seat: int) -> Iterator[Command]:
    """KED-31, KED-35 to KED-38."""
    board = state.board[seat]
    multiplier, discount = tariff(board)
    for card in state.hand[seat]:
        if max(0, VALUE[card] * multiplier - discount) > state.points:
            continue
        if card in state.locked or card in state.no_play:
            continue
        kind = TYPE[card]
        if kind == ASSISTANT:
            for host in hosts(board):
                yield commands.Play(card, host=host)
        elif kind == STOWAWAY:
            for target in others(state, seat):
                yield commands.Play(card, target)
        elif kind != RATS:
            yield commands.Play(card)


def rearrangements(state: State, seat: int) -> Iterator[Command]:
    """KED-61."""
    board = state.board[seat]
    if state.rearranged[seat] >= REARRANGE_LIMIT or not rearranges(board):
        return
    seen = range(min(sight(board), len(state.deck[seat])))
    for take in seen:
        for put in seen:
            if take != put:
                yield commands.RearrangeTop(take, put)


def answers(state: State, seat: int) -> list[Command]:
    """List the answers to the top frame of a seat that it asks."""
    frame = state.stack[-1]
    match frame:
        case PlayFrame() | ReactionFrame():
            return [*reactions(state, frame, seat), commands.Pass()]
        case ActionFrame():
            answers = [*reactions(state, frame, seat), commands.Pass()]
            if steerable(state, frame, seat):
                answers += rearrangements(state, seat)
            return answers
        case DiscardFrame(flappers=flappers) if flappers:
            return [*flapper_uses(state, seat), commands.Pass()]
        case DiscardFrame():
            return [*claims(state, frame, seat), commands.Pass()]
        case ChoiceFrame():
            return list(chosen(state, frame, seat))
        case StoryFrame(card=card):
            return list(stories(state, seat, card))


def reactions(
    state: State, frame: PlayFrame | ActionFrame | ReactionFrame, seat: int
) -> Iterator[Command]:
    """KED-80 to KED-84."""
    for place in state.board[seat]:
        reaction = CARDS[place.card].reaction
        if reaction is None or place.exhausted or not applies(state, frame, seat, reaction):
            continue
        if reaction == "redirect" and isinstance(frame, ActionFrame):
            yield from redirections(state, frame, seat, place.card)
        else:
            yield commands.React(place.card)


def redirections(state: State, frame: ActionFrame, seat: int, card: str) -> Iterator[Command]:
    """KED-84; of the deck every run of neighbours."""
    reach = CARDS[frame.card].reach
    zone = reach.zone if reach is not None else "board"
    hits = hit_count(state, frame, seat)
    if zone == "deck":
        for first in range(zone_size(state, seat, zone) - hits + 1):
            yield commands.React(card, (), tuple(range(first, first + hits)))
        return
    board = state.board[seat]
    cards = [place.card for place in board] if zone == "board" else state.hand[seat]
    if discards(state, frame):
        cards = [some for some in cards if not band_held(board, some)]
    for some in combinations(cards, hits):
        yield commands.React(card, some)


def flapper_uses(state: State, seat: int) -> Iterator[Command]:
    """KED-43."""
    for source in copyable_cards(state, seat):
        for choice in choices(state, Use(seat, source, 1)):
            yield commands.UseFlapper(source, choice.target, choice.cards, choice.victims)


def claims(state: State, frame: DiscardFrame, seat: int) -> Iterator[Command]:
    """KED-86; one payment for each card and host."""
    for card in claimable(state, frame, seat):
        pay = payment(state, seat, card)
        if pay is None:
            continue
        for host in hosts(state.board[seat]) if TYPE[card] == ASSISTANT else [""]:
            yield commands.Claim(card, pay, host)


def payment(state: State, seat: int, card: str) -> tuple[str, ...] | None:
    """Give the listed payment for a claim: from the cheapest up, Roses last, what is not needed left out."""
    free = sorted(free_cards(state, seat), key=lambda held: (is_rose(held), *by_value(held)))
    pay: list[str] = []
    for held in ["", *free]:
        if held:
            pay.append(held)
        if best_worth(pay) >= claim_price(state, seat, card, tuple(pay)):
            break
    else:
        return None
    for held in tuple(pay):
        rest = [other for other in pay if other != held]
        if best_worth(rest) >= claim_price(state, seat, card, tuple(rest)):
            pay = rest
    return tuple(pay)


def chosen(state: State, frame: ChoiceFrame, seat: int) -> Iterator[Command]:
    """KED-94."""
    if in_choice_board(frame):
        cards = [place.card for place in state.board[seat]]
    else:
        cards = free_cards(state, seat) or state.hand[seat]
    for card in cards:
        yield commands.ChooseCard(card)


def stories(state: State, seat: int, card: str) -> Iterator[Command]:
    """KED-93."""
    yield commands.PlaceStory("deck")
    if TYPE[card] != RATS:
        for host in arrival_hosts(state, seat, (card,)):
            yield commands.PlaceStory("board", host)


def default(state: State, seat: int) -> Command:
    """Give what the clock plays (section 10)."""
    if not state.stack:
        return default_turn(state, seat)
    frame = state.stack[-1]
    if isinstance(frame, StoryFrame):
        return commands.PlaceStory("deck")
    if not isinstance(frame, ChoiceFrame):
        return commands.Pass()
    if in_choice_board(frame):
        cards = [place.card for place in state.board[seat]]
    else:
        cards = free_cards(state, seat) or state.hand[seat]
    return commands.ChooseCard(min(cards, key=by_value))


def default_turn(state: State, seat: int) -> Command:
    """Give the default of a turn."""
    if state.step == "draw":
        targets = tycoon_targets(state)
        return commands.Tycoon(min(targets)) if targets else commands.Draw()
    if state.step == "main":
        return commands.EndTurn()
    return commands.DiscardDown(min(free_cards(state, seat), key=by_value))
