"""A toy game for the match's tests: two crews count to a goal and hide notes from each other."""

from typing import Any

import msgspec

from games.game import Game, Illegal, Players, Tagged, Timing


class Count(Tagged, frozen=True):
    by: int


class Note(Tagged, frozen=True):
    text: int


class Peek(Tagged, frozen=True):
    pass


class Dealt(Tagged, frozen=True):
    secret: int


class Counted(Tagged, frozen=True):
    seat: int
    total: int


class Noted(Tagged, frozen=True):
    seat: int
    text: int


class Peeked(Tagged, frozen=True):
    seat: int
    secret: int


class Deserted(Tagged, frozen=True):
    seat: int


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    goal: int = 5
    crews: bool = False
    gap_ms: int = 0
    blind: bool = False
    """No view shows notes."""


class State(msgspec.Struct):
    seats: int
    options: Options
    total: int = 0
    turn: int = 0
    secret: int = -1
    notes: list[int] = []
    deserted: list[int] = []

    def copy(self) -> "State":
        return State(
            self.seats,
            self.options,
            self.total,
            self.turn,
            self.secret,
            self.notes[:],
            self.deserted[:],
        )


class View(msgspec.Struct, frozen=True):
    total: int
    turn: int
    notes: list[int] | None


class Result(msgspec.Struct, frozen=True):
    winners: list[int]

    def places(self, seats: int) -> list[int]:
        return [1 if seat in self.winners else 2 for seat in range(seats)]


def crew(state: State, seat: int | None) -> frozenset[int]:
    if seat is None:
        return frozenset()
    if not state.options.crews:
        return frozenset((seat,))
    return frozenset(s for s in range(state.seats) if s % 2 == seat % 2)


def setup(seats, options, chance):
    if options.goal < 1:
        raise Illegal("option-conflict")
    return [Dealt(chance.randbelow(100))]


def decide_on(draft, seat, command):
    state = draft.state
    if state.total >= state.options.goal:
        raise Illegal("game-over")
    match command:
        case Note(text=-1):
            if not state.notes:
                raise Illegal("nothing-noted")
            draft.add(Noted(seat, state.notes[-1]))
        case Note(text=text):
            draft.add(Noted(seat, text))
        case Peek():
            draft.add(Peeked(seat, state.secret))
        case Count(by=by):
            if seat != state.turn:
                raise Illegal("not-your-turn")
            if by not in (1, 2):
                raise Illegal("bad-count")
            draft.add(Counted(seat, state.total + by))


def leave_on(draft, seat):
    if draft.state.seats > 2:
        draft.add(Deserted(seat))


def apply(state: State, event: Any) -> None:
    match event:
        case Dealt(secret=secret):
            state.secret = secret
        case Counted(seat=seat, total=total):
            state.total = total
            state.turn = (seat + 1) % state.seats
        case Noted(text=text):
            state.notes.append(text)
        case Peeked():
            pass
        case Deserted(seat=seat):
            state.deserted.append(seat)


def legal(state, seat):
    if state.total >= state.options.goal:
        return []
    counts = [Count(1), Count(2)] if seat == state.turn else []
    return [*counts, Peek()]


def waiting(state):
    return frozenset() if state.total >= state.options.goal else frozenset((state.turn,))


def undo(before, seat, command, events):
    return {Count: "free", Note: "free", Peek: "all"}[type(command)]


def redact(event, viewer, state):
    match event:
        case Dealt():
            return Dealt(-1)
        case Noted(seat=seat) if viewer not in crew(state, seat):
            return None
        case Peeked(seat=seat) if viewer != seat:
            return Peeked(seat, -1)
    return event


def view(state, viewer):
    open_ = viewer is not None and viewer % 2 == 0 and not state.options.blind
    return View(state.total, state.turn, state.notes[:] if open_ else None)


def teams(state):
    return (
        [crew(state, 0), crew(state, 1)]
        if state.options.crews
        else [crew(state, s) for s in range(state.seats)]
    )


def result(state):
    if state.total < state.options.goal:
        return None
    return Result([(state.turn - 1) % state.seats])


def first_bot(view, seen, legal, chance):
    return legal[0]


TOY = Game(
    slug="toy",
    version=1,
    titles={"en": "Toy"},
    seats=range(1, 5),
    Options=Options,
    Command=Count | Note | Peek,
    Event=Dealt | Counted | Noted | Peeked | Deserted,
    State=State,
    View=View,
    initial=State,
    setup=setup,
    decide_on=decide_on,
    apply=apply,
    legal=legal,
    waiting=waiting,
    teams=teams,
    timing=Timing(
        clock=lambda state, seat: (f"turn:{state.total}", 10),
        pace=lambda state, seat, command: (
            ("count", state.options.gap_ms)
            if isinstance(command, Count) and state.options.gap_ms
            else None
        ),
    ),
    default=lambda state, seat: Count(1),
    leave_on=leave_on,
    orders={
        "one": lambda state, seat: Count(1),
        "even": lambda state, seat: Count(2) if state.total % 2 == 0 else None,
    },
    view=view,
    redact=redact,
    undo=undo,
    result=result,
    players=Players(
        sample=lambda view, seen, chance: State(2, Options()), bots={"heuristic": first_bot}
    ),
)
