"""Branches of recorded matches, opened as the service opens them."""

from games import GAMES
from games.match.commands import BranchMatch
from games.match.seating import Issuer, branch
from games.match.seed import derive_service_seed, dice
from projections.folded import Folded
from replay.branch import fork, recall
from tests.recorder import MASTER, SERVICE, Recorder


def branched(lineage, seat, number, *, match="m_branch", games=GAMES, **more) -> Recorder:
    """Fork the first log of a lineage, with what everyone remembers."""
    parent = Folded(games, lineage[0][0]).match.header
    service_seed = derive_service_seed(MASTER, match)
    forked = fork(games, lineage, seat, number, dice(service_seed, (), 1))
    command = BranchMatch(parent.match, number, seat, **more)
    issuer = Issuer("p_0", SERVICE, "k1", service_seed)
    game = games[parent.game]
    recorder = Recorder(game, command, match, branch(game, match, command, issuer, parent, forked))
    recall(games, recorder.match, lineage)
    return recorder
