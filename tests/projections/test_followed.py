"""A viewer is followed only in the log that was folded: a failover may have cut or replaced it."""

import pytest

from events.chain import ChainBroken
from tests.projections.recorded import play, table


@pytest.mark.parametrize("kept", [0, 1, 5])
def test_a_log_that_was_cut_is_not_followed(kept):
    recorder = play(table("", ""), moves=3)
    with pytest.raises(ChainBroken, match=f"record {kept + 1}: the log ends early"):
        recorder.folded.follow((0,), recorder.lines[:kept])
    assert recorder.folded.told(0) is None


def test_a_log_with_other_records_is_not_followed():
    recorder, other = (play(table("", ""), seed, moves=3) for seed in (1, 2))
    assert len(recorder.lines) == len(other.lines)
    with pytest.raises(ChainBroken, match="the log has other records than this fold"):
        recorder.folded.follow((0,), other.lines)
