"""Files of games are checked before anybody plays."""

from dataclasses import replace

import pytest

from games import GAMES, BadGame
from games.game import Files
from games.template import GAME
from replay.files import check_files

TEXT = """
[steps.text]
en = "Take the last stones."
cs = "Vezměte poslední kameny."
"""
TUTORIAL = f"""
minutes = 1
seats = 2
learner = 0
seed = 1

[[steps]]
{TEXT}
[[steps]]
moves = [{{ seat = 0, command = {{ type = "take_stones", count = 99 }} }}]
{TEXT}
{TEXT.replace("text", "goal")}
{TEXT.replace("text", "hint")}
{TEXT.replace("text", "after")}
"""


def test_the_games_here_have_all_their_files():
    check_files(GAMES)


@pytest.mark.parametrize("field", ["rules", "components", "words", "board"])
def test_a_file_that_does_not_exist_is_named(tmp_path, field):
    files = Files(**{field: tmp_path / "nowhere"})
    with pytest.raises(BadGame, match=f"The game template names .*nowhere as `{field}`"):
        check_files({"template": replace(GAME, files=files)})


def test_words_that_are_not_json_are_named(tmp_path):
    (tmp_path / "cs.json").write_text('{"refusals": {},}')
    with pytest.raises(BadGame, match=r"words that cannot be read: .*cs\.json: JSON is malformed"):
        check_files({"template": replace(GAME, files=Files(words=tmp_path))})


def test_a_move_of_a_tutorial_that_the_rules_refuse_is_named(tmp_path):
    path = tmp_path / "tutorial.toml"
    path.write_text(TUTORIAL)
    with pytest.raises(BadGame, match=r"tutorial\.toml: step 2: the rules refuse .* of seat 0"):
        check_files({"template": replace(GAME, files=Files(tutorial=path))})
