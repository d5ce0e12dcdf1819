"""A log and a witness that sign."""

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from events.checkpoints.notes import COSIGNATURE, Signer

ORIGIN = "shiplog.example/log"
LOG = Signer(ORIGIN, Ed25519PrivateKey.from_private_bytes(b"\x01" * 32))
WITNESS = Signer(
    "witness.example/w1", Ed25519PrivateKey.from_private_bytes(b"\x02" * 32), COSIGNATURE
)
