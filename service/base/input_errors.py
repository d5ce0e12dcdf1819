"""What is wrong with the input of a call: where, and what was expected there."""

import re
from ast import literal_eval
from collections.abc import Iterable
from functools import cache
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType, inspect

from games.wire import portable


class InputError(msgspec.Struct, frozen=True):
    """One thing that is wrong with a request."""

    detail: str
    """What was expected, and what came instead."""
    pointer: str | UnsetType = UNSET
    """JSON Pointer (RFC 6901) to the place in the body; empty for the whole body."""
    parameter: str | UnsetType = UNSET
    """Name of the parameter of the query or path."""
    header: str | UnsetType = UNSET
    """Name of the header."""

    def __str__(self) -> str:
        """Return the place and the detail as one sentence."""
        places = (
            (self.pointer, "Body at " if self.pointer else "Body"),
            (self.parameter, "Parameter "),
            (self.header, "Header "),
        )
        where = "".join(f"{word}{name}: " for name, word in places if name is not UNSET)
        return f"{where}{self.detail}."


PLACED = re.compile(r"(?P<text>.*?)(?: - at (?:`key` in )?`\$(?P<path>[^`]*)`)?", re.DOTALL)
"""An error of msgspec: what is wrong, and the path to it."""
STEP = re.compile(r"\.(?P<field>\w+)|\[(?P<index>\d+)\]|(?P<unknown>\[\.\.\.\])")
FIELD = re.compile(r"Object (?:missing required|contains unknown) field `(?P<name>.+)`")
PATTERN = re.compile(r"Expected `str` matching regex (?P<quoted>.+)", re.DOTALL)
"""msgspec quotes a pattern as a literal of Python, with doubled backslashes."""
NOT_ONE_OF = re.compile(r"Invalid (?:enum )?value (?P<got>.+)", re.DOTALL)


def input_error(error: str, kind: Any, value: Any, within: str = "") -> InputError:
    """Explain an error of msgspec for a value that was to be of a type.

    `within` is the pointer to the value in the body.
    """
    found = PLACED.fullmatch(error)
    assert found is not None, "every text matches"
    text = found["text"]
    types, pointer = _follow([_described(kind)], value, found["path"] or "")
    if field := FIELD.fullmatch(text):
        structs = [kind for kind in types if isinstance(kind, inspect.StructType)]
        if "unknown" in text and structs:
            names = (field.encode_name for kind in structs for field in kind.fields)
            text += f", expected {listed(names) or 'none'}"
        elif structs and all(field["name"] == kind.tag_field for kind in structs):
            text += f", expected {listed(str(kind.tag) for kind in structs)}"
        pointer += f"/{_escaped(field['name'])}"
    elif (wrong := NOT_ONE_OF.fullmatch(text)) and (values := _values(types)):
        text = f"Expected {listed(values)}, got {wrong['got']}"
    elif pattern := PATTERN.fullmatch(text):
        regex = portable(literal_eval(pattern["quoted"]))
        text = f"Expected `str` matching regex `{regex}`"
    return InputError(text, within + pointer)


def _follow(types: list[inspect.Type], value: Any, path: str) -> tuple[list[inspect.Type], str]:
    """Return the types at the end of a path, and the pointer to it.

    msgspec doesn't name the key of a dictionary: then the path ends at the dictionary.
    """
    pointer = ""
    for step in STEP.finditer(path):
        if step["unknown"]:
            return [], pointer
        name = step["field"] or step["index"]
        types = [inner for kind in types for inner in _inner(kind, name, value)]
        value = _part(value, name)
        pointer += f"/{_escaped(name)}"
    return [option for kind in types for option in _options(kind, value)], pointer


def _inner(kind: inspect.Type, name: str, value: Any) -> Iterable[inspect.Type]:
    """Yield the types that a field or item of a value may have."""
    match kind:
        case inspect.Metadata():
            yield from _inner(kind.type, name, value)
        case inspect.UnionType():
            tagged = [part for part in kind.types if name == _tag_field(part) or _fits(part, value)]
            for part in tagged:
                yield from _inner(part, name, value)
        case inspect.StructType():
            if name == kind.tag_field:
                yield inspect.LiteralType((kind.tag,))
            for field in kind.fields:
                if field.encode_name == name:
                    yield field.type
        case (
            inspect.ListType()
            | inspect.VarTupleType()
            | inspect.SetType()
            | inspect.FrozenSetType()
        ):
            yield kind.item_type
        case inspect.TupleType():
            yield kind.item_types[int(name)]
        case _:
            pass


def _options(kind: inspect.Type, value: Any) -> Iterable[inspect.Type]:
    """Return the types of a union that the tag of a value allows. Another type is its only one."""
    match kind:
        case inspect.Metadata():
            return _options(kind.type, value)
        case inspect.UnionType():
            return [part for part in kind.types if _fits(part, value)] or kind.types
        case _:
            return [kind]


def _tag_field(kind: inspect.Type) -> str | None:
    return kind.tag_field if isinstance(kind, inspect.StructType) else None


def _fits(kind: inspect.Type, value: Any) -> bool:
    """Return whether the tag of a value is that of a type, if the type has one."""
    tag_field = _tag_field(kind)
    return tag_field is None or _part(value, tag_field) == getattr(kind, "tag", None)


def _part(value: Any, name: str) -> Any:
    if isinstance(value, dict):
        return value.get(name)
    if isinstance(value, list) and name.isdecimal() and int(name) < len(value):
        return value[int(name)]
    return None


def _values(types: Iterable[inspect.Type]) -> list[str]:
    """Return all values that literal types and enumerations allow."""
    found: list[str] = []
    for kind in types:
        match kind:
            case inspect.LiteralType():
                found += map(str, kind.values)
            case inspect.EnumType():
                found += [str(member.value) for member in kind.cls]
            case inspect.UnionType():
                found += _values(kind.types)
            case inspect.Metadata():
                found += _values([kind.type])
            case _:
                pass
    return found


def listed(names: Iterable[str]) -> str:
    """Return names as a list in a sentence: `a`, `b` or `c`."""
    quoted = [f"`{name}`" for name in dict.fromkeys(names)]
    return " or ".join(part for part in (", ".join(quoted[:-1]), *quoted[-1:]) if part)


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")


@cache
def _described(kind: Any) -> inspect.Type:
    return inspect.type_info(kind)
