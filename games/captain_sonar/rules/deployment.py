"""The secret starts (SON-6 to SON-9)."""

from games.captain_sonar.commands import ChooseStart
from games.captain_sonar.events import Dived, StartChosen, TurnStarted
from games.captain_sonar.fold import Draft
from games.captain_sonar.rules.crews import sea
from games.game import Illegal


def choose_start(draft: Draft, crew: int, command: ChooseStart) -> None:
    """Choose a start; once both crews have done so, the boats dive."""
    state = draft.state
    if state.crews[crew].position is not None:
        raise Illegal("start-already-chosen")
    if not sea(state).on_map(command.cell):
        raise Illegal("cell-off-map")
    if command.cell in sea(state).islands:
        raise Illegal("cell-is-island")
    draft.add(StartChosen(crew, command.cell))
    if state.crews[1 - crew].position is not None:
        draft.add(Dived(0))
        draft.add(Dived(1))
        if state.mode == "turns":
            draft.add(TurnStarted(state.first_crew, 1, False))
