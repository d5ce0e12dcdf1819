"""The page names every event, and every field of a crew's sheets and of the result."""

from games.captain_sonar import GAME
from games.captain_sonar.model import CrewView, Result
from tests.games.laws import ROOT, kinds

PAGE = (ROOT / "docs/games/captain_sonar.md").read_text()


def test_every_event_is_named():
    events = {kind.__struct_config__.tag for kind in kinds(GAME.Event)}
    assert not {event for event in events if f"`{event}`" not in PAGE}


def test_every_field_of_the_sheets_and_of_the_result_is_explained():
    fields = {*CrewView.__struct_fields__, *Result.__struct_fields__}
    assert not {field for field in fields if f"`{field}`" not in PAGE}
