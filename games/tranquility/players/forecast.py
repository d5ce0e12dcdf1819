"""A learned forecast for tables with storms: the log-odds that the crew wins, for one seat.

A small network judges what is known after a command. Its first layer reads each gap of the sea on
its own, and the outputs are added up. The second layer reads these sums and the numbers of the
table. `docs/strength.md` says how the weights were found.
"""

from collections.abc import Sequence
from functools import cache
from operator import mul
from pathlib import Path

import msgspec

from games.tranquility.commands import Command
from games.tranquility.model import Options
from games.tranquility.players.bot import Mind
from games.tranquility.players.facts import Facts

WEIGHTS = Path(__file__).with_suffix(".json")


class Layer(msgspec.Struct, frozen=True):
    """Weighted sums of the inputs; negative sums count as 0."""

    rows: tuple[tuple[float, ...], ...]
    """The weights of the inputs, by output."""
    bias: tuple[float, ...]

    def __call__(self, inputs: Sequence[float]) -> list[float]:
        """Return the outputs."""
        return [
            max(0.0, bias + sum(map(mul, row, inputs)))
            for row, bias in zip(self.rows, self.bias, strict=True)
        ]


class Network(msgspec.Struct, frozen=True):
    """The weights of a forecast."""

    gap: Layer
    table: Layer
    chance: Layer
    """Its only row weighs the outputs of `table`."""
    by_rules: float = 0.0
    """Log-odds for each card of value that the rules of thumb see in an action."""

    @property
    def nothing(self) -> list[float]:
        """The sums if there is no gap."""
        return [0.0] * len(self.gap.bias)


@cache
def _trained() -> Network:
    return msgspec.json.decode(WEIGHTS.read_bytes(), type=Network)


def network_for(options: Options) -> Network | None:
    """Return the network if it was trained for such a table: the standard game with storms."""
    others = options.rocks or options.monsters or options.wilds or options.difficulty != "none"
    fits = options.variant == "standard" and options.storms and not others
    return _trained() if fits else None


class Forecast:
    """One seat's forecasts of the table after its commands."""

    def __init__(self, mind: Mind, network: Network) -> None:
        """Prepare from the seat's valuation."""
        self.facts = Facts(mind)
        self.network = network
        self._outputs: dict[tuple[float, ...], list[float]] = {}

    def worth(self, command: Command | None, spent: Sequence[str]) -> float:
        """Return the log-odds after a command that spends some cards of the hand."""
        after = self.facts.after(command, spent)
        read = [self._read(gap) for gap in after.gaps]
        sums = [sum(column) for column in zip(*read, strict=True)]
        hidden = self.network.table([*(sums or self.network.nothing), *after.table])
        return self.network.chance.bias[0] + sum(map(mul, self.network.chance.rows[0], hidden))

    def _read(self, gap: tuple[float, ...]) -> list[float]:
        if (outputs := self._outputs.get(gap)) is None:
            outputs = self._outputs[gap] = self.network.gap(gap)
        return outputs
