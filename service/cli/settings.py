"""`shiplog settings`: print all settings as a Markdown table."""

import inspect
import re
from types import NoneType
from typing import Annotated, Any, Literal, get_args, get_origin

import msgspec
import typer

from service.base.settings import PREFIX, Settings

HEADER = """# Settings

Settings are environment variables. `shiplog settings` prints this page.

| variable | type | default | meaning |
|---|---|---|---|
"""


def settings() -> None:
    """Print the table of docs/settings.md."""
    typer.echo(table(), nl=False)


def table() -> str:
    """Return the page."""
    notes = _notes()
    rows = [
        f"| `{PREFIX}{field.name.upper()}` | {_type(field.type)} | `{field.default}` "
        f"| {notes[field.name]} |"
        for field in msgspec.structs.fields(Settings)
    ]
    return HEADER + "\n".join(rows) + "\n"


def _notes() -> dict[str, str]:
    """Return the docstrings of the fields, each on one line."""
    fields = re.compile(r'^    (\w+): [^\n]*\n    """(.*?)"""$', re.MULTILINE | re.DOTALL)
    found = fields.findall(inspect.getsource(Settings))
    return {name: " ".join(text.split()) for name, text in found}


def _type(kind: Any) -> str:
    """Return the type of a setting in words."""
    if get_origin(kind) is Annotated:
        return _type(get_args(kind)[0])
    if get_origin(kind) is Literal:
        return " or ".join(f"`{value}`" for value in get_args(kind))
    name: str = next(part for part in get_args(kind) or (kind,) if part is not NoneType).__name__
    return {"str": "text", "int": "number", "bool": "true or false"}.get(name, name.lower())
