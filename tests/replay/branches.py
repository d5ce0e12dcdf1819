"""Branches of recorded matches, opened as the service opens them."""

from games import GAMES
from games.game import Illegal
from games.match.commands import BranchMatch
from games.match.dice import dice
from games.match.seating import Issuer, branch
from games.match.seed import derive_service_seed
from projections.folded import Folded
from projections.seen import seen
from replay.branch import fork, recall
from tests.games.laws import weakest_level
from tests.recorder import MASTER, SECOND, SERVICE, Recorder

PLIES_MAX = 40


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


def play_on(recorder, dice, *, bots=False):
    """Play at random, or as bots do; the clock plays when nobody may."""
    match = recorder.match
    for _ in range(PLIES_MAX):
        if match.status != "running":
            return
        seat = dice.choice(sorted(match.game.waiting(match.state)))
        legal = match.game.legal(match.state, seat)
        if bots:
            bot = match.game.players.bots[weakest_level(match.game)]
            command = bot(match.game.view(match.state, seat), seen(match, seat), legal, dice)
        else:
            command = legal[dice.randbelow(len(legal))]
        try:
            recorder.play(seat, command)
        except Illegal as error:
            if error.code != "too-fast":
                raise
            wait = SECOND + 1000 * error.details["retry_after_ms"]
            recorder.play(seat, command, after=wait)
