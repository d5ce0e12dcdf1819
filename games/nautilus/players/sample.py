"""From a view back to a state: whatever is public is restored, the rest is unknown or drawn."""

from collections.abc import Sequence
from functools import lru_cache

from games.chance import Chance
from games.game import HIDDEN, Seen
from games.nautilus.components import (
    COLOURS,
    FINDS_OF_ZONE,
    MISSIONS,
    PLACE_OF,
    PLACE_ZONES,
    PLACES,
    RESEARCHER_NUMBER,
    RESEARCHERS,
    SUBMARINES,
    TREASURE_NUMBER,
)
from games.nautilus.fold import open_passages
from games.nautilus.model import AT_SEA, IN_HAND, IN_STOCK, Options, Placed, State, View
from games.structs import restorer

_restore = restorer(View, State)


def public_state(view: View, options: Options) -> State:
    """Return the state of a view; whatever its viewer does not know is `"?"`."""
    seats = range(view.seats)
    hidden = [""] * len(PLACES)
    for column, row, _, face in view.hidden:
        hidden[PLACE_OF[column, row]] = face
    numbers = {placed.id: number for number, placed in enumerate(view.modules)}
    where = {name: numbers[module] for name, module in view.researchers.items()}
    for hand in view.hand:
        where.update((name, IN_HAND) for held in hand for name in held.researchers)
    return _restore(
        view,
        options=options,
        passages=[*_passages(view.modules)],
        researchers=[[where.get(name, IN_STOCK) for name in RESEARCHERS[seat]] for seat in seats],
        employed=[
            sum(1 << RESEARCHER_NUMBER[name] for name in RESEARCHERS[seat] if name in view.employed)
            for seat in seats
        ],
        submarines=[[view.submarines.get(name) for name in SUBMARINES[seat]] for seat in seats],
        level=[[levels[colour] for colour in COLOURS] for levels in view.level],
        three=[view.three[colour] for colour in COLOURS],
        hidden=hidden,
        known=[tuple(PLACE_OF[cell] for cell in cells) for cells in view.known],
        fields=[
            tuple(find for finds in fields.values() for find in finds) for fields in view.fields
        ],
        treasures=[view.treasures.get(str(number), AT_SEA) for number in TREASURE_NUMBER.values()],
        mission=view.mission,
        mission_rest=view.mission_rest,
        missions_open=options.open_missions or view.phase in ("mission", "over"),
        happened=0,
    )


@lru_cache(maxsize=256)
def _passages(modules: tuple[Placed, ...]) -> Sequence[int]:
    """Return the passages of a station; the same one is asked for again and again in playouts."""
    passages: list[int] = []
    for number, placed in enumerate(modules):
        open_passages(passages, modules[:number], placed)
    return passages


def unseen_finds(state: State) -> list[list[str]]:
    """List by zone the finds that a public state does not show: they lie on its unknown places."""
    shown = {*state.hidden, *state.removed}
    for finds in state.fields:
        shown.update(finds)
    shown.update(
        find for find, number in TREASURE_NUMBER.items() if state.treasures[number - 1] != AT_SEA
    )
    return [[find for find in finds if find not in shown] for finds in FINDS_OF_ZONE]


def sample(view: View, seen: Seen, chance: Chance) -> State:
    """Draw a world that fits everything the viewer has seen.

    What is drawn are each zone's unseen finds, and the unseen missions.
    """
    state = public_state(view, seen.options)
    state.happened = sum(len(record.events) for record in seen.records)
    piles = unseen_finds(state)
    for pile in piles:
        chance.shuffle(pile)
    for place, face in enumerate(state.hidden):
        if face == HIDDEN:
            state.hidden[place] = piles[PLACE_ZONES[place]].pop()
    cards = [card for card in MISSIONS if card not in (*state.mission, *state.mission_rest)]
    chance.shuffle(cards)
    state.mission = tuple(cards.pop() if card == HIDDEN else card for card in state.mission)
    state.mission_rest = tuple(
        cards.pop() if card == HIDDEN else card for card in state.mission_rest
    )
    return state
