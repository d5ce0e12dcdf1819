"""What Chromium traces of a page: the tasks of its main thread, in processor time.

Elapsed time of a busy machine says little; processor time says what the page itself takes.
"""

from typing import Any

from playwright.sync_api import CDPSession, Page

CATEGORIES = ("toplevel", "devtools.timeline", "disabled-by-default-devtools.timeline")
TASK = "RunTask"
MAIN = "CrRendererMain"


class Trace:
    """A trace of one page, from its start to `stop`."""

    def __init__(self, page: Page, session: CDPSession) -> None:
        """Start it."""
        self._page = page
        self._session = session
        self._events: list[dict[str, Any]] = []
        self._over = False
        session.on("Tracing.dataCollected", self._collect)
        session.on("Tracing.tracingComplete", self._end)
        config = {"includedCategories": list(CATEGORIES)}
        session.send("Tracing.start", {"transferMode": "ReportEvents", "traceConfig": config})

    def _collect(self, part: dict[str, Any]) -> None:
        self._events += part["value"]

    def _end(self, _: object) -> None:
        self._over = True

    def stop(self) -> list[float]:
        """Return the milliseconds of each task of the main thread, longest first."""
        self._session.send("Tracing.end")
        while not self._over:
            self._page.wait_for_timeout(20)
        threads = {
            (event["pid"], event["tid"])
            for event in self._events
            if event.get("name") == "thread_name" and event["args"]["name"] == MAIN
        }
        tasks = [
            event.get("tdur", 0) / 1_000
            for event in self._events
            if event.get("ph") == "X"
            and TASK in event["name"]
            and (event["pid"], event["tid"]) in threads
        ]
        return sorted(tasks, reverse=True)
