"""`shiplog explain`: show a record as recorded, and as this release decides it."""

import re
from collections.abc import Iterator, Sequence
from typing import Annotated, NamedTuple

import msgspec
import typer
from msgspec import UNSET
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from games.wire import PatchOperation
from replay.explain import Explanation, World, explain
from replay.facts import Fact
from replay.report import Finding, Report
from service.cli.audit_formats import FindingLine
from service.cli.audit_output import values_of
from service.cli.options import Json
from service.cli.output import FOUND, out, print_json
from service.cli.records import facts_table, short, who
from service.cli.sources import sources

PLACE = re.compile(r"(?P<log>.+?):(?P<record>\d+)(?::(?P<event>\d+))?")
LINE = msgspec.json.Decoder(FindingLine)
REPORT = msgspec.json.Decoder(Report)

What = Annotated[
    str,
    typer.Argument(
        metavar="FINDING",
        help="LOG:RECORD or LOG:RECORD:EVENT; or a line of `audit --format ndjson`, or a report.",
    ),
]


class Place(NamedTuple):
    """A record of a log, and possibly one of its events."""

    log: str
    record: int
    event: int | None
    finding: Finding | None = None


def explain_(what: What, *, json: Json = False) -> None:
    """Explain a finding: the record as recorded and as decided, with the state before and after.

    Exits with 0 if both are the same, with 1 if they differ.
    """
    place = place_of(what)
    with sources() as source:
        history = source.history(place.log)
        secret = source.evidence(place.log).secret
        explanation = explain(history, place.record, secret)
    events = max(
        len(world.events)
        for world in (explanation.recorded, explanation.decided)
        if world is not None
    )
    if place.event is not None and not 1 <= place.event <= events:
        raise typer.BadParameter(f"Event must be between 1 and {events}, got {place.event}.")
    if json:
        print_json(explanation)
    else:
        for part in _parts(explanation, place):
            out.print(part)
    if not explanation.same:
        raise typer.Exit(FOUND)


def place_of(what: str) -> Place:
    """Return the place that an argument names. Raises `BadParameter`."""
    if what.startswith("{"):
        return _place_in(what.encode())
    if (found := PLACE.fullmatch(what)) is None:
        raise typer.BadParameter(f"Expected LOG:RECORD, such as m_1:21, got {what!r}.")
    event = found["event"]
    return Place(found["log"], int(found["record"]), None if event is None else int(event))


def _place_in(line: bytes) -> Place:
    """Return the place of a line of NDJSON, or of the first finding of a report."""
    try:
        told = LINE.decode(line)
        log, finding = told.log, told.finding
    except msgspec.DecodeError:
        try:
            report = REPORT.decode(line)
        except msgspec.DecodeError as error:
            raise typer.BadParameter(f"Not a finding or a report: {error}.") from None
        if not report.findings:
            raise typer.BadParameter(f"The report of {report.name} has no findings.") from None
        log, finding = report.name, report.findings[0]
    if not finding.record:
        raise typer.BadParameter(f"The finding `{finding.rule}` is about {log}, not a record.")
    return Place(log, finding.record, finding.event, finding)


def _parts(explanation: Explanation, place: Place) -> Iterator[RenderableType]:
    """Yield the parts of the text."""
    finding = place.finding
    if finding is not None:
        cause = "" if finding.caused_by is None else f" (follows from record {finding.caused_by})"
        yield Text(f"{finding.rule}: {finding.message}{cause}", "red")
        for line in values_of(finding):
            yield Text(line)
    actor = who(explanation.by)
    if explanation.player:
        actor = f"{actor} ({explanation.player})"
    rules = " ".join(explanation.rules)
    command = short(explanation.command)
    yield Text(f"record {explanation.record} of {explanation.match}, {explanation.at}")
    yield Text(f"{actor}: {command} {rules}".rstrip())
    if explanation.same:
        yield _world("recorded and decided", explanation.recorded, place.event)
    else:
        yield _world("recorded", explanation.recorded, place.event)
        if explanation.decided is None:
            yield Text(f"decided: nothing ({explanation.undecided})", "bold")
        else:
            yield _world("decided", explanation.decided, place.event)
            if explanation.recorded.patch is not None:
                yield _patch("from decided to recorded", explanation.patch)
    yield _facts(explanation.facts)


def _world(title: str, world: World, event: int | None) -> RenderableType:
    laid = Table.grid(padding=(0, 1))
    for number, one in enumerate(world.events, start=1):
        mark = "→" if number == event else ""
        laid.add_row(mark, str(number), Text(short(one), overflow="fold"))
    changes = [Text(line, "dim") for line in world.words]
    if world.patch is None and not world.words:
        changes = [Text("(the state before or after is not known)", "dim")]
    named = " ".join(world.rules)
    return _block(f"{title}: {named}" if named else f"{title}:", laid, *changes)


def _patch(title: str, operations: Sequence[PatchOperation]) -> RenderableType:
    laid = Table.grid(padding=(0, 1))
    for operation in operations:
        value = operation.get("value", operation.get("from", UNSET))
        text = "" if value is UNSET else msgspec.json.encode(value).decode()
        cell = Text(text, no_wrap=True, overflow="ellipsis")
        laid.add_row(operation["op"], operation["path"], cell)
    return _block(f"{title}:", laid if operations else Text("no difference", "dim"))


def _facts(facts: Sequence[Fact]) -> RenderableType:
    return _block("read:", facts_table(facts) if facts else Text("nothing of the state", "dim"))


def _block(title: str, *parts: RenderableType) -> RenderableType:
    return Group(Text(title, "bold"), Padding(Group(*parts), (0, 0, 0, 2), expand=False))
