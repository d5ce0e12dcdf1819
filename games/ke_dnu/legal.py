"""List what a seat may do: every legal command, or representatives of large families."""

from collections.abc import Iterator
from itertools import combinations

from games.ke_dnu import commands
from games.ke_dnu.commands import Command
from games.ke_dnu.components import (
    ANCHOR,
    ASSISTANT,
    CARDS,
    ICEBERG_CARD,
    MAID,
    RATS,
    SEAL,
    STOWAWAY,
    TYPE,
    VALUE,
    by_value,
    is_rose,
)
from games.ke_dnu.model import (
    ActionFrame,
    ChoiceFrame,
    DiscardFrame,
    PlayFrame,
    ReactionFrame,
    State,
    StoryFrame,
    has,
)
from games.ke_dnu.rules.choices import Use, choices
from games.ke_dnu.rules.laying import arrival_hosts, claim_price
from games.ke_dnu.rules.reactions import discards_hits
from games.ke_dnu.rules.ships import (
    REARRANGE_LIMIT,
    band_held,
    best_worth,
    free_cards,
    hosts,
    others,
    rearranges,
    sight,
    tariff,
    times,
    tycoon_targets,
)
from games.ke_dnu.rules.shop import shop_price
from games.ke_dnu.rules.windows import (
    applies,
    asked,
    choosable_cards,
    claimable,
    copyable_cards,
    hit_count,
    steerable,
    zone_size,
)


def legal(state: State, seat: int) -> list[Command]:
    """List the commands of a seat."""
    if state.phase == "over" or state.status[seat] != "afloat":
        return []
    if state.stack:
        return _answers(state, seat) if seat in asked(state, state.stack[-1]) else []
    if seat != state.active:
        return []
    if state.step == "draw":
        return [*_draw_step(state, seat), *_rearrangements(state, seat)]
    if state.step == "main":
        return [*_main_step(state, seat), *_rearrangements(state, seat)]
    down: list[Command] = [commands.DiscardDown(card) for card in free_cards(state, seat)]
    return [*down, *_rearrangements(state, seat)]


def _draw_step(state: State, seat: int) -> Iterator[Command]:
    """List the commands of the draw step (KED-12, KED-96, KED-97)."""
    if not state.drawn:
        yield commands.Draw()
    for target in sorted(tycoon_targets(state)):
        yield commands.Tycoon(target)
    if state.maid_left and not state.draw_begun and has(state.board[seat], MAID):
        for card in state.hand[seat]:
            yield commands.Maid(card)


def _main_step(state: State, seat: int) -> list[Command]:
    """List the commands of the main step (KED-20 to KED-47)."""
    free = free_cards(state, seat)
    found: list[Command] = [commands.Jettison(card) for card in free]
    for seal in free:
        if TYPE[seal] == SEAL:
            found += [commands.JettisonPair(seal, card) for card in free if card != seal]
    if state.phase == "voyage":
        found += _purchases(state)
    found += _plays(state, seat)
    for place in state.board[seat]:
        card = place.card
        if CARDS[card].acts and not place.exhausted:
            use = Use(seat, card, times(state.board[seat], card))
            found += [
                commands.Activate(card, choice.target, choice.cards, choice.victims, choice.host)
                for choice in choices(state, use)
            ]
        elif TYPE[card] == ANCHOR:
            found.append(commands.DiscardAnchor(card))
    found.append(commands.EndTurn())
    return found


def _purchases(state: State) -> list[Command]:
    """List what the active seat can buy (KED-21)."""
    shop = [*state.shop, ICEBERG_CARD] if state.iceberg else state.shop
    return [commands.Buy(card) for card in shop if shop_price(state, card) <= state.points]


def _plays(state: State, seat: int) -> Iterator[Command]:
    """List the cards that can be laid (KED-31, KED-35 to KED-38)."""
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


def _rearrangements(state: State, seat: int) -> Iterator[Command]:
    """List the ways to reorder the cards in sight (KED-61)."""
    board = state.board[seat]
    if state.rearranged[seat] >= REARRANGE_LIMIT or not rearranges(board):
        return
    seen = range(min(sight(board), len(state.deck[seat])))
    for take in seen:
        for put in seen:
            if take != put:
                yield commands.RearrangeTop(take, put)


def _answers(state: State, seat: int) -> list[Command]:
    """List the answers of a seat that the top frame asks."""
    frame = state.stack[-1]
    match frame:
        case PlayFrame() | ReactionFrame():
            return [*_reactions(state, frame, seat), commands.Pass()]
        case ActionFrame():
            answers = [*_reactions(state, frame, seat), commands.Pass()]
            if steerable(state, frame, seat):
                answers += _rearrangements(state, seat)
            return answers
        case DiscardFrame(flappers=flappers) if flappers:
            return [*_flapper_uses(state, seat), commands.Pass()]
        case DiscardFrame():
            return [*_claims(state, frame, seat), commands.Pass()]
        case ChoiceFrame():
            return [commands.ChooseCard(card) for card in choosable_cards(state, frame, seat)]
        case StoryFrame(card=card):
            return list(_stories(state, seat, card))


def _reactions(
    state: State, frame: PlayFrame | ActionFrame | ReactionFrame, seat: int
) -> Iterator[Command]:
    """List the reactions to a frame (KED-80 to KED-84)."""
    for place in state.board[seat]:
        reaction = CARDS[place.card].reaction
        if reaction is None or place.exhausted or not applies(state, frame, seat, reaction):
            continue
        if reaction == "redirect" and isinstance(frame, ActionFrame):
            yield from _redirections(state, frame, seat, place.card)
        else:
            yield commands.React(place.card)


def _redirections(state: State, frame: ActionFrame, seat: int, card: str) -> Iterator[Command]:
    """List the picks of a Steward (KED-84); in a deck, only neighbours."""
    reach = CARDS[frame.card].reach
    zone = reach.zone if reach is not None else "board"
    hits = hit_count(state, frame, seat)
    if zone == "deck":
        for first in range(zone_size(state, seat, zone) - hits + 1):
            yield commands.React(card, (), tuple(range(first, first + hits)))
        return
    board = state.board[seat]
    cards = [place.card for place in board] if zone == "board" else state.hand[seat]
    if discards_hits(state, frame):
        cards = [some for some in cards if not band_held(board, some)]
    for some in combinations(cards, hits):
        yield commands.React(card, some)


def _flapper_uses(state: State, seat: int) -> Iterator[Command]:
    """List the effects that a Flapper may use (KED-43)."""
    for source in copyable_cards(state, seat):
        for choice in choices(state, Use(seat, source, 1)):
            yield commands.UseFlapper(source, choice.target, choice.cards, choice.victims)


def _claims(state: State, frame: DiscardFrame, seat: int) -> Iterator[Command]:
    """List the claims (KED-86), with one payment for each card and host."""
    for card in claimable(state, frame, seat):
        pay = payment(state, seat, card)
        if pay is None:
            continue
        for host in hosts(state.board[seat]) if TYPE[card] == ASSISTANT else [""]:
            yield commands.Claim(card, pay, host)


def payment(state: State, seat: int, card: str) -> tuple[str, ...] | None:
    """Return the listed payment for a claim, or None if no payment suffices.

    Cards are added from the cheapest up, Roses last; then cards that are not needed are left out.
    """
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


def _stories(state: State, seat: int, card: str) -> Iterator[Command]:
    """List the places for a story card (KED-93)."""
    yield commands.PlaceStory("deck")
    if TYPE[card] != RATS:
        for host in arrival_hosts(state, seat, (card,)):
            yield commands.PlaceStory("board", host)
