"""Labels are upheld by whole games in fresh worlds, and large planted losses are found."""

from tests.bench.uphold import measure
from tests.games.search.toy import GAME

MATCHES = 60
BUDGET = 8_000


def test_labels_are_true_and_planted_blunders_are_found():
    found = [measure(GAME, 2, seed, BUDGET, every=1) for seed in range(MATCHES)]
    labels = [label for one in found for label in one.labels]
    large = [one for one in found if one.planted is not None and one.planted.loss > 0.15]
    assert len(labels) > MATCHES / 3, "there is something to judge"
    assert sum(label.upheld for label in labels) >= 0.95 * len(labels)
    assert sum(one.found for one in large) >= 0.8 * len(large)
