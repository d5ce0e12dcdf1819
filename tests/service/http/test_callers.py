"""Limits by address: what counts as one, and what strangers can do to others."""

from typing import Any, cast

import pytest

from service.base.problems import Problem
from service.base.settings import Settings
from service.http import safety
from service.http.callers import SIGN_INS, SIGN_INS_FREE, Callers
from service.play.log_quota import LogQuota


@pytest.fixture
def callers():
    unused: Any = None
    settings = Settings(sign_in_limit="20/minute", trusted_proxy=True)
    return Callers(settings, unused, LogQuota(0))


def call(address: str) -> Any:
    headers = [(b"x-forwarded-for", address.encode())]
    return {"type": "http", "headers": headers, "client": ("127.0.0.1", 1), "state": {}}


def address_of(text: str, *, proxied: bool = True) -> str:
    scope = call(text)
    return safety.address(scope, dict(scope["headers"]), proxied=proxied)


def test_an_address_is_that_of_the_proxys_client():
    assert address_of("203.0.113.9, 192.0.2.1") == "192.0.2.1"
    assert address_of("192.0.2.1", proxied=False) == "127.0.0.1"
    assert address_of("not an address: at all") == "not an address: at all"


def test_whoever_has_a_network_of_ipv6_counts_as_one():
    """A provider gives 64 bits to each household, so single addresses would limit nobody."""
    assert address_of("2001:db8:1:2::1") == address_of("2001:db8:1:2:ffff:ffff:ffff:ffff")
    assert address_of("2001:db8:1:2::1") != address_of("2001:db8:1:3::1")
    assert address_of("::ffff:192.0.2.1") == "192.0.2.1"
    assert address_of("[2001:db8::1]") == address_of("2001:db8::2")


def test_a_few_strangers_who_guess_codes_keep_nobody_out(callers):
    strangers = [f"192.0.2.{number}" for number in range(SIGN_INS.amount // 20)]
    for stranger in strangers:
        for _ in range(20):
            callers.count_sign_in(call(stranger))
    with pytest.raises(Problem) as refused:
        callers.count_sign_in(call(strangers[0]))
    assert refused.value.code == "rate-limited"
    for _ in range(SIGN_INS_FREE.amount):
        callers.count_sign_in(call("198.51.100.1"))
    with pytest.raises(Problem) as refused:
        callers.count_sign_in(call("198.51.100.1"))
    assert cast("int", refused.value.extra["retry_after"]) <= 60
