"""The codes of problems, with their meaning and the way out in each language."""

from pathlib import Path

import msgspec

Explanation = tuple[str, str]
"""What a code means, and the way out."""


class Code(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A code of the service, or of the rules that all matches share."""

    status: int
    en: Explanation
    cs: Explanation


CODES: dict[str, Code] = msgspec.toml.decode(
    Path(__file__).with_name("problems.toml").read_bytes(), type=dict[str, Code]
)
