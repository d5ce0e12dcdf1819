"""Options and seats are checked before the deal."""

import msgspec
import pytest

from games.chance import Chance
from games.game import Illegal
from games.playout import seed_of
from games.tranquility import GAME


def setup_refusal(seats, **options):
    try:
        GAME.setup(seats, GAME.Options(**options), Chance(seed_of(1), 1))
    except Illegal as illegal:
        return illegal.code
    return None


def test_options_and_seats_are_checked_in_order():
    assert setup_refusal(3, turn_seconds=3, variant="competitive", rocks=True) == "bad-option"
    assert setup_refusal(3, variant="competitive", rocks=True) == "bad-player-count"
    assert setup_refusal(2, variant="competitive", rocks=True) == "option-conflict"
    for seats in range(1, 6):
        assert setup_refusal(seats, rocks=True, monsters=5, storms=True, wilds=3) is None


@pytest.mark.parametrize(
    ("variant", "allowed"),
    [
        ("standard", {"rocks", "monsters", "storms", "wilds"}),
        ("day_night", {"rocks", "monsters", "storms", "wilds"}),
        ("high_arch", {"monsters", "wilds"}),
        ("pyramid", {"wilds"}),
        ("competitive", set()),
    ],
)
def test_which_modules_a_variant_admits(variant, allowed):
    modules = {"rocks": True, "monsters": 3, "storms": True, "wilds": 1}
    for module, value in modules.items():
        code = setup_refusal(2, variant=variant, **{module: value})
        assert code == (None if module in allowed else "option-conflict")
    assert setup_refusal(2, variant=variant, difficulty="poseidon") is None


@pytest.mark.parametrize(
    "wire",
    ['{"variant":"x"}', '{"monsters":1}', '{"wilds":4}', '{"turn_seconds":-1}', '{"players":3}'],
)
def test_options_of_another_kind_are_no_options(wire):
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(wire, type=GAME.Options)
