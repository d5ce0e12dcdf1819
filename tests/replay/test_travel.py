"""Any version of a match is as it was when it was the newest, in every sight."""

import msgspec
import pytest

from events.codec import Unreadable
from games.match.commands import Phases, Undo_
from projections.folded import Folded
from replay.history import CHECKPOINTS_MAX, History
from replay.travel import NoSuchVersion, number_of, picture, plain, steps
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
    (0, Note(7)), (1, Note(8)), (0, Count(1)), (3, Note(9)),
    (1, Count(2)), (1, Note(1)), (2, Count(1)), (2, Note(2)),
]  # fmt: skip


@pytest.mark.parametrize("sight", SIGHTS)
def test_every_version_is_as_it_was_when_it_was_the_newest(sight):
    recorder, seen = lived(PLAY)
    past = seen[sight]
    history = History(TOYS, recorder.lines)
    for number in (*past, *reversed(past)):
        assert history.plain(sight, number) == past[number]


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
    assert told == list(recorder.folded.told(1))


def test_a_fold_of_the_past_knows_nothing_of_what_came_later():
    recorder = noted(toy())
    half = recorder.lines[:9]
    whole = History(TOYS, recorder.lines)
    assert whole.last("full") > 9
    past, then = whole.at("full", 9), Folded.of(TOYS, half)
    assert picture(past, "full") == picture(then, "full")
    assert (past.trail.heads, past.players) == (then.trail.heads, then.players)
    assert past.opened_with == then.opened_with


@pytest.mark.parametrize("sight", SIGHTS)
@pytest.mark.parametrize("number", [-1, 0, 18])
def test_a_number_that_never_was_is_named(sight, number):
    recorder = noted(toy())
    with pytest.raises(NoSuchVersion) as refusal:
        History(TOYS, recorder.lines).at(sight, number)
    assert (refusal.value.number, refusal.value.last) == (number, number_of(recorder.folded, sight))


def test_a_picture_stays_as_it_is_when_the_fold_goes_on():
    recorder = toy()
    before = plain(recorder.folded, "full")
    notes = list(before["state"]["notes"])
    noted(recorder)
    assert before["state"]["notes"] == notes


def long_match(records: int):
    """Play so many records, with hidden notes and undos among them."""
    recorder = toy(seats=2, goal=10**9)
    while len(recorder.lines) < records:
        seat = recorder.state.turn
        recorder.play(seat, Note(len(recorder.lines)))
        recorder.play(seat, Count(1))
        if len(recorder.lines) % 3 == 0:
            recorder.play(seat, Undo_(recorder.folded.number(seat) - 1))
    return recorder


def test_a_long_match_is_kept_at_few_places_and_is_the_same_at_all():
    """Wherever one lands, and in whatever order: checkpoints are thinned out as the match grows."""
    lines = long_match(600).lines
    history = History(TOYS, lines[:1])
    history.add(lines[1:])
    for number in (600, 1, 333, 17, 599, 16, 512, 31, 32, 33):
        then = Folded.of(TOYS, lines[:number])
        past = history.at("full", number)
        assert picture(past, "full") == picture(then, "full")
        assert all(plain(past, sight) == plain(then, sight) for sight in (0, 1, None))
    assert len(history._kept) <= CHECKPOINTS_MAX


def test_what_was_looked_at_can_be_played_on():
    """A fold of the past is the caller's: changing it changes no other."""
    lines = long_match(40).lines
    history = History(TOYS, lines)
    before = history.plain("full", 20)
    mine = history.at("full", 20)
    for data in lines[20:]:
        mine.extend(data)
    assert history.plain("full", 20) == before
    assert mine.head == history.at("full", len(lines)).head


def test_a_log_can_be_looked_at_up_to_where_it_breaks():
    lines = long_match(60).lines
    history = History(TOYS, [*lines[:49], b"junk", *lines[50:]])
    assert history.plain("full", 49)["version"] == 49
    with pytest.raises(Unreadable):
        history.at("full", 50)
    assert history.plain("full", 12)["version"] == 12
