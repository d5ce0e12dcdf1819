"""What a bot is told: its own view of the effective line."""

import msgspec
import pytest

from games.match.commands import Answer, PerMove, ProposeUndo
from games.playout import Ply, Watchers
from projections.folded import Folded
from projections.seen import seen
from tests.projections.recorded import GAME, play, table


def test_the_first_record_is_the_set_up_and_is_nobodys():
    found = seen(table("", "").match, 0)
    assert (found.viewer, found.seats) == (0, 2)
    assert [record.seat for record in found.records] == [None]


@pytest.mark.parametrize("viewer", [0, 1, None])
def test_only_the_sender_sees_a_command(viewer):
    given = play(table("", ""), seed=3, moves=30)
    records = seen(given.match, viewer).records
    owners = {record.seat for record in records if record.command is not None}
    assert owners == ({viewer} if viewer is not None else set())
    assert all(record.version > 0 for record in records)


@pytest.mark.parametrize("viewer", [0, 1, 2, None])
def test_everything_is_told_as_it_was_when_it_came(viewer):
    given = play(table("", "", "", seats=3), seed=5, moves=40)
    live = Folded.of(given.games, given.lines, (viewer,)).told(viewer)
    assert live is not None
    told = {record["v"]: record for record in map(msgspec.json.decode, live)}
    for record in seen(given.match, viewer).records:
        events = msgspec.json.decode(msgspec.json.encode(record.events))
        assert [event for event in told[record.version]["events"] if event in events] == events
        command = msgspec.json.decode(msgspec.json.encode(record.command))
        assert command == (told[record.version].get("command") if record.version > 3 else None)


def test_what_was_undone_is_not_told():
    given = play(table("", ""), seed=1, moves=12)
    before = seen(given.match, 0)
    number = given.folded.number(0)
    play(given, seed=2, moves=3)
    given.play(0, ProposeUndo(to=number))
    given.play(1, Answer(proposal=given.folded.number(1), accept=True))
    assert seen(given.match, 0) == before


def test_what_the_clock_played_is_nobodys_command():
    given = table("", "", clock=PerMove(seconds=60))
    [seat] = GAME.waiting(given.state)
    given.time_out()
    last = seen(given.match, seat).records[-1]
    assert (last.seat, last.command) == (None, None)
    assert last.events


def test_it_agrees_with_the_playouts_watchers():
    """Bots are tuned on playouts: what they see in a match must be the same."""
    given = play(table("", "", "", seats=3), seed=7, moves=50)
    watchers = Watchers(GAME, 3, given.match.options)
    for entry in given.match.line:
        watchers.watch(Ply(entry.version, entry.seat, entry.command, entry.events))
    for viewer in (0, 1, 2, None):
        found = [
            (record.seat, record.command, record.events)
            for record in seen(given.match, viewer).records
        ]
        watched = watchers.seen(viewer).records
        assert found == [(record.seat, record.command, record.events) for record in watched]
