"""The values of a state that a rule reads, as JSON Pointers.

`traced` copies a state into one whose lists, dicts and mutable objects note what is read of them.
A value that the command has written itself is no longer one of the facts that it read.
"""

from collections.abc import Iterable
from functools import cache
from typing import Any, cast

import msgspec
from jsonpointer import escape

READS_MAX = 200
"""Maximum number of paths that are kept."""


class Reads:
    """The paths that were read, in order."""

    def __init__(self) -> None:
        """Start without any."""
        self.paths: dict[str, None] = {}
        self._written: set[str] = set()

    def note(self, path: str) -> None:
        """Note that the value at a path was read."""
        if path in self.paths or len(self.paths) >= READS_MAX:
            return
        parts = path.split("/")
        heads = ["/".join(parts[:size]) for size in range(2, len(parts) + 1)]
        if not any(head in self._written or head in self.paths for head in heads):
            self.paths[path] = None

    def write(self, path: str) -> None:
        """Note that the value at a path was written."""
        self._written.add(path)


def traced(value: Any, reads: Reads, path: str = "") -> Any:
    """Return a copy of a state, or of a part of one, that notes what is read of it."""
    kind = cast("type[Any]", type(value))
    if kind in (list, _List):
        items = (traced(one, reads, f"{path}/{at}") for at, one in enumerate(value))
        return _List(items, reads, path)
    if kind is tuple:
        return tuple(traced(one, reads, f"{path}/{at}") for at, one in enumerate(value))
    if kind in (dict, _Dict):
        parts = {key: traced(one, reads, _below(path, key)) for key, one in value.items()}
        return _Dict(parts, reads, path)
    if issubclass(kind, msgspec.Struct) and not kind.__struct_config__.frozen:
        fields = {
            name: traced(getattr(value, name), reads, _below(path, encoded))
            for name, encoded in _names(kind).items()
        }
        copy = _subclass(kind)(**fields)
        own = object.__getattribute__(copy, "__dict__")
        own["reads"], own["path"] = reads, path
        return copy
    return value


def untraced(value: Any) -> Any:
    """Return a plain copy of a value that may be traced. No read is noted."""
    kind = cast("type[Any]", type(value))
    if kind in (list, _List):
        return [untraced(one) for one in list[Any].__iter__(value)]
    if kind is tuple:
        return tuple(map(untraced, value))
    if kind in (dict, _Dict):
        return {key: untraced(one) for key, one in dict[Any, Any].items(value)}
    if (plain := _kind_of(value)) is None:
        return value
    names = plain.__struct_fields__
    return plain(**{name: untraced(plain.__getattribute__(value, name)) for name in names})


def _below(path: str, key: object) -> str:
    return f"{path}/{escape(str(key))}"


def _is_leaf(value: Any) -> bool:
    """Return whether reading a value tells something: no part of it notes its own reads."""
    kind = cast("type[Any]", type(value))
    if kind is tuple:
        return all(map(_is_leaf, value))
    return not isinstance(value, _List | _Dict) and _kind_of(value) is None


class _List(list[Any]):
    """A list that notes what is read of it."""

    def __init__(self, items: Iterable[Any], reads: Reads, path: str) -> None:
        super().__init__(items)
        self._reads, self._path = reads, path

    def _read(self) -> None:
        self._reads.note(self._path)

    def _write(self) -> None:
        self._reads.write(self._path)

    def __getitem__(self, place: Any) -> Any:
        value = super().__getitem__(place)
        if not isinstance(place, int):
            self._read()
        elif _is_leaf(value):
            self._reads.note(f"{self._path}/{place % len(self)}")
        return value


class _Dict(dict[Any, Any]):
    """A dict that notes what is read of it."""

    def __init__(self, items: dict[Any, Any], reads: Reads, path: str) -> None:
        super().__init__(items)
        self._reads, self._path = reads, path

    def _read(self) -> None:
        self._reads.note(self._path)

    def _write(self) -> None:
        self._reads.write(self._path)

    def __getitem__(self, key: Any) -> Any:
        value = super().__getitem__(key)
        if _is_leaf(value):
            self._reads.note(_below(self._path, key))
        return value

    def get(self, key: Any, default: Any = None) -> Any:
        try:
            return self[key]
        except KeyError:
            self._read()
            return default


_READERS: dict[type, tuple[str, ...]] = {
    _List: ("__iter__", "__contains__", "__eq__", "__ne__", "__add__", "__mul__", "__reversed__",
            "index", "count", "copy", "__lt__", "__gt__", "__le__", "__ge__"),
    _Dict: ("__iter__", "__contains__", "__eq__", "__ne__", "__or__", "items", "values", "keys",
            "copy"),
}  # fmt: skip
_WRITERS: dict[type, tuple[str, ...]] = {
    _List: ("__setitem__", "__delitem__", "__iadd__", "append", "extend", "insert", "remove",
            "pop", "clear", "sort", "reverse"),
    _Dict: ("__setitem__", "__delitem__", "__ior__", "update", "pop", "popitem", "clear",
            "setdefault"),
}  # fmt: skip


def _noting(kind: Any, name: str, note: str) -> Any:
    inherited = getattr(kind.__mro__[1], name)

    def call(self: Any, *given: Any, **more: Any) -> Any:
        getattr(self, note)()
        return inherited(self, *given, **more)

    return call


_TRACED: tuple[type, ...] = (_List, _Dict)

for _made in _TRACED:
    for _name in _READERS[_made]:
        setattr(_made, _name, _noting(_made, _name, "_read"))
    for _name in _WRITERS[_made]:
        setattr(_made, _name, _noting(_made, _name, "_write"))


@cache
def _names(kind: type[msgspec.Struct]) -> dict[str, str]:
    return dict(zip(kind.__struct_fields__, kind.__struct_encode_fields__, strict=True))


_KINDS: dict[type, type[msgspec.Struct]] = {}
"""The Struct that a traced class stands for."""


def _kind_of(value: Any) -> type[msgspec.Struct] | None:
    return _KINDS.get(cast("type[Any]", type(value)))


@cache
def _subclass(kind: type[msgspec.Struct]) -> Any:
    names = _names(kind)

    def read(self: Any, name: str) -> Any:
        value = kind.__getattribute__(self, name)
        if name in names and _is_leaf(value):
            own = kind.__getattribute__(self, "__dict__")
            own["reads"].note(_below(own["path"], names[name]))
        return value

    def write(self: Any, name: str, value: Any) -> None:
        if name in names:
            own = kind.__getattribute__(self, "__dict__")
            own["reads"].write(_below(own["path"], names[name]))
        kind.__setattr__(self, name, value)

    def copy(self: Any) -> Any:
        own = kind.__getattribute__(self, "__dict__")
        return traced(untraced(self), own["reads"], own["path"])

    methods = {"__getattribute__": read, "__setattr__": write, "copy": copy}
    made = msgspec.defstruct(kind.__name__, [], bases=(kind,), namespace=methods, dict=True)
    _KINDS[made] = kind
    return made
