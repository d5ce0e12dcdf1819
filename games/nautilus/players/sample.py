"""From a view back to a state: what is public stands, the rest is left unknown or drawn."""

from games.chance import Chance
from games.game import Seen
from games.nautilus.components import (
    COLOURS,
    FINDS_OF_ZONE,
    MISSIONS,
    PLACE_OF,
    PLACE_ZONES,
    RESEARCHER_NUMBER,
    RESEARCHERS,
    SUBMARINES,
    TREASURE_NUMBER,
)
from games.nautilus.fold import put
from games.nautilus.model import AT_SEA, IN_HAND, IN_STOCK, Options, State, View
from games.nautilus.setup import initial
from games.nautilus.view import UNSEEN


def public_state(view: View, options: Options) -> State:
    """Give the state of a view; what its viewer doesn't know stands in it as `"?"`."""
    state = initial(view.seats, options)
    state.round, state.first_seat = view.round, view.first_seat
    state.phase, state.step, state.active = view.phase, view.step, view.active
    for placed in view.modules:
        put(state, placed)
    state.supply = list(view.supply)
    state.hand = [list(held) for held in view.hand]
    numbers = {placed.id: number for number, placed in enumerate(view.modules)}
    for seat in range(view.seats):
        in_hand = {researcher for held in view.hand[seat] for researcher in held.researchers}
        state.researchers[seat] = [
            numbers[view.researchers[name]]
            if name in view.researchers
            else (IN_HAND if name in in_hand else IN_STOCK)
            for name in RESEARCHERS[seat]
        ]
        state.employed[seat] = sum(
            1 << RESEARCHER_NUMBER[name] for name in RESEARCHERS[seat] if name in view.employed
        )
        state.submarines[seat] = [view.submarines.get(name) for name in SUBMARINES[seat]]
    state.money = list(view.money)
    state.level = [[levels[colour] for colour in COLOURS] for levels in view.level]
    state.three = [view.three[colour] for colour in COLOURS]
    for column, row, _, face in view.hidden:
        state.hidden[PLACE_OF[column, row]] = face
    state.known = [[PLACE_OF[cell] for cell in cells] for cells in view.known]
    state.fields = [[find for finds in fields.values() for find in finds] for fields in view.fields]
    state.treasures = [
        view.treasures.get(str(number), AT_SEA) for number in TREASURE_NUMBER.values()
    ]
    state.removed = list(view.removed)
    state.mission = list(view.mission)
    state.mission_rest = list(view.mission_rest)
    state.missions_open = options.open_missions or view.phase in ("mission", "over")
    state.abyss_visitors = list(view.abyss_visitors)
    state.turn, state.pending, state.round_log = view.turn, view.pending, view.round_log
    state.end_round, state.end_reasons = view.end_round, list(view.end_reasons)
    state.mission_paid = list(view.mission_paid)
    state.result = view.result
    return state


def unseen_finds(state: State) -> list[list[str]]:
    """List by zone the finds that a public state doesn't show: they lie on its unknown places."""
    shown = {*state.hidden, *state.removed}
    for finds in state.fields:
        shown.update(finds)
    shown.update(
        find for find, number in TREASURE_NUMBER.items() if state.treasures[number - 1] != AT_SEA
    )
    return [[find for find in finds if find not in shown] for finds in FINDS_OF_ZONE]


def sample(view: View, seen: Seen, chance: Chance) -> State:
    """Draw a world that fits all the viewer has seen: each zone's unseen finds, and the unseen missions."""
    state = public_state(view, seen.options)
    state.happened = sum(len(record.events) for record in seen.records)
    piles = unseen_finds(state)
    for pile in piles:
        chance.shuffle(pile)
    for place, face in enumerate(state.hidden):
        if face == UNSEEN:
            state.hidden[place] = piles[PLACE_ZONES[place]].pop()
    cards = [card for card in MISSIONS if card not in (*state.mission, *state.mission_rest)]
    chance.shuffle(cards)
    for dealt in (state.mission, state.mission_rest):
        for number, card in enumerate(dealt):
            if card == UNSEEN:
                dealt[number] = cards.pop()
    return state
