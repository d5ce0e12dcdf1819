"""The command `shiplog`: run the command line, unless another package hides one of Shiplog's.

Shiplog installs packages with generic names. Another installed package, or a folder on PYTHONPATH,
may have the same one.
"""

import sys
from importlib.util import find_spec
from pathlib import Path

PACKAGES = ("games", "events", "projections", "replay", "service")
ROOT = Path(__file__).resolve().parent


def main() -> None:
    """Run the command line. Exit with 2 if a package is not Shiplog's own."""
    if wrong := next(filter(None, map(mixed_up, PACKAGES)), ""):
        print(f"shiplog: {wrong}", file=sys.stderr)  # noqa: T201 - nothing else is imported yet
        sys.exit(2)
    from service.cli import main as run  # noqa: PLC0415 - not before the check

    run()


def mixed_up(package: str) -> str:
    """Return why importing a package would not load Shiplog's own, or "" if it would."""
    ours = ROOT / package / "__init__.py"
    spec = find_spec(package)
    found = None if spec is None else spec.origin
    if found is None:
        return f"The package {package!r} is missing: expected {ours}. Install Shiplog again."
    if Path(found).resolve() != ours:
        return (
            f"The package {package!r} would be imported from {found}, not from {ours}. "
            "Remove it from PYTHONPATH, or install Shiplog in an environment of its own."
        )
    owners = [
        record.parent.stem for record in ROOT.glob("*.dist-info/RECORD") if _has(record, ours)
    ]
    if len(owners) > 1:
        return (
            f"{ours} was installed by several packages: {', '.join(sorted(owners))}. "
            "Install Shiplog in an environment of its own."
        )
    return ""


def _has(record: Path, file: Path) -> bool:
    """Return whether an installed package's list of files has a file."""
    return f"\n{file.relative_to(ROOT).as_posix()}," in "\n" + record.read_text()
