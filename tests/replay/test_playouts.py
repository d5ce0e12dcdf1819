"""Batches of playouts: the same, whoever plays them and in whatever order."""

import msgspec
import pytest

from games import GAMES
from projections.folded import Folded
from replay.analysis import analyse, analyses, encode
from replay.playouts import Batch, Played, Playouts
from tests.corpus import load, played_out
from tests.games.search.toy import Keep, Swap
from tests.replay.dealt import BUDGET, dealt


class Elsewhere:
    """Plays what is expected in another order, in other playouts, and as if sent as JSON."""

    def __init__(self, match, head):
        self.expected = 0
        self.asked = 0
        self._match = match
        self._head = head
        self._played = {}

    def expect(self, batches):
        new = [batch for batch in batches if batch not in self._played]
        self.expected += len(new)
        for batch in reversed(new):
            self._played[batch] = self._play(batch)

    def play(self, batch):
        self.asked += 1
        if batch not in self._played:
            self._played[batch] = self._play(batch)
        return self._played[batch]

    def _play(self, batch):
        sent = msgspec.json.decode(msgspec.json.encode(batch), type=Batch)
        played = Playouts(self._match, self._head).play(sent)
        return msgspec.json.decode(msgspec.json.encode(played), type=Played)


@pytest.mark.parametrize("commands", [(Swap(), Keep()), (Keep(), Swap()), (Swap(), Swap())])
def test_an_analysis_is_the_same_whoever_plays_its_batches(commands):
    given = dealt(9, *commands)
    elsewhere = Elsewhere(given.match, given.folded.head)
    *_, found = analyses(given.match, given.folded.head, BUDGET, share=lambda _playouts: elsewhere)
    assert encode(found) == encode(analyse(given.match, given.folded.head, BUDGET))
    assert elsewhere.expected <= 1.2 * elsewhere.asked, "little is played in vain"


@pytest.mark.parametrize("slug", GAMES)
def test_a_batch_is_the_same_in_parts_and_after_others(slug):
    log = load(played_out(slug)[0])
    folded = Folded.of(GAMES, log)
    here, there = (Playouts(folded.match, folded.head) for _ in range(2))
    late = len(here.decisions) - 1
    for purpose in ("curve", "screen", "test"):
        whole = here.play(Batch(late, purpose, 0, 3))
        last, first = there.play(Batch(late, purpose, 2, 1)), there.play(Batch(late, purpose, 0, 2))
        parts = [[*one, *more] for one, more in zip(first.won, last.won, strict=True)]
        assert parts == whole.won
        assert first.commands + last.commands == whole.commands
