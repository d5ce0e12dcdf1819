"""Which addresses and URLs the service may call on behalf of players."""

import pytest

from service.base.addresses import check_url, is_allowed, parse_networks
from service.base.problems import Problem

INSIDE = [
    "127.0.0.1", "127.8.9.10", "10.0.0.1", "172.16.5.4", "192.168.1.1", "169.254.169.254",
    "192.0.0.192",
    "100.64.0.1", "0.0.0.0", "255.255.255.255", "224.0.0.1", "240.0.0.1", "192.0.2.1",
    "198.18.0.1", "::", "::1", "fe80::1", "fe80::1%eth0", "fc00::1", "fd12:3456::1", "ff02::1",
    "2001:db8::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::127.0.0.1", "64:ff9b::127.0.0.1",
    "64:ff9b::a00:1", "2002:7f00:1::", "2002:a00:1::1", "2001:0:7f00:1::", "fec0::1",
]  # fmt: skip


@pytest.mark.parametrize("address", INSIDE)
def test_addresses_inside_a_network_are_refused(address):
    assert not is_allowed(address, ())


@pytest.mark.parametrize(
    "address",
    ["1.1.1.1", "93.184.215.14", "2606:4700::1111", "::ffff:1.1.1.1", "64:ff9b::1.1.1.1"],
)
def test_public_addresses_are_allowed(address):
    assert is_allowed(address, ())


def test_an_operator_allows_networks():
    networks = parse_networks("127.0.0.1/32, 10.1.0.0/16,fd00::/8")
    for address in ("127.0.0.1", "::ffff:127.0.0.1", "10.1.2.3", "fd00::7"):
        assert is_allowed(address, networks)
    for address in ("127.0.0.2", "10.2.0.1", "fe80::1"):
        assert not is_allowed(address, networks)
    assert parse_networks("") == ()


@pytest.mark.parametrize(
    "url",
    [
        "https://bot.example/turns", "http://bot.example", "https://bot.example:8443/a?b=c",
        "http://1.1.1.1/", "https://[2606:4700::1111]/", "http://localhost:3000/",
    ],
)  # fmt: skip
def test_a_url_may_be_called(url):
    """A name may still turn out to have no public address."""
    check_url(url, ())


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("ftp://bot.example/", "such as"),
        ("file:///etc/passwd", "such as"),
        ("//bot.example/", "such as"),
        ("https:///path", "such as"),
        ("https://bot.example/a b", "such as"),
        ("https://bot.example\\@127.0.0.1/", "such as"),
        ("https://bot.example/\r\nX: y", "such as"),
        ("https://žába.example/", "such as"),
        ("https://[::1", "Not a URL"),
        ("https://bot.example:99999/", "Not a URL"),
        ("https://ada:secret@bot.example/", "user"),
        ("https://bot.example/#part", "fragment"),
        ("https://bot.example:25/", "Port must be"),
        ("http://127.0.0.1:8000/", "127.0.0.1 is not a public address"),
        ("http://[::ffff:10.0.0.1]/", "is not a public address"),
        ("http://169.254.169.254/latest/meta-data/", "is not a public address"),
    ],
)
def test_a_url_is_refused_with_the_reason(url, why):
    with pytest.raises(Problem, match=why) as refused:
        check_url(url, ())
    assert (refused.value.status, refused.value.code) == (422, "bad-webhook-url")
