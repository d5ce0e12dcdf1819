"""Fold records into a match: total, in place, without chance or validation."""

from array import array
from collections.abc import Collection, Sequence
from typing import Any, assert_never

import msgspec
from msgspec import UNSET

from games.game import AnyGame
from games.match import clocks, orders, states, viewers
from games.match.commands import (
    Actor,
    Answer,
    Bank,
    FollowOrders,
    TimeOut,
    WithdrawProposal,
    is_match_command,
)
from games.match.ending import ending_of
from games.match.events import (
    MATCH_EVENT_TYPES,
    BotSeated,
    MatchAbandoned,
    MatchCreated,
    MatchEvent,
    MatchFinished,
    MatchPaused,
    MatchResumed,
    MatchStarted,
    ProposalAnswered,
    ProposalClosed,
    ProposalMade,
    SeatAway,
    SeatBack,
    SeatFreed,
    SeatResigned,
    SeatTaken,
    StandingOrdersSet,
    TimedOut,
    Undone,
)
from games.match.line import Entry, Line
from games.match.model import Chair, Match, Proposal

TOLD_BEFORE = frozenset((Undone, ProposalAnswered, ProposalClosed))
"""Events whose audience depends on the state before them."""
ENDS_PROPOSALS = frozenset((ProposalMade, SeatResigned, Undone))
"""Events that, like the game's own, end earlier proposals."""

Told = dict[int | None, list[Any]]
"""By viewer, the redacted events of one record."""


def open_match(game: AnyGame, header: MatchCreated) -> Match:
    """Return the match before its first record; raises `msgspec.ValidationError`."""
    fork = header.branch
    return Match(
        game=game,
        header=header,
        start=None if fork is None else msgspec.convert(fork.state, game.State, str_keys=True),
        options=msgspec.convert(header.options, game.Options),
        chairs=[Chair() for _ in range(header.seats)],
        line=Line(game=game),
        shown={viewer: array("I") for viewer in (*range(header.seats), None)},
    )


def fold(
    match: Match,
    version: int,
    at: int,
    actor: Actor,
    command: Any,
    events: Sequence[Any],
    wanted: Collection[int | None] = (),
    drafted: Any = None,
) -> Told:
    """Fold one record in place; return its events as redacted for the wanted viewers.

    `drafted` is the state after the game's events, if the caller has it. It is the match's from
    now on, unless redaction needs the states between the events.
    """
    entries = len(match.line)
    match_events = [event for event in events if type(event) in MATCH_EVENT_TYPES]
    game_events = events
    if match_events:
        game_events = [event for event in events if type(event) not in MATCH_EVENT_TYPES]
    acted = command.seat if type(command) is TimeOut else actor.seat
    sent = type(command) is not FollowOrders
    if not sent and acted is not None:
        command = orders.answer(match, acted)
    pace = _pace(match, acted, command)
    match.version, match.at = version, at
    if match.proposals and acted is not None:
        _address(match, acted, command)
    told: Told = {viewer: [] for viewer in wanted} if wanted else {}
    if drafted is not None and _steps_matter(match, game_events, told):
        drafted = None
    unshown = [] if _is_shown_to_all(match, game_events) else list(match.shown)
    before = match.state
    if drafted is not None:
        match.state = drafted
    elif before is not None:
        may_be_secret = unshown and game_events and match.game.withheld
        before = before.copy() if may_be_secret else None
    if told or unshown or match_events:
        unshown = _fold_events(match, events, told, unshown, drafted=drafted is not None)
    elif drafted is None:
        apply, state = match.game.apply, match.state
        for event in game_events:
            apply(state, event)
    if game_events:
        _extend(match, entries, acted, command, game_events)
        if unshown:
            earlier = states.state_after(match, entries) if before is None else before
            unshown = _unchanged(match, earlier, unshown)
    if match.proposals and (game_events or any(type(e) in ENDS_PROPOSALS for e in match_events)):
        _end_proposals(match, unshown)
    times = match.times
    for viewer, shown in match.shown.items():
        if viewer not in unshown:
            shown.append(version)
            times[viewer] = at
    if pace is not None:
        match.paces[pace[0]] = at
    timed_out = type(command) is TimeOut
    if timed_out and acted is not None and _stalled(match, entries, acted):
        match.clocks.pop(acted, None)
    else:
        moved = game_events and (timed_out or not unshown)
        _keep_time(match, acted if moved else None, match_events)
    if game_events and acted is not None and sent and not actor.clock:
        _act(match.chairs[acted])
    return told


def _is_shown_to_all(match: Match, game_events: Sequence[Any]) -> bool:
    """Return whether each viewer is surely shown one of the game's events of a record."""
    withheld = match.game.withheld
    return withheld is not None and not withheld.issuperset(map(type, game_events))


def _steps_matter(match: Match, game_events: Sequence[Any], told: Told) -> bool:
    """Return whether redaction needs the states between the events of a record."""
    if len(game_events) < 2:
        return False
    withheld = match.game.withheld
    return bool(told) or withheld is None or not withheld.isdisjoint(map(type, game_events))


def _fold_events(
    match: Match, events: Sequence[Any], told: Told, unshown: list[int | None], *, drafted: bool
) -> list[int | None]:
    """Fold the events of a record, and add to `told` what its viewers may know of them.

    Return, of the viewers who may be shown none, those who are not. The state is that after the
    game's events already if it was `drafted`.
    """
    apply = match.game.apply
    for event in events:
        late = False
        if type(event) not in MATCH_EVENT_TYPES:
            if not drafted:
                apply(match.state, event)
        elif type(event) in TOLD_BEFORE:
            late = True
        else:
            _apply(match, event)
        for viewer, shown in told.items():
            if (redacted := viewers.redact(match, event, viewer)) is not None:
                shown.append(redacted)
        if unshown:
            unshown = [
                v
                for v in unshown
                if (not told[v] if v in told else viewers.redact(match, event, v) is None)
            ]
        if late:
            _apply(match, event)
    return unshown


def _act(chair: Chair) -> None:
    """Note that the seat itself acted, not the clock or its standing orders."""
    chair.timeouts = 0
    if chair.orders_end == "next_command":
        chair.order((), "cancelled")


def _pace(match: Match, acted: int | None, command: Any) -> tuple[str, int] | None:
    pace_of = match.game.timing.pace
    if pace_of is None or match.state is None or acted is None:
        return None
    if type(command) is TimeOut:
        command = match.game.default(match.state, acted)
    return None if is_match_command(command) else pace_of(match.state, acted, command)


def _extend(
    match: Match, entries: int, acted: int | None, command: Any, game_events: Sequence[Any]
) -> None:
    seat = acted if entries else None
    limit = None if seat is None else clocks.limit(match, seat)
    match.line.append(Entry(match.version, seat, command, tuple(game_events), limit))
    if (entries + 1) % states.CHECKPOINT_EVERY == 0:
        states.keep(match, entries + 1)


def _address(match: Match, seat: int, command: Any) -> None:
    """Move the proposal that a command answers or withdraws to the end of the list."""
    addressed = None
    if type(command) is Answer:
        addressed = viewers.numbered_proposal(match, seat, command.proposal)
    elif type(command) is WithdrawProposal:
        addressed = viewers.own_proposal(match, seat)
    if addressed is not None:
        match.proposals.remove(addressed)
        match.proposals.append(addressed)


def _end_proposals(match: Match, unshown: Sequence[int | None]) -> None:
    """End earlier proposals, except those shown to a viewer who would not know why they ended."""
    match.proposals = [
        one
        for one in match.proposals
        if one.version == match.version
        or any(viewers.was_shown(match, viewer, one.version) for viewer in unshown)
    ]


def _unchanged(match: Match, earlier: Any, unshown: Sequence[int | None]) -> list[int | None]:
    """Return, of the viewers that were shown no event, those whose view has not changed."""
    view, state = match.game.view, match.state
    keys = {viewer: match.game.view_key(state, viewer) for viewer in unshown}
    one_of_each = {key: viewer for viewer, key in keys.items()}
    same = {key for key, v in one_of_each.items() if view(earlier, v) == view(state, v)}
    return [viewer for viewer, key in keys.items() if key in same]


def _stalled(match: Match, entries: int, seat: int) -> bool:
    """Return whether a timeout changed nothing.

    The seat's clock then stands still until somebody else acts.
    """
    if match.status != "running" or seat not in match.game.waiting(match.state):
        return False
    return states.state_after(match, entries) == match.state


def _keep_time(match: Match, moved: int | None, match_events: Sequence[Any]) -> None:
    """Run the clocks on. `moved` is the seat that moved in public, or timed out."""
    for event in match_events:
        if type(event) is Undone and event.undo != "free" and match.status == "running":
            clocks.restart(match, [s for s in match.clocks if match.shown[s][-1] == match.version])
            return
    clocks.advance(match, moved)


def _apply(match: Match, event: MatchEvent) -> None:
    match event:
        case MatchCreated():
            match.opened = match.at
        case SeatTaken(seat=seat, player=player, entropy=entropy):
            match.chairs[seat] = Chair(player=player, entropy=entropy, bank=_bank(match))
        case BotSeated(seat=seat, level=level):
            match.chairs[seat] = Chair(bot=level, bank=_bank(match))
        case SeatFreed(seat=seat):
            match.chairs[seat] = Chair()
        case MatchStarted():
            match.status = "running"
            match.started, match.started_at = match.version, match.at
            match.state = states.first(match)
            if match.start is not None:
                match.line.append(Entry(match.version, None, None, ()))
        case TimedOut(seat=seat):
            match.chairs[seat].timeouts += 1
        case SeatAway(seat=seat):
            match.chairs[seat].away = True
        case SeatBack(seat=seat):
            match.chairs[seat].away = False
            match.chairs[seat].timeouts = 0
        case SeatResigned(seat=seat):
            match.chairs[seat].left = True
            match.leavers.append(seat)
        case ProposalMade():
            match.proposals.append(Proposal(match.version, event))
        case ProposalAnswered(seat=seat, accept=accept):
            if accept and match.proposals:
                answered = match.proposals.pop()
                accepted = (*answered.accepted, seat)
                match.proposals.append(msgspec.structs.replace(answered, accepted=accepted))
        case ProposalClosed(outcome=outcome):
            _close(match, outcome)
        case Undone():
            _undo(match, event)
        case StandingOrdersSet(seat=seat, orders=names, until=until):
            match.chairs[seat].order(names, until)
        case MatchPaused():
            match.paused = match.at
        case MatchResumed():
            paused_at, match.paused = match.paused, None
            clocks.resume(match, match.at if paused_at is None else paused_at)
        case MatchFinished():
            match.status = "finished"
            match.ending = ending_of(match, event)
        case MatchAbandoned():
            match.status = "abandoned"
        case _:
            assert_never(event)


def _undo(match: Match, event: Undone) -> None:
    undone = states.rewind(match, event.to, () if event.kept is UNSET else event.kept)
    match.chairs[event.seat].undos += 1
    if event.undo == "free":
        clocks.take_back(match, event.seat, undone[0].limit if undone else None)
    if match.line and match.line[-1].version <= match.solved:
        match.solved = match.version


def _close(match: Match, outcome: str) -> None:
    closed = match.proposals.pop() if match.proposals else None
    if closed is not None and closed.made.kind == "solve" and outcome == "accepted":
        match.solved = match.version


def _bank(match: Match) -> int:
    clock = match.header.clock
    return clock.seconds * clocks.SECOND if isinstance(clock, Bank) else 0
