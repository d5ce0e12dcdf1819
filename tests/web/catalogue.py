"""Words of the page, and the plural forms of its languages."""

import re
from typing import Any

PLURALS = {"en": {"one", "other"}, "cs": {"one", "few", "many", "other"}}
FORM = re.compile(r"_(zero|one|few|many|other)$")


def flat(words: dict[str, Any], prefix: str = "") -> dict[str, str]:
    """Return a catalogue as path: text."""
    found: dict[str, str] = {}
    for key, value in words.items():
        path = f"{prefix}{key}"
        found |= flat(value, f"{path}.") if isinstance(value, dict) else {path: value}
    return found
