"""Schemas of types, in the forms that generators of clients read."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import msgspec
from msgspec import inspect

from games.wire import MARK
from service.http.openapi.descriptions import ALWAYS, described, schema_components

Schema = dict[str, Any]
Schemas = dict[str, Schema]
Typed = Callable[[str], Schema]
"""The types behind a mark of `games.wire`."""

VALUES = (ALWAYS, "default", "const", "enum", "mapping")
"""Keys whose values are no schemas."""


def ref(name: str) -> Schema:
    """Return a reference to a component."""
    return {"$ref": f"#/components/schemas/{name}"}


def union(schemas: Iterable[Schema]) -> Schema:
    """Return a union without a common tag."""
    found = list(schemas)
    return found[0] if len(found) == 1 else {"anyOf": found}


def merged(members: Mapping[str, Schema]) -> Schema:
    """Return the union of components: of their members if a tag tells all of them apart."""
    if any("discriminator" not in schema for schema in members.values()):
        return {"oneOf": [ref(name) for name in members]}
    tags = [schema["discriminator"] for schema in members.values()]
    return {
        "type": "object",
        "oneOf": [member for schema in members.values() for member in schema["oneOf"]],
        "discriminator": {
            "propertyName": tags[0]["propertyName"],
            "mapping": {value: to for tag in tags for value, to in tag["mapping"].items()},
        },
    }


def told_apart(field: str, members: Mapping[str, str]) -> Schema:
    """Return a union of components that a field tells apart: its value, and the component."""
    mapping = {value: ref(name)["$ref"] for value, name in members.items()}
    return {
        "type": "object",
        "oneOf": [ref(name) for name in members.values()],
        "discriminator": {"propertyName": field, "mapping": mapping},
    }


def components(kinds: Mapping[str, Any], prefix: str = "") -> Schemas:
    """Return the schemas of types by name, and of all Structs in them by prefix and class name."""
    tops, found = schema_components(
        tuple(kinds.values()), ref_template=ref(prefix + "{name}")["$ref"]
    )
    structs = {kind.__name__: kind for kind in _structs(kinds.values())}
    made = {name: described(schema, structs.get(name)) for name, schema in found.items()}
    own: dict[str, str] = {}
    schemas: Schemas = {}
    for (name, kind), top in zip(kinds.items(), tops, strict=True):
        if (tag := _tag(kind)) is not None:
            schemas[name] = told_apart(tag[0], {tag[1]: prefix + kind.__name__})
        elif set(top) == {"$ref"}:
            own[top["$ref"].removeprefix(ref(prefix)["$ref"])] = name
        else:
            schemas[name] = top
    named = {name: own.get(name, prefix + name) for name in made}
    schemas |= {named[name]: {**schema, "title": named[name]} for name, schema in made.items()}
    names = {ref(prefix + old)["$ref"]: ref(new)["$ref"] for old, new in own.items()}
    return {name: renamed(schema, names) for name, schema in schemas.items()}


def readable(node: Any, typed: Typed) -> Any:
    """Return a schema in the forms that generators read, with the types behind the marks."""
    if isinstance(node, list):
        return [readable(part, typed) for part in node]
    if not isinstance(node, dict):
        return node
    schema = {key: part if key in VALUES else readable(part, typed) for key, part in node.items()}
    if (mark := schema.pop(MARK, None)) is not None:
        kept = {key: schema[key] for key in ("description", "default") if key in schema}
        return {**typed(mark), **kept}
    if "default" in schema and schema["default"] is None:
        del schema["default"]
    if schema.get("items") is False:
        schema["items"] = _any_of(schema["prefixItems"])
    if "enum" in schema and all(isinstance(value, str) for value in schema["enum"]):
        values = schema.pop("enum")
        choice = {"const": values[0]} if len(values) == 1 else {"enum": values}
        schema = {"type": "string", **choice, **schema}
    if "anyOf" in schema and ("discriminator" in schema or _nullable(schema["anyOf"])):
        schema["oneOf"] = schema.pop("anyOf")
    if "discriminator" in schema:
        schema = {"type": "object", **schema}
    return schema


def named(node: Any, unions: Mapping[str, Schema]) -> Any:
    """Replace unions that are components by references to them."""
    if isinstance(node, list):
        return [named(part, unions) for part in node]
    if not isinstance(node, dict):
        return node
    for name, known in unions.items():
        if node.get("discriminator") == known["discriminator"]:
            return ref(name) | {key: node[key] for key in ("description", "default") if key in node}
    return {key: named(part, unions) for key, part in node.items()}


def reached(roots: Any, schemas: Schemas) -> Schemas:
    """Return the components that can be reached from the paths, in the order of their names."""
    seen: set[str] = set()
    todo = set(refs(roots))
    while todo:
        name = todo.pop()
        seen.add(name)
        todo |= set(refs(schemas[name])) - seen
    return {name: schemas[name] for name in sorted(seen)}


def answered(schema: Schema) -> Schema:
    """Return the schema of a type that is only in answers: a default does not make it optional."""
    if ALWAYS not in schema:
        return schema
    always = schema[ALWAYS]
    properties = {
        name: {key: value for key, value in part.items() if name not in always or key != "default"}
        for name, part in schema["properties"].items()
    }
    required = [name for name in properties if name in always or name in schema["required"]]
    return {**schema, "properties": properties, "required": required}


def finished(schema: Schema) -> Schema:
    """Return a schema without our own keys."""
    return {key: part for key, part in schema.items() if key != ALWAYS}


def refs(node: Any) -> Iterator[str]:
    """Yield the names of the components that a schema refers to."""
    if isinstance(node, list):
        for part in node:
            yield from refs(part)
    elif isinstance(node, dict):
        found = node.get("$ref")
        if isinstance(found, str) and found.startswith(ref("")["$ref"]):
            yield found.removeprefix(ref("")["$ref"])
        for part in node.values():
            yield from refs(part)


def renamed(node: Any, names: Mapping[str, str]) -> Any:
    """Replace references, by the old and the new one."""
    if isinstance(node, list):
        return [renamed(part, names) for part in node]
    if isinstance(node, dict):
        return {key: renamed(part, names) for key, part in node.items()}
    return names.get(node, node) if isinstance(node, str) else node


def _tag(kind: Any) -> tuple[str, str] | None:
    """Return the tag of a Struct: its field and its value. None for other types."""
    config = getattr(kind, "__struct_config__", None)
    return None if config is None or config.tag_field is None else (config.tag_field, config.tag)


def _nullable(members: list[Schema]) -> bool:
    return len(members) == 2 and {"type": "null"} in members


def _any_of(elements: list[Schema]) -> Schema:
    """Return what the elements of a tuple have in common, for generators without tuples."""
    found = [each for place, each in enumerate(elements) if each not in elements[:place]]
    return found[0] if len(found) == 1 else {"oneOf": found}


def _structs(kinds: Iterable[Any]) -> set[type[msgspec.Struct]]:
    """Return all Structs in types."""
    found: set[type[msgspec.Struct]] = set()
    todo: list[Any] = list(inspect.multi_type_info(kinds))
    while todo:
        kind = todo.pop()
        if isinstance(kind, inspect.StructType):
            if kind.cls in found:
                continue
            found.add(kind.cls)
        for field in kind.__struct_fields__:
            part = getattr(kind, field)
            todo += [
                each.type if isinstance(each, inspect.Field) else each
                for each in (part if isinstance(part, tuple) else (part,))
                if isinstance(each, (inspect.Type, inspect.Field))
            ]
    return found
