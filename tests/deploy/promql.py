"""Evaluate the part of PromQL that our rules use, over series that a test makes up.

Rates are those between the first and the last sample of the window, without extrapolation.
"""

import operator
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

import promql_parser

Labels = frozenset[tuple[str, str]]
Vector = dict[Labels, float]
Value = float | Vector

COMPARISONS: dict[str, Callable[[float, float], bool]] = {
    ">": operator.gt,
    "<": operator.lt,
    "==": operator.eq,
}
ARITHMETIC: dict[str, Callable[[float, float], float]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": lambda one, other: one / other if other else float("nan"),
}
AGGREGATES: dict[str, Callable[[Iterable[float]], float]] = {"max": max, "min": min, "sum": sum}


class Sample(NamedTuple):
    """A value of a series at a time (seconds)."""

    at: float
    value: float


class Series:
    """Samples by name and labels, and the rules that are recorded from them."""

    def __init__(self, recorded: Mapping[str, str]) -> None:
        self._samples: dict[str, dict[Labels, list[Sample]]] = {}
        self._recorded = recorded

    def add(self, name: str, at: float, value: float, **labels: str) -> None:
        """Add a sample, later than those before."""
        series = self._samples.setdefault(name, {})
        series.setdefault(frozenset(labels.items()), []).append(Sample(at, float(value)))

    def evaluate(self, query: str, now: float) -> Vector:
        """Return what a query finds; an alert fires for everything that it finds."""
        found = self._value(promql_parser.parse(query), now)
        return {frozenset(): found} if isinstance(found, float) else found

    def _value(self, node: Any, now: float) -> Value:
        match node:
            case promql_parser.NumberLiteral():
                return node.val
            case promql_parser.ParenExpr():
                return self._value(node.expr, now)
            case promql_parser.VectorSelector():
                if node.name in self._recorded:
                    return self.evaluate(self._recorded[node.name], now)
                return {labels: got[-1].value for labels, got in self._window(node, now).items()}
            case promql_parser.AggregateExpr():
                kept = node.modifier.labels if node.modifier else ()
                groups: dict[Labels, list[float]] = {}
                for labels, value in self._vector(node.expr, now).items():
                    group = frozenset(pair for pair in labels if pair[0] in kept)
                    groups.setdefault(group, []).append(value)
                function = AGGREGATES[str(node.op)]
                return {labels: function(values) for labels, values in groups.items()}
            case promql_parser.BinaryExpr():
                left, right = self._value(node.lhs, now), self._value(node.rhs, now)
                return _combined(str(node.op), left, right)
            case promql_parser.Call():
                return self._call(node.func.name, node.args, now)
        raise ValueError(f"Expected PromQL that our rules use, got {node}.")

    def _call(self, name: str, args: list[Any], now: float) -> Value:
        match name:
            case "time":
                return now
            case "scalar" | "absent":
                found = self._vector(args[0], now)
                if name == "absent":
                    return {} if found else {frozenset(): 1.0}
                return next(iter(found.values())) if len(found) == 1 else float("nan")
            case "vector":
                return {frozenset(): args[0].val}
            case "abs":
                return {labels: abs(it) for labels, it in self._vector(args[0], now).items()}
            case "rate" | "increase" | "predict_linear":
                seconds = args[0].range.total_seconds()
                windows = self._window(args[0].vector_selector, now, seconds)
                grown = {
                    labels: (window[-1].value - window[0].value)
                    / max(1.0, window[-1].at - window[0].at)
                    for labels, window in windows.items()
                    if len(window) > 1
                }
                if name == "rate":
                    return grown
                if name == "increase":
                    return {labels: rate * seconds for labels, rate in grown.items()}
                ahead = args[1].val
                return {it: windows[it][-1].value + rate * ahead for it, rate in grown.items()}
            case "histogram_quantile":
                return _quantiles(args[0].val, self._vector(args[1], now))
        raise ValueError(f"Expected a function that our rules use, got {name}.")

    def _vector(self, node: Any, now: float) -> Vector:
        found = self._value(node, now)
        assert isinstance(found, dict), node
        return found

    def _window(
        self, selector: Any, now: float, seconds: float = 300
    ) -> dict[Labels, list[Sample]]:
        found: dict[Labels, list[Sample]] = {}
        for labels, samples in self._samples.get(selector.name, {}).items():
            window = [one for one in samples if now - seconds <= one.at <= now]
            if window and all(_fits(one, dict(labels)) for one in selector.matchers.matchers):
                found[labels] = window
        return found


def _fits(matcher: Any, labels: Mapping[str, str]) -> bool:
    value = labels.get(matcher.name, "")
    match str(matcher.op):
        case "MatchOp.Equal":
            return value == matcher.value
        case "MatchOp.NotEqual":
            return value != matcher.value
        case "MatchOp.Re":
            return re.fullmatch(matcher.value, value) is not None
        case _:
            return re.fullmatch(matcher.value, value) is None


def _combined(sign: str, left: Value, right: Value) -> Value:
    if isinstance(left, dict) and isinstance(right, dict):
        if sign == "or":
            return right | left
        if sign == "and":
            return {labels: value for labels, value in left.items() if labels in right}
    if isinstance(left, float) and isinstance(right, float):
        return ARITHMETIC[sign](left, right)
    pairs = _pairs(left, right)
    if sign in COMPARISONS:
        fits = COMPARISONS[sign]
        kept = {it: one if isinstance(left, dict) else two for it, (one, two) in pairs.items()}
        return {it: value for it, value in kept.items() if fits(*pairs[it])}
    return {labels: ARITHMETIC[sign](*pair) for labels, pair in pairs.items()}


def _pairs(left: Value, right: Value) -> dict[Labels, tuple[float, float]]:
    if isinstance(left, float):
        assert isinstance(right, dict)
        return {labels: (left, value) for labels, value in right.items()}
    if isinstance(right, float):
        return {labels: (value, right) for labels, value in left.items()}
    return {labels: (left[labels], right[labels]) for labels in left.keys() & right.keys()}


def _quantiles(share: float, buckets: Vector) -> Vector:
    """Return the upper bound of the bucket in which a quantile lies, by the other labels."""
    groups: dict[Labels, list[tuple[float, float]]] = {}
    for labels, count in buckets.items():
        bound = float(dict(labels)["le"])
        rest = frozenset(pair for pair in labels if pair[0] != "le")
        groups.setdefault(rest, []).append((bound, count))
    return {
        labels: next(bound for bound, count in sorted(pairs) if count >= share * max(pairs)[1])
        for labels, pairs in groups.items()
    }
