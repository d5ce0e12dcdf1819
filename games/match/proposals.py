"""Proposals: what people ask of each other, to undo, to abandon, to pause."""

from msgspec import UNSET
from msgspec.structs import replace

from games.game import Illegal
from games.match import undo as undo_
from games.match import viewers
from games.match.clocks import SECOND
from games.match.commands import Answer
from games.match.events import (
    MatchAbandoned,
    MatchEvent,
    MatchPaused,
    ProposalAnswered,
    ProposalClosed,
    ProposalMade,
    Undone,
)
from games.match.model import Match, Proposal

PROPOSAL_SECONDS = 300
"""How long a proposal may be answered, unless the match was opened with another time."""


def propose_undo(match: Match, seat: int, number: int, at: int) -> list[MatchEvent]:
    """Ask the seats concerned to undo; undo at once if nobody must be asked."""
    cost = undo_.price(match, seat, number, at)
    made = ProposalMade(
        "undo", seat, cost.asked, _expiry(match, at), cost.to, cost.undo, cost.kept or UNSET
    )
    return _propose(match, made, at, b"")


def propose_solve(match: Match, seat: int, at: int) -> list[MatchEvent]:
    """Ask all other people to let a solver, which sees all cards, find a version to go back to."""
    players = match.game.players
    if players.winnable is None and players.blueprint is None:
        raise Illegal("no-solver")
    made = ProposalMade("solve", seat, _people(match, seat), _expiry(match, at))
    return _propose(match, made, at, b"")


def undo(match: Match, seat: int, number: int, at: int) -> list[MatchEvent]:
    """Take back the seat's own commands, if that is free."""
    cost = undo_.price(match, seat, number, at)
    if cost.undo != "free":
        raise Illegal("undo-needs-consent", undo=cost.undo)
    return [Undone(cost.to, seat, "free", cost.kept or UNSET)]


def propose_abandon(match: Match, seat: int, at: int, service_seed: bytes) -> list[MatchEvent]:
    """Ask all other people to end the match without a result."""
    expires = _expiry(match, at)
    return _propose(
        match, ProposalMade("abandon", seat, _people(match, seat), expires), at, service_seed
    )


def pause(match: Match, seat: int, at: int) -> list[MatchEvent]:
    """Ask all other people to stop the clocks."""
    if match.paused is not None:
        raise Illegal("match-paused")
    expires = _expiry(match, at)
    return _propose(match, ProposalMade("pause", seat, _people(match, seat), expires), at, b"")


def answer(
    match: Match, seat: int, command: Answer, at: int, service_seed: bytes
) -> list[MatchEvent]:
    """Accept or refuse. The last acceptance carries the proposal out; a refusal ends it."""
    proposal = viewers.numbered_proposal(match, seat, command.proposal)
    if proposal is None or at >= proposal.made.expires:
        raise Illegal("no-such-proposal")
    made = proposal.made
    if seat not in made.asked or seat in proposal.accepted:
        raise Illegal("not-asked")
    answered = ProposalAnswered(seat, command.accept)
    if not command.accept:
        return [answered, ProposalClosed("refused")]
    open_ = [s for s in made.asked if s not in (*proposal.accepted, seat)]
    if any(match.chairs[s].person for s in open_):
        return [answered]
    if proposal.made.kind == "undo" and (made := _up_to_date(match, proposal)) is None:
        return [answered, ProposalClosed("overtaken")]
    return [answered, ProposalClosed("accepted"), *_carried_out(made, service_seed)]


def withdraw(match: Match, seat: int) -> list[MatchEvent]:
    """Withdraw the seat's own proposal."""
    if viewers.own_proposal(match, seat) is None:
        raise Illegal("no-such-proposal")
    return [ProposalClosed("withdrawn")]


def _up_to_date(match: Match, proposal: Proposal) -> ProposalMade | None:
    """Return the accepted undo, keeping also what was done in secret since it was proposed.

    None if one of those records cannot stay.
    """
    made = proposal.made
    entries = match.line.until(made.to)
    kept = undo_.hidden(match, made.seat, entries, proposal.version)
    if not set(match.line.after(proposal.version)) <= set(kept):
        return None
    return replace(made, kept=kept or UNSET)


def _expiry(match: Match, at: int) -> int:
    wished = match.header.proposal_seconds
    return at + (PROPOSAL_SECONDS if wished is UNSET else wished) * SECOND


def _people(match: Match, seat: int) -> tuple[int, ...]:
    return tuple(s for s, chair in enumerate(match.chairs) if chair.person and s != seat)


def _propose(match: Match, made: ProposalMade, at: int, service_seed: bytes) -> list[MatchEvent]:
    open_ = viewers.proposal(match, made.seat)
    if open_ is not None and at < open_.made.expires:
        raise Illegal("proposal-open")
    if not made.asked:
        return _carried_out(made, service_seed) or [made, ProposalClosed("accepted")]
    return [made]


def _carried_out(made: ProposalMade, service_seed: bytes) -> list[MatchEvent]:
    """Return what follows from consent. Consent to a solver has no event of its own."""
    match made.kind:
        case "undo":
            assert made.undo is not None, "an undo proposal has its class"
            return [Undone(made.to, made.seat, made.undo, made.kept)]
        case "abandon":
            return [MatchAbandoned(service_seed.hex())]
        case "pause":
            return [MatchPaused()]
        case "solve":
            return []
