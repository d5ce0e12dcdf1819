"""`shiplog restore`: restore a backup, or what the log has lost, and build the projections."""

import asyncio
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from redis.exceptions import RedisError
from rich.progress import Progress

from events.backup import SECRETS, BadBackup, Manifest
from games import GAMES
from projections.rebuild import Busy
from projections.rebuild import rebuild as rebuild_rows
from projections.refold import Stopped
from projections.rows import Rows
from service.base import logs
from service.base.environment import load
from service.base.keys import Keys, encoded, make, read
from service.base.settings import Settings
from service.cli.output import FOUND, MISUSED, err, out, stop
from service.cli.progress import COLUMNS
from service.cli.sources import UNREACHABLE
from service.process import backup
from service.process.context import opened
from service.process.errata import all_errata

Folder = Annotated[
    Path, typer.Argument(metavar="DIR", exists=True, file_okay=False, help="A backup.")
]
CheckOnly = Annotated[
    bool, typer.Option("--check", help="Only check the backup, without any server.")
]


Missing = Annotated[
    bool,
    typer.Option(
        "--missing", help="Restore only what the log has lost. Nothing that it has is changed."
    ),
]


def restore(folder: Folder, *, check: CheckOnly = False, missing: Missing = False) -> None:
    """Check a backup, restore it into an empty log, read it back, and build the projections."""
    if check and missing:
        raise typer.BadParameter("Use --check or --missing, not both.")
    try:
        settings = load()
        logs.configure("warning")
        manifest, restored = asyncio.run(_restore(settings, folder, check=check, missing=missing))
    except (BadBackup, backup.NotEmpty, Stopped) as error:
        stop(FOUND, error)
    except UNREACHABLE as error:
        stop(MISUSED, error)
    except (RedisError, Busy) as error:
        stop(
            MISUSED,
            f"The log is restored, but not the projections: {error!r}. Run: shiplog rebuild",
        )
    did = "checked" if check else "restored"
    out.print(
        f"{did}: {restored.matches} matches, {restored.records} records, "
        f"{restored.players} players, as of {manifest.begun}\n"
        f"SHA-256 of the manifest: {backup.fingerprint(manifest)}",
        soft_wrap=True,
    )
    left = [*manifest.damaged, *restored.different]
    for damage in left:
        err.print(f"not {did}: {damage.match}: {damage.why}", style="red", soft_wrap=True)
    if left:
        raise typer.Exit(FOUND)


def _secrets(path: Path, saved: Path) -> Path:
    """Return the secret file, or the backup's if there is none. A new one would fit no match."""
    if path.exists():
        return path
    if not saved.exists():
        stop(MISUSED, f"Secret file {path} is missing: copy the one that the backup was made with.")
    return saved


async def _restore(
    settings: Settings, folder: Path, *, check: bool, missing: bool
) -> tuple[Manifest, backup.Restored]:
    with Progress(*COLUMNS, console=err) as bar:

        def shown(name: str) -> backup.Progress:
            task = bar.add_task(name, total=None)
            return lambda done, total: bar.update(task, completed=done, total=total)

        path = settings.secrets_path
        secrets = read(_secrets(path, folder / SECRETS))
        keys = Keys(secrets)
        manifest = await backup.check(folder, keys, shown("check"))
        if (key := keys.ring.find(manifest.service)) is not None and key.revoked is not None:
            err.print(
                f"Key {key.service}, which signed the backup, was revoked at {key.revoked.at}. A "
                "thief of the key can date a backup back. Compare the SHA-256 of the manifest with "
                "the one that `shiplog backup` printed.",
                soft_wrap=True,
            )
        if check:
            records = sum(entry.version for entry in manifest.matches)
            return manifest, backup.Restored(
                len(manifest.matches), records, manifest.players, different=()
            )
        if not path.exists():
            make(path, encoded(secrets))
        async with opened(settings) as context:
            restored = await backup.restore(
                context.store, folder, manifest, shown("restore"), missing=missing
            )
            errata = partial(all_errata, context)
            rows = Rows(context.work)
            await rebuild_rows(context.store, GAMES, rows, shown("rebuild"), errata)
        return manifest, restored
