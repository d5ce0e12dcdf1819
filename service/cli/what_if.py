"""`shiplog what-if`: replay a match without one of its commands, or with another instead."""

from typing import Annotated, Any

import msgspec
import typer

from games import GAMES
from games.game import AnyGame, Illegal
from projections.folded import Folded
from replay.what_if import WhatIf, take_back
from service.cli.options import Json, Log
from service.cli.output import FOUND, print_json, say, stop
from service.cli.records import refused, short
from service.cli.sources import sources

Version = Annotated[int, typer.Argument(min=1, help="Version of the command in the log.")]
Instead = Annotated[
    str | None,
    typer.Option("--instead", metavar="JSON", help="Command that the same seat sends instead."),
]
Skip = Annotated[
    bool, typer.Option("--skip", help="Skip commands that are no longer legal, and continue.")
]


def what_if(
    log: Log, version: Version, *, instead: Instead = None, skip: Skip = False, json: Json = False
) -> None:
    """Undo a past command and replay the later ones by the rules. Nothing is changed.

    Exits with 1 if a later command is no longer legal; the first one is printed.
    """
    with sources() as source:
        lines, _ = source.lines(log)
        game = Folded(GAMES, lines[0]).match.game
        command = None if instead is None else _command(game, instead)
        try:
            found = take_back(
                GAMES,
                lines,
                version,
                service_seed=source.secret(lines),
                instead=command,
                skip=skip,
            )
        except Illegal as error:
            stop(FOUND, refused(error, game))
    if json:
        print_json(found)
    else:
        _print(found, game)
    if found.first_illegal is not None:
        raise typer.Exit(FOUND)


def _command(game: AnyGame, text: str) -> Any:
    try:
        return msgspec.json.decode(text, type=game.Command)
    except msgspec.MsgspecError as error:
        raise typer.BadParameter(f"Invalid command in --instead: {error}") from None


def _print(found: WhatIf, game: AnyGame) -> None:
    say(f"version {found.v}: seat {found.seat} undoes {short(found.command)}")
    if found.instead is not None:
        say(f"and plays {short(found.instead)}")
    later = len(found.replayed) - (found.instead is not None)
    say(f"{later} later commands are still legal")
    for left in found.left_out:
        why = refused(Illegal(left.code, **left.details), game)
        say(f"version {left.v}: seat {left.seat}: {short(left.command)}: {why}")
    if found.not_tried:
        say(f"{found.not_tried} later commands were not tried")
    result = "goes on" if found.result is None else f"is over: {msgspec.to_builtins(found.result)}"
    say(f"the game then {result}")
