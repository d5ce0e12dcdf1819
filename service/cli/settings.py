"""`shiplog settings`: every setting, as a Markdown table made from the code."""

import inspect
import re
from types import NoneType
from typing import Annotated, Any, Literal, get_args, get_origin

import msgspec
import typer

from service.base.settings import PREFIX, Settings

HEADER = """# Settings

From the environment alone; made by `shiplog settings`.

| variable | type | default | meaning |
|---|---|---|---|
"""


def settings() -> None:
    """Print the table of docs/settings.md."""
    typer.echo(table(), nl=False)


def table() -> str:
    """Write the table."""
    notes = _notes()
    rows = [
        f"| `{PREFIX}{field.name.upper()}` | {_type(field.type)} | `{field.default}` | {notes[field.name]} |"
        for field in msgspec.structs.fields(Settings)
    ]
    return HEADER + "\n".join(rows) + "\n"


def _notes() -> dict[str, str]:
    """Read the docstrings under the fields."""
    found = re.findall(
        r"^    (\w+): .*\n    \"\"\"(.*)\"\"\"$", inspect.getsource(Settings), re.MULTILINE
    )
    return dict(found)


def _type(kind: Any) -> str:
    """Name a setting's type in words."""
    if get_origin(kind) is Annotated:
        return _type(get_args(kind)[0])
    if get_origin(kind) is Literal:
        return " or ".join(f"`{value}`" for value in get_args(kind))
    name: str = next(part for part in get_args(kind) or (kind,) if part is not NoneType).__name__
    return {"str": "text", "int": "number", "bool": "true or false"}.get(name, name.lower())
