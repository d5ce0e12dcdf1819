"""Metrics that are counted at every call, as plain numbers on the event loop, without locks."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextvars import ContextVar
from itertools import accumulate
from typing import Any

from prometheus_client import REGISTRY
from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.samples import Exemplar
from prometheus_client.utils import floatToGoString

recorded_trace: ContextVar[str | None] = ContextVar("recorded_trace", default=None)
"""Id of the trace of the running call, if it is recorded."""


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
    """Counts values by the bucket that they fall into.

    If calls are traced, each bucket keeps the trace of its last value as an exemplar.
    """

    def __init__(self, name: str, text: str, bounds: Sequence[float]) -> None:
        """Count nothing yet, and show the counts to Prometheus; `bounds` are upper and ascend."""
        self._name, self._text, self._bounds = name, text, bounds
        self._counts = [0] * (len(bounds) + 1)
        self._sum = 0.0
        self._exemplars: dict[int, Exemplar] = {}
        REGISTRY.register(self)  # pyright: ignore[reportArgumentType] - it collects

    def observe(self, value: float) -> None:
        """Count a value."""
        place = bisect_left(self._bounds, value)
        self._counts[place] += 1
        self._sum += value
        if (trace := recorded_trace.get()) is not None:
            self._exemplars[place] = Exemplar({"trace_id": trace}, value)

    def collect(self) -> Iterator[Metric]:
        """Yield the counts."""
        family = HistogramMetricFamily(self._name, self._text)
        names = [floatToGoString(bound) for bound in (*self._bounds, float("inf"))]
        sums = accumulate(self._counts)
        buckets: list[Any] = [
            (name, count, self._exemplars.get(place))
            for place, (name, count) in enumerate(zip(names, sums, strict=True))
        ]
        family.add_metric((), buckets, self._sum)
        yield family
