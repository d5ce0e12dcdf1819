"""Play matches in process, without a server and without Redis.

```python
from shiplog import LocalMatch

match = LocalMatch.create("tranquility", seats=2, seed=7)
seat = match.waiting[0]
match.play(seat, match.legal(seat)[0])  # a legal command
match.undo(seat)
while not match.over:
    seat = match.waiting[0]
    match.play(seat, match.choose(seat, "medium"))  # a bot's command
print(match.result, match.at(5).view(0))  # what seat 0 saw at version 5
match.save("match.jsonl")
assert LocalMatch.load("match.jsonl").head == match.head
```

A local match has the same log as a match of the service, so every verb of `shiplog` works on the
saved file. Time is simulated: a match starts on 1 January 2000, and each command comes a second
after the record before, or as late as the pace of the game demands. The same seed and the same
commands therefore give the same bytes.
"""

import hmac
import secrets
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import Any, Self, Union

import msgspec

from events import file
from events.codec import ENCODER, unseal_header
from events.record import at_micros
from events.release import RELEASE
from games import GAMES
from games.chance import SEED_BYTES, Chance
from games.game import AnyGame, Illegal, Seen
from games.match.clocks import SECOND
from games.match.commands import (
    Actor,
    AddBot,
    Answer,
    CreateMatch,
    MatchCommand,
    ProposeUndo,
    TakeSeat,
    Undo_,
)
from games.match.decide import acting_seat, outcome
from games.match.due import next_due
from games.match.legal import takeback
from games.match.seating import Issuer, create
from games.match.seed import commitment
from games.match.undo import price
from games.match.viewers import own_number
from games.playout import seed_of
from projections.folded import Decided, Folded, ToldRecord, Viewer
from projections.seen import seen
from projections.summary import waiting_bots
from replay.arguments import game_named, seat_among, whole
from replay.examined import examine_types
from replay.header import reveal
from replay.travel import NoSuchVersion, steps

examine_types()  # programs may play matches in several threads

START = at_micros("2000-01-01T00:00:00.000000Z")
LOCAL = "local"
"""The player who creates local matches, and the name of their service and key."""
NO_BOTS: Mapping[int, str] = MappingProxyType({})
NO_OPTIONS: Mapping[str, Any] = MappingProxyType({})


class ReadOnly(Exception):
    """The match cannot be continued here. The message says why."""


class LocalMatch:
    """A match in memory, with its log."""

    def __init__(self, folded: Folded, lines: list[bytes], seed: int | None) -> None:
        """Continue from a fold and its log. `create`, `load` and `at` return new matches."""
        self._folded = folded
        self.lines = lines
        """Bytes of the records."""
        self.seed = seed
        """The service seed, from which all dice follow. None if it is not known."""

    @classmethod
    def create(
        cls,
        game: str,
        seats: int = 2,
        *,
        bots: Mapping[int, str] = NO_BOTS,
        options: Mapping[str, Any] = NO_OPTIONS,
        seed: int | None = None,
    ) -> Self:
        """Create a match and occupy all seats, so that it starts.

        `bots` are the levels of bots by seat. Without a seed, the dice are random. Raises
        `Illegal` if the rules refuse the seats, options or levels, and `ValueError` if there is no
        such game, seat or option.
        """
        rules = game_named(game)
        seats = whole("Seats", seats)
        try:
            bots, options = dict(bots), dict(options)
        except (TypeError, ValueError):
            expected = 'bots={1: "medium"} and options={"variant": "pyramid"}'
            raise ValueError(f"Bots and options must be mappings, such as {expected}.") from None
        for seat in bots:
            seat_among(seat, seats)
        known = rules.Options.__struct_encode_fields__
        if unknown := [name for name in options if name not in known]:
            listed = ", ".join(known)
            raise ValueError(f"Unknown option {unknown[0]!r}. {game} has: {listed}.")
        seed = secrets.randbits(8 * SEED_BYTES) if seed is None else seed
        secret = seed_of(seed)
        command = CreateMatch(game, seats, options)
        name = f"m_{sha256(secret).hexdigest()[:24]}"
        opening = create(rules, name, command, Issuer(LOCAL, LOCAL, LOCAL, secret))
        command = msgspec.structs.replace(command, options=opening[0].options)
        match = cls(Folded.opened(GAMES, opening[0]), [], seed)
        creator = Actor(player=LOCAL)
        match._append(Decided(creator, "c1", command, opening, START))
        for seat in range(seats):
            if seat in bots:
                match._send(creator, AddBot(seat, bots[seat]))
            else:
                match._send(Actor(player=f"{LOCAL}-{seat}"), TakeSeat(seat))
        return match

    @classmethod
    def load(cls, path: str | Path, *, seed: int | None = None) -> Self:
        """Read a saved or exported match.

        A log contains its seed only when the match is over: a running match can be continued with
        the seed that it was created with. Raises `file.BadFile`, `ChainBroken`, `Unreadable`,
        `UnknownGame`, and `ValueError` for a seed of another match.
        """
        lines, _ = file.read(Path(path).read_bytes(), unsigned=True)
        revealed = reveal(lines).secret
        if seed is None and revealed:
            seed = int(revealed, 16)
        if seed is None:
            return cls(Folded.of(GAMES, lines), lines, None)
        (header,) = unseal_header(lines[0]).events
        if commitment(seed_of(seed)) != header.commitment:
            raise ValueError(f"The seed is not that of match {header.match}.")
        return cls(Folded.checked(GAMES, lines, seed_of(seed)), lines, seed)

    def save(self, path: str | Path) -> None:
        """Write the log to a file. It is not signed: `shiplog audit --allow-unsigned` checks it."""
        Path(path).write_bytes(file.write(self.lines, None))

    @property
    def game(self) -> AnyGame:
        """The game, with its rules as pure functions."""
        return self._folded.match.game

    @property
    def seats(self) -> int:
        """Number of seats."""
        return self._folded.match.header.seats

    @property
    def version(self) -> int:
        """Number of records in the log."""
        return self._folded.version

    @property
    def head(self) -> str:
        """The head of the log, which stands for every byte of it."""
        return self._folded.head

    @property
    def over(self) -> bool:
        """Whether the match is finished or abandoned."""
        return self._folded.match.over

    @property
    def waiting(self) -> list[int]:
        """The seats that are to move, ascending."""
        match = self._folded.match
        return sorted(match.game.waiting(match.state)) if match.status == "running" else []

    @property
    def state(self) -> Any:
        """A copy of the full state of the game, with everything that views hide.

        Raises `Illegal` before the start.
        """
        return self._dealt().copy()

    @property
    def result(self) -> Any:
        """The result of the game, in plain form. None unless the match is finished."""
        ending = self._folded.match.ending
        return None if ending is None else msgspec.json.decode(msgspec.json.encode(ending.result))

    def view(self, viewer: Viewer = None) -> Any:
        """Return the game as a seat may know it, by default as a spectator may.

        Raises `Illegal` before the start.
        """
        return self.game.view(self._dealt(), self._known(viewer))

    def seen(self, viewer: Viewer = None) -> Seen:
        """Return the records that still count, as shown to a seat, by default to a spectator."""
        return seen(self._folded.match, self._known(viewer))

    def records(self, viewer: Viewer = None) -> list[ToldRecord]:
        """Return all records as shown to a seat, by default to a spectator."""
        return [step.told for step in steps(GAMES, self.lines, self._known(viewer))]

    def legal(self, seat: int) -> list[Any]:
        """Return the legal commands of a seat. Empty if it is not to move."""
        match = self._folded.match
        if match.status != "running" or match.chairs[self._seat(seat)].left:
            return []
        return match.game.legal(match.state, seat)

    def play(self, seat: int, command: Any) -> list[Any]:
        """Send a command of the game or the match for a seat and return its events.

        The command may also be in plain form, as the API takes it. Raises `Illegal` with the code
        of the rule that refuses the command, `ValueError` if it is none, and `ReadOnly`.
        """
        actor = Actor(seat=self._seat(seat))
        try:
            command = _commands(self.game).decode(ENCODER.encode(command))
        except (TypeError, msgspec.ValidationError) as error:
            raise ValueError(f"Not a command of {self.game.slug}: {command!r}. {error}.") from None
        return self._send(actor, command)

    def choose(self, seat: int, level: str) -> Any:
        """Return the command that a bot of a level would play for a seat.

        Raises `Illegal` if the seat is not to move, and `ReadOnly`.
        """
        players = self.game.players
        if level not in players.bots:
            levels = ", ".join(players.levels)
            raise ValueError(f"Unknown level {level!r}. {self.game.slug} has: {levels}.")
        seat = acting_seat(self._folded.match, Actor(seat=self._seat(seat)))
        legal = self.legal(seat)
        if not legal:
            raise Illegal("not-your-turn")
        chance = Chance(hmac.digest(self._secret(), b"bot%d" % seat, sha256), self.version)
        return players.bots[level](self.view(seat), self.seen(seat), legal, chance)

    def play_bots(self) -> None:
        """Play for the bots until a seat without a bot is to move, or the match is over."""
        while bots := waiting_bots(self._folded.match):
            seat = bots[0]
            self.play(seat, self.choose(seat, self._folded.match.bot_at(seat)))

    def undo(self, seat: int, to: int | None = None) -> None:
        """Take back the last command of a seat, or go back to one of the seat's versions.

        If the undo needs consent, all seats that are asked accept. Raises `Illegal` if the rules
        do not allow it, and `ReadOnly`.
        """
        match, actor = self._folded.match, Actor(seat=self._seat(seat))
        if to is None:
            back = takeback(match, seat, match.at + SECOND)
            if back is None:
                raise Illegal("nothing-to-undo")
            to = back.to
        to = whole("Version", to)
        cost = price(match, seat, to, match.at + SECOND)
        if cost.undo == "free":
            self._send(actor, Undo_(to))
            return
        self._send(actor, ProposeUndo(to))
        made = self.version
        for asked in cost.asked:
            number = own_number(self._folded.match, asked, made)
            self._send(Actor(seat=asked), Answer(number, accept=True))

    def at(self, version: int) -> Self:
        """Return the match as it was at a version of its log, from 1. It can be continued.

        Raises `NoSuchVersion`.
        """
        version = whole("Version", version)
        if not 1 <= version <= self.version:
            raise NoSuchVersion(version, self.version)
        lines = self.lines[:version]
        return type(self)(Folded.of(GAMES, lines), lines, self.seed)

    def _send(self, actor: Actor, command: Any) -> list[Any]:
        """Decide a command and append its record, then what the service would send by itself."""
        events = self._decide(actor, command)
        while (due := next_due(self._folded.match)) is not None and due.is_late(
            START, self._folded.match
        ):
            self._decide(due.actor, due.command)
        return events

    def _decide(self, actor: Actor, command: Any) -> list[Any]:
        match, secret = self._folded.match, self._secret()
        at = match.at + SECOND
        try:
            events, state = outcome(match, actor, command, at, secret)
        except Illegal as error:
            if error.code != "too-fast":
                raise
            at += 1_000 * error.details["retry_after_ms"]
            events, state = outcome(match, actor, command, at, secret)
        self._append(Decided(actor, f"c{self.version + 1}", command, events, at, state))
        return events

    def _append(self, decided: Decided) -> None:
        draft = self._folded.draft(decided, self._secret(), RELEASE)
        self._folded.accept(draft)
        self.lines.append(draft.data)

    def _secret(self) -> bytes:
        header = self._folded.match.header
        if self.seed is None:
            raise ReadOnly(
                f"The log of match {header.match} does not contain the seed yet. Load it with the "
                "seed that it was created with."
            )
        if not self._folded.decidable:
            raise ReadOnly(
                f"Match {header.match} has rules version {header.rules} of {header.game}, which "
                "this release does not have."
            )
        return seed_of(self.seed)

    def _dealt(self) -> Any:
        match = self._folded.match
        if match.status == "waiting":
            raise Illegal("match-not-started")
        return match.state

    def _known(self, viewer: Viewer) -> Viewer:
        return None if viewer is None else self._seat(viewer)

    def _seat(self, seat: int) -> int:
        return seat_among(seat, self.seats)


@cache
def _commands(game: AnyGame) -> msgspec.json.Decoder[Any]:
    """Return the decoder of the commands of a match."""
    commands: Any = Union[MatchCommand, game.Command]  # noqa: UP007 - a value
    return msgspec.json.Decoder(commands)
