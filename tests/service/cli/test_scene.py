"""What the terminal tells of a match."""

from typing import Any

from rich.console import Console

from service.cli.scene import show_news


class Service:
    """A service that answers with records."""

    def __init__(self, *records: list[dict[str, Any]]) -> None:
        self._records = records

    def get(self, path: str) -> dict[str, Any]:
        after = int(path.rpartition("=")[2])
        told = [{"v": v, "events": events} for v, events in enumerate(self._records, 1)]
        return {"version": len(told), "records": told[after:]}


def match(*, left: bool) -> dict[str, Any]:
    seats = [
        {"seat": seat, "name": name, "bot": None, "left": left and seat == 0}
        for seat, name in enumerate(("Ada", "Bob"))
    ]
    return {"match": "m_1", "game": "tranquility", "view": None, "seats": seats}


def news(service: Any, shown: dict[str, Any], told: int) -> str:
    console = Console(width=80)
    with console.capture() as capture:
        assert show_news(console, service, shown, told) == 3
    return capture.get()


def test_only_the_moves_after_a_player_left_are_automatic():
    late, gone = {"type": "timed_out", "seat": 0}, {"type": "seat_resigned", "seat": 0}
    service = Service([late], [gone], [late])
    for left in (False, True):  # the match may be of before the records, or of after
        lines = news(service, match(left=left), 0).splitlines()
        assert [line.split(maxsplit=1)[1].strip() for line in lines] == [
            "Ada ran out of time.",
            "Ada left.",
            "Ada moved automatically.",
        ]
    assert news(service, match(left=True), 2).split() == ["3", "Ada", "moved", "automatically."]
