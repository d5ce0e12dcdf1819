"""The radio operator's tool as it is defined, computed the slow way."""

from games.captain_sonar.components import STEPS, Cell, Sea, distance
from games.captain_sonar.events import (
    Blast,
    CourseOrdered,
    DamageTaken,
    DroneLaunched,
    Event,
    SilenceRun,
    SonarAnswered,
    Surfaced,
    TorpedoLaunched,
)


class BruteForce:
    """The definition, word by word: a set of hypotheses, each with its whole route."""

    def __init__(self, sea: Sea, most: int = 20_000) -> None:
        self.sea = sea
        self.most = most
        self.hypotheses = {(cell, frozenset({cell}), cell) for cell in sea.cells}
        self.iced = False

    def hear(self, event: Event) -> None:
        match event:
            case CourseOrdered(direction=direction):
                self.hypotheses = {
                    (there, route | {there}, start)
                    for cell, route, start in self.hypotheses
                    if (there := self.step(cell, direction)) and there not in route
                }
            case SilenceRun():
                self.run()
            case Surfaced(sector=sector):
                self.keep(lambda cell: self.sea.sector(cell) == sector)
                if self.sea.ice_holes:
                    self.keep(lambda cell: (cell in self.sea.ice_holes) != self.iced)
                self.iced = False
                self.forget()
            case DamageTaken():
                self.iced = True
            case DroneLaunched(sector=sector, answer=answer):
                self.keep(lambda cell: (self.sea.sector(cell) == sector) == answer)
            case SonarAnswered(kinds=kinds, values=values):
                told = dict(zip(kinds, values, strict=True))
                self.keep(lambda cell: sum(self.fact(cell, k) == v for k, v in told.items()) == 1)
            case TorpedoLaunched(target=target):
                self.keep(lambda cell: target in self.sea.targets(cell, over_islands=False))
            case Blast(cell=there, results=results):
                away = {"direct": {0}, "indirect": {1}, "clear": set(range(2, 99))}[results[0]]
                self.keep(lambda cell: distance(cell, there) in away)

    def step(self, cell: Cell, direction: str) -> Cell | None:
        right, down = STEPS[direction]
        there = (cell[0] + right, cell[1] + down)
        return there if there in self.sea.next else None

    def fact(self, cell: Cell, kind: str) -> int:
        return {"column": cell[0], "row": cell[1], "sector": self.sea.sector(cell)}[kind]

    def keep(self, fits) -> None:
        self.hypotheses = {hypothesis for hypothesis in self.hypotheses if fits(hypothesis[0])}

    def forget(self) -> None:
        self.hypotheses = {(cell, frozenset({cell}), cell) for cell, _, _ in self.hypotheses}

    def run(self) -> None:
        after = set(self.hypotheses)
        for cell, route, start in self.hypotheses:
            for direction in STEPS:
                there, passed = cell, route
                for _ in range(4):
                    there = self.step(there, direction)
                    if there is None or there in passed:
                        break
                    passed = passed | {there}
                    after.add((there, passed, start))
        self.hypotheses = after
        if len({(cell, route) for cell, route, _ in after}) > self.most:
            self.forget()

    def candidates(self) -> tuple[Cell, ...]:
        return in_order({cell for cell, _, _ in self.hypotheses})

    def starts(self) -> tuple[Cell, ...]:
        return in_order({start for _, _, start in self.hypotheses})


def in_order(found: set[Cell]) -> tuple[Cell, ...]:
    return tuple(sorted(found, key=lambda cell: (cell[1], cell[0])))
