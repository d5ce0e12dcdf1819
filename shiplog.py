"""The way into Shiplog: the command line, and `LocalMatch` for programs (docs/library.md).

Shiplog's packages have generic names. Another installed package, or a folder on PYTHONPATH, may
have the same one. Nothing is loaded if so.
"""

import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from replay.local import LocalMatch

__all__ = ["LocalMatch", "main"]

PACKAGES = ("games", "events", "projections", "replay", "service")
ROOT = Path(__file__).resolve().parent


def main() -> None:
    """Run the command line.

    Exit with 2 if a package is not Shiplog's own, and with 130 after Ctrl-C.
    """
    try:
        if wrong := next(foreign(), None):
            print(f"shiplog: {wrong}", file=sys.stderr)  # noqa: T201 - nothing else is imported yet
            sys.exit(2)
        from service.cli import main as run  # noqa: PLC0415 - not before the check

        run()
    except KeyboardInterrupt:
        sys.exit(130)


def __getattr__(name: str) -> Any:
    """Load `LocalMatch` when it is first used. Raises `ImportError` if a package is not ours."""
    if name != "LocalMatch":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if wrong := next(foreign(), None):
        raise ImportError(wrong)
    from replay.local import LocalMatch  # noqa: PLC0415 - not before the check

    return LocalMatch


def foreign() -> Iterator[str]:
    """Yield why importing a package would not load Shiplog's own files."""
    for package in PACKAGES:
        ours = ROOT / package / "__init__.py"
        spec = find_spec(package)
        if spec is None or spec.origin is None:
            yield f"The package {package!r} is missing: expected {ours}. Install Shiplog again."
        elif Path(spec.origin).resolve() != ours:
            yield (
                f"The package {package!r} would be imported from {spec.origin}, not from {ours}. "
                "Remove it from PYTHONPATH, or install Shiplog into an environment of its own."
            )
    for record in ROOT.glob("*.dist-info/RECORD"):
        installed = b"\n" + record.read_bytes()
        for package in PACKAGES:
            if b"\n%s/__init__.py," % package.encode() in installed and not _is_ours(record):
                yield (
                    f"{record.parent.name.removesuffix('.dist-info')} has installed a package "
                    f"{package!r} over Shiplog's own in {ROOT}. "
                    "Install Shiplog again, into an environment of its own."
                )


def _is_ours(record: Path) -> bool:
    return record.parent.name.startswith("shiplog-")
