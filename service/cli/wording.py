"""Commands and events in words, from the catalogue of a game (docs/web.md)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import msgspec

from games import GAMES
from service.base.codes import BLANK
from service.cli.boards import board_of

Json = Mapping[str, Any]

SEATS = frozenset(
    ("seat", "target", "owner", "first_seat", "board_seat", "to_seat", "by", "winner", "winners")
)
"""Fields whose values are seats."""
MATCH_EVENTS: Json = {
    "match_created": "",
    "match_started": "The match started.",
    "seat_taken": "{{seat}} joined.",
    "bot_seated": "{{seat}} joined.",
    "seat_freed": "A seat is free again.",
    "timed_out": "{{seat}} ran out of time.",
    "seat_away": "{{seat}} is away.",
    "seat_back": "{{seat}} is back.",
    "seat_resigned": "{{seat}} left.",
    "proposal_made": "{{seat}} made a request.",
    "proposal_answered": "",
    "proposal_closed": "The request was closed.",
    "standing_orders_set": "",
    "undone": "{{seat}} took a move back.",
    "match_paused": "The match was paused.",
    "match_resumed": "The match went on.",
    "match_finished": "The match is over.",
    "match_abandoned": "The match was abandoned.",
}


@cache
def catalogue(slug: str) -> Json:
    """Return the English words of a game; empty if it has none, or is not installed here."""
    folder = GAMES[slug].files.words if slug in GAMES else None
    path = None if folder is None else folder / "en.json"
    if path is None or not path.exists():
        return {}
    return msgspec.json.decode(path.read_bytes())


@dataclass(frozen=True)
class Speaker:
    """Names the things of one match for one viewer."""

    slug: str
    view: Json | None
    """The game's view in plain form. None before the start."""
    names: Sequence[str]
    """Names of the seats."""

    def name(self, seat: int) -> str:
        """Name a seat. -1 is nobody."""
        return self.names[seat] if 0 <= seat < len(self.names) else "nobody"

    def say(self, key: str, /, **values: Any) -> str:
        """Return a text of the catalogue with its blanks filled; the key if there is none.

        As in i18next, `context` and `count` select a variant of the text.
        """
        text = self._text(key, values)
        return key.rpartition(".")[2].replace("_", " ") if text is None else _filled(text, values)

    def value(self, field: str, value: Any) -> str:
        """Name one value of a field."""
        own = board_of(self.slug).value(field, value, self)
        if own is not None:
            return own
        match value:
            case bool():
                return "yes" if value else "no"
            case int() if field in SEATS:
                return self.name(value)
            case None | [] | "":
                return "none"
            case list():
                return ", ".join(self.value(field, part) for part in value)
            case dict():
                return ", ".join(f"{key} {self.value(key, part)}" for key, part in value.items())
            case str():
                known = self._text(f"values.{value}", {})
                return value.replace("_", " ") if known is None else known
            case _:
                return str(value)

    def command(self, command: Json) -> str:
        """Describe a command."""
        values = self._values(command)
        text = self._text(f"commands.{command['type']}", values)
        if text is not None:
            return _filled(text, values)
        return self._spelled(self.say(f"families.{command['type']}"), command)

    def event(self, event: Json) -> str:
        """Describe an event; "" if it needs no words."""
        values = self._values(event)
        own = self._text(f"events.{event['type']}", values)
        text = MATCH_EVENTS.get(event["type"]) if own is None else own
        if text is not None:
            return _filled(text, values)
        if "events" in catalogue(self.slug):
            return ""
        spelled = self._spelled(event["type"].replace("_", " "), event)
        seat = event.get("seat")
        return f"{spelled}." if seat is None else f"{self.value('seat', seat)}: {spelled}."

    def _values(self, thing: Json) -> dict[str, Any]:
        plain = {
            field: value
            if isinstance(value, int)
            and not isinstance(value, bool)
            and field not in SEATS
            and board_of(self.slug).value(field, value, self) is None
            else self.value(field, value)
            for field, value in thing.items()
            if field != "type"
        }
        return plain | dict(board_of(self.slug).more(thing, self))

    def _spelled(self, name: str, thing: Json) -> str:
        fields = (
            f"{field.replace('_', ' ')} {self.value(field, value)}"
            for field, value in thing.items()
            if field not in ("type", "seat") and value not in (None, [], "")
        )
        return " ".join((name, ", ".join(fields))).strip()

    def _text(self, key: str, values: Json) -> str | None:
        *groups, last = key.split(".")
        texts: Any = catalogue(self.slug)
        for group in groups:
            texts = texts.get(group, {})
        for name in _variants(last, values):
            if isinstance(text := texts.get(name), str):
                return text
        return None


def _variants(name: str, values: Json) -> list[str]:
    count = values.get("count")
    forms = [] if count is None else [*(["zero"] if count == 0 else []), _plural(count)]
    context = values.get("context")
    stems = [name] if context is None else [f"{name}_{context}", name]
    return [variant for stem in stems for variant in (*(f"{stem}_{f}" for f in forms), stem)]


def _plural(count: Any) -> str:
    return "one" if count == 1 else "other"


def _filled(text: str, values: Json) -> str:
    return BLANK.sub(lambda blank: str(values.get(blank[1], blank[0])), text)
