"""A short log, and the statement of its head with which it is archived."""

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from events.chain import sign
from tests.events.lines import chain_of, head_of

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
LINES = chain_of(5)


def signed(match, lines):
    return sign(KEY, "service", match, len(lines), head_of(lines))


HEAD = signed("m_1", LINES)
