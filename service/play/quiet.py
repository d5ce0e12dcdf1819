"""Quiet hours: when a player is not to be disturbed, by the clock where the player lives."""

from datetime import datetime, time, timedelta
from functools import cache
from typing import Annotated
from zoneinfo import ZoneInfo, available_timezones

import msgspec
from msgspec import Meta

from games.match.clocks import SECOND
from service.base.problems import Problem

Hour = Annotated[str, Meta(pattern="^([01][0-9]|2[0-3]):[0-5][0-9]$")]


class Quiet(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Hours of each day in which nothing is sent. What is still true then comes afterwards."""

    start: Hour
    """Local time at which they begin, such as `22:00`."""
    end: Hour
    """Local time at which they end; on the next day if it is earlier than `start`."""
    zone: Annotated[str, Meta(max_length=64)]
    """IANA time zone, such as `Europe/Prague`."""

    def check(self) -> None:
        """Raise `Problem` 422 if the time zone is unknown."""
        if self.zone not in _zones():
            raise Problem(
                422,
                "unknown-time-zone",
                f"Unknown time zone {self.zone!r}. Expected an IANA name such as Europe/Prague.",
            )

    def until(self, now: int) -> int | None:
        """Return when the quiet hours end that a time is in (microseconds); None outside them."""
        local = datetime.fromtimestamp(now // SECOND, ZoneInfo(self.zone))
        clock = local.time()
        start, end = time.fromisoformat(self.start), time.fromisoformat(self.end)
        overnight = start > end
        if not (clock >= start or clock < end if overnight else start <= clock < end):
            return None
        day = local.date() + timedelta(days=clock >= end)
        return int(datetime.combine(day, end, local.tzinfo).timestamp()) * SECOND


@cache
def _zones() -> frozenset[str]:
    return frozenset(available_timezones())
