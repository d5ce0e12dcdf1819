"""Plain counts as Prometheus reads them."""

import pytest
from prometheus_client import REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.openmetrics import exposition

from service.base.tallies import Distribution, Tally, recorded_trace


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


def test_a_bucket_names_the_trace_of_its_last_value(shown):
    seconds = Distribution("test_seconds", "A test.", (0.5, 1))
    before = recorded_trace.set("0af7651916cd43dd8448eb211c80319c")
    seconds.observe(0.25)
    recorded_trace.reset(before)
    seconds.observe(0.75)
    assert 'test_seconds_bucket{le="0.5"} 1.0' in shown(seconds), "in the old form there is none"
    alone = CollectorRegistry()
    alone.register(seconds)
    lines = exposition.generate_latest(alone).decode().splitlines()
    assert [line for line in lines if "#" in line.removeprefix("# ")] == [
        'test_seconds_bucket{le="0.5"} 1.0 # {trace_id="0af7651916cd43dd8448eb211c80319c"} 0.25'
    ]
