"""The commands that announce an effect: of a card on the own board, or copied by a Flapper."""

from games.game import Illegal
from games.ke_dnu import commands, events
from games.ke_dnu.components import CARDS
from games.ke_dnu.fold import Draft
from games.ke_dnu.model import Source, berth
from games.ke_dnu.rules.choices import Choice, Use, check_choice
from games.ke_dnu.rules.ships import times
from games.ke_dnu.rules.windows import copyable_cards


def activate(draft: Draft, seat: int, command: commands.Activate) -> None:
    """Exhaust a card of the own board for its effect (KED-34)."""
    state, card = draft.state, command.card
    place = berth(state.board[seat], card)
    if place is None:
        raise Illegal("card-not-on-board", card=card)
    if not CARDS[card].acts:
        raise Illegal("no-action", card=card)
    if place.exhausted:
        raise Illegal("card-exhausted", card=card)
    choice = Choice(command.target, command.cards, command.victims, command.host)
    _announce(draft, Use(seat, card, times(state.board[seat], card)), choice, "exhaust")


def use_flapper(draft: Draft, seat: int, command: commands.UseFlapper) -> None:
    """Use the effect of a card on an opponent's board (KED-43)."""
    if command.source not in copyable_cards(draft.state, seat):
        raise Illegal("not-copyable", card=command.source)
    choice = Choice(command.target, command.cards, command.victims)
    _announce(draft, Use(seat, command.source, 1), choice, "flapper")


def _announce(draft: Draft, use: Use, choice: Choice, source: Source) -> None:
    """Check the choice of an effect and announce the effect."""
    check_choice(draft.state, use, choice)
    draft.add(
        events.ActionAnnounced(
            use.seat,
            use.card,
            source,
            use.times,
            choice.target,
            choice.cards,
            choice.victims,
            choice.host,
        )
    )
