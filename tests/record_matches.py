"""Record whole matches for `seeds/matches/`: `python -m tests.record_matches SLUG…`.

Random players and bots play at random tables, with time-outs, undos, pauses and leavers, all drawn
from the match's number. The few matches that together show what a game's recorded matches must show
are kept. `tests/games/<slug>/recordings.py` may add `PLAYERS`, by name, for endings that neither
chance nor bots reach.
"""

import importlib
import sys
import typing
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any, NamedTuple

from events import file
from games import GAMES
from games.chance import Chance
from games.game import AnyGame, Illegal, Seen
from games.match.commands import (
    Abandon,
    Actor,
    AddBot,
    Answer,
    Bank,
    Clock,
    ComeBack,
    CreateMatch,
    LeaveSeat,
    OrderEnd,
    Pause,
    PerMove,
    Phases,
    ProposeAbandon,
    ProposeUndo,
    RemoveBot,
    Resign,
    Resume,
    SetStandingOrders,
    TakeSeat,
    TimeOut,
    Undo_,
    WithdrawProposal,
)
from games.match.due import next_due
from games.playout import Ply, Watchers, seed_of
from tests.corpus import MATCHES, needed, shown, wished
from tests.games.laws import has_laws, laws_of
from tests.recorder import SECOND, Recorder

ENOUGH = 60
"""Matches after which wishes alone are no reason to go on."""
PLANS = 600
"""Matches tried at most for each game."""
RECORDS_MAX = 2_000
CLOCKS: tuple[Clock | None, ...] = (None, PerMove(60), Bank(300, 5), Phases())

Player = Callable[[Any, Seen, Any, list[Any], Chance], Any]
"""(view, seen, state, legal, dice) -> a legal command. Only a game's own `PLAYERS` use `state`."""


class Plan(NamedTuple):
    """How a match is to be played."""

    number: int
    seats: int
    options: dict[str, Any]
    clock: Clock | None
    levels: tuple[str, ...]
    """By seat: a bot's level, or "" for a person."""
    people: str
    """Name of the player that the people follow."""
    incident: str
    """What happens now and then besides."""
    permille: int
    """How often, of a thousand decisions."""


class Table:
    """A match being played to a plan."""

    def __init__(self, game: AnyGame, plan: Plan, players: Mapping[str, Player]) -> None:
        """Open the match and seat everyone."""
        self.game = game
        self.plan = plan
        self.players = players
        self.dice = Chance(seed_of(plan.number), 1 << 45)
        command = CreateMatch(
            game.slug,
            plan.seats,
            plan.options,
            plan.clock,
            undo_limit=5 if plan.number % 2 else None,
        )
        self.recorder = Recorder(game, command, f"m_{game.slug}_{plan.number}")
        if plan.incident == "lobby" and plan.seats > 1:
            lobby(self.recorder, plan.levels)
        self.recorder.sit(*plan.levels)
        self.line: list[int] = []
        self.watchers = Watchers(game, plan.seats, self.match.options)

    @property
    def match(self):
        return self.recorder.match

    def play(self) -> bool:
        """Play the match to its end; return whether it came in time."""
        incident = incidents_of(self.game).get(self.plan.incident)
        while self.match.status == "running":
            if len(self.recorder.lines) > RECORDS_MAX:
                return False
            seat = self.mover()
            if seat is None:
                self.recorder.time_out()
            elif incident is not None and self.dice.randbelow(1000) < self.plan.permille:
                with suppress(Illegal):
                    incident(self, seat)
            else:
                self.move(seat)
        return True

    def mover(self) -> int | None:
        """Choose who acts next; None if only the clock can, or a deadline has come."""
        due = next_due(self.match)
        if due is not None and due.at <= self.recorder.at:
            return None
        waiting = sorted(self.game.waiting(self.match.state))
        here = [seat for seat in waiting if not self.match.chairs[seat].left]
        return self.dice.choice(here) if here else None

    def move(self, seat: int) -> None:
        """Play a command of a seat, after some time unless its clock is nearly out."""
        wait = 1 + self.dice.randbelow(20 * SECOND)
        due = next_due(self.match)
        if due is not None and due.at <= self.recorder.at + wait:
            wait = 0
        command = self.choose(seat)
        try:
            self.recorder.play(seat, command, after=wait)
        except Illegal as error:
            if error.code != "too-fast":
                raise
            self.recorder.play(seat, command, after=wait + 1000 * error.details["retry_after_ms"])

    def choose(self, seat: int) -> Any:
        level = self.match.chairs[seat].bot or self.plan.people
        self.watch()
        view = self.game.view(self.match.state, seat)
        legal = self.game.legal(self.match.state, seat)
        seen = self.watchers.seen(seat)
        return self.players[level](view, seen, self.match.state, legal, self.dice)

    def watch(self) -> None:
        """Show everyone what is new on the effective line; after an undo all of it again."""
        line = [entry.version for entry in self.match.line]
        if self.line != line[: len(self.line)]:
            self.watchers = Watchers(self.game, self.plan.seats, self.match.options)
            self.line = []
        for entry in self.match.line[len(self.line) :]:
            sent = None if isinstance(entry.command, TimeOut) else entry.command
            self.watchers.watch(Ply(entry.version, entry.seat, sent, entry.events))
        self.line = line

    def answer(self, odds: int) -> None:
        """Answer for the seats that are asked; each accepts `odds` times of four."""
        while self.match.status == "running" and self.match.proposals:
            proposal = self.match.proposals[-1]
            open_ = set(proposal.made.asked) - set(proposal.accepted)
            seat = min(open_)
            number = self.recorder.folded.number(seat)
            while self.match.shown[seat][number - 1] != proposal.version:
                number -= 1
            self.recorder.play(seat, Answer(number, self.dice.randbelow(4) < odds))


def undo(table: Table, seat: int) -> None:
    number = table.recorder.folded.number(seat) - 1 - table.dice.randbelow(3)
    with suppress(Illegal):
        table.recorder.play(seat, Undo_(number))
        return
    table.recorder.play(seat, ProposeUndo(number))
    if table.dice.randbelow(5) == 0 and table.match.proposals:
        table.recorder.play(seat, WithdrawProposal())
    table.answer(odds=3)


def pause(table: Table, seat: int) -> None:
    table.recorder.play(seat, Pause())
    table.answer(odds=4)
    table.recorder.play(seat, Resume(), after=600 * SECOND)


def sleep(table: Table, seat: int) -> None:
    """Play time-outs for the seats on the clock; sometimes an absent seat comes back."""
    if next_due(table.match) is not None:
        table.recorder.time_out()
    while (due := next_due(table.match)) is not None and due.at <= table.recorder.at:
        table.recorder.time_out()
    away = [at for at, chair in enumerate(table.match.chairs) if chair.away]
    if away and table.dice.randbelow(2):
        table.recorder.play(table.dice.choice(away), ComeBack(), after=0)


def give_up(table: Table, seat: int) -> None:
    table.recorder.play(seat, ProposeAbandon())
    table.answer(odds=4)


def order(table: Table, seat: int) -> None:
    """Set some of the game's standing orders, or end them."""
    names = [name for name in table.game.orders if table.dice.randbelow(2)]
    table.recorder.play(seat, SetStandingOrders(tuple(names), table.dice.choice(ORDER_ENDS)))


ORDER_ENDS = typing.get_args(OrderEnd)
INCIDENTS: Mapping[str, Callable[[Table, int], Any]] = {
    "undo": undo,
    "pause": pause,
    "sleep": sleep,
    "resign": lambda table, seat: table.recorder.play(seat, Resign()),
    "give_up": give_up,
    "operator": lambda table, _seat: table.recorder.send(Actor(operator="p_op"), Abandon()),
}


def incidents_of(game: AnyGame) -> Mapping[str, Callable[[Table, int], Any]]:
    """Return the incidents of a game, with standing orders if the game has any."""
    return {**INCIDENTS, "order": order} if game.orders else INCIDENTS


def lobby(recorder: Recorder, levels: tuple[str, ...]) -> None:
    """Sit down, think better of it; seat a bot and send it away."""
    recorder.send(Actor(player="p_7"), TakeSeat())
    recorder.send(Actor(seat=0), LeaveSeat())
    if any(levels):
        recorder.send(Actor(player="p_0"), AddBot(seat=0, level=next(filter(None, levels))))
        recorder.send(Actor(player="p_0"), RemoveBot(seat=0))


def players_of(game: AnyGame) -> dict[str, Player]:
    """Return the players of a game by name: random, its bots, and its own `PLAYERS`."""
    players: dict[str, Player] = {
        "random": lambda _view, _seen, _state, legal, dice: dice.choice(legal)
    }
    for level, bot in game.players.bots.items():
        players[level] = lambda view, seen, _state, legal, dice, bot=bot: bot(
            view, seen, legal, dice
        )
    name = f"tests.games.{game.slug}.recordings"
    with suppress(ModuleNotFoundError):
        players |= importlib.import_module(name).PLAYERS
    return players


def plans(game: AnyGame, players: Mapping[str, Player]) -> Iterator[Plan]:
    """Think of matches: tables and players in turn, the rest at random."""
    tables = laws_of(game.slug).tables
    names = list(players)
    incidents = incidents_of(game)
    for number in range(PLANS):
        dice = Chance(seed_of(number), 1 << 44)
        seats, options = tables[number % len(tables)]
        levels = [dice.choice(["", "", *game.players.bots]) for _ in range(seats)]
        people = names[(number // len(tables)) % len(names)]
        if people in game.players.bots:
            levels = [people if level else "" for level in levels]
        elif people != "random":
            levels = [""] * seats
        levels[dice.randbelow(seats)] = ""
        incident = dice.choice(["", "", "lobby", *incidents])
        often = 300 if incident == "sleep" else 60
        yield Plan(
            number,
            seats,
            dict(options),
            dice.choice(CLOCKS),
            tuple(levels),
            people,
            incident,
            often,
        )


def record(game: AnyGame) -> dict[str, Recorder]:
    """Play until all needs and wishes are met; return the matches by name.

    Prints what none shows.
    """
    players = players_of(game)
    needs = needed(game)
    goals = needs | wished(game)
    missing = set(goals)
    kept: list[tuple[Recorder, frozenset[str]]] = []
    for plan in plans(game, players):
        table = Table(game, plan, players)
        if not table.play():
            continue
        shows = shown({game.slug: game}, table.recorder.lines)
        if missing & shows:
            missing -= shows
            kept.append((table.recorder, shows & goals))
        if not missing or (plan.number >= ENOUGH and not missing & needs):
            break
    print(f"{game.slug}: {len(kept)} of {plan.number + 1} matches; nothing shows {sorted(missing)}")
    return _named(_pruned(kept))


def _pruned(kept: list[tuple[Recorder, frozenset[str]]]) -> list[tuple[Recorder, frozenset[str]]]:
    """Leave out the matches whose needs all others meet, the longest first."""
    for candidate in sorted(kept, key=lambda pair: -len(pair[0].lines)):
        rest = [pair for pair in kept if pair is not candidate]
        if candidate[1] <= frozenset().union(*(shows for _, shows in rest)):
            kept = rest
    return kept


def _named(kept: list[tuple[Recorder, frozenset[str]]]) -> dict[str, Recorder]:
    named: dict[str, Recorder] = {}
    for recorder, shows in kept:
        ends = sorted(need.partition(":")[2] for need in shows if need.startswith("reason:"))
        endings = [need.partition(":")[2] for need in shows if need.startswith("ending:")]
        stem = (ends or endings or ["by-leaving"])[0].replace("_", "-")
        count = sum(name.startswith(stem) for name in named)
        named[f"{stem}-{count + 1}"] = recorder
    return named


def main(slugs: list[str]) -> None:
    """Record the matches of these games anew."""
    for slug in slugs:
        if not has_laws(slug):
            sys.exit(f"Cannot record {slug}: tests/games/{slug}/laws.py does not exist.")
        folder = MATCHES / slug
        folder.mkdir(parents=True, exist_ok=True)
        recorders = record(GAMES[slug])
        for old in folder.glob("*.jsonl"):
            old.unlink()
        for name, recorder in recorders.items():
            data = file.write(recorder.lines, recorder.head())
            (folder / f"{name}.jsonl").write_bytes(data)
            print(f"  {name}: {len(recorder.lines)} records, {len(data)} bytes")


if __name__ == "__main__":
    main(sys.argv[1:])
