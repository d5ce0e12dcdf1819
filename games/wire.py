"""Values that Structs hold in plain or unnamed form, marked for the API document.

The document replaces a mark by types. Those of a game's values are the types of one game if the
Struct has a field `game`, else of all games.
"""

from typing import Annotated, Any

from msgspec import Meta

MARK = "x-typed"
"""Key of the mark in a JSON schema."""
END = r"\Z"
"""The end of a text in a pattern of Python."""


def matching(pattern: str) -> Meta:
    """Return the constraint that a pattern matches all of a text.

    Python's `$` also matches before a newline at the end. The API document has `$` all the same,
    for the regular expressions of other languages (`portable`).
    """
    return Meta(pattern=f"^{pattern}{END}")


def portable(pattern: str) -> str:
    """Return a pattern as other languages write it (ECMA 262)."""
    return pattern.removesuffix(END) + "$" * pattern.endswith(END)


GameCommand = Annotated[Any, Meta(extra_json_schema={MARK: "Command"})]
"""A command of the game."""
PlainCommand = Annotated[dict[str, Any], Meta(extra_json_schema={MARK: "Command"})]
"""A command of the game that is not decoded yet."""
GameEvent = Annotated[Any, Meta(extra_json_schema={MARK: "Event"})]
"""An event of the game."""
GameView = Annotated[Any, Meta(extra_json_schema={MARK: "View"})]
GameState = Annotated[Any, Meta(extra_json_schema={MARK: "State"})]
GameOptions = Annotated[dict[str, Any], Meta(extra_json_schema={MARK: "Options"})]
"""Options of the game in plain form."""
RecordedCommand = Annotated[Any, Meta(extra_json_schema={MARK: "RecordedCommand"})]
"""A command of the game or of the match."""
RecordedEvent = Annotated[Any, Meta(extra_json_schema={MARK: "RecordedEvent"})]
"""An event of the game or of the match."""
MatchResult = Annotated[Any, Meta(extra_json_schema={MARK: "MatchResult"})]
"""The result of the game, or of a match that ended because seats left."""

Time = Annotated[
    str,
    Meta(
        extra_json_schema={
            "format": "date-time",
            "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$",
        }
    ),
]
"""A time in answers: RFC 3339, UTC, with microseconds."""

JsonSchema = Annotated[dict[str, Any], Meta(extra_json_schema={MARK: "JsonSchema"})]
PatchOperation = Annotated[dict[str, Any], Meta(extra_json_schema={MARK: "PatchOperation"})]
"""An operation of a JSON Patch (RFC 6902)."""
