"""Preflights: what a page of another origin may do, and what a refusal names."""

import pytest

from service.http.cors import ALLOWED_HEADERS, METHODS, may_connect, preflight_refusal

ORIGIN = "https://play.example"


def asked(method="POST", names="", origin=ORIGIN, verb="OPTIONS", host="shiplog.example"):
    headers = {
        "host": host,
        "origin": origin,
        "access-control-request-method": method,
        "access-control-request-headers": names,
    }
    sent = [(name.encode(), value.encode()) for name, value in headers.items() if value]
    return {"type": "http", "method": verb, "headers": sent}


@pytest.mark.parametrize("origins", [(ORIGIN,), ("https://other.example", ORIGIN), ("*",)])
def test_a_listed_origin_may_use_the_methods_and_headers_of_the_api(origins):
    for method in METHODS:
        for names in ("", ", ".join(ALLOWED_HEADERS), "Accept-Language,Prefer"):
            assert preflight_refusal(asked(method, names), origins) is None


@pytest.mark.parametrize(
    ("scope", "header", "named"),
    [
        (asked(origin="https://evil.example"), "Origin", "https://evil.example"),
        (asked(origin="null"), "Origin", "null"),
        (asked(origin="null", host=""), "Origin", "null"),
        (asked("TRACE"), "Access-Control-Request-Method", "TRACE"),
        (asked(names="prefer, X-Mine"), "Access-Control-Request-Headers", "x-mine"),
    ],
)
def test_a_refusal_names_the_header_and_what_was_expected(scope, header, named):
    problem = preflight_refusal(scope, (ORIGIN,))
    assert (problem.status, problem.code) == (403, "cross-origin")
    (error,) = problem.errors
    assert error.header == header
    assert named in error.detail


def test_without_origins_no_other_page_may_call():
    for scope in (asked(), asked("")):
        assert preflight_refusal(scope, ()).errors[0].header == "Origin"


def test_only_preflights_are_refused():
    assert preflight_refusal(asked(verb="GET"), ()) is None
    assert preflight_refusal(asked(origin=""), ()) is None


def test_a_page_without_an_origin_of_its_own_connects_only_if_all_may():
    own = {b"origin": b"http://shiplog.example", b"host": b"shiplog.example"}
    assert may_connect(own, ())
    null = {b"origin": b"null", b"host": b"shiplog.example"}
    assert not may_connect(null, (ORIGIN,))
    assert not may_connect({b"origin": b"null"}, (ORIGIN,))
    assert may_connect(null, ("*",))
