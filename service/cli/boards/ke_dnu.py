"""The board of To the Bottom: the shop, the ships with their crews, and the hands."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.console import Group
from rich.text import Text

from games.ke_dnu.components import CARDS as BOX
from service.cli.boards import Speaker
from service.cli.boards.chart import facts

CARDS = frozenset(
    (
        "card", "cards", "seal", "host", "pay", "source", "blocker", "revealed", "removed", "shop",
    )
)  # fmt: skip
CAUSES = frozenset(("janitor", "proletarian"))
PLACES = frozenset(("positions", "take", "put"))


def draw(view: Mapping[str, Any], you: int | None, speaker: Speaker) -> Group:
    """Draw the shop and every ship; below, the stack of effects that wait for answers."""
    phase = speaker.say(f"phases.{view['phase']}")
    title = Text.assemble(
        (phase, "bold"), f", round {view['round']}, {view['points']} points to spend"
    )
    return Group(title, facts(_facts(view, you, speaker)))


def value(field: str, value: Any, speaker: Speaker) -> str | None:
    """Name cards, their causes and their places."""
    if isinstance(value, str):
        if field == "victims":
            return _victim(value, speaker)
        if field == "source" and "_" not in value:
            return None
        if field in CARDS:
            return _card(value, speaker) if value else "-"
        if field == "cause":
            return speaker.say(f"cards.{value}") if value in CAUSES else None
    if isinstance(value, int) and field in PLACES:
        return str(value + 1)
    return None


def more(thing: Mapping[str, Any], speaker: Speaker) -> Mapping[str, Any]:
    """Return the variants of sentences."""
    match thing["type"]:
        case "jettison":
            return {"points": _thrown(thing["card"])}
        case "jettison_pair":
            return {"points": 2 * _thrown(thing["card"])}
        case "play":
            if thing.get("host"):
                return {"context": "host"}
            return {"context": "target"} if (thing.get("target") or -1) >= 0 else {}
        case "place_story":
            return {"context": "host" if thing.get("host") else thing["where"]}
        case "activate" | "react" | "use_flapper":
            return {"on": _objects(thing, speaker)}
        case "action_announced":
            flapper = {"context": "flapper"} if thing.get("source") == "flapper" else {}
            return {"on": _objects(thing, speaker)} | flapper
        case "jettisoned":
            return {"context": _how(thing)}
        case "points_gained":
            return {"context": "house"} if thing["cause"] == "house" else {}
        case "cards_drawn":
            cards = thing["cards"]
            seen = bool(cards) and "?" not in cards
            return {"context": "seen" if seen else "hidden", "count": len(cards)}
        case "picked":
            cards = thing["cards"]
            return {"context": "hidden" if "?" in cards else "seen", "count": len(cards)}
        case "play_announced":
            return {"context": thing["via"]}
        case "card_played":
            return {"context": "host" if thing.get("host") else "own"}
        case "moved":
            return {
                "context": "own" if thing["seat"] == thing["to_seat"] else "across",
                "from": speaker.say(f"zones.{thing['zone']}"),
                "to": speaker.say(f"zones.{thing['to_zone']}"),
            }
        case "story_placed":
            return {"context": thing["where"]}
        case "closed":
            return {"context": thing["kind"]}
        case "voyage_ended":
            return {"context": thing["reason"]}
        case "game_over":
            return {"context": thing["result"]["reason"]}
        case _:
            return {}


def _facts(
    view: Mapping[str, Any], you: int | None, speaker: Speaker
) -> Iterator[tuple[str, str | Text]]:
    yield "Shop", ", ".join(f"{_card(card, speaker)} ({BOX[card].value})" for card in view["shop"])
    yield "Shop deck", f"{view['shop_deck_count']} cards"
    for number, seat in enumerate(view["seats"]):
        label = "You" if number == you else speaker.name(number)
        counts = f"hand {seat['hand_count']}, deck {seat['deck_count']}, water {len(seat['water'])}"
        yield label, f"{seat['status']}: {counts}"
        yield "  aboard", ", ".join(_berth(berth, speaker) for berth in seat["board"])
        yield "  hand", Text(_listed(seat["hand"] or (), speaker), "cyan")
        yield "  top", _listed(seat["top"], speaker)
    for frame in view["stack"]:
        yield (
            "Waits",
            ", ".join(
                f"{field.replace('_', ' ')} {_card(value, speaker) if field in CARDS else value}"
                for field, value in frame.items()
                if isinstance(value, str) and value and field != "type"
            ),
        )


def _berth(berth: Mapping[str, Any], speaker: Speaker) -> str:
    name = _card(berth["card"], speaker)
    return f"{name} with {_card(berth['host'], speaker)}" if berth.get("host") else name


def _listed(cards: Sequence[str], speaker: Speaker) -> str:
    return ", ".join(_card(card, speaker) for card in cards)


def _type(card: str) -> str:
    return re.sub(r"_\d+$", "", card)


def _card(card: str, speaker: Speaker) -> str:
    return "hidden card" if card == "?" else speaker.say(f"cards.{_type(card)}")


def _thrown(card: str) -> int:
    return BOX[card].jettison_points if card in BOX else 0


def _objects(thing: Mapping[str, Any], speaker: Speaker) -> str:
    """Name the objects of an effect, as in ": Captain"; empty if there are none."""
    parts = [_victim(card, speaker) for card in thing.get("victims") or ()]
    parts += [_card(card, speaker) for card in thing.get("cards") or ()]
    if isinstance(target := thing.get("target"), int) and target >= 0:
        parts.append(speaker.name(target))
    if thing["type"] == "react":
        parts += [f"{place + 1}." for place in thing.get("positions") or ()]
    return f": {', '.join(parts)}" if parts else ""


def _victim(card: str, speaker: Speaker) -> str:
    name = _card(card, speaker)
    for number, seat in enumerate((speaker.view or {}).get("seats", ())):
        if any(berth["card"] == card for berth in seat["board"]) or card in (seat["hand"] or ()):
            return speaker.say("ofSeat", what=name, seat=number + 1)
    return name


def _how(event: Mapping[str, Any]) -> str:
    if _type(event["card"]) == "rose":
        return "rose"
    if event.get("cause") == "pay":
        return "pay"
    gains = (event.get("points") or 0) > 0 or event.get("cause") in ("jettison", "pair")
    return "points" if gains else "plain"
