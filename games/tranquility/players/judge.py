"""Rank commands by the forecast: for hints, and for the level that looks ahead."""

from collections.abc import Sequence

import msgspec

from games.chance import Chance
from games.game import Seen
from games.tranquility.commands import (
    Command,
    DiscardHand,
    DiscardTwo,
    PayStart,
    PlaceStorm,
    PlayCard,
    ShedToLimit,
    UseCompass,
)
from games.tranquility.components import COLOUR
from games.tranquility.model import Storm, View
from games.tranquility.players.bot import Mind, mind_of, ranked
from games.tranquility.players.forecast import Forecast, Network, network_for

LAYINGS_MAX = 14
"""Number of layings that are judged, the best by the rules of thumb."""
DISCARDS_MAX = 6
"""Number of discards of two cards that are judged."""


def judged(view: View, seen: Seen, legal: Sequence[Command], chance: Chance) -> Sequence[Command]:
    """Return the commands worth a closer look, the best first."""
    network = network_for(view.options)
    if network is None or len(legal) == 1:
        return ranked(view, seen, legal, chance)
    return Judge(view, mind_of(view, seen), network).ranked(legal)


class Judge:
    """One seat's forecasts for one decision."""

    def __init__(self, view: View, mind: Mind, network: Network) -> None:
        """Take the seat's view and its valuation by rules of thumb."""
        self.view = view
        self.mind = mind
        self.network = network
        self.forecast = Forecast(mind, network)

    def ranked(self, legal: Sequence[Command]) -> Sequence[Command]:
        """Return the commands worth a closer look, the best first."""
        by_rules = self.mind.ranked(legal)
        uses = [command for command in by_rules if isinstance(command, UseCompass)]
        others = [command for command in by_rules if not isinstance(command, UseCompass)]
        if uses and (compass := self._compass(uses)) is not None:
            return [compass, *others]
        match others[0]:
            case PlayCard() | DiscardTwo() | DiscardHand():
                return sorted(self._actions(legal), key=self.worth, reverse=True)
            case PayStart() | ShedToLimit():
                best = self._payment(others)
                return [best, *(command for command in others if command != best)]
            case PlaceStorm():
                return sorted(others, key=self._placed, reverse=True)
            case _:
                return others

    def _actions(self, legal: Sequence[Command]) -> list[Command]:
        """Return the actions to judge: the best of each kind by the rules of thumb."""
        offers = sorted(self.mind.sensible(legal), key=self.mind.value, reverse=True)
        layings = [command for command in offers if isinstance(command, PlayCard)]
        discards = [command for command in offers if isinstance(command, DiscardTwo)]
        hands = [command for command in offers if isinstance(command, DiscardHand)]
        return [*layings[:LAYINGS_MAX], *discards[:DISCARDS_MAX], *hands]

    def worth(self, action: Command) -> float:
        """Return the forecast after an action, corrected by the rules of thumb."""
        return self.forecast_after(action) + self.network.by_rules * self.mind.value(action)

    def forecast_after(self, action: Command) -> float:
        """Return the log-odds after an action."""
        return self.forecast.worth(action, spent(action, self.mind.hand))

    def _payment(self, offers: Sequence[Command]) -> Command:
        """Choose the cards to give one after another, always the one least missed."""
        payments = {
            frozenset(command.cards): command
            for command in offers
            if isinstance(command, PayStart | ShedToLimit)
        }
        rest = sorted({card for cards in payments for card in cards}, key=self.mind.hand.index)
        given: list[str] = []
        while frozenset(given) not in payments:
            least = max(rest, key=lambda card: self.forecast.worth(None, (*given, card)))
            given.append(least)
            rest.remove(least)
        return payments[frozenset(given)]

    def _compass(self, uses: Sequence[UseCompass]) -> Command | None:
        """Choose the storm to cancel; None if none should be."""
        if self.view.phase == "rescue":
            return self.mind.compass(uses)
        best = max(uses, key=self._cancelled)
        return best if self._cancelled(best) > self._after(self._landed(self.view)) else None

    def _cancelled(self, use: UseCompass) -> float:
        """Return the forecast after a storm is cancelled."""
        view = self.view
        pending = view.pending_storm
        if pending is not None and pending.card == use.storm:
            pending = None
        compasses = [[card for card in held if card != use.source] for held in view.compasses]
        storms = [storm for storm in view.storms if storm.card != use.storm]
        calm = msgspec.structs.replace(
            view,
            compasses=compasses,
            storms=storms,
            pending_storm=pending,
            out=[*view.out, use.storm],
        )
        return self._after(self._landed(calm))

    def _landed(self, view: View) -> View:
        """Return the view after a new storm lands, if there is one."""
        pending = view.pending_storm
        if pending is None:
            return view
        colour = COLOUR[pending.card]
        if colour != "purple":
            return _with(view, Storm(pending.card, colour, pending.seat, -1))
        rows = [row for row in range(len(self.mind.layout.rows)) if self.mind.free(row)]
        if not rows:
            return msgspec.structs.replace(view, out=[*view.out, pending.card], pending_storm=None)
        shut = {storm.row for storm in view.storms}
        row = max(rows, key=lambda row: self.mind.shelter(row, shut))
        return _with(view, Storm(pending.card, colour, -1, row))

    def _placed(self, command: Command) -> float:
        """Return the forecast after a purple storm lands on a row."""
        pending = self.view.pending_storm
        assert isinstance(command, PlaceStorm), "only rows are chosen here"
        assert pending is not None, "a storm is being resolved"
        return self._after(_with(self.view, Storm(pending.card, "purple", -1, command.row)))

    def _after(self, view: View) -> float:
        mind = Mind(view, self.mind.seat, self.mind.prospects, self.mind.weights)
        return Forecast(mind, self.network).worth(None, ())


def spent(action: Command, hand: Sequence[str]) -> Sequence[str]:
    """Return the cards of the hand that an action spends, besides a card that it lays."""
    match action:
        case PlayCard():
            return action.discards
        case DiscardTwo():
            return action.cards
        case _:
            return hand


def _with(view: View, storm: Storm) -> View:
    """Return the view after a storm landed."""
    return msgspec.structs.replace(view, storms=[*view.storms, storm], pending_storm=None)
