"""What a viewer was shown reads alike whether it is packed or not."""

import pytest

from projections.transcript import Transcript
from tests.projections.recorded import play, table


@pytest.mark.parametrize("viewer", [0, 1, None])
def test_a_packed_transcript_reads_as_a_list(viewer):
    recorder = play(table("", ""), moves=60)
    recorder.folded.follow((viewer,), recorder.lines)
    plain = list(recorder.folded.told(viewer))
    assert len(plain) > 2 * Transcript.BLOCK + Transcript.LOOSE
    packed = Transcript()
    for place, record in enumerate(plain, start=1):
        packed.append(record)
        packed.pack()
        assert len(packed.recent) < Transcript.BLOCK + Transcript.LOOSE
        assert list(packed) == plain[:place]
    for after in range(len(plain) + 1):
        assert packed[after : after + 5] == plain[after : after + 5]


def test_a_packed_match_goes_on_telling():
    recorder = play(table("", ""), moves=60)
    recorder.folded.follow((0,), recorder.lines)
    whole = list(recorder.folded.told(0))
    recorder.folded.pack()
    assert recorder.folded.told(0).blocks
    assert list(recorder.folded.told(0)) == whole
