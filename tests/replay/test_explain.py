"""A record is explained by both worlds; facts are what the rule read, each with its origin."""

import dataclasses

import jsonpatch
import msgspec
import pytest
from jsonpointer import JsonPointer

from events.codec import Unreadable
from games import GAMES
from games.chance import Chance
from replay import page
from replay.blame import blame
from replay.explain import explain
from replay.facts import facts
from replay.history import History
from replay.reads import READS_MAX, Reads, traced, untraced
from replay.subject import NOTHING, value_at
from replay.travel import NoSuchVersion
from tests.corpus import load, recorded_of
from tests.games.match.toy import TOY, Count
from tests.replay.forgery import changed, opened, rechained
from tests.replay.logs import TOYS, noted, toy
from tests.replay.miscounted import miscounting, played

every_game = pytest.mark.parametrize("slug", GAMES)


@every_game
def test_a_good_record_is_decided_as_it_was_recorded(slug):
    history = History(GAMES, load(recorded_of(slug)[0]))
    for record in range(1, len(history.lines), 7):
        explanation = explain(history, record)
        assert explanation.same, (record, explanation.undecided)
        assert explanation.patch == []
        assert explanation.decided == explanation.recorded


@every_game
def test_rules_decide_the_same_on_a_state_that_is_traced(slug):
    """Otherwise the facts would be those of another decision."""
    game = GAMES[slug]
    state = History(GAMES, load(recorded_of(slug)[-1])).at("full", 12).match.state
    reads = Reads()
    followed = traced(state, reads)
    assert msgspec.json.encode(followed) == msgspec.json.encode(state)
    assert untraced(followed) == state
    (seat, *_) = game.waiting(state)
    for command in game.legal(state, seat)[:20]:
        decided = game.decide(state, seat, command, Chance(bytes(32), 1))
        assert game.decide(followed, seat, command, Chance(bytes(32), 1)) == decided
    assert untraced(followed) == state, "a draft works on a copy"
    assert 0 < len(reads.paths) <= READS_MAX
    document = msgspec.json.decode(msgspec.json.encode(state))
    assert all(value_at(JsonPointer(path), document) is not NOTHING for path in reads.paths)


@pytest.mark.parametrize("seat", [-1, 99])
def test_a_record_of_a_seat_that_does_not_exist_is_explained(seat):
    lines = load(recorded_of("submarine")[0])
    forged = changed(lines, 12, by={"seat": seat})
    explanation = explain(History(GAMES, forged), 12)
    assert (explanation.by.seat, explanation.player) == (seat, None)
    assert not explanation.same


def test_both_worlds_are_shown_with_their_difference():
    recorder = played(miscounting(Count(2)))
    explanation = explain(History(TOYS, recorder.lines), 6, recorder.service_seed)
    assert not explanation.same
    assert (explanation.match, explanation.by.seat, explanation.player) == ("m_test", 0, "p_0")
    assert explanation.command == Count(2)
    assert explanation.recorded.events != explanation.decided.events
    assert explanation.patch == [{"op": "replace", "path": "/state/total", "value": 3}]
    before = msgspec.to_builtins(explanation.before)
    after = jsonpatch.apply_patch(before, explanation.decided.patch)
    assert (before["state"]["total"], after["state"]["total"]) == (2, 4)


def test_a_refused_command_has_no_world_of_its_own():
    recorder = noted(toy())
    place = next(v for v, line in enumerate(recorder.lines, 1) if b'"counted"' in line)
    forged = rechained(changed(recorder.lines, place, command={"type": "count", "by": 9}))
    explanation = explain(History(TOYS, forged), place, recorder.service_seed)
    assert (explanation.decided, explanation.same) == (None, False)
    assert explanation.undecided == "refused: bad-count"
    assert explanation.recorded.patch


def test_events_that_cannot_be_applied_have_no_state():
    recorder = toy()
    recorder.play(0, Count(1))

    def picky(state, event):
        raise ZeroDivisionError

    games = {"toy": dataclasses.replace(TOY, apply=picky)}
    lines = recorder.lines[:5]
    explanation = explain(History(games, lines), 5, recorder.service_seed)
    assert explanation.recorded.patch is None


def test_record_1_is_decided_again():
    recorder = toy()
    explanation = explain(History(TOYS, recorder.lines), 1)
    assert (explanation.same, explanation.before, explanation.facts) == (True, None, [])
    header = opened(recorder.lines[0])["events"]
    header[0]["seats"] = 2
    forged = explain(History(TOYS, changed(recorder.lines, 1, events=header)), 1)
    assert not forged.same


def test_a_record_must_exist():
    recorder = toy()
    for record in (0, 99):
        with pytest.raises(NoSuchVersion):
            explain(History(TOYS, recorder.lines), record)


def test_facts_name_the_records_that_set_them():
    recorder = toy(seats=2)
    recorder.play(0, Count(1))
    recorder.play(1, Count(2))
    recorder.play(0, Count(1))
    read = {fact.path: fact for fact in facts(History(TOYS, recorder.lines), len(recorder.lines))}
    last = len(recorder.lines) - 1
    assert (read["/total"].value, read["/total"].set_by) == (3, last)
    assert read["/turn"].set_by == last
    assert read["/options"].set_by == 0


def test_a_value_leads_back_to_its_causes_step_by_step():
    """Value, record, facts, and again: until a fact that stood from the start."""
    lines = load(recorded_of("submarine")[0])
    path, at, seen = "/turn", len(lines), []
    while at:
        found = blame(GAMES, lines, "full", path, at=at, causes=True)
        if found.set_by is None or not found.facts:
            break
        seen.append(found.set_by.record.v)
        at = found.set_by.record.v - 1
        path = next((fact.path for fact in found.facts if fact.set_by), "")
        if not path:
            break
    assert len(seen) > 3
    assert seen == sorted(seen, reverse=True)


def test_a_seat_is_shown_no_facts():
    """They would tell what is hidden from it."""
    lines = load(recorded_of("submarine")[0])
    assert blame(GAMES, lines, 0, "/turn", causes=True).facts == []
    assert blame(GAMES, lines, "full", "/turn", causes=True).facts
    assert blame(GAMES, lines, "full", "/state/turn", "match", causes=True).facts == []


@pytest.mark.parametrize("sight", [0, None, "full"])
def test_blame_at_a_version_knows_nothing_later(sight):
    lines = load(recorded_of("submarine")[0])
    last = blame(GAMES, lines, sight, "/turn")
    versions = [change.record.v for change in last.history]
    for at in (versions[3], versions[3] + 1, versions[-1]):
        found = blame(GAMES, lines, sight, "/turn", at=at)
        assert [one.record.v for one in found.history] == [v for v in versions if v <= at]
        assert found.set_by.record.v == found.history[-1].record.v
    with pytest.raises(NoSuchVersion):
        blame(GAMES, lines, sight, "/turn", at=99_999)


def test_the_page_explains_a_file_as_the_library_does():
    data = recorded_of("submarine")[-1].read_bytes()
    lines = load(recorded_of("submarine")[-1])
    own = explain(History(GAMES, lines), 20)
    assert page.explain_record(memoryview(data), 20) == msgspec.json.encode(own)
    own = blame(GAMES, lines, "full", "/turn", limit=5)
    assert page.blame_place(memoryview(data), "/turn", 5) == msgspec.json.encode(own)
    with pytest.raises(NoSuchVersion):
        page.explain_record(memoryview(data), len(lines) + 1)


def test_the_page_explains_a_damaged_file_up_to_the_damage():
    lines = load(recorded_of("submarine")[-1])
    lines[20] = b"no record"
    data = memoryview(b"\n".join(lines))
    assert b'"same":true' in page.explain_record(data, 20)
    with pytest.raises(Unreadable):
        page.explain_record(data, 21)
