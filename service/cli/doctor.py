"""`shiplog doctor`: what is wrong with this installation, and what to do about it."""

import asyncio

import msgspec
import typer
from rich.table import Table

from service.base import logs
from service.base.settings import BadSetting, load
from service.cli.sources import FOUND, MISUSED, Json, out, print_json, stop
from service.process import doctor as physician

MARKS = {"ok": "[green]ok[/]", "warn": "[yellow]warn[/]", "bad": "[red]bad[/]"}


def doctor(*, json: Json = False) -> None:
    """Check settings, keys, disk, both Redis, clocks, queues, workers and lags. Changes nothing.

    0: all is well. 1: something needs attention. 2: the settings can't be used.
    """
    logs.configure("error")
    try:
        found = asyncio.run(physician.examine(load()))
    except BadSetting as error:
        stop(MISUSED, str(error))
    if json:
        print_json(msgspec.to_builtins(found))
    else:
        table = Table("check", "", "found", "do")
        for one in found:
            table.add_row(one.check, MARKS[one.state], one.says, one.do)
        out.print(table)
    if any(one.state != "ok" for one in found):
        raise typer.Exit(FOUND)
