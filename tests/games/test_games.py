"""Games are found by what installed packages declare."""

from dataclasses import replace
from importlib.metadata import EntryPoint

import msgspec
import pytest

from games import GAMES, GROUP, BadGame, load_games
from games.chance import Chance
from games.game import Game, Tagged
from games.playout import seed_of
from games.template import GAME


def declared(name, value):
    return EntryPoint(name, value, GROUP)


def made() -> Game:
    return GAME


def broken():
    raise RuntimeError("no cards")


NUMBER = 7


def test_the_games_here_are_declared_like_any_other():
    assert {"captain_sonar", "ke_dnu", "nautilus", "submarine", "tranquility"} <= set(GAMES)
    assert all(game.slug == slug for slug, game in GAMES.items())


def test_an_entry_point_is_a_game_or_a_function_that_returns_one():
    value = declared("template", "games.template:GAME")
    function = declared("template", f"{__name__}:made")
    assert load_games([value]) == load_games([function]) == {"template": GAME}


@pytest.mark.parametrize(
    ("entries", "reason"),
    [
        ([], "No installed package declares a game"),
        ([("a", "games.template:GAME"), ("b", "games.template:GAME")], "Two installed packages"),
        ([("a", "games.nowhere:GAME")], "a = games.nowhere:GAME in the group shiplog.games cannot"),
        ([("a", f"{__name__}:broken")], "RuntimeError: no cards"),
        ([("a", f"{__name__}:NUMBER")], "cannot be loaded: TypeError"),
        ([("a", "builtins:dict")], "must give a Game, but gave a dict"),
    ],
)
def test_a_game_that_cannot_be_served_is_named(entries, reason):
    with pytest.raises(BadGame, match=reason):
        load_games([declared(*entry) for entry in entries])


class Resign(Tagged, frozen=True):
    """The name of a command that every match has."""


class Stones(msgspec.Struct, frozen=True):
    stones: int


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"slug": "Nim"}, "has the slug 'Nim'"),
        ({"version": 0}, "has the rules version 0"),
        ({"titles": {"cs": "Nim"}}, "has no English title"),
        ({"seats": range(5)}, "A match has 1 to 64"),
        ({"seats": range(0)}, "A match has 1 to 64"),
        ({"players": replace(GAME.players, bots={"Hard Bot": None})}, "the bot level 'Hard Bot'"),
        ({"Options": Stones}, "an option without a default: Missing required argument 'stones'"),
        ({"Command": Resign}, "has a `Command` that cannot be told from those of all matches"),
        ({"Event": int}, "has <class 'int'> in its `Event`"),
        ({"earlier": (GAME,)}, r"version 1 of 'template' in `earlier`. Expected lower versions"),
        ({"recommended": {"most": "all"}}, "recommends options .* Expected `int`, got `str`"),
        ({"recommended_with_bots": {"mot": 3}}, "recommends options .* unknown field `mot`"),
    ],
)
def test_a_flaw_of_a_declaration_is_named_before_anybody_plays(change, reason, monkeypatch):
    monkeypatch.setattr("games.template.GAME", replace(GAME, **change))
    with pytest.raises(BadGame, match=reason):
        load_games([declared("nim", "games.template:GAME")])


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_recommended_options_are_options_of_the_game(game):
    recommended = {**game.recommended, **game.recommended_with_bots}
    chosen = msgspec.convert(recommended, game.Options)
    assert game.setup(min(game.seats), chosen, Chance(seed_of(1), 1))
