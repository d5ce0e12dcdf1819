"""A fold that takes over the state to which a command was drafted is the fold of the record."""

import msgspec
import pytest

from events.record import exact_micros
from games import GAMES
from games.match.decide import outcome
from games.match.digest import canonical
from projections.folded import Folded
from replay.header import reveal
from tests.corpus import load, recorded_of


@pytest.mark.parametrize("slug", GAMES)
def test_a_drafted_state_folds_as_the_events_do(slug):
    for path in recorded_of(slug)[:4]:
        lines = load(path)
        service_seed = bytes.fromhex(reveal(lines).secret)
        plain, drafted = Folded(GAMES, lines[0]), Folded(GAMES, lines[0])
        for line in lines[1:]:
            match = drafted.match
            record = plain.extend(line)
            at = exact_micros(record.at)
            _, state = outcome(match, record.by, record.command, at, service_seed)
            drafted.go_on(line, record, at, state)
            assert canonical(match) == canonical(plain.match), (path.name, record.v)
        for name in ("shown", "times", "line", "ran", "ending"):
            assert getattr(drafted.match, name) == getattr(plain.match, name), (path.name, name)
        assert drafted.trail.heads == plain.trail.heads
        assert [msgspec.json.encode(kept.state) for kept in drafted.match.checkpoints] == [
            msgspec.json.encode(kept.state) for kept in plain.match.checkpoints
        ]
