"""What a service's checkpoint log says, and another that its key has signed."""

import hmac
import json

import httpx
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from events.checkpoints.merkle import leaf_hash
from events.checkpoints.notes import Checkpoint, Signer, parse_vkey, signed, verified
from tests.e2e.service import wait_until


def latest(service):
    """Return what the log says now, verified with the key that it shows."""
    log = parse_vkey(httpx.get(f"{service.url}/checkpoint/key").text)
    return verified(httpx.get(f"{service.url}/checkpoint").content, log)[0]


def at_least(service, size):
    def large():
        answer = httpx.get(f"{service.url}/checkpoint")
        return answer.status_code == 200 and latest(service).size >= size

    wait_until(large)
    return latest(service)


def another_history(service, size):
    """Return a checkpoint of another tree, signed with the service's key."""
    keys = json.loads((service.data / "secrets.json").read_bytes())
    seed = hmac.digest(bytes.fromhex(keys["signing"]), b"shiplog-checkpoint-1", "sha256")
    origin = latest(service).origin
    signer = Signer(origin, Ed25519PrivateKey.from_private_bytes(seed))
    text = Checkpoint(origin, size, leaf_hash(b"another history")).text
    return signed(text, [signer.sign(text)])
