"""Properties of rich random positions."""

import os
from typing import Any

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.chance import Chance
from games.game import Illegal, Seen
from games.ke_dnu import GAME
from games.ke_dnu.commands import EndTurn, Pass, RearrangeTop
from games.ke_dnu.model import State
from games.playout import seed_of
from tests.games.ke_dnu.laws import LAWS, census
from tests.games.ke_dnu.rich import rich

EXAMPLES = int(os.environ.get("KE_DNU_EXAMPLES", "60"))
PLIES = 60
encode = msgspec.json.encode
some = settings(
    max_examples=EXAMPLES,
    suppress_health_check=list(HealthCheck),
)
seeds = st.integers(0, 2**32)


def accepts(state: State, seat: int, command: Any) -> bool:
    try:
        GAME.decide(state, seat, command, Chance(seed_of(3), 2))
    except Illegal:
        return False
    return True


def busy(legal: list[Any], dice: Chance) -> Any:
    """Choose a random command; rarely to pass, to end the turn or to reorder."""
    idle = EndTurn | Pass | RearrangeTop
    acts = [command for command in legal if not isinstance(command, idle)]
    return dice.choice(acts if acts and dice.randbelow(6) else legal)


def walk(seed: int):
    """Continue a rich position; yield the live state before each command, and the command."""
    state = rich(seed)
    dice = Chance(seed_of(seed), 1 << 42)
    for ply in range(PLIES):
        waiting = sorted(GAME.waiting(state))
        if not waiting:
            return
        seat = dice.choice(waiting)
        command = busy(GAME.legal(state, seat), dice)
        yield state, seat, command, dice
        for event in GAME.decide(state, seat, command, Chance(seed_of(seed), ply + 2)):
            GAME.apply(state, event)


@some
@given(seed=seeds)
def test_legal_is_what_decide_takes(seed):
    """A member of a large family is legal if its representative is listed."""
    for at, (state, _, _, dice) in enumerate(walk(seed)):
        for seat in range(len(state.status)) if at % 4 == 0 else ():
            legal = GAME.legal(state, seat)
            known = {encode(command) for command in legal}
            assert len(known) == len(legal)
            assert bool(legal) == (seat in GAME.waiting(state))
            for command in dice.sample(legal, min(12, len(legal))):
                assert accepts(state, seat, command), command
            for command in LAWS.probes(state, seat, dice):
                listed = encode(LAWS.canonical(state, seat, command)) in known
                assert accepts(state, seat, command) == listed, command


@some
@given(seed=seeds)
def test_cards_are_conserved_at_every_event(seed):
    """Deciding changes nothing either, and a copy is equal and independent."""
    for state, seat, command, _ in walk(seed):
        before, cards = encode(state), census(state)
        copy = state.copy()
        for event in GAME.decide(state, seat, command, Chance(seed_of(5), 3)):
            GAME.apply(copy, event)
            assert census(copy) == cards, event
        assert encode(state) == before


@some
@given(seed=seeds)
def test_the_defaults_end_every_position(seed):
    state = rich(seed)
    version = 1
    while waiting := sorted(GAME.waiting(state)):
        version += 1
        assert version < 1200
        command = GAME.default(state, waiting[0])
        assert command in GAME.legal(state, waiting[0])
        for event in GAME.decide(state, waiting[0], command, Chance(seed_of(seed), version)):
            GAME.apply(state, event)
    assert state.result is not None


@some
@given(seed=seeds)
def test_what_is_hidden_changes_nothing_that_is_seen(seed):
    """Compare view, legal commands, refusals, and events of commands that are free to undo."""
    for at, (state, seat, command, dice) in enumerate(walk(seed)):
        for viewer in (*range(len(state.status)), None) if at % 5 == 0 else ():
            view = encode(GAME.view(state, viewer))
            for twin in LAWS.twins(state, viewer, dice):
                assert encode(GAME.view(twin, viewer)) == view
                if viewer is not None:
                    assert GAME.legal(twin, viewer) == GAME.legal(state, viewer)
                    assert GAME.waiting(twin) == GAME.waiting(state)
        events = GAME.decide(state, seat, command, Chance(seed_of(7), 2))
        if GAME.undo(state, seat, command, events) == "all":
            continue
        for twin in LAWS.twins(state, seat, dice):
            again = GAME.decide(twin, seat, command, Chance(seed_of(8), 2))
            assert redacted(twin, seat, again) == redacted(state, seat, events)


def redacted(state: State, viewer: int, events: list[Any]) -> bytes:
    after = state.copy()
    seen: list[Any] = []
    for event in events:
        GAME.apply(after, event)
        seen.append(GAME.redact(event, viewer, after))
    return encode(seen)


@some
@given(seed=seeds)
def test_every_seat_may_leave_at_any_time(seed):
    """The match goes on and no card is lost."""
    for at, (state, _, _, dice) in enumerate(walk(seed)):
        if at % 6:
            continue
        left = state.copy()
        seat = dice.randbelow(len(left.status))
        for event in GAME.leave(left, seat):
            GAME.apply(left, event)
            assert census(left) == census(state)
        assert bool(GAME.waiting(left)) == (left.result is None)
        assert seat not in GAME.waiting(left)


@some
@given(seed=seeds)
def test_the_bot_answers_every_position(seed):
    """The bot returns a legal command."""
    for state, seat, _, dice in walk(seed):
        legal = GAME.legal(state, seat)
        seen = Seen(seat, len(state.status), state.options, ())
        command = GAME.players.bots["heuristic"](GAME.view(state, seat), seen, legal, dice)
        assert command in legal
