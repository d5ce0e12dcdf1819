"""Metrics that are counted at every call, as plain numbers on the event loop, without locks."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate

from prometheus_client import REGISTRY
from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.utils import floatToGoString


class Tally:
    """Counts by the values of labels."""

    def __init__(
        self, name: str, text: str, labels: Sequence[str], known: Iterable[tuple[str, ...]] = ()
    ) -> None:
        """Show counts to Prometheus, those of known values from the beginning."""
        self._name, self._text, self._labels = name, text, labels
        self._counts = Counter(dict.fromkeys(known, 0))
        REGISTRY.register(self)  # pyright: ignore[reportArgumentType] - it collects

    def add(self, *values: str) -> None:
        """Count one more."""
        self._counts[values] += 1

    def collect(self) -> Iterator[Metric]:
        """Yield the counts."""
        family = CounterMetricFamily(self._name, self._text, labels=self._labels)
        for values, count in self._counts.copy().items():
            family.add_metric(values, count)
        yield family


class Distribution:
    """Counts values by the bucket that they fall into."""

    def __init__(self, name: str, text: str, bounds: Sequence[float]) -> None:
        """Count nothing yet, and show the counts to Prometheus; `bounds` are upper and ascend."""
        self._name, self._text, self._bounds = name, text, bounds
        self._counts = [0] * (len(bounds) + 1)
        self._sum = 0.0
        REGISTRY.register(self)  # pyright: ignore[reportArgumentType] - it collects

    def observe(self, value: float) -> None:
        """Count a value."""
        self._counts[bisect_left(self._bounds, value)] += 1
        self._sum += value

    def collect(self) -> Iterator[Metric]:
        """Yield the counts."""
        family = HistogramMetricFamily(self._name, self._text)
        names = [floatToGoString(bound) for bound in (*self._bounds, float("inf"))]
        buckets = list(zip(names, accumulate(self._counts), strict=True))
        family.add_metric((), buckets, self._sum)
        yield family
