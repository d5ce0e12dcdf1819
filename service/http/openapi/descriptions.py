"""Descriptions of types and their fields, from the docstrings in the source.

What many types of a package share stands in its `glossary.toml`, and what all types share in ours.
"""

import ast
import inspect
import sys
import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from games.wire import portable

Schema = dict[str, Any]

ALWAYS = "x-always"
"""Key under which a schema keeps the properties that are in every answer, also with defaults."""


def schema_components(
    kinds: Sequence[Any], ref_template: str
) -> tuple[tuple[Schema, ...], dict[str, Schema]]:
    """Return the schemas of types, and those that they refer to, by name.

    Before Python 3.13 msgspec leaves the later lines of a docstring indented, which is code in
    Markdown.
    """
    tops, found = msgspec.json.schema_components(kinds, ref_template=ref_template)
    return tops, {name: _portable(_dedented(schema)) for name, schema in found.items()}


def described(schema: Schema, kind: type[msgspec.Struct] | None) -> Schema:
    """Return the schema of a Struct with a description of each property."""
    if kind is None:
        return schema
    texts = {field.encode_name: _text(kind, field.name) for field in msgspec.structs.fields(kind)}
    config = kind.__struct_config__
    if config.tag_field is not None:
        texts[config.tag_field] = f"Always `{config.tag}`."
    properties = {
        name: {"description": texts[name], **part} if texts[name] else part
        for name, part in schema["properties"].items()
    }
    made = {**schema, "properties": properties}
    return made if config.omit_defaults else {**made, ALWAYS: _always(kind)}


def summary(text: str) -> str:
    """Return the first sentence of a docstring, without its full stop."""
    return text.partition("\n")[0].removesuffix(".")


def word(name: str) -> str:
    """Return what a name means in every type and call."""
    return _glossary(__name__)[name]


def _portable(node: Any) -> Any:
    """Return a schema with patterns as other languages write them (ECMA 262)."""
    match node:
        case {"pattern": str(pattern)}:
            return {**node, "pattern": portable(pattern)}
        case dict():
            return {name: _portable(part) for name, part in node.items()}
        case list():
            return [_portable(part) for part in node]
        case _:
            return node


def _dedented(schema: Schema) -> Schema:
    if "description" not in schema:
        return schema
    return {**schema, "description": inspect.cleandoc(schema["description"])}


def _text(kind: type[msgspec.Struct], name: str) -> str:
    """Return the docstring of a field, or else what its name means in the package or everywhere.

    A game's view has the fields of its state.
    """
    owners = [(base.__module__, base.__name__) for base in _own(kind)]
    if kind.__name__ == "View":
        owners.append((kind.__module__, "State"))
    for module, owner in owners:
        found = _docstrings(module).get((owner, name))
        if found is not None:
            return found
    words = _glossary(__name__) | _glossary(kind.__module__)
    return words.get(f"{kind.__name__}.{name}") or words.get(name, "")


def _always(kind: type[msgspec.Struct]) -> list[str]:
    return [
        field.encode_name
        for field in msgspec.structs.fields(kind)
        if field.default is not msgspec.UNSET
    ]


def _own(kind: type[msgspec.Struct]) -> list[type[msgspec.Struct]]:
    """Return a Struct and its bases."""
    bases = [base for base in kind.__mro__ if issubclass(base, msgspec.Struct)]
    return bases[:-1]


@cache
def _glossary(module: str) -> dict[str, str]:
    """Return the glossary of the package that a module belongs to."""
    path = Path(inspect.getfile(sys.modules[module])).with_name("glossary.toml")
    return tomllib.loads(path.read_text()) if path.exists() else {}


@cache
def _docstrings(module: str) -> dict[tuple[str, str], str]:
    """Return the docstrings of the fields of all classes in a module."""
    found: dict[tuple[str, str], str] = {}
    for node in ast.walk(ast.parse(inspect.getsource(sys.modules[module]))):
        if not isinstance(node, ast.ClassDef):
            continue
        for field, text in zip(node.body, node.body[1:], strict=False):
            match field, text:
                case (
                    ast.AnnAssign(target=ast.Name(id=name)),
                    ast.Expr(value=ast.Constant(value=str(said))),
                ):
                    found[node.name, name] = inspect.cleandoc(said)
                case _:
                    pass
    return found
