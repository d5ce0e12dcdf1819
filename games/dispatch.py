"""Tables of functions by the type of an event.

`match` asks the metaclass of a Struct about each case that does not fit, which takes as long as
folding a short event. A table finds the function at once.
"""

from collections.abc import Callable
from typing import Any, TypeVar, get_args, get_type_hints

T = TypeVar("T")


def by_type(kinds: Any, *functions: Callable[..., T]) -> dict[type, Callable[..., T]]:
    """Return, for each type of a union, the function whose last parameter has this type.

    That parameter may have a union of several types. Raises `TypeError` if a type has no function
    or more than one, or if a function is for a type that the union lacks.
    """
    table: dict[type, Callable[..., T]] = {}
    for function in functions:
        name = function.__code__.co_varnames[function.__code__.co_argcount - 1]
        hint = get_type_hints(function)[name]
        for kind in get_args(hint) or (hint,):
            if kind in table:
                raise TypeError(f"{kind.__name__} has two functions")
            table[kind] = function
    if odd := set(get_args(kinds)) ^ table.keys():
        names = ", ".join(sorted(kind.__name__ for kind in odd))
        raise TypeError(f"not both in the union and in a function: {names}")
    return table
