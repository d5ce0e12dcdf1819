"""`shiplog solve` and `shiplog analyse`: find where a match could be saved or was decided."""

from pathlib import Path
from typing import Annotated

import typer
from rich.progress import Progress

from games import GAMES
from games.game import Illegal
from projections.folded import Folded
from replay.analysis import COMMANDS, ERRORS, Analysis, Mistake, analyses, last_chance
from replay.branch import recall
from replay.chart import chart
from replay.header import reveal
from replay.progress import OnProgress
from replay.solve import Solved
from replay.solve import solve as solved_of
from service.cli.options import Json, Log
from service.cli.output import FOUND, err, print_json, say, stop
from service.cli.records import refused, short
from service.cli.sources import Sources, sources

Commands = Annotated[
    int,
    typer.Option("--commands", min=1_000, help="Budget: number of commands to play."),
]
LINE_SHOWN = 60


def solve(log: Log, *, commands: Commands = COMMANDS, json: Json = False) -> None:
    """Find the best version to go back to, with all cards known, or the costliest decision.

    Exits with 1 if there is none.
    """
    with sources() as source, Progress(console=err, transient=True) as progress:
        folded = _folded(source, log)
        try:
            found = solved_of(folded.match, folded.head, commands, _noticed(progress))
        except Illegal as error:
            stop(FOUND, refused(error, folded.match.game))
    if json:
        print_json(found)
    else:
        _print_solved(found)
    if found.to is None:
        raise typer.Exit(FOUND)


def analyse(
    log: Log,
    *,
    commands: Commands = COMMANDS,
    svg: Annotated[
        Path | None, typer.Option("--svg", dir_okay=False, help="Draw the curves to a file.")
    ] = None,
    chance: Annotated[
        float | None,
        typer.Option("--chance", min=0, max=1, help="Find where each seat still had this chance."),
    ] = None,
    json: Json = False,
) -> None:
    """Analyse a match: each team's chance of winning, decisions, luck, and the worst mistakes."""
    with sources() as source, Progress(console=err, transient=True) as progress:
        folded = _folded(source, log)
        found: Analysis | None = None
        try:
            for found in analyses(folded.match, folded.head, commands, _noticed(progress)):
                progress.update(progress.task_ids[0], description=_so_far(found))
        except Illegal as error:
            stop(FOUND, refused(error, folded.match.game))
        assert found is not None, "the last analysis is complete"
        if svg is not None:
            svg.write_bytes(chart(found))
    if json:
        print_json(found)
    else:
        _print_analysis(found)
        if chance is not None:
            _print_undo_points(found, chance)


def _so_far(found: Analysis) -> str:
    return f"decisions: {len(found.compared)} compared, {len(found.mistakes)} lost games"


def _folded(source: Sources, log: str) -> Folded:
    lines, _ = source.lines(log)
    secret = reveal(lines).service_seed or source.secret(lines)
    folded = Folded.checked(GAMES, lines, secret) if secret else Folded.of(GAMES, lines)
    recall(GAMES, folded.match, source.lineage(lines))
    return folded


def _noticed(progress: Progress) -> OnProgress:
    task = progress.add_task("looking")

    def notice(done: int, total: int) -> None:
        progress.update(task, completed=done, total=total)

    return notice


def _print_solved(found: Solved) -> None:
    if found.rescue is not None:
        for look in found.rescue.looks:
            say(f"version {look.v}: {look.outcome} {look.proof}".rstrip())
    if found.to is None:
        say(f"{found.outcome}: there is no version to go back to")
        return
    say(f"{found.outcome}: go back to version {found.to}")
    if found.rescue is not None and found.rescue.losing is not None:
        lost = found.rescue.losing
        sent = "" if lost.command is None else f": seat {lost.seat}: {short(lost.command)}"
        say(f"lost by version {lost.v}{sent}")
    if found.decision is not None:
        _print_mistake(found.decision)
    for sent in found.line[:LINE_SHOWN]:
        say(f"  seat {sent.seat}: {short(sent.command)}")
    if len(found.line) > LINE_SHOWN:
        say(f"  and {len(found.line) - LINE_SHOWN} more: see --json")


def _print_analysis(found: Analysis) -> None:
    for team, seats in enumerate(found.teams):
        own = [point for point in found.points if point.team == team]
        if own:
            first, last = own[0].before, own[-1].after
            say(
                f"seats {list(seats)}: from {first.mean:.0%} ({first.low:.0%} to {first.high:.0%}) "
                f"to {last.mean:.0%} ({last.low:.0%} to {last.high:.0%})"
            )
    for mistake in found.mistakes:
        _print_mistake(mistake)
    if found.turning_point is None:
        say("no decision was shown to cost games")
    else:
        say(f"turning point: version {found.turning_point.v}")
    unclear = [each.v for each in found.compared if each.verdict == "unclear"]
    if unclear:
        say(f"unclear within the budget: {len(unclear)} decisions")
    for seat in found.seats:
        if abs(seat.luck) > ERRORS * seat.luck_error:
            say(f"luck of seat {seat.seat}: {seat.luck:+.0%} ± {ERRORS * seat.luck_error:.0%}")
    if found.open_cards is not None:
        to = found.open_cards.to
        say(f"with all cards known: {found.open_cards.outcome}" + (f", version {to}" if to else ""))


def _print_undo_points(found: Analysis, chance: float) -> None:
    for sums in found.seats:
        point = last_chance(found, sums.seat, chance)
        where = "never" if point.to is None else f"last at version {point.to}"
        say(f"seat {sums.seat}: {chance:.0%} {where}")


def _print_mistake(mistake: Mistake) -> None:
    better = mistake.better
    say(
        f"version {mistake.v}: {mistake.label} of seat {mistake.seat}: {short(mistake.command)}; "
        f"better {short(better.command)}: {better.gain:.0%} ± {ERRORS * better.error:.0%}"
    )
