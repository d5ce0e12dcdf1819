"""What a refusal of the rules says."""

from dataclasses import replace

from games import GAMES
from games.game import AnyGame, Files, Illegal
from games.template import GAME as TEMPLATE
from service.base.codes import CODES
from service.base.problems import ruled_out

SONAR = GAMES["captain_sonar"]


def said(game: AnyGame, code: str, **details: object) -> str:
    return ruled_out(Illegal(code, **details), game).detail


def test_the_details_fill_the_blanks_of_a_games_words():
    assert said(TEMPLATE, "bad-count", least=1, most=3) == "Take 1 to 3 stones. (R-3)"


def test_a_blank_without_a_detail_is_named():
    assert said(TEMPLATE, "bad-count", least=1) == "Take 1 to `most` stones. (R-3)"


def test_a_code_that_all_matches_share_keeps_its_own_words_unless_they_have_blanks():
    assert said(SONAR, "too-fast", retry_after_ms=1_300) == CODES["too-fast"].en[0]


def test_a_code_without_words_is_named():
    assert (
        said(replace(TEMPLATE, files=Files()), "bad-count") == "The rules refuse this: bad-count."
    )
