"""An error of msgspec names the place as a JSON Pointer, and what was expected there."""

from typing import Annotated, Any, Literal

import msgspec
import pytest
from msgspec import Meta

from games.wire import matching
from service.base.input_errors import InputError, input_error


class Move(msgspec.Struct, tag="move", forbid_unknown_fields=True):
    to: Literal["north", "south"]
    path: list[tuple[int, str]] = []
    costs: dict[str, int] = {}


class Shout(msgspec.Struct, tag="shout", forbid_unknown_fields=True):
    to: Literal["all", "team"]
    twice: Annotated[int, Meta(le=2)] = 1


class Pass(msgspec.Struct, tag="pass", forbid_unknown_fields=True):
    pass


class Turn(msgspec.Struct):
    commands: list[Move | Shout]


@pytest.mark.parametrize(
    ("kind", "value", "pointer", "detail"),
    [
        (Turn, [], "", "Expected `object`, got `array`"),
        (Turn, {}, "/commands", "Object missing required field `commands`"),
        (
            Turn,
            {"commands": [{"to": "north"}]},
            "/commands/0/type",
            "Object missing required field `type`, expected `move` or `shout`",
        ),
        (
            Move | Pass,
            {"type": "pass", "to": "north"},
            "/to",
            "Object contains unknown field `to`, expected none",
        ),
        (Turn, {"commands": [7]}, "/commands/0", "Expected `object`, got `int`"),
        (
            Turn,
            {"commands": [{"type": "sing"}]},
            "/commands/0/type",
            "Expected `move` or `shout`, got 'sing'",
        ),
        (
            Turn,
            {"commands": [{"type": "shout", "to": "all"}, {"type": "move", "to": "all"}]},
            "/commands/1/to",
            "Expected `north` or `south`, got 'all'",
        ),
        (Move | Shout, {"type": "shout", "to": "all", "twice": 3}, "/twice", "Expected `int` <= 2"),
        (Move, {"to": "north", "path": [[1, 2]]}, "/path/0/1", "Expected `str`, got `int`"),
        (Move, {"to": "north", "costs": {"a": "b"}}, "/costs", "Expected `int`, got `str`"),
        (
            Move,
            {"to": "north", "a/b~c": 1},
            "/a~1b~0c",
            "Object contains unknown field `a/b~c`, expected `to`, `path` or `costs`",
        ),
        (
            Move | Shout,
            {"type": "shout", "to": "all", "loud": True},
            "/loud",
            "Object contains unknown field `loud`, expected `to` or `twice`",
        ),
        (Move, {"to": "x - at `$[9]`"}, "/to", "Expected `north` or `south`, got 'x - at `$[9]`'"),
        (
            Move,
            {"to": "north", "x - at `$[9]`": 1},
            "/x - at `$[9]`",
            "Object contains unknown field `x - at `$[9]``, expected `to`, `path` or `costs`",
        ),
    ],
)
def test_the_place_and_what_was_expected(kind: Any, value: Any, pointer: str, detail: str):
    with pytest.raises(msgspec.ValidationError) as refused:
        msgspec.convert(value, kind)
    found = input_error(str(refused.value), kind, value, "/body")
    assert found == InputError(detail, pointer="/body" + pointer)


def test_a_pattern_is_quoted_as_it_is():
    kind = Annotated[str, msgspec.Meta(pattern=r"^\d+'s$")]
    with pytest.raises(msgspec.ValidationError) as refused:
        msgspec.convert("x", kind)
    detail = r"Expected `str` matching regex `^\d+'s$`"
    assert input_error(str(refused.value), kind, "x") == InputError(detail, pointer="")


def test_a_pattern_is_quoted_as_in_the_api_document():
    kind = Annotated[str, matching("[0-9]{1,2}")]
    with pytest.raises(msgspec.ValidationError) as refused:
        msgspec.convert("x", kind)
    detail = "Expected `str` matching regex `^[0-9]{1,2}$`"
    assert input_error(str(refused.value), kind, "x") == InputError(detail, pointer="")


def test_a_sentence_names_the_place():
    assert str(InputError("Too long", pointer="")) == "Body: Too long."
    assert str(InputError("Too long", pointer="/name")) == "Body at /name: Too long."
    assert str(InputError("Too long", parameter="limit")) == "Parameter limit: Too long."
    assert str(InputError("Too long", header="If-Match")) == "Header If-Match: Too long."
