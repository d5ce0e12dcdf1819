"""Compare players with what leads to them: codes, addresses, identities and names."""

import asyncio
from collections.abc import Sequence
from typing import NamedTuple

from events.record import at_micros
from events.store import Store
from service.base.clock import now_micros
from service.play.leads import CLAIM_MICROS
from service.play.player_record import DECODER, Player

AT_ONCE = 100
"""Number of records read together."""


class LooseLeads(NamedTuple):
    """What does not fit together."""

    missing: int
    """Number of players who list a lead that is missing, or that leads to somebody else."""
    stray: int
    """Number of leads whose player does not list them, or does not exist."""


async def find_loose(store: Store) -> LooseLeads:
    """Find leads that are missing, and stray ones. Raises `Unavailable`, `DecodeError`.

    Players may change during the search, so whatever looks wrong is read again at its end.
    """
    listed: dict[str, tuple[str, ...]] = {}
    leading: dict[str, str] = {}
    names = [name async for name in store.documents("player")]
    for start in range(0, len(names), AT_ONCE):
        some = names[start : start + AT_ONCE]
        for name, record in zip(some, await _read(store, some), strict=True):
            if record.leads_to:
                leading[name] = record.leads_to
            if record.leads:
                listed[name] = record.leads
    without = [
        player
        for player, leads in listed.items()
        if any(leading.get(lead) != player for lead in leads)
    ]
    stray = [lead for lead, player in leading.items() if lead not in listed.get(player, ())]
    lacking = [await _lacks(store, player) for player in without]
    leftover = [await _is_stray(store, lead) for lead in stray]
    return LooseLeads(sum(lacking), sum(leftover))


async def _lacks(store: Store, player: str) -> bool:
    (record,) = await _read(store, (player,))
    leads = await _read(store, record.leads)
    return any(lead.leads_to != player for lead in leads)


async def _is_stray(store: Store, lead: str) -> bool:
    """Return whether no player lists a lead. A new one is listed in a moment."""
    (found,) = await _read(store, (lead,))
    if not found.leads_to or now_micros() - at_micros(found.created) < CLAIM_MICROS:
        return False
    (player,) = await _read(store, (found.leads_to,))
    return lead not in player.leads


async def _read(store: Store, names: Sequence[str]) -> list[Player]:
    """Return records. One that does not exist is empty."""
    found = await asyncio.gather(*(store.document("player", name) for name in names))
    return [Player("", "") if one is None else DECODER.decode(one.data) for one in found]
