"""Plain counts as Prometheus reads them."""

import pytest
from prometheus_client import REGISTRY, generate_latest

from service.base.tallies import Distribution, Tally


@pytest.fixture
def shown():
    """Make metrics, and return what Prometheus reads of them."""
    made = []

    def read(metric):
        made.append(metric)
        return [
            line
            for line in generate_latest(REGISTRY).decode().splitlines()
            if line.startswith("test_")
        ]

    yield read
    for metric in made:
        REGISTRY.unregister(metric)


def test_a_tally_counts_by_the_values_of_its_labels(shown):
    tally = Tally("test_total", "A test.", ["game", "code"], known=[("nautilus", "accepted")])
    for code in ("accepted", "refused", "accepted"):
        tally.add("tranquility", code)
    assert shown(tally) == [
        'test_total{code="accepted",game="nautilus"} 0.0',
        'test_total{code="accepted",game="tranquility"} 2.0',
        'test_total{code="refused",game="tranquility"} 1.0',
    ]


def test_a_distribution_counts_values_up_to_each_bound(shown):
    seconds = Distribution("test_seconds", "A test.", (0.5, 1))
    for value in (0.25, 0.5, 0.75, 2.0):
        seconds.observe(value)
    assert shown(seconds) == [
        'test_seconds_bucket{le="0.5"} 2.0',
        'test_seconds_bucket{le="1.0"} 3.0',
        'test_seconds_bucket{le="+Inf"} 4.0',
        "test_seconds_count 4.0",
        "test_seconds_sum 3.5",
    ]
