"""What the page says of seats and of fields that are left out, and what the rules say of cards."""

import json
import re
from pathlib import Path
from typing import get_args

import msgspec

from games.ke_dnu import GAME
from games.ke_dnu.components import KINDS
from games.ke_dnu.model import SeatView, SupplyType
from tests.games.laws import ROOT

PAGE = (ROOT / "docs/games/ke_dnu.md").read_text()


def test_absent_fields_mean_none():
    short = json.loads('{"type": "activate", "card": "jack_1"}')
    full = json.loads(msgspec.json.encode(msgspec.convert(short, GAME.Command)))
    assert full == short | {"target": -1, "cards": [], "victims": [], "host": ""}


def test_every_field_of_a_seat_is_explained():
    assert not {field for field in SeatView.__struct_fields__ if f"`{field}`" not in PAGE}


def test_every_card_has_a_test():
    tests = "".join(path.read_text() for path in Path(__file__).parent.glob("test_*.py"))
    assert set(re.findall(r'"KED-101/(\w+)"', tests)) == set(KINDS)


def test_the_types_that_can_be_excluded_are_those_of_the_supply():
    supply = {kind.id for kind in KINDS.values() if kind.dealt in {"supply", "option"}}
    assert set(get_args(SupplyType)) == supply
