"""Tables of functions by the type of an event."""

import pytest

from games.dispatch import by_type


def of_others(_state: str, _event: float | bytes) -> str:
    return "other"


def of_a_text(_state: str, _event: str) -> str:
    return "text"


def test_each_type_gets_the_function_that_takes_it():
    table = by_type(float | bytes | str, of_others, of_a_text)
    assert table == {float: of_others, bytes: of_others, str: of_a_text}


@pytest.mark.parametrize(
    ("functions", "why"),
    [
        ((of_others,), "not both in the union and in a function: str"),
        ((of_others, of_a_text, of_a_text), "str has two functions"),
    ],
)
def test_a_type_without_a_function_of_its_own_is_an_error(functions, why):
    with pytest.raises(TypeError, match=why):
        by_type(float | bytes | str, *functions)


def test_a_function_of_another_type_is_an_error():
    with pytest.raises(TypeError, match="not both in the union and in a function: bytes, float"):
        by_type(str, of_others, of_a_text)
