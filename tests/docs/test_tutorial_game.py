"""The game tutorial shows the template as it is, and its example of hidden hands works."""

import re
import textwrap
from pathlib import Path
from typing import Any

import pytest

import games
from games.chance import Chance
from games.game import Seen
from games.playout import seed_of

PAGE = (Path(__file__).parents[2] / "docs" / "tutorial-game.md").read_text()
TEMPLATE = Path(games.__file__).parent / "template"
SOURCE = "".join(path.read_text() for path in sorted(TEMPLATE.rglob("*.py")))
PYTHON = [textwrap.dedent(text) for text in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)]
HANDS = [text for text in PYTHON if "hand" in text]
"""The examples of a game that hides hands."""
IMPORTS = """
from collections.abc import Iterable
import msgspec
from games.chance import Chance
from games.game import Seen
from games.structs import Copyable, Public, projector, restorer
DECK = ("ace", "king", "queen", "jack")
"""


@pytest.fixture
def names():
    """Return what the examples define."""
    defined: dict[str, Any] = {"__name__": __name__}
    exec(IMPORTS + "".join(HANDS), defined)
    return defined


def test_what_it_shows_is_in_the_template():
    shown = [text for text in PYTHON if text not in HANDS]
    assert len(shown) >= 3
    for text in shown:
        for definition in re.split(r"\n\n(?=class |def )", text.strip()):
            assert definition.strip() in SOURCE, definition


def test_a_view_hides_the_hands_of_others(names):
    state = names["State"](3, [["ace"], ["king", "queen"]])
    assert names["view"](state, 0) == names["View"](3, (("ace",), ("?", "?")))
    assert state.copy() == state


def test_a_twin_has_other_hands_that_a_viewer_cannot_tell_apart(names):
    state = names["State"](3, [["ace"], ["king", "queen"], ["jack"]])
    for number in range(9):
        (twin,) = names["twins"](state, 0, Chance(seed_of(number), 1))
        assert names["view"](twin, 0) == names["view"](state, 0)
        assert sorted(twin.hands[1] + twin.hands[2]) == ["jack", "king", "queen"]
    assert state.hands == [["ace"], ["king", "queen"], ["jack"]]


def test_a_sampled_world_shows_the_view_and_deals_the_rest(names):
    state = names["State"](3, [["ace"], ["king", "queen"], ["jack"]])
    view = names["view"](state, 1)
    for number in range(9):
        world = names["sample"](view, Seen(1, 3, None, ()), Chance(seed_of(number), 1))
        assert names["view"](world, 1) == view
        assert sorted(world.hands[0] + world.hands[2]) == ["ace", "jack"]
