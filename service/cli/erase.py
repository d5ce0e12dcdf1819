"""`shiplog erase`: erase a player. Logs contain only ids, so none is rewritten."""

from typing import Annotated

import typer

from service.base.problems import Problem
from service.cli.output import FOUND, out, stop
from service.cli.sources import sources

Player = Annotated[str, typer.Argument(help="ID of the player.")]


def erase(
    player: Player,
    *,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")] = False,
) -> None:
    """Erase a player's name, identity, tokens and talk for good. Matches keep only the id."""
    if not yes:
        typer.confirm(f"Erase {player}? This cannot be undone.", abort=True)
    with sources() as source:
        try:
            context = source.open()
            source.run(context.erasure.erase(player))
        except Problem as problem:
            stop(FOUND, f"{problem.code}: {problem.detail}")
    out.print(f"Erased {player}.")
    out.print(
        "The append file of the log keeps the name until `shiplog worker` has it rewritten, within "
        "two hours (`shiplog doctor` tells). Backups keep it until they are deleted."
    )
