"""`shiplog witness`: follow the checkpoints of a service, cosign them, and raise an alarm."""

import json
import os
import secrets
import sys
import time
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import httpx
import typer
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from events.checkpoints.merkle import ProofFailed, prove_consistency, verify_consistency
from events.checkpoints.notes import (
    COSIGNATURE,
    BadKey,
    BadNote,
    Checkpoint,
    Signer,
    Verifier,
    parse_vkey,
)
from events.checkpoints.reader import CHECKPOINT, stored_tree
from events.checkpoints.tiles import BadTile
from events.checkpoints.witness import Alarm, Witness
from events.folder import write_synced
from events.store import StoreError, Unavailable
from service.cli.answers import ANSWER_S, received
from service.cli.output import FOUND, MISUSED, stop
from service.cli.remote import no_address
from service.cli.witness_server import serving

BUSY_TRIES = 10
"""Number of looks at a file of a service that answers 429. One that never gives way is silent."""
BUSY_PAUSE_S = 1.0
ROLLBACK_TRIES = 4
"""Number of looks at a checkpoint that went back: processes of a service may lag by a second."""
ROLLBACK_PAUSE_S = 1.0

Url = Annotated[str, typer.Argument(metavar="URL", help="Address of the service.")]
Folder = Annotated[
    Path, typer.Option(metavar="DIR", help="Folder of the witness: its key, and what it saw last.")
]
Key = Annotated[
    str | None,
    typer.Option(
        metavar="VKEY",
        help="Verifier key of the log. By default the one that the service shows at first.",
    ),
]
Name = Annotated[str, typer.Option(help="Name of the witness in its cosignatures.")]
Every = Annotated[float, typer.Option(min=0.1, metavar="SECONDS", help="Time between two looks.")]
Silence = Annotated[
    float,
    typer.Option(
        min=1, metavar="SECONDS", help="Time without a larger checkpoint that raises an alarm."
    ),
]
Once = Annotated[bool, typer.Option("--once", help="Look once. Exits with 1 on silence, too.")]
Serve = Annotated[
    str | None,
    typer.Option(
        metavar="HOST:PORT",
        help="Serve the cosigned checkpoint, and add-checkpoint as C2SP's tlog-witness has it.",
    ),
]


def witness(
    url: Url,
    *,
    folder: Folder = Path("witness"),
    key: Key = None,
    name: Name = "shiplog-witness",
    every: Every = 60.0,
    silence: Silence = 3600.0,
    once: Once = False,
    serve: Serve = None,
) -> None:
    """Follow a service's checkpoint log, and cosign what only extends it.

    Prints each cosigned size as a line of JSON. Exits with 1 if the log forks or goes back, after
    printing and keeping both checkpoints. If the log is silent, prints an alarm and goes on.
    """
    if not url.startswith(("http://", "https://")):
        stop(MISUSED, no_address(url))
    files = RemoteFiles(url)
    try:
        log = _log_key(files, folder, key)
        signer = Signer(name, _own_key(folder), COSIGNATURE)
        eye = Witness(folder, log, signer)
    except (BadKey, BadNote, StoreError, httpx.HTTPError, OSError) as error:
        stop(MISUSED, error)
    _print_line(witness=str(signer.verifier), log=str(log))
    with ExitStack() as stack:
        if serve is not None:
            _print_line(serving=stack.enter_context(serving(eye, serve)))
        while True:
            why = _look(eye, files)
            quiet = quiet_s(folder, eye.latest.size if eye.latest else 0)
            silent = quiet > silence or (once and why)
            if silent:
                _alarm("silence", why or f"the log has not grown for {quiet:.0f} s")
            if once:
                raise typer.Exit(FOUND if silent else 0)
            time.sleep(every)


def quiet_s(folder: Path, size: int) -> float:
    """Return the time since the log had another size (seconds), as noted in the folder."""
    path, now = folder / "grown", time.time()
    noted, _, since = path.read_text().partition(" ") if path.exists() else ("", "", "")
    if noted != str(size):
        write_synced(path, f"{size} {now:.0f}".encode())
        return 0.0
    return now - float(since)


def _look(eye: Witness, files: "RemoteFiles") -> str:
    """Look at the log once; return why there is no valid checkpoint, or "". Exits on an alarm."""
    for tries in range(1, ROLLBACK_TRIES + 1):
        try:
            data = files.read(CHECKPOINT)
            if data is None:
                return f"{files.path(CHECKPOINT)} does not exist"
            eye.see(data, int(time.time()), files.prove)
        except Alarm as alarm:
            if alarm.kind == "rollback" and tries < ROLLBACK_TRIES:
                time.sleep(ROLLBACK_PAUSE_S)
                continue
            _alarm(alarm.kind, alarm.why, evidence=[str(path) for path in alarm.evidence])
            for path in alarm.evidence:
                typer.echo(path.read_text(), err=True)
            raise typer.Exit(FOUND) from None
        except (BadNote, BadTile, StoreError, ValueError) as error:
            return str(error)
        break
    assert eye.latest is not None, "a checkpoint was seen"
    _print_line(size=eye.latest.size, root=eye.latest.root.hex())
    return ""


class RemoteFiles:
    """The public files of a checkpoint log at a service."""

    def __init__(self, url: str) -> None:
        """Read from an address."""
        self._url = url.rstrip("/")
        self._http = httpx.Client(timeout=ANSWER_S, follow_redirects=True)

    def path(self, name: str) -> str:
        """Return the address of a file."""
        return f"{self._url}/{name}"

    def read(self, name: str) -> bytes | None:
        """Return a file, or None if there is none. Raises `Unavailable`."""
        status = 429
        for _ in range(BUSY_TRIES):
            status, data = self._answer(name)
            if status == 404:
                return None
            if status == 200:
                return data
            if status != 429:
                break
            time.sleep(BUSY_PAUSE_S)
        raise Unavailable(f"{self.path(name)}: status {status}")

    def _answer(self, name: str) -> tuple[int, bytes]:
        """Return status and body of an answer that ends soon. Raises `Unavailable`."""
        try:
            with self._http.stream("GET", self.path(name)) as answer:
                return answer.status_code, received(answer)
        except httpx.HTTPError as error:
            raise Unavailable(f"{self.path(name)}: {error}") from None

    def prove(self, old: int, new: Checkpoint) -> list[bytes]:
        """Compute the proof of consistency from the tiles. Raises `BadTile`, `Unavailable`.

        Nobody signs the tiles, so they prove a fork only if they lead to the signed root.
        """
        tree = stored_tree(self, new.size)
        proof = prove_consistency(old, new.size, tree.subtree)
        try:
            verify_consistency(old, new.size, proof, tree.root_at(old), new.root)
        except ProofFailed:
            why = f"the tiles of {self._url} do not lead to the signed root of {new.size} leaves"
            raise BadTile(why) from None
        return proof


def _log_key(files: RemoteFiles, folder: Path, given: str | None) -> Verifier:
    """Return the key of the log: as given, as kept from the first time, or as shown now."""
    path = folder / "log.vkey"
    kept = parse_vkey(path.read_text()) if path.exists() else None
    if given is not None:
        log = parse_vkey(given)
        if kept is not None and kept != log:
            raise BadKey(f"{path} has the key of another log: {kept}. Use another folder.")
    elif kept is not None:
        return kept
    else:
        shown = files.read("checkpoint/key")
        if shown is None:
            raise Unavailable(f"{files.path('checkpoint/key')} does not exist: is there a log?")
        log = parse_vkey(shown.decode(errors="replace"))
    write_synced(path, f"{log}\n".encode())
    return log


def _own_key(folder: Path) -> Ed25519PrivateKey:
    """Return the key of the witness, which is made at the first start."""
    path = folder / "key"
    if not path.exists():
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as out:
            out.write(secrets.token_hex(32) + "\n")
    try:
        return Ed25519PrivateKey.from_private_bytes(bytes.fromhex(path.read_text()))
    except ValueError:
        raise BadKey(f"{path} must have 32 bytes in hex.") from None


def _alarm(kind: str, why: str, **more: Any) -> None:
    _print_line(sys.stderr, alarm=kind, why=why, **more)


def _print_line(stream: Any = None, **fields: Any) -> None:
    line = json.dumps({"at": datetime.now(UTC).isoformat(), **fields})
    print(line, file=stream or sys.stdout, flush=True)
