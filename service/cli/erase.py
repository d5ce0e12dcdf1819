"""`shiplog erase`: forget a person. No log is touched."""

from typing import Annotated

import typer

from service.base.problems import Problem
from service.cli.sources import FOUND, out, sources, stop
from service.process.erasure import erase as erase_player

Player = Annotated[str, typer.Argument(help="The player's id.")]


def erase(
    player: Player,
    *,
    yes: Annotated[bool, typer.Option("--yes", help="Don't ask.")] = False,
) -> None:
    """Forget a player's name, identity, tokens and talk, for good; matches keep the bare id."""
    if not yes:
        typer.confirm(f"Erase {player}? This can't be taken back.", abort=True)
    with sources() as source:
        try:
            source.run(erase_player(source.open(), player))
        except Problem as problem:
            stop(FOUND, f"{problem.code}: {problem.detail}")
    out.print(f"{player} is erased", highlight=False)
