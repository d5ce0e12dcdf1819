"""Records as the verbs print them: who acted, with what command, and what the rule read."""

from collections.abc import Sequence

import msgspec
from rich.table import Table
from rich.text import Text

from games.game import AnyGame, Illegal
from games.match.commands import Actor
from replay.facts import Fact
from service.base.problems import ruled_out


def who(by: Actor | None) -> str:
    """Return the name of an actor."""
    if by is None:
        return "?"
    if by.seat is not None:
        return f"seat {by.seat}"
    return by.player or by.operator or "clock"


def kind_of(value: msgspec.Struct) -> str:
    """Return the type of a command or event."""
    return str(value.__struct_config__.tag)


def short(value: msgspec.Struct) -> str:
    """Return a command or event on one line."""
    fields = msgspec.to_builtins(value)
    kind = fields.pop("type")
    told = " ".join(
        f"{name}={msgspec.json.encode(value).decode()}" for name, value in fields.items() if value
    )
    return f"{kind} {told}".rstrip()


def refused(error: Illegal, game: AnyGame) -> str:
    """Return the code of a refusal, and what it means."""
    problem = ruled_out(error, game)
    return f"{problem.code}: {problem.detail}"


def style_of(undone_by: int | None) -> str:
    """Return the style of a record, which is struck out if another one has undone it."""
    return "" if undone_by is None else "dim strike"


def facts_table(facts: Sequence[Fact]) -> Table:
    """Return a table of what a rule read, and of the records that set it."""
    laid = Table("path", "set by", "value", box=None, pad_edge=False)
    for fact in facts:
        value = Text(msgspec.json.encode(fact.value).decode(), no_wrap=True, overflow="ellipsis")
        laid.add_row(fact.path, f"record {fact.set_by}" if fact.set_by else "start", value)
    return laid
