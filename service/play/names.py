"""Names of players: nicknames as in RFC 8266 (PRECIS), in which something is visible.

Their letters are of one script, so that nobody writes "Ada" with Cyrillic letters among Latin ones.
"""

import unicodedata
from typing import Annotated

from msgspec import Meta
from precis_i18n import get_profile

from service.base.problems import Problem
from service.play.look_alikes import mixed_scripts

LENGTH_MAX = 40
Name = Annotated[str, Meta(min_length=1, max_length=LENGTH_MAX)]
NICKNAME = get_profile("NicknameCasePreserved")
VISIBLE = frozenset("LNPS")
"""First letters of the Unicode categories of characters that show by themselves."""
MARKS = frozenset("\u221a\u2611\u2713\u2714\u2705\U0001f5f8\U0001f5f9")
"""Check marks. The page marks the names that are a player's own with one."""
BLANK = frozenset("\u2800\U0001d159\ufffc")
"""Symbols without a shape: an empty Braille pattern, a null notehead, a missing object."""


def nickname(text: str) -> str:
    """Return a name in its normal form, without needless spaces; raises `Problem` 400."""
    try:
        name = NICKNAME.enforce(text)
    except UnicodeEncodeError:
        raise bad_name("Use letters, digits, punctuation, symbols and single spaces.") from None
    if len(name) > LENGTH_MAX:
        raise bad_name(f"In its normal form it has {len(name)} characters, at most {LENGTH_MAX}.")
    if not any(_is_visible(character) for character in name):
        raise bad_name("Nothing in it is visible.")
    if not MARKS.isdisjoint(name):
        raise bad_name("It has a check mark, which marks names that a player owns.")
    if scripts := mixed_scripts(name):
        mixed = " and ".join(script.title() for script in scripts)
        raise bad_name(f"It mixes {mixed} letters, which may look the same. Use one script.")
    return name


def bad_name(detail: str) -> Problem:
    """Refuse a name."""
    return Problem(400, "bad-name", f"This cannot be a name. {detail}").at(pointer="/name")


def _is_visible(character: str) -> bool:
    return unicodedata.category(character)[0] in VISIBLE and character not in BLANK
