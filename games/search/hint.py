"""Hints: a command for one seat, why, and how sure, from the seat's own knowledge alone.

Half of the budget finds the best alternative to the blueprint's choice. The other half tests one
against the other by whole games in fresh worlds, because the sample that picked a command cannot
judge it. Equal knowledge gives equal hints, byte for byte: the dice follow from the knowledge
itself, and the effort from the knowledge, the budget and the candidates.
"""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from math import hypot
from typing import Any, Literal, NamedTuple

import msgspec

from games.chance import Chance
from games.game import AnyGame, Illegal, Seen
from games.search.choose import Choice, deliberate
from games.search.evaluate import Estimate, Trials
from games.search.paired import Tested, paired_test
from games.search.rollout import Stop, blueprint_of, never, unabridged, value_error
from games.search.worlds import Worlds
from games.wire import GameCommand

ASSUMES = (
    "Every seat plays on by rules of thumb, from what it knows. Of what you cannot see, everything "
    "that fits what you saw counts as equally likely, or as likely as players' habits make it."
)
DIGITS = 4
TEST = 1
"""Version of the dice that sample the worlds of the test; those of the search have version 0."""
STEP = 8
"""Number of pairs of games that are added to the test at a time."""
COMMANDS = 300
"""Maximum number of commands that a test plays for each playout that it may make. Commands of slow
games count more (`Blueprint.cost`)."""
Sure = Literal["rule", "close", "clear"]


class Reason(msgspec.Struct, frozen=True):
    """Why one plays a command."""

    code: str
    """A stable code; the game's documentation lists them."""
    words: str


class Weighed(msgspec.Struct, frozen=True):
    """A command and its estimate. Shares of games won by the seat's team, between 0 and 1."""

    command: GameCommand
    share: float | None
    """Null before the first playout."""
    standard_error: float | None
    gain: float | None
    """Difference to what the rules of thumb choose, in the same worlds."""
    gain_error: float | None
    """Standard error of `gain`, with the error of the value function if games were cut short."""
    worlds: int


class Hint(msgspec.Struct, frozen=True):
    """Advice to one seat."""

    game: str
    command: GameCommand
    reason: Reason
    by: Literal["rules-of-thumb", "playouts"]
    """What chose the command: playouts if whole games uphold their gain."""
    sure: Sure
    """`rule`: no playouts; `clear`: whole games in fresh worlds uphold that the command is better
    than the best alternative; else `close`."""
    best: Weighed
    alternatives: Sequence[Weighed]
    """Best first. The best alternative and the rules' choice have the estimates of whole games, as
    soon as there are any."""
    playouts: int
    budget: int
    assumes: str


def advise(
    game: AnyGame,
    view: Any,
    seen: Seen,
    legal: Sequence[Any],
    budget: int,
    cancelled: Stop = never,
) -> Iterator[Hint]:
    """Yield the hint by rules of thumb at once, then a better one after each round.

    Raises `Cancelled`.
    """
    seed = _knowledge(game, view, seen, budget)
    half = budget // 2
    choice: Choice | None = None
    for choice in deliberate(game, view, seen, legal, half, Chance(seed, 0), cancelled):
        yield _hint(game, view, seen, choice, None, budget)
    assert choice is not None, "the first choice needs no playouts"
    rival = _best_alternative(choice)
    if rival is not None:
        pair = (choice.blueprint, rival)
        for duel in _duel(game, view, seen, pair, half, Chance(seed, TEST), cancelled):
            yield _hint(game, view, seen, choice, duel, budget)


class Duel(NamedTuple):
    """The rules' choice and the best alternative, tested by whole games in fresh worlds."""

    estimates: Sequence[Estimate]
    """Of the rules' choice, then of the alternative."""
    better: Tested
    """Whether the alternative is better."""
    worse: Tested
    """Whether the alternative is worse."""

    @property
    def decided(self) -> bool:
        """Whether more games would not change the hint."""
        upheld = "upheld" in (self.better.verdict, self.worse.verdict)
        return upheld or (self.better.decided and self.worse.decided)


def _best_alternative(choice: Choice) -> Any:
    """Return the best command beside the blueprint's, of those that were played in most worlds."""
    first, *others = choice.estimates
    finalists = [known for known in others if known.worlds == first.worlds > 0]
    best = max(finalists, key=lambda known: known.gain, default=None)
    return None if best is None else best.command


def _duel(
    game: AnyGame,
    view: Any,
    seen: Seen,
    pair: tuple[Any, Any],
    budget: int,
    chance: Chance,
    cancelled: Stop,
) -> Iterator[Duel]:
    """Yield the state of the test after every few pairs, until it is decided or the budget ends."""
    played = 0

    def counted() -> bool:
        nonlocal played
        played += 1
        return cancelled()

    most = COMMANDS * budget // blueprint_of(game).cost
    trials = Trials(unabridged(game), Worlds(game, view, seen, chance), seen.seat, pair, counted)
    for _ in range(budget // (2 * STEP)):
        if played >= most:
            return
        try:
            trials.extend(range(2), STEP)
        except Illegal:
            return
        gains = trials.gains(1)
        worse = paired_test([-gain for gain in gains])
        duel = Duel(trials.estimates(), paired_test(gains), worse)
        yield duel
        if duel.decided:
            return


def _knowledge(game: AnyGame, view: Any, seen: Seen, budget: int) -> bytes:
    """Return a digest of everything that the hint depends on."""
    known = (game.slug, game.version, seen.viewer, seen.seats, seen.options, budget)
    encoder = msgspec.json.Encoder(order="deterministic")
    return sha256(encoder.encode((known, view, tuple(seen.records)))).digest()


def _hint(
    game: AnyGame, view: Any, seen: Seen, choice: Choice, duel: Duel | None, budget: int
) -> Hint:
    tested = [] if duel is None else list(duel.estimates)
    better = duel is not None and duel.better.verdict == "upheld"
    clear = better or (duel is not None and duel.worse.verdict == "upheld")
    command = tested[1].command if better else choice.blueprint
    known: list[Weighed] = []
    for place, estimate in enumerate(choice.estimates):
        whole = next((each for each in tested if each.command == estimate.command), None)
        error = value_error(game) if whole is None else 0.0
        known.append(_weighed(whole or estimate, error, is_first=place == 0))
    chosen = next(weighed for weighed in known if weighed.command == command)
    others = sorted(
        (weighed for weighed in known if weighed is not chosen),
        key=lambda weighed: (-(weighed.gain or 0.0), -(weighed.share or 0.0)),
    )
    playouts = choice.playouts + sum(estimate.worlds for estimate in tested)
    return Hint(
        game=game.slug,
        command=command,
        reason=reason_of(game, view, seen.seat, command),
        by="playouts" if better else "rules-of-thumb",
        sure="clear" if clear else "close" if playouts else "rule",
        best=chosen,
        alternatives=others,
        playouts=playouts,
        budget=budget,
        assumes=ASSUMES,
    )


def reason_of(game: AnyGame, view: Any, seat: int, command: Any) -> Reason:
    """Return why one would play a command, assuming that it is a good one."""
    blueprint = blueprint_of(game)
    code = blueprint.reason(view, seat, command)
    return Reason(code, blueprint.reasons[code])


def _weighed(known: Estimate, error: float, *, is_first: bool) -> Weighed:
    worlds = known.worlds
    if not worlds:
        return Weighed(known.command, None, None, None, None, 0)
    # As if two more worlds had given a gain and a loss: no difference in a few worlds proves none.
    gain_error = 0.0 if is_first else hypot(known.gain_error, 1 / (worlds + 2), error)
    return Weighed(
        known.command,
        round(known.mean, DIGITS),
        round(hypot(known.standard_error, error), DIGITS),
        round(known.gain, DIGITS),
        round(gain_error, DIGITS),
        worlds,
    )
