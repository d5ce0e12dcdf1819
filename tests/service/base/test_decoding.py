"""What clients send is decoded strictly, by the rules of JSON Schema."""

from typing import Any

import msgspec
import pytest

from service.base.decoding import decode
from service.base.problems import Problem


class Order(msgspec.Struct, forbid_unknown_fields=True):
    count: int = 0
    ratio: float = 0
    part: msgspec.Raw = msgspec.Raw(b"null")


DECODER = msgspec.json.Decoder(Order)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b'{"count": 2}', Order(2)),
        (b'{"count": 2.0, "ratio": 0.5}', Order(2, 0.5)),
        (b'{"count": 2e1, "ratio": 3.0}', Order(20, 3)),
        (b'{"count": -0.0}', Order(0)),
        (b'{"count": 1.0, "part": {"a":[1.5,2.0]}}', Order(1, part=msgspec.Raw(b'{"a":[1.5,2]}'))),
    ],
)
def test_a_number_without_a_fraction_is_an_integer(body: bytes, expected: Order):
    assert decode(DECODER, body) == expected


@pytest.mark.parametrize(
    ("body", "detail", "pointer"),
    [
        (b'{"count": "2"}', "Expected `int`, got `str`", "/order/count"),
        (b'{"count": 2.5}', "Expected `int`, got `float`", "/order/count"),
        (b'{"count": 2.0, "ratio": null}', "Expected `float`, got `null`", "/order/ratio"),
        (b'{"count": 1e999}', "Number out of range", "/order"),
        (b"", "Expected a body in JSON, got none", "/order"),
        (b'{"count": 2.0', "Input data was truncated", "/order"),
        (b'{"count": "2"} ]', "JSON is malformed: trailing characters (byte 16)", "/order"),
    ],
)
def test_what_has_another_type_is_refused_with_its_place(body: bytes, detail: str, pointer: str):
    with pytest.raises(Problem) as refused:
        decode(DECODER, body, "/order")
    assert [error.pointer for error in refused.value.errors] == [pointer]
    assert [error.detail for error in refused.value.errors] == [detail]


@pytest.mark.parametrize("body", [b"[" * 100_000, b'{"part":' * 100_000, b'{"count": "\xff"}'])
def test_what_is_no_json_is_refused(body: bytes):
    kind: Any = msgspec.json.Decoder(list[Any])
    with pytest.raises(Problem) as refused:
        decode(kind, body)
    assert refused.value.code == "malformed"
