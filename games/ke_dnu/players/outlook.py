"""Estimates of effects from one seat's view: gains and losses in victory points."""

from collections.abc import Sequence

from games.ke_dnu import commands
from games.ke_dnu.commands import Command
from games.ke_dnu.components import CARDS, ROSE, TYPE, VALUE, WORTH, Drop, Kind, Reach, Take
from games.ke_dnu.model import ActionFrame, Options, SeatView, View, berth
from games.ke_dnu.players.weights import PLAIN, Weights
from games.ke_dnu.rules.ships import SLOW_DRAWS, struck, times


class Outlook:
    """A view, the seat that it belongs to, and what the bot derives from them."""

    __slots__ = (
        "board",
        "deck_card",
        "hand",
        "hand_card",
        "last_turn",
        "mine",
        "options",
        "rival_point",
        "rivals",
        "seat",
        "sinking",
        "view",
        "weights",
    )

    def __init__(self, view: View, seat: int, options: Options, weights: Weights = PLAIN) -> None:
        """Derive what the estimates need."""
        self.view = view
        self.seat = seat
        self.options = options
        self.weights = weights
        self.mine: SeatView = view.seats[seat]
        self.board = self.mine.board
        self.hand: Sequence[str] = self.mine.hand or ()
        self.sinking = view.phase == "sinking"
        self.hand_card = weights.hand_card[self.sinking]
        self.deck_card = weights.deck_card[self.sinking]
        self.rivals = [
            other
            for other, shown in enumerate(view.seats)
            if other != seat and shown.status == "afloat"
        ]
        self.rival_point = weights.rival_point / max(1, len(self.rivals)) ** 0.5
        """Worth of a point that one of the rivals loses."""
        self.last_turn = self.sinking and (
            view.round >= options.sinking_round_limit or self.mine.deck_count < self.next_draw
        )
        """Whether the next own draw sinks the ship or this is the last round."""

    @property
    def next_draw(self) -> int:
        """Number of cards that the own draw of the next turn takes."""
        bonus = sum(CARDS[place.card].own_draw for place in self.board)
        return max(0, SLOW_DRAWS["sinking"][-1] + bonus)


def action_gain(outlook: Outlook, command: Command) -> float:
    """Estimate the gain of an action."""
    match command:
        case commands.Activate(card=card, target=target, victims=victims, cards=cards):
            doubled = times(outlook.board, card)
        case commands.UseFlapper(source=card, target=target, victims=victims, cards=cards):
            doubled = 1
        case _:
            return 0.0
    kind = CARDS[card]
    if kind.reach is None:
        return _own_gain(outlook, kind, cards, doubled)
    cost = sum(VALUE[paid] * 0.4 for paid in cards)
    return _reach_gain(outlook, kind, kind.reach, target, victims, doubled) - cost


def _own_gain(outlook: Outlook, kind: Kind, cards: Sequence[str], doubled: int) -> float:
    """Estimate the gain of an effect on the own ship alone."""
    match kind.id:
        case "polka_dancer":
            deck = outlook.mine.deck_count
            useful = deck >= doubled if outlook.last_turn else not outlook.sinking
            return outlook.hand_card if useful else 0.0
        case "singer":
            return 1.0
        case "diver":
            return sum(VALUE[card] for card in cards) / 2.5 if outlook.sinking else 0.0
        case "life_jacket":
            return float(sum(VALUE[card] for card in cards) - 5)
        case "doctor":
            return sum(_readied(outlook, card) for card in cards)
        case "stimulants":
            return sum(_readied(outlook, card) for card in cards) - kind.value
        case "profiteer":
            return sum(WORTH[card] * 0.5 if TYPE[card] == ROSE else -VALUE[card] for card in cards)
        case _:
            return 0.0


def _readied(outlook: Outlook, card: str) -> float:
    """Estimate the worth of a card that can act once more, by its colour."""
    red, beige = outlook.weights.readied
    return {"red": red, "beige": beige}.get(CARDS[card].colour, 0.0)


def _reach_gain(
    outlook: Outlook,
    kind: Kind,
    reach: Reach,
    target: int,
    victims: Sequence[str],
    doubled: int,
) -> float:
    """Estimate the gain of an effect that hits others."""
    seats = [target] if reach.whom == "target" else outlook.rivals
    if kind.id == "storyteller":
        safe = outlook.mine.deck_count >= doubled or not outlook.sinking
        return outlook.hand_card * (1 - 0.8 * outlook.rival_point * len(seats)) if safe else -1.0
    if kind.id == "dealer":
        return _dealer_gain(outlook, doubled)
    if reach.whom == "everyone":
        return 0.0
    gain = 0.0
    if reach.zone == "board":
        for seat in seats:
            board = outlook.view.seats[seat].board
            hits = [struck(board, card) for card in victims if berth(board, card)]
            gain += sum(VALUE[card] for card in hits) * outlook.rival_point
        if _takes_home(kind):
            gain *= 0.5
        elif not any(isinstance(step, Drop) for step in kind.effect):
            gain += 0.6 * sum(VALUE[card] for card in victims)
        elif len(kind.effect) > 1:
            gain -= kind.value + outlook.hand_card * outlook.rival_point
        return gain
    hits = doubled * reach.hits
    for seat in seats:
        shown = outlook.view.seats[seat]
        size = shown.hand_count if reach.zone == "hand" else shown.deck_count
        each = outlook.hand_card if reach.zone == "hand" else outlook.deck_card
        gain += min(hits, size) * each * outlook.rival_point
        if not kind.drops:
            gain += min(hits, size) * outlook.hand_card
    return gain


def _takes_home(kind: Kind) -> bool:
    """Return whether the hits go to the hand of their own holder."""
    return any(isinstance(step, Take) and step.to == "holder" for step in kind.effect)


def _dealer_gain(outlook: Outlook, doubled: int) -> float:
    """Estimate the gain of a Dealer: rivals may sink by it."""
    if not outlook.sinking or outlook.mine.deck_count < doubled:
        return 0.0
    ahead = sum(
        outlook.view.seats[seat].deck_count < doubled and outlook.view.seats[seat].hand_count > 0
        for seat in outlook.rivals
    )
    return 3.0 * ahead * outlook.rival_point


def hit_loss(outlook: Outlook, frame: ActionFrame) -> float:
    """Estimate the loss of the own ship by an effect."""
    reach = CARDS[frame.card].reach
    if reach is None or outlook.seat in frame.shields:
        return 0.0
    if reach.whom == "target" and frame.target != outlook.seat:
        return 0.0
    if reach.zone == "board":
        return _board_loss(outlook, frame, reach)
    if reach.zone == "hand":
        return outlook.hand_card * min(frame.times, len(outlook.hand))
    if reach.whom == "everyone":
        sinks = outlook.sinking and outlook.mine.deck_count < frame.times
        return 0.4 * sum(VALUE[card] for card in outlook.hand) if sinks else 0.0
    hits = reach.hits * (len(frame.cards) or frame.times)
    return outlook.deck_card * min(hits, outlook.mine.deck_count)


def _board_loss(outlook: Outlook, frame: ActionFrame, reach: Reach) -> float:
    """Estimate the loss of the own board by an effect."""
    board = outlook.board
    values = [VALUE[place.card] for place in board]
    if reach.whom == "everyone":
        return float(min(values, default=0))
    if reach.whom == "dearest":
        top = max(VALUE[place.card] for seat in outlook.view.seats for place in seat.board)
        return float(sum(value for value in values if value == top))
    lost = sum(VALUE[struck(board, card)] for card in frame.victims if berth(board, card))
    return lost * (0.5 if _takes_home(CARDS[frame.card]) else 1.0)
