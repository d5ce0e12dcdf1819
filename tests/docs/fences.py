"""Examples of the documentation: fences that name a language, and some a file."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
FENCE = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def fences(path: Path) -> list[tuple[str, str, str]]:
    """Return language, file name and text of a page's examples."""
    return FENCE.findall(path.read_text())


def named(page: str) -> dict[str, str]:
    """Return the examples of a page whose fences name a file."""
    return {name: text for _, name, text in fences(DOCS / page) if name}
