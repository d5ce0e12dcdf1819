"""A hidden record changes nothing for its viewers: what they see, may do and are refused."""

from contextlib import suppress

import msgspec
import pytest

from events.codec import unseal
from games import GAMES
from games.chance import Chance
from games.game import Illegal
from games.match.clocks import SECOND
from games.match.commands import (
    Actor,
    Answer,
    Bank,
    ComeBack,
    CreateMatch,
    FollowOrders,
    Pause,
    PerMove,
    Phases,
    ProposeAbandon,
    ProposeUndo,
    Resume,
    SetStandingOrders,
    Undo_,
    WithdrawProposal,
)
from games.match.decide import decide
from games.match.due import next_due
from games.match.legal import legal, takeback
from games.playout import seed_of
from projections.views import match_view
from tests.games.laws import laws_of
from tests.games.match.table import Table
from tests.games.match.toy import TOY, Count
from tests.recorder import Recorder

CLOCKS = (None, PerMove(600), Bank(6_000, 5), Phases())
COMMANDS = 50


def match_commands(match, seat, dice):
    """Return one of the commands that every match has, mostly about undo."""
    back = len(match.shown[seat]) - 1 - dice.randbelow(4)
    return dice.choice(
        [
            *(Undo_(back), Undo_(back), ProposeUndo(back), ProposeUndo(back)),
            *(Answer(back + 1, accept=True), Answer(back + 1, accept=False), WithdrawProposal()),
            *(Pause(), Resume(), ProposeAbandon(), ProposeUndo(solve=True), ComeBack()),
            SetStandingOrders(tuple(match.game.orders)),
        ]
    )


def next_command(match, dice):
    """Return the next actor, command and earliest time: mostly a seat and a command of the game."""
    due = next_due(match)
    if due is not None and dice.randbelow(20) == 0:
        return due.actor, due.command, due.at
    game = match.game
    seat = dice.randbelow(match.header.seats)
    able = [s for s in range(match.header.seats) if game.legal(match.state, s)]
    if dice.randbelow(4) == 0 or not able:
        return Actor(seat=seat), match_commands(match, seat, dice), 0
    seat = dice.choice(able)
    return Actor(seat=seat), dice.choice(game.legal(match.state, seat)), 0


def observed(match, viewer, at, service_seed):
    """Return all that a viewer may see and try, as JSON."""
    view = match_view(match, viewer, "", {})
    if viewer is None:
        return msgspec.json.encode(view)
    number = len(match.shown[viewer])
    tried = [Pause(), ProposeAbandon(), ProposeUndo(solve=True), WithdrawProposal(), ComeBack()]
    for back in range(3):
        tried += [
            Undo_(number - back),
            ProposeUndo(number - back),
            Answer(number - back, accept=True),
        ]
    outcomes = [outcome(match, viewer, command, at, service_seed) for command in tried]
    able = [match.game.legal(match.state, viewer)]
    if number % 4 == 0:
        able.append(legal(match, Actor(seat=viewer), at, takeback(match, viewer, at)))
    return msgspec.json.encode([view, able, takeback(match, viewer), outcomes])


def outcome(match, seat, command, at, service_seed):
    try:
        events = decide(match, Actor(seat=seat), command, at, service_seed)
    except Illegal as error:
        return [error.code, error.details]
    return [type(event).__name__ for event in events]


@pytest.mark.parametrize("clock", CLOCKS, ids=["none", "per_move", "bank", "phases"])
@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_an_unshown_record_changes_nothing(game, clock):
    tables = laws_of(game.slug).tables
    for seed, (seats, options) in enumerate(tables[:: max(1, len(tables) // 4)]):
        dice = Chance(seed_of(seed), 1 << 43)
        opened = CreateMatch(game.slug, seats, options, clock, away_after=2)
        recorder = Recorder(game, opened, f"m_{game.slug}_{seed}")
        recorder.sit(*[""] * seats)
        match = recorder.match
        for _ in range(COMMANDS):
            if match.status != "running":
                break
            actor, command, due = next_command(match, dice)
            at = max(recorder.at + SECOND, due)
            before = {
                viewer: observed(match, viewer, at, recorder.service_seed) for viewer in match.shown
            }
            numbers = {viewer: len(shown) for viewer, shown in match.shown.items()}
            with suppress(Illegal):
                recorder.send(actor, command, after=at - recorder.at)
                for viewer in match.shown if match.status == "running" else ():
                    if len(match.shown[viewer]) == numbers[viewer]:
                        after = observed(match, viewer, at, recorder.service_seed)
                        assert after == before[viewer], (viewer, actor, command)


@pytest.mark.parametrize("seed", range(12))
def test_no_preview_of_an_undo_tells_what_crews_do_in_secret(seed):
    """Undos far back, whose previews compare a state of which much was hidden."""
    game, dice, hidden = GAMES["captain_sonar"], Chance(seed_of(seed), 1 << 44), 0
    table = Table(2, game=game)
    for _ in range(120):
        match = table.match
        if match.status != "running":
            break
        before = {viewer: shown_to(match, viewer) for viewer in match.shown}
        seat = dice.choice(sorted(game.waiting(match.state)))
        command = dice.choice(game.legal(match.state, seat))
        if dice.randbelow(7) == 0:
            seat = dice.randbelow(2)
            back = ProposeUndo(max(0, table.number(seat) - 1 - dice.randbelow(6)))
            command = WithdrawProposal() if match.proposals else back
        with suppress(Illegal):
            table.send(seat, command)
        for viewer, (number, view) in before.items():
            if number == len(table.match.shown[viewer]):
                hidden += 1
                assert shown_to(table.match, viewer) == (number, view), (viewer, command)
    assert hidden


def shown_to(match, viewer):
    """Return the number of the viewer's last record, and the view, as JSON."""
    return len(match.shown[viewer]), msgspec.json.encode(match_view(match, viewer, "", {}))


def test_no_key_meets_a_command_that_the_service_sent_in_a_seats_stead():
    """The key contains the log's version: trying such keys would reveal how much is hidden."""
    opened = CreateMatch("toy", 2, {"goal": 99}, PerMove(60), away_after=1, stand_in="heuristic")
    recorder = Recorder(TOY, opened)
    recorder.sit("", "")
    recorder.play(0, SetStandingOrders(("one",)))
    recorder.send(Actor(seat=0), FollowOrders(), command_id="clock-4")
    recorder.time_out()
    recorder.play(0, SetStandingOrders(()))
    recorder.play(0, Count(1))
    recorder.send(Actor(seat=1, clock=True), Count(1), command_id="bot-1-7")
    sent = [unseal(TOY, recorder.match.header, line).id for line in recorder.lines]
    by_service = [name for name in sent if name.startswith(("bot", "clock"))]
    assert by_service == ["clock-4", "bot-1-7"]
    assert all(recorder.folded.trail.version_of("clock", name) for name in by_service)
