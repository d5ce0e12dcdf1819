"""Earlier states of a match come from its checkpoints, which are few."""

import pytest

from events import file
from games import GAMES
from games.match.states import CHECKPOINT_EVERY, RECENT, first, state_after
from projections.folded import Folded
from tests.corpus import recorded_of


@pytest.mark.parametrize("slug", [slug for slug, game in GAMES.items() if game.recall is None])
def test_checkpoints_lead_to_every_earlier_state(slug):
    match = Folded.of(GAMES, file.read(recorded_of(slug)[-1].read_bytes())[0]).match
    state = first(match)
    for count, entry in enumerate(match.line, start=1):
        for event in entry.events:
            match.game.apply(state, event)
        assert state_after(match, count) == state
    kept = len(match.checkpoints)
    assert kept <= len(match.line) // RECENT + 2 * RECENT // CHECKPOINT_EVERY
