"""The laws on secrecy know what a game hides, and find what it shows by mistake."""

from dataclasses import replace
from itertools import islice

import msgspec
import pytest

from games import GAMES
from games.chance import Chance
from games.playout import Watchers, at_random, plies, seed_of
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


@pytest.mark.parametrize("slug", GAMES)
def test_a_viewer_who_is_shown_all_events_can_tell_twin_histories_apart(slug, monkeypatch):
    leaky = replace(GAMES[slug], redact=lambda event, _viewer, _state: event)
    monkeypatch.setattr(f"tests.games.{slug}.laws.GAME", leaky, raising=False)
    laws, seed = laws_of(slug), seed_of(1)
    seats, raw = laws.tables[-1]
    options = msgspec.convert(raw, leaky.Options)
    walk = plies(leaky, seats, options, seed, at_random(Chance(seed, 0)))
    history = [ply for _, ply in islice(walk, 40)]

    def told(plies, viewer):
        watchers = Watchers(leaky, seats, options)
        for ply in plies:
            watchers.watch(ply)
        return watchers.seen(viewer).records

    twins = [(viewer, laws.rehistory(history, viewer, Chance(seed, 1))) for viewer in range(seats)]
    assert any(twin and told(twin, viewer) != told(history, viewer) for viewer, twin in twins)
