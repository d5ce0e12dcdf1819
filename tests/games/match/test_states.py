"""Earlier states of a match come from its checkpoints, which are few."""

from operator import attrgetter

import pytest

from events import file
from games import GAMES
from games.match import states
from games.match.states import CHECKPOINT_EVERY, RECENT, first, state_after
from projections.folded import Folded
from tests.corpus import recorded, recorded_of


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


@pytest.mark.parametrize("path", recorded(), ids=attrgetter("parent.name", "stem"))
def test_a_packed_match_reads_as_before(path):
    lines = file.read(path.read_bytes())[0]
    plain, packed = Folded.of(GAMES, lines), Folded.of(GAMES, lines[:1])
    for data in lines[1:]:
        states.pack(packed.match)
        packed.extend(data)
    states.pack(packed.match)
    assert list(packed.match.line) == list(plain.match.line)
    assert packed.match.state == plain.match.state
    for entries in range(0, len(plain.match.line) + 1, 5):
        assert state_after(packed.match, entries) == state_after(plain.match, entries)
