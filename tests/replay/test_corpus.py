"""Recorded matches are found, not listed: each is reproduced, and each game shows all its ends."""

from operator import attrgetter

import pytest

from events import file
from games import GAMES
from replay.audit import audit
from replay.transfer import file_evidence
from tests.corpus import load, needed, reasons_of, recorded, recorded_of, shown
from tests.recorder import KEYS

every_recorded_match = pytest.mark.parametrize("path", recorded(), ids=attrgetter("stem"))


@every_recorded_match
def test_a_recorded_match_follows_again_to_the_byte(path):
    """All commands are decided again. To record anew: `python -m tests.record_matches SLUG`."""
    data = path.read_bytes()
    log = file_evidence(path.stem, data)
    report = audit(GAMES, log, KEYS)
    assert report.findings == []
    assert report.unchecked == []
    assert report.figures.decided == report.figures.records == len(log.lines)
    assert report.game == path.parent.name
    assert file.write(log.lines, log.head) == data


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_every_way_to_end_a_game_is_recorded(game):
    """So is every command and event that all matches share."""
    shows = frozenset[str]().union(*(shown(GAMES, load(path)) for path in recorded_of(game.slug)))
    assert sorted(needed(game) - shows) == []


def test_a_games_reasons_are_those_of_its_result():
    assert reasons_of(GAMES["tranquility"]) == {
        "finish-placed", "no-action", "start-unpaid", "wrong-side-up", "grid-full", "abandoned",
    }  # fmt: skip
