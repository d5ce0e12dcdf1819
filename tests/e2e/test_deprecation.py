"""A deprecated call says so in its answers and in the document."""

from datetime import date

import pytest
from litestar import get

from service.http import documents, health
from service.http.deprecation import Deprecation, headers

END = Deprecation(date(2027, 1, 1), date(2027, 7, 1), "/keys")


@get("/old", operation_id="old", tags=["operations"], security=[], deprecation=END)
async def old() -> dict[str, bool]:
    """Answer as before."""
    return {}


def test_its_answers_name_the_days_and_the_successor():
    assert dict(headers({"route_handler": old})) == {
        b"deprecation": b"@1798761600",
        b"sunset": b"Thu, 01 Jul 2027 00:00:00 GMT",
        b"link": b'</keys>; rel="successor-version"',
    }
    assert dict(headers({"route_handler": health.live})) == {}


def test_the_document_marks_it(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(documents, "CALLS", (*documents.CALLS, old))
    paths = documents.document()["paths"]
    marked = [
        path
        for path, item in paths.items()
        for operation in item.values()
        if operation.get("deprecated")
    ]
    assert marked == ["/old"]
    shown = paths["/old"]["get"]["responses"]["200"]["headers"]
    assert {"Deprecation", "Sunset", "Link"} <= shown.keys()


def test_a_call_lives_on_for_half_a_year_after_its_deprecation():
    ends = [call.opt["deprecation"] for call in documents.CALLS if "deprecation" in call.opt]
    assert all((end.sunset - end.since).days >= 180 for end in [END, *ends])
