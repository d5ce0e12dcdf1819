"""Refusals as exceptions."""

from typing import Any, TypeVar

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


def accepted(answer: T | Refused | None) -> T:
    """Return the answer of a generated call; raises `Refusal` if it is a problem."""
    if answer is None:
        raise Refusal(0, "unknown-answer", "The answer is not described by the document.", {})
    if isinstance(answer, Refused):
        problem = answer.to_dict()
        raise Refusal(problem["status"], problem["code"], problem["detail"], problem)
    return answer
