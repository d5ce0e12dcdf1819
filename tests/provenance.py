"""Say in a signed statement from which commit and locks a file was built, and check it.

    python -m tests.provenance state dist/shiplog-1.0-py3-none-any.whl --key release.pem
    python -m tests.provenance check dist/shiplog-1.0-py3-none-any.whl --key release-public.pem

The statement stands beside the file, with the suffix `.intoto.json`: an in-toto Statement v1 with
SLSA provenance v1, in a DSSE envelope that is signed with Ed25519. It names no time: whoever builds
the same commit and signs with the same key gets the same bytes.
"""

import argparse
import json
import subprocess
import sys
from base64 import b64decode, b64encode
from hashlib import sha256
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    PublicFormat,
    load_pem_private_key,
    load_pem_public_key,
)

ROOT = Path(__file__).parents[1]
PAYLOAD = "application/vnd.in-toto+json"
STATEMENT = "https://in-toto.io/Statement/v1"
PREDICATE = "https://slsa.dev/provenance/v1"
BUILD = "urn:shiplog:make-wheel:v1"
BUILDER = "urn:shiplog:builder:release-key"
LOCKS = ("requirements.lock", "web/package-lock.json", "web/pyodide.lock")
GIT_S = 60


class Unproven(Exception):
    """A statement can't be made, or does not hold; the message says why."""


def git(*words: str, root: Path) -> str:
    """Return what git says of a repository."""
    command = ("git", "-C", str(root), *words)
    done = subprocess.run(command, capture_output=True, text=True, timeout=GIT_S, check=False)
    if done.returncode != 0:
        raise Unproven(f"git {words[0]} failed: {done.stderr.strip()}")
    return done.stdout.strip()


def statement(built: Path, source: str, root: Path = ROOT) -> dict[str, Any]:
    """Return what a file was built from: the commit, and the locks that name all else by hash.

    Raises `Unproven` if the tree has changes that are in no commit.
    """
    if changed := git("status", "--porcelain", root=root):
        raise Unproven(f"commit or remove these changes first, no commit has them:\n{changed}")
    commit = git("rev-parse", "HEAD", root=root)
    sources = [{"uri": f"git+{source}", "digest": {"gitCommit": commit}}]
    locks = [
        {"uri": f"git+{source}#{name}", "digest": {"sha256": digest(root / name)}} for name in LOCKS
    ]
    definition = {
        "buildType": BUILD,
        "externalParameters": {"source": sources[0], "command": "make wheel"},
        "internalParameters": {},
        "resolvedDependencies": [*sources, *locks],
    }
    return {
        "_type": STATEMENT,
        "subject": [{"name": built.name, "digest": {"sha256": digest(built)}}],
        "predicateType": PREDICATE,
        "predicate": {"buildDefinition": definition, "runDetails": {"builder": {"id": BUILDER}}},
    }


def digest(file: Path) -> str:
    """Return the SHA-256 of a file in hexadecimal digits."""
    return sha256(file.read_bytes()).hexdigest()


def encoded(kind: str, payload: bytes) -> bytes:
    """Return what is signed: DSSE's pre-authentication encoding."""
    name = kind.encode()
    return b"DSSEv1 %d %b %d %b" % (len(name), name, len(payload), payload)


def name_of(key: Ed25519PublicKey) -> str:
    """Return the id of a key: the start of its digest."""
    return sha256(key.public_bytes(Encoding.Raw, PublicFormat.Raw)).hexdigest()[:16]


def sign(stated: dict[str, Any], key: Ed25519PrivateKey) -> bytes:
    """Return the envelope with a statement."""
    payload = json.dumps(stated, sort_keys=True, separators=(",", ":")).encode()
    signature = b64encode(key.sign(encoded(PAYLOAD, payload))).decode()
    signatures = [{"keyid": name_of(key.public_key()), "sig": signature}]
    envelope = {
        "payloadType": PAYLOAD,
        "payload": b64encode(payload).decode(),
        "signatures": signatures,
    }
    return json.dumps(envelope, indent=2).encode() + b"\n"


def check(envelope: bytes, built: Path, key: Ed25519PublicKey) -> str:
    """Return the source and commit that a file was built from.

    Raises `Unproven` unless the key signed a statement of provenance about these very bytes.
    """
    try:
        sealed = json.loads(envelope)
        payload = b64decode(sealed["payload"], validate=True)
        signed = encoded(sealed["payloadType"], payload)
        signatures = [b64decode(one["sig"], validate=True) for one in sealed["signatures"]]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise Unproven(f"this is no DSSE envelope: {error!r}") from error
    if not any(holds(key, signature, signed) for signature in signatures):
        raise Unproven(f"no signature is by the key {name_of(key)}")
    try:
        stated = json.loads(payload)
        kinds = (sealed["payloadType"], stated["_type"], stated["predicateType"])
        named = [one["digest"]["sha256"] for one in stated["subject"]]
        source = stated["predicate"]["buildDefinition"]["resolvedDependencies"][0]
        origin = f"{source['uri']} at {source['digest']['gitCommit']}"
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise Unproven(f"this is no statement of provenance: {error!r}") from error
    if kinds != (PAYLOAD, STATEMENT, PREDICATE):
        raise Unproven(f"this states something else: {', '.join(kinds)}")
    if digest(built) not in named:
        raise Unproven(f"{built.name} has another digest than the file that was stated")
    return origin


def holds(key: Ed25519PublicKey, signature: bytes, signed: bytes) -> bool:
    """Return whether a key made a signature."""
    try:
        key.verify(signature, signed)
    except InvalidSignature:
        return False
    return True


def main(words: list[str] | None = None) -> str:
    """Carry out the command line; return what to print."""
    asked = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    asked.add_argument("verb", choices=("state", "check"))
    asked.add_argument("file", type=Path)
    asked.add_argument("--key", type=Path, required=True, help="PEM file: private, or public")
    asked.add_argument("--source", help="address of the repository; its origin by default")
    given = asked.parse_args(words)
    beside = given.file.with_name(f"{given.file.name}.intoto.json")
    pem = given.key.read_bytes()
    if given.verb == "check":
        public = load_pem_public_key(pem)
        if not isinstance(public, Ed25519PublicKey):
            raise Unproven(f"{given.key} is no Ed25519 key")
        return f"{given.file.name} was built from {check(beside.read_bytes(), given.file, public)}"
    private = load_pem_private_key(pem, None)
    if not isinstance(private, Ed25519PrivateKey):
        raise Unproven(f"{given.key} is no Ed25519 key")
    source = given.source or git("config", "--get", "remote.origin.url", root=ROOT)
    beside.write_bytes(sign(statement(given.file, source), private))
    return f"stated in {beside}"


if __name__ == "__main__":
    try:
        print(main())
    except (Unproven, OSError, ValueError) as error:
        sys.exit(f"provenance: {error}")
