"""Descriptions of types and their fields, from the docstrings in the source."""

import ast
import inspect
import sys
from functools import cache
from typing import Any

import msgspec

from service.http.openapi.glossary import GLOSSARY

Schema = dict[str, Any]


def described(schema: Schema, kind: type[msgspec.Struct] | None) -> Schema:
    """Return the schema of a Struct with a description of each property."""
    if kind is None:
        return schema
    texts = {
        field.encode_name: text
        for field in msgspec.structs.fields(kind)
        if (text := _field(kind, field.name))
    }
    config = kind.__struct_config__
    if config.tag_field is not None:
        texts[config.tag_field] = f"Always `{config.tag}`."
    properties = {
        name: {**part, "description": texts[name]} if name in texts else part
        for name, part in schema["properties"].items()
    }
    return {**schema, "properties": properties}


def summary(text: str) -> str:
    """Return the first sentence of a docstring, without its full stop."""
    return text.partition("\n")[0].removesuffix(".")


def _field(kind: type[msgspec.Struct], name: str) -> str:
    """Return the docstring of a field, or else what its name means everywhere."""
    for base in kind.__mro__:
        if issubclass(base, msgspec.Struct) and base is not msgspec.Struct:
            found = _docstrings(base.__module__).get((base.__name__, name))
            if found is not None:
                return found
    return GLOSSARY.get(name, "")


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
