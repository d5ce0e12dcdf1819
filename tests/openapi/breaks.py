"""Find what a new OpenAPI document breaks for clients that were written for an old one.

What the service takes may widen, and what it answers may narrow or gain properties. Unions that a
field tells apart are open in answers: clients pass over members that they do not know.
"""

from collections.abc import Iterator
from typing import Any, Literal

Schema = dict[str, Any]
Way = Literal["taken", "answered"]

LOWER = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties")
UPPER = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties")
TYPES = ("array", "boolean", "integer", "null", "number", "object", "string")
VALUES = ("examples", "example", "description", "title", "summary", "default")
"""Keys that no client depends on."""


def shape(node: Any, *, named: bool = False) -> Any:
    """Return a document without texts and examples. Keys of `named` objects are names."""
    if isinstance(node, list):
        return [shape(part) for part in node]
    if not isinstance(node, dict):
        return node
    return {
        key: shape(part, named=key in ("properties", "schemas", "headers", "mapping"))
        for key, part in node.items()
        if named or key not in VALUES
    }


def breaks(old: dict[str, Any], new: dict[str, Any]) -> list[str]:
    """Return what breaks, each with its place."""
    return [*_Comparison(old, new).document()]


class _Comparison:
    def __init__(self, old: dict[str, Any], new: dict[str, Any]) -> None:
        self._old = old
        self._new = new
        self._seen: set[tuple[str, str, Way]] = set()
        """Pairs of components that are being compared or have been: schemas are recursive."""

    def document(self) -> Iterator[str]:
        for path, item in self._old["paths"].items():
            for method, was in item.items():
                place = f"{method.upper()} {path}"
                now = self._new["paths"].get(path, {}).get(method)
                if now is None:
                    yield f"{place}: removed"
                else:
                    yield from self._operation(place, was, now)

        for kind, item in self._old.get("webhooks", {}).items():
            now = self._new.get("webhooks", {}).get(kind)
            body = None if now is None else now["post"]["requestBody"]
            yield from self._answer(f"webhook {kind}", item["post"]["requestBody"], body)

    def _operation(self, place: str, was: Schema, now: Schema) -> Iterator[str]:
        if was["operationId"] != now["operationId"]:
            yield f"{place}: operationId was {was['operationId']}"
        if was.get("security") == [] and now.get("security") != []:
            yield f"{place}: needs a token"
        yield from self._parameters(place, was, now)
        yield from self._body(f"{place} body", was.get("requestBody"), now.get("requestBody"))
        for status, answer in was["responses"].items():
            if status.startswith(("2", "3")):
                yield from self._answer(f"{place} {status}", answer, now["responses"].get(status))

    def _parameters(self, place: str, was: Schema, now: Schema) -> Iterator[str]:
        before, after = (
            {(each["in"], each["name"]): each for each in operation.get("parameters", ())}
            for operation in (was, now)
        )
        for key, each in after.items():
            if each.get("required") and not before.get(key, {}).get("required"):
                yield f"{place}: parameter {key[1]} is required"
        for key, each in before.items():
            if key not in after:
                yield f"{place}: parameter {key[1]} removed"
            else:
                name = f"{place} parameter {key[1]}"
                yield from self._schema(name, each["schema"], after[key]["schema"], "taken")

    def _body(self, place: str, was: Schema | None, now: Schema | None) -> Iterator[str]:
        if was is None:
            if now is not None and now.get("required"):
                yield f"{place}: required"
            return
        if now is None:
            yield f"{place}: removed"
            return
        if now.get("required") and not was.get("required"):
            yield f"{place}: required"
        yield from self._contents(place, was, now, "taken")

    def _answer(self, place: str, was: Schema, now: Schema | None) -> Iterator[str]:
        if now is None:
            yield f"{place}: removed"
            return
        for name in was.get("headers", {}).keys() - now.get("headers", {}).keys():
            yield f"{place}: header {name} removed"
        yield from self._contents(place, was, now, "answered")

    def _contents(self, place: str, was: Schema, now: Schema, way: Way) -> Iterator[str]:
        for kind, content in was.get("content", {}).items():
            if kind not in now.get("content", {}):
                yield f"{place}: {kind} removed"
            else:
                after = now["content"][kind]["schema"]
                yield from self._schema(place, content["schema"], after, way)

    def _schema(self, place: str, was: Schema, now: Schema, way: Way) -> Iterator[str]:
        if "$ref" in was or "$ref" in now:
            pair = (str(was.get("$ref", was)), str(now.get("$ref", now)), way)
            if pair in self._seen:
                return
            self._seen.add(pair)
            was, now = _resolved(self._old, was), _resolved(self._new, now)
        members = [_members(schema) for schema in (was, now)]
        if any(len(each) > 1 for each in members):
            yield from self._union(place, was, now, way)
            return
        (was,), (now,) = members
        was, now = _resolved(self._old, was), _resolved(self._new, now)
        yield from _values(place, was, now, way)
        yield from self._object(place, was, now, way)
        yield from self._array(place, was, now, way)

    def _union(self, place: str, was: Schema, now: Schema, way: Way) -> Iterator[str]:
        tags = [schema.get("discriminator", {}).get("mapping") for schema in (was, now)]
        if tags[0] is not None and tags[1] is not None:
            for value, target in tags[0].items():
                if value not in tags[1]:
                    yield f"{place}: {value} removed"
                else:
                    pair = ({"$ref": target}, {"$ref": tags[1][value]})
                    yield from self._schema(f"{place} {value}", *pair, way)
            return
        kept, added = (was, now) if way == "taken" else (now, was)
        for member in _members(kept):
            if not any(self._fits(member, other, way) for other in _members(added)):
                what = member.get("$ref", member.get("type", member))
                yield f"{place}: {what} {'removed' if way == 'taken' else 'added'}"

    def _fits(self, kept: Schema, other: Schema, way: Way) -> bool:
        """Return whether a member of a union corresponds to one of the other document's."""
        if "$ref" in kept or "$ref" in other:
            return kept.get("$ref") == other.get("$ref")
        was, now = (kept, other) if way == "taken" else (other, kept)
        return not [*self._schema("", was, now, way)]

    def _object(self, place: str, was: Schema, now: Schema, way: Way) -> Iterator[str]:
        before, after = was.get("properties", {}), now.get("properties", {})
        required = [set(schema.get("required", ())) for schema in (was, now)]
        for name, schema in before.items():
            if name not in after:
                yield f"{place}.{name}: removed"
            else:
                yield from self._schema(f"{place}.{name}", schema, after[name], way)
        if way == "answered":
            for name in (required[0] - required[1]) & after.keys():
                yield f"{place}.{name}: may be absent"
        else:
            for name in required[1] - required[0]:
                yield f"{place}.{name}: required"
        more = [schema.get("additionalProperties") for schema in (was, now)]
        if isinstance(more[0], dict) and isinstance(more[1], dict):
            yield from self._schema(f"{place}.*", more[0], more[1], way)
        elif way == "taken" and more[1] is False and more[0] is not False and was.get("type"):
            yield f"{place}: closed"

    def _array(self, place: str, was: Schema, now: Schema, way: Way) -> Iterator[str]:
        places = [schema.get("prefixItems", []) for schema in (was, now)]
        if len(places[0]) != len(places[1]):
            yield f"{place}: {len(places[1])} elements instead of {len(places[0])}"
            return
        for number, (before, after) in enumerate(zip(*places, strict=True)):
            yield from self._schema(f"{place}[{number}]", before, after, way)
        if not places[0] and "items" in was and "items" in now:
            yield from self._schema(f"{place}[]", was["items"], now["items"], way)


def _values(place: str, was: Schema, now: Schema, way: Way) -> Iterator[str]:
    """Compare what a scalar may be."""
    wide, narrow = (now, was) if way == "taken" else (was, now)
    if not _types(narrow) <= _types(wide):
        yield f"{place}: type {now.get('type')} instead of {was.get('type')}"
    choices = [_choices(schema) for schema in (wide, narrow)]
    if choices[0] is not None and (choices[1] is None or not choices[1] <= choices[0]):
        change = "removed" if way == "taken" else "added"
        yield f"{place}: values {change}, {sorted(map(str, _choices(now) or ()))} now"
    for key in ("format", "pattern", "contentMediaType"):
        if key in wide and wide[key] != narrow.get(key):
            yield f"{place}: {key} {now.get(key)} instead of {was.get(key)}"
    if way == "taken":
        for key in LOWER:
            if key in now and now[key] > was.get(key, float("-inf")):
                yield f"{place}: {key} {now[key]}"
        for key in UPPER:
            if key in now and now[key] < was.get(key, float("inf")):
                yield f"{place}: {key} {now[key]}"


def _types(schema: Schema) -> set[str]:
    kinds = schema.get("type", TYPES)
    found = {kinds} if isinstance(kinds, str) else set(kinds)
    return found | {"integer"} if "number" in found else found


def _choices(schema: Schema) -> set[Any] | None:
    if "const" in schema:
        return {schema["const"]}
    return set(schema["enum"]) if "enum" in schema else None


def _members(schema: Schema) -> list[Schema]:
    return schema.get("oneOf") or schema.get("anyOf") or [schema]


def _resolved(document: Schema, schema: Schema) -> Schema:
    while "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return schema
