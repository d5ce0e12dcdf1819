"""A bot says why it moved, and says no more than its viewer was shown."""

from functools import cache

import pytest

from games import GAMES
from games.captain_sonar.commands import MarkGauge
from games.captain_sonar.events import GaugeReady
from games.game import Illegal
from games.match.commands import CreateMatch
from replay.history import History
from replay.local import LocalMatch
from replay.travel import NoSuchVersion
from replay.why import Why, why
from tests.recorder import Recorder

BOTS = {0: "beginner", 1: "hard"}
WITH_REASONS = [slug for slug, game in GAMES.items() if game.players.blueprint is not None]
every_game = pytest.mark.parametrize("slug", WITH_REASONS)


@cache
def between_bots(slug: str, **options) -> LocalMatch:
    """Play a match between a weak and a strong bot to its end."""
    match = LocalMatch.create(slug, 2, bots=BOTS, options=options, seed=5)
    match.play_bots()
    assert match.over
    return match


def asked(history: History, sight, number: int, *, over: bool) -> Why | str:
    """Return the answer, or the code of the refusal."""
    try:
        return why(history, sight, number, over=over)
    except Illegal as error:
        return error.code


@every_game
def test_after_the_end_every_move_has_a_reason_and_is_compared(slug):
    history = History(GAMES, between_bots(slug).lines)
    found = [
        asked(history, "full", number, over=True) for number in range(4, history.last("full"), 3)
    ]
    assert all(isinstance(one, Why) for one in found)
    assert {one.level for one in found} == set(BOTS.values())
    assert all(one.reason.code in GAMES[slug].players.blueprint.reasons for one in found)
    assert {"best", "softer"} <= {one.choice for one in found}
    assert all((one.better is not None) == (one.choice == "softer") for one in found)


@every_game
def test_while_the_match_runs_only_shown_moves_have_reasons(slug):
    """The reason is there, but not how good the move was, which only the bot can know."""
    lines = between_bots(slug).lines
    history = History(GAMES, lines[: len(lines) * 2 // 3])
    for viewer in (0, 1, None):
        for number in range(4, history.last(viewer) + 1, 7):
            answer = asked(history, viewer, number, over=False)
            if isinstance(answer, Why):
                assert (answer.version, answer.choice, answer.better) == (number, None, None)
            else:
                assert answer == "no-bot-move"


def test_a_hidden_move_has_no_version_to_ask_for():
    """The first mate's mark is hidden, unless it makes a gauge ready, which everyone is told."""
    history = History(GAMES, between_bots("captain_sonar").lines)
    line = history.at("full", history.last("full")).match.line
    marks = [entry for entry in line if isinstance(entry.command, MarkGauge)]
    ready = [entry for entry in marks if any(isinstance(one, GaugeReady) for one in entry.events)]
    answers = [
        asked(history, None, number, over=False) for number in range(1, history.last(None) + 1)
    ]
    told = [one for one in answers if isinstance(one, Why) and one.reason.code == "most-wanted"]
    assert 0 < len(told) == len(ready) < len(marks)


def test_who_sits_down_and_people_have_no_reasons():
    recorder = Recorder(GAMES["submarine"], CreateMatch("submarine", 2))
    recorder.sit("", "medium")
    history = History(GAMES, recorder.lines)
    last = history.last("full")
    assert [asked(history, "full", number, over=True) for number in range(1, last + 1)] == [
        "no-bot-move"
    ] * last
    with pytest.raises(NoSuchVersion):
        why(history, 0, last + 1, over=True)


def test_a_table_without_hints_hears_no_reasons_before_the_end():
    history = History(GAMES, between_bots("tranquility", hints="off").lines)
    assert asked(history, None, 5, over=False) == "hints-off"
    assert isinstance(asked(history, None, 5, over=True), Why)
