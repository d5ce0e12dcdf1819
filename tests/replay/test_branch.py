"""Branches: forked from recorded matches of every game, played on, compared with parents."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games import GAMES
from games.chance import Chance
from games.game import Illegal
from games.match.commands import PerMove, Undo_
from games.playout import seed_of
from games.search import advise
from projections.folded import Folded
from projections.seen import seen
from projections.summary import summary
from replay.audit import audit
from replay.branch import fork, recall
from replay.evidence import Evidence
from replay.history import History
from replay.timeline import timeline
from replay.travel import NoSuchVersion
from tests.corpus import load, recorded, recorded_of
from tests.games.laws import laws_of, weakest_level
from tests.recorder import KEYS
from tests.replay.branches import branched, play_on
from tests.replay.forgery import opened, rechained

games = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


def running_at(lines, number):
    return History(GAMES, lines).at("full", number)


def a_parent(game, dice):
    """Choose a recorded match and a version at which it was being played."""
    paths = sorted(recorded_of(game.slug))
    lines = load(paths[dice.randbelow(len(paths))])
    first = next(n for n, line in enumerate(lines, start=1) if b'"match_started"' in line)
    return lines, first + dice.randbelow(len(lines) - first)


def a_branch(game, dice, **more):
    """Fork a recorded match: for one of its seats, or with everything kept."""
    lines, version = a_parent(game, dice)
    parent = running_at(lines, version)
    seat = dice.randbelow(parent.match.header.seats + 1)
    if seat == parent.match.header.seats:
        return lines, branched([lines], None, version, **more)
    number = parent.number(seat)
    before = History(GAMES, lines).at(seat, number).match.status
    if before != "running":
        return lines, branched([lines], None, version, **more)
    return lines, branched([lines], seat, number, **more)


@games
@given(number=st.integers(0, 2**32))
@settings(max_examples=8)
def test_a_branch_is_played_like_any_match(game, number):
    """Its log folds again to what was live, and an audit that has the parent holds it for good."""
    dice = Chance(seed_of(number), 0)
    lines, recorder = a_branch(game, dice)
    recorder.sit(*[""] * recorder.match.header.seats)
    assert recorder.match.status == "running"
    play_on(recorder, dice)
    again = Folded.of(GAMES, recorder.lines)
    assert again.match.state == recorder.state
    assert again.match.shown == recorder.match.shown
    evidence = Evidence(
        "branch", recorder.lines, head=recorder.head(), secret=recorder.service_seed, parent=lines
    )
    report = audit(GAMES, evidence, KEYS)
    assert report.verdict == "holds", report.findings
    assert report.unchecked == []
    assert timeline(GAMES, recorder.lines, None)


@games
@given(number=st.integers(0, 2**32))
@settings(max_examples=4)
def test_bots_play_on_from_what_their_seats_had_seen(game, number):
    dice = Chance(seed_of(number), 1)
    _, recorder = a_branch(game, dice)
    recorder.sit(*[weakest_level(game)] * recorder.match.header.seats)
    play_on(recorder, dice, bots=True)
    assert len(recorder.lines) > 1 + recorder.match.header.seats


@games
@given(number=st.integers(0, 2**32))
@settings(max_examples=4)
def test_seats_of_a_branch_are_advised_whatever_they_remember(game, number):
    if game.players.blueprint is None:
        pytest.skip(f"{game.slug} declares no blueprint")
    dice = Chance(seed_of(number), 3)
    _, recorder = a_branch(game, dice)
    match = recorder.match
    recorder.sit(*[""] * match.header.seats)
    if number % 2:
        play_on(recorder, dice)
    for seat in sorted(game.waiting(match.state)):
        legal = game.legal(match.state, seat)
        *_, hint = advise(game, game.view(match.state, seat), seen(match, seat), legal, 8)
        assert hint.command in legal


@games
@given(number=st.integers(0, 2**32))
@settings(max_examples=8)
def test_a_seats_branch_begins_as_the_seat_saw_it(game, number):
    """What the seat sees and may do at the fork is what it saw and might do in the parent."""
    dice = Chance(seed_of(number), 2)
    lines, version = a_parent(game, dice)
    parent = running_at(lines, version)
    seat = dice.randbelow(parent.match.header.seats)
    recorder = branched([lines], seat, parent.number(seat))
    recorder.sit(*[""] * recorder.match.header.seats)
    then = History(GAMES, lines).at(seat, parent.number(seat)).match
    assert game.view(recorder.state, seat) == game.view(then.state, seat)
    assert game.legal(recorder.state, seat) == game.legal(then.state, seat)
    assert seen(recorder.match, seat).records[: len(seen(then, seat).records)] == (
        seen(then, seat).records
    )


@games
@given(number=st.integers(0, 2**32))
@settings(max_examples=5)
def test_a_seats_branch_tells_nothing_of_what_the_seat_could_not_know(game, number):
    """From two worlds that look alike to a seat, with the same dice, the same branch is forked."""
    dice = Chance(seed_of(number), 3)
    lines, version = a_parent(game, dice)
    match = running_at(lines, version).match
    seat = dice.randbelow(match.header.seats)
    records = seen(match, seat)
    world = game.players.sample(game.view(match.state, seat), records, Chance(seed_of(1), 1))
    for twin in laws_of(game.slug).twins(match.state, seat, dice):
        other = game.players.sample(game.view(twin, seat), records, Chance(seed_of(1), 1))
        assert msgspec.json.encode(other) == msgspec.json.encode(world)


def tranquility():
    lines = load(recorded("tranquility")[-1])
    return lines, Folded.of(GAMES, lines)


def forked(seat=None, **more):
    lines, _ = tranquility()
    number = 20 if seat is None else running_at(lines, 20).number(seat)
    return lines, branched([lines], seat, number, **more)


def test_the_header_names_the_parent():
    lines, recorder = forked()
    parent, header = Folded.of(GAMES, lines[:20]), recorder.match.header
    assert header.branch.parent == parent.match.header.match
    assert (header.branch.version, header.branch.head) == (20, parent.head)
    assert (header.seats, header.options) == (
        parent.match.header.seats, parent.match.header.options,
    )  # fmt: skip
    assert header.commitment != parent.match.header.commitment


def test_viewers_are_told_where_a_branch_comes_from_and_not_what_lies_hidden_there():
    _, recorder = forked(seat=0)
    for viewer in (0, 1, None):
        told = Folded.of(GAMES, recorder.lines, (viewer,)).told(viewer)
        record = msgspec.json.decode(told[0])
        assert record["events"][0]["branch"]["state"] is None
        assert record["events"][0]["branch"]["seat"] == 0
        assert record.get("command") is None


def test_nothing_is_taken_back_beyond_the_fork():
    _, recorder = forked()
    recorder.sit(*[""] * recorder.match.header.seats)
    start = recorder.state.copy()
    seat = min(recorder.match.game.waiting(recorder.state))
    for number in range(recorder.folded.number(seat)):
        with pytest.raises(Illegal) as refused:
            recorder.play(seat, Undo_(number))
        assert refused.value.code in ("undo-never", "nothing-to-undo")
    recorder.play(seat, recorder.match.game.legal(recorder.state, seat)[0])
    with pytest.raises(Illegal):
        recorder.play(seat, Undo_(1))
    assert recorder.state != start


def test_a_branchs_clocks_run():
    _, recorder = forked(clock=PerMove(30))
    recorder.sit(*[""] * recorder.match.header.seats)
    events = recorder.time_out()
    assert events[0].seat in range(recorder.match.header.seats)
    assert b'"time_out"' in recorder.lines[-1]


def test_a_branch_of_a_branch_remembers_all_of_it():
    lines, first = forked(seat=0)
    first.sit(*[""] * first.match.header.seats)
    dice = Chance(seed_of(4), 4)
    play_on(first, dice)
    number = first.match.header.seats + 3
    second = branched([first.lines, lines], None, number, match="m_second")
    grandparent = seen(running_at(lines, 20).match, 0).records
    assert seen(second.match, 0).records[: len(grandparent)] == grandparent


@pytest.mark.parametrize("seat", [0, None])
def test_a_branch_of_a_branch_whose_parent_is_not_known_has_clear_memories(seat):
    """Memories that begin in the middle would be taken for whole ones."""
    lines, first = forked(seat=0)
    first.sit(*[""] * first.match.header.seats)
    play_on(first, Chance(seed_of(4), 4))
    number = first.match.header.seats + 3
    second = branched([first.lines, lines], seat, number, match="m_second")
    known, unknown = (Folded.of(GAMES, second.lines).match for _ in range(2))
    recall(GAMES, known, [first.lines, lines])
    recall(GAMES, unknown, [first.lines])
    viewers = (*range(known.header.seats), None)
    assert seen(known, 0).whole
    assert not any(seen(unknown, viewer).whole for viewer in viewers)


def test_without_its_parents_log_a_branch_plays_on_from_its_header():
    _, recorder = forked()
    recorder.sit(*[""] * recorder.match.header.seats)
    again = Folded.of(GAMES, recorder.lines)
    assert again.match.state == recorder.state
    assert seen(again.match, 0).records == ()


def test_branches_count_for_no_standings():
    _, recorder = forked()
    assert summary(recorder.match).branch is not None


@pytest.mark.parametrize(("version", "code"), [(1, "match-not-started"), (-1, "game-over")])
def test_what_is_not_being_played_has_no_branch(version, code):
    lines, folded = tranquility()
    number = folded.version if version < 0 else version
    with pytest.raises(Illegal) as refused:
        fork(GAMES, [lines], None, number, Chance(bytes(32), 1))
    assert refused.value.code == code


def test_a_version_that_never_was_has_no_branch():
    lines, _ = tranquility()
    with pytest.raises(NoSuchVersion):
        fork(GAMES, [lines], 0, 10_000, Chance(bytes(32), 1))


def found(lines, parent):
    report = audit(GAMES, Evidence("branch", lines, parent=parent), redaction=False)
    return {finding.rule for finding in report.findings}


def tampered(recorder, **changes):
    first = opened(recorder.lines[0])
    first["events"][0]["branch"] |= changes
    return rechained([msgspec.json.encode(first)], recorder.service_seed)


def test_a_start_that_is_not_the_parents_state_is_found():
    lines, recorder = forked()
    other = branched([lines], None, 25).match.header.branch.state
    assert found(recorder.lines, lines) == set()
    assert "branch" in found(tampered(recorder, state=other), lines)


def test_a_deal_that_does_not_fit_what_the_seat_saw_is_found():
    lines, recorder = forked(seat=0)
    other = branched([lines], None, 25).match.header.branch.state
    assert found(recorder.lines, lines) == set()
    assert "branch" in found(tampered(recorder, state=other), lines)


@pytest.mark.parametrize("changes", [{"version": 21}, {"head": "0" * 64}, {"parent": "m_other"}])
def test_another_origin_is_found(changes):
    lines, recorder = forked()
    assert "branch" in found(tampered(recorder, **changes), lines)


def test_a_field_that_the_parent_does_not_have_is_found():
    lines, recorder = forked()
    first = opened(recorder.lines[0])
    first["events"][0] |= {"spectator_delay": 60}
    other = rechained([msgspec.json.encode(first)], recorder.service_seed)
    assert "branch" in found(other, lines)


def test_the_audit_says_that_a_match_without_a_parent_has_none():
    lines, _ = forked()
    report = audit(GAMES, Evidence("match", lines, parent=lines))
    assert "start: the match is not a branch, so it has no parent" in report.unchecked


def test_the_audit_says_when_the_parent_is_not_known():
    _, recorder = forked()
    report = audit(GAMES, Evidence("branch", recorder.lines))
    assert any(gap.startswith("start: ") for gap in report.unchecked)
