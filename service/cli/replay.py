"""`shiplog replay`: print a match record by record, or step through it."""

from collections.abc import Iterator, Sequence
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from games import GAMES
from games.match.clocks import SECOND
from replay.diff import diff
from replay.history import History
from replay.timeline import Moment, timeline, turn_from
from replay.travel import NoSuchVersion, Sight
from service.cli.options import Json, Log, Seat, Spectator
from service.cli.output import out, print_json, say
from service.cli.records import kind_of, short, style_of, who
from service.cli.sources import history_as_seen

KEYS = "Enter: next · b: back · t, bt: by turn · a number: that version · q: quit"

First = Annotated[int, typer.Option("--from", min=1, help="First version.")]
Last = Annotated[int | None, typer.Option("--to", min=1, help="Last version.")]


def replay(
    log: Log,
    first: First = 1,
    last: Last = None,
    *,
    seat: Seat = None,
    spectator: Spectator = False,
    step: Annotated[
        bool, typer.Option("--step", help="Step through it, and show what changes.")
    ] = False,
    json: Json = False,
) -> None:
    """Replay a match: who did what, when, and how long it took. Undone records are struck out."""
    if last is not None and last < first:
        raise typer.BadParameter(f"--to {last} is before --from {first}.")
    with history_as_seen(log, seat, spectator=spectator) as (history, sight):
        moments = timeline(GAMES, history.lines, sight)
        if first > len(moments):
            raise NoSuchVersion(first, len(moments))
        chosen = moments[first - 1 : last]
        if json:
            print_json(chosen)
        elif step:
            _step(history, sight, moments, chosen)
        else:
            out.print(table(chosen))


def table(moments: Sequence[Moment]) -> Table:
    """Return a table of a timeline."""
    columns = ("v", "turn", "at", "by", "think", "left", "undone by", "command", "events")
    laid = Table(*columns, box=None, pad_edge=False)
    for moment in moments:
        style = style_of(moment.undone_by)
        laid.add_row(*(Text(text, style) for text in _row(moment)))
    return laid


def _row(moment: Moment) -> Iterator[str]:
    yield str(moment.v)
    yield str(moment.turn)
    yield moment.at[11:23]
    yield who(moment.by)
    yield _seconds(moment.think_us)
    yield _seconds(moment.clock_left_us)
    yield "" if moment.undone_by is None else str(moment.undone_by)
    yield "" if moment.command is None else short(moment.command)
    yield ", ".join(kind_of(event) for event in moment.events)


def _seconds(micros: int | None) -> str:
    return "" if micros is None else f"{micros / SECOND:.1f}"


def _step(
    history: History, sight: Sight, moments: Sequence[Moment], chosen: Sequence[Moment]
) -> None:
    """Show one record at a time, with its changes, until the user quits."""
    first, last = chosen[0].v, chosen[-1].v
    at = first
    while True:
        out.print(table([moments[at - 1]]))
        if at > 1:
            for line in diff(history, sight, at - 1, at).words:
                say(line)
        answer = typer.prompt(f"[{at}/{last}] {KEYS}", default="", show_default=False).strip()
        if answer == "q" or (answer == "" and at == last):
            return
        at = min(max(_asked(answer, moments, at), first), last)


def _asked(answer: str, moments: Sequence[Moment], at: int) -> int:
    match answer:
        case "b":
            return at - 1
        case "t":
            return moments[turn_from(moments, at - 1, 1)].v
        case "bt":
            return moments[turn_from(moments, at - 1, -1)].v
        case _:
            return int(answer) if answer.isdigit() else at + 1
