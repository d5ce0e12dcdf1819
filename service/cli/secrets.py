"""`shiplog secrets`: create a secret file, rotate and revoke signing keys, and list them."""

from pathlib import Path
from typing import Annotated

import typer

from events.checkpoints.reader import LogBroken, read_checkpoint
from events.folder import Folder
from events.keyring import Revocation
from events.record import at_text, exact_micros
from events.store import StoreError
from service.base import keys
from service.base.clock import now_micros
from service.base.environment import load
from service.base.keys import BadSecrets, Keys, SecretFile, fresh
from service.base.settings import BadSetting
from service.cli.output import MISUSED, err, print_json, stop

app = typer.Typer(add_completion=False)

File = Annotated[
    Path | None,
    typer.Option("--file", help="Secret file; by default that of the settings."),
]


@app.callback(invoke_without_command=True)
def secrets(context: typer.Context) -> None:
    """Print a new secret file, or rotate, revoke and list signing keys.

    Keep the file safe, and use the same for all processes.
    """
    if context.invoked_subcommand is None:
        typer.echo(fresh(), nl=False)


@app.command()
def rotate(
    file: File = None,
    *,
    signing: Annotated[
        str,
        typer.Option(
            metavar="KEY",
            help="The new key: `env:NAME`, or `command:PROGRAM`; by default one in the file.",
        ),
    ] = "",
) -> None:
    """Replace the signing key. The old one goes into the history, without its private half.

    Restart all processes afterwards.
    """
    path = _path(file)
    try:
        before = keys.read(path)
        after = keys.rotated(before, signing)
        keys.replace(path, after)
    except (BadSecrets, OSError) as error:
        stop(MISUSED, error)
    old, new = Keys(before).service, Keys(after).service
    err.print(f"{path}: key {new} replaces {old}. Restart all processes.")


@app.command()
def revoke(
    key: Annotated[str, typer.Argument(metavar="KEY", help="Id of a key that was replaced.")],
    file: File = None,
    *,
    reason: Annotated[str, typer.Option(help="Why: everybody can read it.")],
    at: Annotated[
        str,
        typer.Option(
            metavar="TIME",
            help="What the key signed over anything later does not count, such as "
            "2026-11-21T09:00:00.000000Z; by default now.",
        ),
    ] = "",
    size: Annotated[
        int | None,
        typer.Option(
            min=0,
            help="Number of leaves of the checkpoint log at that time; by default now. Heads that "
            "entered it later do not count.",
        ),
    ] = None,
) -> None:
    """Revoke a signing key. Restart all processes afterwards."""
    path = _path(file)
    now = at_text(now_micros())
    try:
        exact_micros(at or now)
    except ValueError as error:
        raise typer.BadParameter(f"--at {at}: {error}.") from None
    if at > now:
        raise typer.BadParameter(f"--at {at} is in the future: it is {now} now.")
    try:
        before = keys.read(path)
        revocation = Revocation(at or now, reason, _size(before, size))
        keys.replace(path, keys.revoked(before, key, revocation))
    except (BadSecrets, BadSetting, LogBroken, StoreError, OSError) as error:
        stop(MISUSED, error)
    counts = (
        "There is no checkpoint log, so a thief can date heads back"
        if revocation.size is None
        else f"Only heads among the first {revocation.size} leaves of the checkpoint log count"
    )
    err.print(f"{path}: key {key} is revoked. {counts}. Restart all processes.")


@app.command("keys")
def public(file: File = None) -> None:
    """Print the public keys with their history, as `GET /keys` answers."""
    try:
        print_json(Keys(keys.read(_path(file))).ring.keys)
    except (BadSecrets, OSError) as error:
        stop(MISUSED, error)


def _size(file: SecretFile, given: int | None) -> int | None:
    """Return the size for a revocation. A given one does for a log that cannot be read."""
    try:
        leaves = _leaves(file)
    except (BadSetting, LogBroken, StoreError):
        if given is None:
            raise
        return given
    if given is not None and leaves is not None and given > leaves:
        raise typer.BadParameter(f"--size {given}: the checkpoint log has only {leaves} leaves.")
    return leaves if given is None else given


def _leaves(file: SecretFile) -> int | None:
    """Return the number of leaves of the checkpoint log, or None if there is none."""
    settings = load()
    if (place := settings.checkpoints_place) is None:
        return None
    log = Keys(file).checkpoint_signer(settings.checkpoint_origin).verifier
    published = read_checkpoint(Folder(place), log)
    return None if published is None else published.size


def _path(file: Path | None) -> Path:
    try:
        return file or load().secrets_path
    except BadSetting as error:
        stop(MISUSED, error)
