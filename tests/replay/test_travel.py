"""Any version of a match is as it was when it was the newest, in every sight."""

import msgspec
import pytest

from games.match.commands import Phases
from replay.travel import NoSuchVersion, as_of, number_of, picture, plain, plain_at, steps
from tests.games.match.toy import Count, Note
from tests.replay.logs import SIGHTS, TOYS, noted, toy


def lived(play):
    """Play, and keep what every sight saw whenever its number went up."""
    recorder = toy(clock=Phases())
    seen = {sight: {} for sight in SIGHTS}

    def look():
        for sight in SIGHTS:
            number = number_of(recorder.folded, sight)
            if number not in seen[sight]:
                seen[sight][number] = plain(recorder.folded, sight)

    for seat, command in play:
        look()
        recorder.play(seat, command)
    look()
    return recorder, seen


PLAY = [
    (0, Note(7)), (1, Note(8)), (0, Count(1)), (3, Note(9)), (1, Count(2)), (1, Note(1)), (2, Count(1)), (2, Note(2)),
]  # fmt: skip


@pytest.mark.parametrize("sight", SIGHTS)
def test_every_version_is_as_it_was_when_it_was_the_newest(sight):
    recorder, seen = lived(PLAY)
    past = seen[sight]
    assert plain_at(TOYS, recorder.lines, sight, past.keys()) == past


def test_numbers_are_the_sights_own():
    recorder, _ = lived(PLAY)
    last = [number_of(recorder.folded, sight) for sight in SIGHTS]
    assert last == [13, 11, 8, 13], "five records open and seat; seat 1 saw its own notes alone"


@pytest.mark.parametrize("sight", SIGHTS)
def test_steps_are_the_records_that_a_sight_is_shown(sight):
    recorder, _ = lived(PLAY)
    walked = [
        (step.told.v, number_of(step.folded, sight)) for step in steps(TOYS, recorder.lines, sight)
    ]
    assert walked == [(n, n) for n in range(1, number_of(recorder.folded, sight) + 1)]


def test_a_viewers_step_tells_what_the_viewer_was_told():
    recorder = noted(toy())
    recorder.folded.follow((1,), recorder.lines)
    told = [msgspec.json.encode(step.told) for step in steps(TOYS, recorder.lines, 1)]
    assert told == recorder.folded.told(1)


def test_a_fold_of_the_past_knows_nothing_of_what_came_later():
    recorder = noted(toy())
    half = recorder.lines[:9]
    whole = as_of(TOYS, recorder.lines, "full", 9)
    assert picture(whole, "full") == picture(as_of(TOYS, half, "full", 9), "full")


@pytest.mark.parametrize("sight", SIGHTS)
@pytest.mark.parametrize("number", [-1, 0, 18])
def test_a_number_that_never_was_is_named(sight, number):
    recorder = noted(toy())
    with pytest.raises(NoSuchVersion) as refusal:
        plain_at(TOYS, recorder.lines, sight, (1, number))
    assert (refusal.value.number, refusal.value.last) == (number, number_of(recorder.folded, sight))


def test_a_picture_stays_as_it_is_when_the_fold_goes_on():
    recorder = toy()
    before = plain(recorder.folded, "full")
    notes = list(before["state"]["notes"])
    noted(recorder)
    assert before["state"]["notes"] == notes
