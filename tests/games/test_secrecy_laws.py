"""The laws on secrecy hold for no game of which they do not know what it hides."""

from dataclasses import replace

import pytest

from games import GAMES
from games.structs import Copyable, Public, private
from games.testing.laws import Laws
from games.testing.secrecy_laws import test_the_laws_know_what_is_hidden as know
from tests.games.laws import laws_of

GAME = GAMES["tranquility"]


class Table(Copyable):
    pile: Public[int]
    hands: list[str]


def test_a_field_that_is_not_public_is_private():
    assert private(Table) == ["hands"]


@pytest.mark.parametrize("missing", ["twins", "rehistory"])
def test_a_game_that_hides_something_says_what(missing):
    laws = laws_of(GAME.slug)
    know(GAME, laws)
    with pytest.raises(pytest.fail.Exception, match=f"hands?.* Give {missing} to `Laws`"):
        know(GAME, replace(laws, **{missing: getattr(Laws, missing)}))


def test_a_game_that_hides_nothing_need_not_say_so():
    class Open(Copyable):
        pile: Public[int]
        options: int

    know(replace(GAME, State=Open), Laws(tables=[], records_max=1, census=len))
