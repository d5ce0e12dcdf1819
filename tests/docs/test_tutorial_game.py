"""The game tutorial shows the template as it is, and its example of a view works."""

import re
import textwrap
from pathlib import Path
from typing import Any

import games

PAGE = (Path(__file__).parents[2] / "docs" / "tutorial-game.md").read_text()
TEMPLATE = Path(games.__file__).parent / "template"
SOURCE = "".join(path.read_text() for path in sorted(TEMPLATE.rglob("*.py")))
PYTHON = [textwrap.dedent(text) for text in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)]
VIEW = next(text for text in PYTHON if "projector" in text)
IMPORTS = "import msgspec\nfrom games.structs import Copyable, Public, projector\n"


def test_what_it_shows_is_in_the_template():
    shown = [text for text in PYTHON if text != VIEW]
    assert len(shown) >= 3
    for text in shown:
        for definition in re.split(r"\n\n(?=class |def )", text.strip()):
            assert definition.strip() in SOURCE, definition


def test_a_view_hides_the_hands_of_others():
    names: dict[str, Any] = {"__name__": __name__}
    exec(IMPORTS + VIEW, names)
    state = names["State"](3, [["ace"], ["king", "queen"]])
    assert names["view"](state, 0) == names["View"](3, (("ace",), ("?", "?")))
    assert state.copy() == state
