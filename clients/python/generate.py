"""Generate the typed part of the client from the OpenAPI document of the service.

Run: python generate.py OPENAPI.JSON, with openapi-python-client installed. It writes
`shiplog_client/generated`. A build does the same with `openapi.json` in this folder, unless the
folder exists.
"""

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:  # as a script, without the build system
    BuildHookInterface = object

HERE = Path(__file__).resolve().parent
UNIONS = '''"""Unions of models: what refuses a request, the records of a stream, and notices."""

from .models import (
{imports}
)

Refused = (
    {refused}
)
ToldRecord = (
    {told}
)
TOLD: dict[str, type[ToldRecord]] = {{
{by_game}
}}
"""Type of a record by game."""
Notice = (
    {notices}
)
NOTICES: dict[str, type[Notice]] = {{
{by_type}
}}
"""Type of a notice by its `type`."""
'''


def generate(document: Path, package: Path) -> None:
    """Generate `package/generated` from a document; raises `CalledProcessError`."""
    target = package / "generated"
    shutil.rmtree(target, ignore_errors=True)
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as config:
        config.write("post_hooks: []\n")
        config.flush()
        program = "from openapi_python_client.cli import app; app()"
        options = ("--path", document, "--output-path", target, "--config", config.name)
        command = [sys.executable, "-c", program, "generate", *options, "--meta", "none"]
        subprocess.run(command, check=True)  # noqa: S603
    names = (target / "models" / "__init__.py").read_text()
    exported = names.partition("__all__ = (")[2].partition(")")[0]
    models = [name.strip(' "\n') for name in exported.split(",")]
    refused = [name for name in models if name.endswith(("Problem", "Refused"))]
    told = [name for name in models if name.endswith("ToldRecord")]
    slugs = {name: _slug(name.removesuffix("ToldRecord")) for name in told}
    notices = _members(document, "Notice")
    (target / "unions.py").write_text(
        UNIONS.format(
            imports="\n".join(f"    {name}," for name in (*refused, *told, *notices.values())),
            refused="\n    | ".join(refused),
            told="\n    | ".join(told),
            by_game="\n".join(f'    "{slug}": {name},' for name, slug in slugs.items()),
            notices="\n    | ".join(notices.values()),
            by_type="\n".join(f'    "{tag}": {name},' for tag, name in notices.items()),
        )
    )
    (target / "py.typed").touch()


def _members(document: Path, union: str) -> dict[str, str]:
    """Return the members of a union in the document, by the tags that tell them apart."""
    schema = json.loads(document.read_text())["components"]["schemas"][union]
    found: dict[str, str] = schema["discriminator"]["mapping"]
    return {tag: name.rpartition("/")[2] for tag, name in found.items()}


def _slug(name: str) -> str:
    return "".join(f"_{part.lower()}" if part.isupper() else part for part in name).lstrip("_")


class GeneratedClient(BuildHookInterface):  # type: ignore[type-arg, misc]
    """Generate the client before a wheel or a source distribution is built."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        """Generate it unless it exists; raises if the document is missing."""
        package = Path(self.root) / "shiplog_client"
        document = Path(self.root) / "openapi.json"
        if (package / "generated").is_dir():
            return
        if not document.exists():
            raise FileNotFoundError(f"{document} is missing. Run: shiplog schema > {document}")
        generate(document, package)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("Usage: python generate.py OPENAPI.JSON")
    generate(Path(sys.argv[1]), HERE / "shiplog_client")
