"""States and views as Structs whose fields are named once each.

A `Copyable` Struct copies itself. A state marks as `Public` what every viewer may see; `projector`
builds a view by copying exactly those fields, so that a field that nobody marked cannot reach a
view unless the game names and redacts it. `restorer` goes the other way. The functions are
generated from the types, once, and are as fast as the same code written by hand.
"""

from collections.abc import Callable
from functools import cache
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    Self,
    TypeAlias,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

import msgspec

T = TypeVar("T")
ViewT = TypeVar("ViewT", bound=msgspec.Struct)
StateT = TypeVar("StateT", bound=msgspec.Struct)

_PUBLIC = object()
Public: TypeAlias = Annotated[T, _PUBLIC]
"""A field of a state that every viewer may see as it is."""


class Copyable(msgspec.Struct):
    """A mutable Struct with a fast `copy`.

    Lists, dictionaries, sets and Copyable Structs are copied to any depth. Frozen Structs, tuples
    of such, `Mapping` and `Sequence` are shared.
    """

    def copy(self) -> Self:
        """Return an independent copy."""
        kind = type(self)
        setattr(kind, "copy", _copier(kind))  # noqa: B010 - replaces this method for the class
        return self.copy()


def projector(state: type[msgspec.Struct], view: type[ViewT]) -> Callable[..., ViewT]:
    """Return a function `(state, **given)` that builds a view.

    Fields that the state marks `Public` and the view has with the same type are copied (a list
    may become a tuple). All other fields of the view must be given by keyword; the function raises
    `TypeError` if one is missing.
    """
    return _builder(state, view, _public(state))


def restorer(view: type[msgspec.Struct], state: type[StateT]) -> Callable[..., StateT]:
    """Return a function `(view, **given)` that builds a state: the inverse of `projector`."""
    return _builder(view, state, _public(state))


def _hints(kind: type[msgspec.Struct]) -> dict[str, Any]:
    hints = get_type_hints(kind)
    return {name: hints[name] for name in kind.__struct_fields__}


def private(state: type[msgspec.Struct]) -> list[str]:
    """Return the fields of a state that are not `Public`."""
    public = _public(state)
    return [name for name in state.__struct_fields__ if name not in public]


def _public(kind: type[msgspec.Struct]) -> frozenset[str]:
    hints = get_type_hints(kind, include_extras=True)
    return frozenset(
        name for name, hint in hints.items() if _PUBLIC in getattr(hint, "__metadata__", ())
    )


@cache
def _copier(kind: type[msgspec.Struct]) -> Callable[[Any], Any]:
    fields = [_copied(hint, f"self.{name}") for name, hint in _hints(kind).items()]
    return _function("copy", "self", f"Kind({', '.join(fields)})", kind)


def _builder(
    source: type[msgspec.Struct], target: type[Any], public: frozenset[str]
) -> Callable[..., Any]:
    hints = _hints(source)
    fields: list[str] = []
    given: list[str] = []
    for name, hint in _hints(target).items():
        copied = name in public and name in hints
        value = _converted(hints[name], hint, f"source.{name}") if copied else None
        if value is None:
            given.append(name)
        fields.append(value or name)
    parameters = ", ".join(["source", "*", *given] if given else ["source"])
    return _function("build", parameters, f"Kind({', '.join(fields)})", target)


def _function(name: str, parameters: str, result: str, kind: type[Any]) -> Callable[..., Any]:
    names: dict[str, Any] = {"Kind": kind}
    exec(f"def {name}({parameters}):\n return {result}", names)  # noqa: S102 - field names only
    return names[name]


def _copied(hint: Any, value: str, depth: int = 0) -> str:
    """Return an expression that copies a value of the type."""
    if not _mutable(hint):
        return value
    item, args = f"item{depth}", get_args(hint)
    match get_origin(hint) or hint:
        case origin if origin is list:
            if not _mutable(args[0]):
                return f"{value}.copy()"
            return f"[{_copied(args[0], item, depth + 1)} for {item} in {value}]"
        case origin if origin is dict:
            if not _mutable(args[1]):
                return f"{value}.copy()"
            inner = _copied(args[1], item, depth + 1)
            return f"{{key{depth}: {inner} for key{depth}, {item} in {value}.items()}}"
        case origin if origin is tuple:
            if args[1:] == (...,):
                return f"tuple([{_copied(args[0], item, depth + 1)} for {item} in {value}])"
            items = [_copied(arg, f"{value}[{at}]", depth) for at, arg in enumerate(args)]
            return f"({', '.join(items)},)"
        case origin if origin in (Union, UnionType):
            some = [arg for arg in args if arg is not NoneType]
            assert len(some) == 1, f"{hint}: only one of the types may be mutable"
            return f"(None if {value} is None else {_copied(some[0], value, depth)})"
        case _:
            return f"{value}.copy()"


def _converted(hint: Any, wanted: Any, value: str, depth: int = 0) -> str | None:
    """Return an expression that turns a value of one type into another; None if they differ."""
    if not _mutable(hint) and not _mutable(wanted):
        return value if _fits(hint, wanted) else None
    origin, target = get_origin(hint), get_origin(wanted)
    if origin not in (list, tuple) or target not in (list, tuple):
        return _copied(hint, value, depth) if hint == wanted else None
    args, into, item = get_args(hint), get_args(wanted), f"item{depth}"
    if any(rest not in ((), (...,)) for rest in (args[1:], into[1:])):
        return _copied(hint, value, depth) if hint == wanted else None
    inner = _converted(args[0], into[0], item, depth + 1)
    if inner is None:
        return None
    if inner == item:
        return f"{value}[:]" if origin is target else f"{target.__name__}({value})"
    listed = f"[{inner} for {item} in {value}]"
    return listed if target is list else f"tuple({listed})"


def _fits(hint: Any, wanted: Any) -> bool:
    """Return whether every value of an immutable type is one of the wanted type."""
    if hint == wanted:
        return True
    if get_origin(hint) is not Literal:
        return False
    if get_origin(wanted) is Literal:
        return set(get_args(hint)) <= set(get_args(wanted))
    return isinstance(wanted, type) and all(isinstance(value, wanted) for value in get_args(hint))


def _mutable(hint: Any) -> bool:
    """Return whether values of the type change in place, at any depth."""
    origin = get_origin(hint) or hint
    if origin in (list, dict, set):
        return True
    if origin in (tuple, Union, UnionType, Annotated):
        return any(_mutable(arg) for arg in get_args(hint) if arg is not ...)
    return isinstance(origin, type) and issubclass(origin, Copyable)
