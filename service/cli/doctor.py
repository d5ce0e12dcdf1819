"""`shiplog doctor`: find what is wrong with this installation, and what to do."""

import asyncio

import msgspec
import typer
from rich.table import Table
from rich.text import Text

from service.base import logs
from service.base.environment import load
from service.base.settings import BadSetting
from service.cli.options import Json
from service.cli.output import FOUND, MISUSED, out, print_json, stop
from service.process import doctor as physician

COLOURS = {"ok": "green", "warn": "yellow", "bad": "red"}


def doctor(*, json: Json = False) -> None:
    """Check settings, keys, disk, both Redis, clocks, queues, workers and lags. Changes nothing.

    Exits with 0 if all is well, 1 if something needs attention, 2 if the settings are invalid.
    """
    logs.configure("error")
    try:
        found = asyncio.run(physician.examine(load()))
    except BadSetting as error:
        stop(MISUSED, error)
    if json:
        print_json(msgspec.to_builtins(found))
    else:
        table = Table("check", "", "found", "do")
        for one in found:
            table.add_row(one.check, Text(one.state, COLOURS[one.state]), one.says, one.do)
        out.print(table)
    if any(one.state != "ok" for one in found):
        raise typer.Exit(FOUND)
