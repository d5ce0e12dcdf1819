"""Makes calls and records them as examples of the OpenAPI document."""

from typing import Any

import httpx


class Examples:
    """Requests and answers by operation, status and name."""

    def __init__(self, http: httpx.AsyncClient, operations: dict[tuple[str, str], str]) -> None:
        """Record calls of documented operations."""
        self.http = http
        self._operations = operations
        self.recorded: dict[str, dict[str, dict[str, Any]]] = {}

    async def call(
        self,
        method: str,
        template: str,
        name: str = "example",
        *,
        who: str = "",
        body: Any = None,
        content: bytes | None = None,
        query: dict[str, Any] | None = None,
        headers: dict[str, str] | None = None,
        **path: str,
    ) -> Any:
        """Make a call and record it; return the body of the answer."""
        operation = self._operations[method, template]
        given = {**(bearer(who) if who else {}), **(headers or {})}
        answer = await self.http.request(
            method,
            template.format(**path),
            json=body,
            content=content,
            params=query,
            headers=given,
        )
        found = self.recorded.setdefault(operation, {})
        if body is not None and answer.is_success:
            found.setdefault("request", {})[name] = body
        if answer.content:
            value = _event(answer.text) if "event-stream" in _kind(answer) else answer.json()
            name = name if answer.is_success else value["code"]
            found.setdefault(str(answer.status_code), {})[name] = value
            return value
        return None


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def _kind(answer: httpx.Response) -> str:
    return answer.headers.get("content-type", "")


def _event(text: str) -> dict[str, Any]:
    """Return the last record, notice or showing of a stream in the fields of server-sent events.

    The places of notices follow from the clock of Redis.
    """
    parts = [
        dict(line.split(": ", 1) for line in part.splitlines() if ": " in line)
        for part in text.replace("\r\n", "\n").split("\n\n")
    ]
    placed = [fields for fields in parts if "id" in fields]
    if not placed:
        shown = next(fields for fields in parts if fields.get("event") == "showing")
        return {"event": shown["event"], "data": shown["data"]}
    fields = placed[-1]
    place = int(fields["id"]) if fields["event"] == "record" else "1795262400000-0"
    return {"event": fields["event"], "id": place, "data": fields["data"]}
