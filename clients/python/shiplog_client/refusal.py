"""Refusals as exceptions."""

from typing import Any, TypeVar

import httpx

from shiplog_client.generated.unions import Refused

T = TypeVar("T")


class Refusal(Exception):
    """The service refused a request."""

    def __init__(self, status: int, code: str, detail: str, problem: dict[str, Any]) -> None:
        """Create the error from a problem document (RFC 9457)."""
        super().__init__(f"{code}: {detail}")
        self.status = status
        self.code = code
        """Stable reason of the refusal."""
        self.problem = problem
        """The whole document, in plain form."""

    @property
    def errors(self) -> list[dict[str, str]]:
        """The wrong places: `detail` with a `pointer` into the body, `parameter` or `header`."""
        return self.problem.get("errors", [])


def foreign_refusal(answer: httpx.Response) -> Refusal | None:
    """Return the refusal for an answer that is not Shiplog's: of a proxy, or of another server.

    None for an answer of Shiplog, whose refusals are all problem documents.
    """
    kind = answer.headers.get("Content-Type", "").partition(";")[0]
    is_foreign = answer.is_error and kind != "application/problem+json"
    if not is_foreign and kind != "text/html":
        return None
    why = f"{answer.status_code} with {kind or 'no content type'} is not what Shiplog answers."
    return Refusal(answer.status_code, "unavailable", f"{why} Check the URL and the proxy.", {})


def accepted(answer: T | Refused | None) -> T:
    """Return the answer of a generated call; raises `Refusal` if it is a problem."""
    if answer is None:
        raise Refusal(0, "unknown-answer", "The answer is not described by the document.", {})
    if isinstance(answer, Refused):
        problem = answer.to_dict()
        raise Refusal(problem["status"], problem["code"], problem["detail"], problem)
    return answer
