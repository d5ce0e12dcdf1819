"""A game without a Czech title has its English one on Czech pages."""

from dataclasses import replace

from games.template import GAME
from service.http.cards import WORDS, MatchCard, _preview
from service.http.problem_pages import _title

TITLES = {"en": "Take the last stone"}


def test_a_problem_page_has_the_english_title():
    assert _title(replace(GAME, titles=TITLES), "cs") == TITLES["en"]


def test_the_preview_of_a_link_has_the_english_title():
    card = MatchCard(
        match="m_1",
        game="nim",
        titles=TITLES,
        status="waiting",
        host=None,
        seats=[],
        free=0,
        clock=None,
        minutes=None,
    )
    assert TITLES["en"] in _preview(card, WORDS["cs"]).title
