"""Codes that people copy by hand: letters and digits of Crockford's base 32, in groups of five."""

import secrets

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
GROUP = 5
READ_AS = str.maketrans("OIL", "011", " -\t\r\n")
"""Characters that are easily confused, and those that only part the groups."""


def fresh_code(groups: int) -> str:
    """Return a random code. Each group has 25 bits."""
    return code_of(b"".join(secrets.token_bytes(GROUP) for _ in range(groups)))


def code_of(data: bytes) -> str:
    """Return the code of random bytes, one for each character."""
    characters = "".join(ALPHABET[byte % len(ALPHABET)] for byte in data)
    return "-".join(characters[at : at + GROUP] for at in range(0, len(characters), GROUP))


def as_read(code: str) -> str:
    """Return the characters of a code that somebody typed."""
    return code.upper().translate(READ_AS)
