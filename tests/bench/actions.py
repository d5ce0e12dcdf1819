"""Measure what an action is worth: `python -m tests.bench.actions [game …] --seeds N`.

The strongest blueprint plays against itself with one action forbidden, and with one action sought:
used whenever that is legal, or wanted more than its weights say. The share of the wins tells
whether the action is weak or the bots neglect it. The tables of the named games in
`docs/strength.md` are replaced; all else stays. The seeds are not those of tuning.
"""

import argparse
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from games import GAMES
from games.captain_sonar.players import bot as sonar
from games.captain_sonar.players.outlook import outlook_of
from games.captain_sonar.players.weights import TUNED as CAPTAIN_SONAR
from games.captain_sonar.players.weights import Weights
from games.chance import Chance
from games.game import Bot, Seen
from games.ke_dnu.players import bot as ke_dnu
from games.ke_dnu.players.outlook import Outlook
from games.ke_dnu.players.weights import LIKED
from games.ke_dnu.players.weights import TUNED as KE_DNU
from games.search.rollout import blueprint_of
from games.tournament import Pairing, Table, likelihood, share_of
from tests.bench.fairness import named
from tests.bench.ladder import head, seats_of
from tests.bench.strength import PAGE, replace_table, shown, tabled

FIRST_SEED = 90_000
COLUMNS = ("action", "play", "uses a game", "seeds", "share won", "log-likelihood")
ELO_LOW, ELO_HIGH = 0.0, 50.0
LIKED_MORE = 4.0
"""Victory points that are added to the worth of a card that is sought."""

Decide = Callable[[Any, Seen, Sequence[Any], Chance], Any]


class Trial(NamedTuple):
    """A way to play that treats some actions differently."""

    actions: Collection[str]
    """As `named` names them: the type of a command, possibly with the kind of a thing."""
    play: str
    """In words."""
    decide: Decide


class Counted(NamedTuple):
    """A player that counts how often it uses the actions of a trial."""

    decide: Decide
    actions: Collection[str]
    counts: Counter[str]

    def sit(self, _table: Table, _seat: int, /) -> Bot[Any, Any]:
        """Return the bot."""

        def bot(view: Any, seen: Seen, legal: Sequence[Any], chance: Chance) -> Any:
            command = legal[0] if len(legal) == 1 else self.decide(view, seen, legal, chance)
            self.counts["uses"] += uses(command, self.actions)
            return command

        return bot

    def rise(self, _seat: int, _result: Any, /) -> None:
        """Count the match."""
        self.counts["matches"] += 1


def uses(command: Any, actions: Collection[str]) -> bool:
    """Return whether a command is one of some actions."""
    return any(name in actions for name in named(command))


def usual(slug: str) -> Decide:
    """Return the blueprint's choice."""
    ranking = blueprint_of(GAMES[slug]).ranking
    return lambda view, seen, legal, chance: ranking(view, seen, legal, chance)[0]


def without(slug: str, action: str) -> Trial:
    """Return a player that never uses an action unless nothing else is legal."""
    choose = usual(slug)

    def decide(view: Any, seen: Seen, legal: Sequence[Any], chance: Chance) -> Any:
        others = [command for command in legal if not uses(command, (action,))]
        return choose(view, seen, others or legal, chance)

    return Trial((action,), "forbidden", decide)


def eager(slug: str, action: str) -> Trial:
    """Return a player that uses an action whenever that is legal."""
    choose = usual(slug)

    def decide(view: Any, seen: Seen, legal: Sequence[Any], chance: Chance) -> Any:
        wanted = [command for command in legal if uses(command, (action,))]
        return choose(view, seen, wanted or legal, chance)

    return Trial((action,), "whenever legal", decide)


def crew(action: str, play: str, weights: Weights) -> Trial:
    """Return a crew of Captain Sonar with other weights."""

    def decide(view: Any, seen: Seen, legal: Sequence[Any], chance: Chance) -> Any:
        due = sonar.due(legal)
        return due or sonar.choose(outlook_of(view, seen, weights), legal, chance)

    return Trial((action,), play, decide)


def collector(*cards: str) -> Trial:
    """Return a player of To the Bottom that likes some cards more."""
    weights = KE_DNU[2]._replace(liked=LIKED | {card: LIKED[card] + LIKED_MORE for card in cards})

    def decide(view: Any, seen: Seen, legal: Sequence[Any], _chance: Chance) -> Any:
        return ke_dnu.choose(Outlook(view, seen.seat, seen.options, weights), legal)

    return Trial([f"buy: {card}" for card in cards], f"liked {LIKED_MORE:g} points more", decide)


def marks(first: str) -> Weights:
    """Return the weights of a crew that marks one gauge before all others."""
    hunting, seeking = CAPTAIN_SONAR.hunting, CAPTAIN_SONAR.seeking
    return CAPTAIN_SONAR._replace(
        hunting=(first, *(gauge for gauge in hunting if gauge != first)),
        seeking=(first, *(gauge for gauge in seeking if gauge != first)),
    )


TRIALS: Mapping[str, Sequence[Trial]] = {
    "captain_sonar": (
        without("captain_sonar", "launch_drone"),
        without("captain_sonar", "drop_mine"),
        without("captain_sonar", "run_silent"),
        without("captain_sonar", "ping_sonar"),
        crew("launch_drone", "marked first", marks("drone")),
        crew("drop_mine", "marked first", marks("mine")),
        crew("run_silent", "marked first", marks("silence")),
    ),
    "ke_dnu": (collector("anchor", "drunkard", "jack", "stimulants", "stowaway"),),
    "nautilus": (
        without("nautilus", "dock_submarine"),
        eager("nautilus", "dock_submarine"),
        without("nautilus", "use_sonar"),
        eager("nautilus", "use_sonar"),
    ),
}


def table(slug: str, seeds: int) -> Iterator[str]:
    """Yield the table of a game."""
    game = GAMES[slug]
    yield from head(COLUMNS)
    for trial in TRIALS[slug]:
        counts = Counter[str]()
        players = (
            Counted(trial.decide, trial.actions, counts),
            Counted(usual(slug), trial.actions, Counter()),
        )
        pairing = Pairing(game, seats_of(game), game.Options(), players, time.process_time_ns)
        rounds = list(pairing.rounds(range(FIRST_SEED, FIRST_SEED + seeds)))
        ratio = likelihood([each.score for each in rounds], ELO_LOW, ELO_HIGH)
        action = ", ".join(f"`{name}`" for name in trial.actions)
        often = counts["uses"] / counts["matches"]
        yield (
            f"| {action} | {trial.play} | {often:.2f} | {len(rounds)} "
            f"| {share_of(rounds)} | {ratio:+.1f} |"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=tabled(PAGE, "actions-"))
    parser.add_argument("--seeds", type=int, default=100, help="of each trial")
    given = parser.parse_args()
    for slug in given.games:
        print(f"\n{slug}", flush=True)
        lines = shown(table(slug, given.seeds))
        page = PAGE.read_text()
        if f"<!-- actions-{slug} -->" in page:
            PAGE.write_text(replace_table(page, f"actions-{slug}", lines))


if __name__ == "__main__":
    main()
