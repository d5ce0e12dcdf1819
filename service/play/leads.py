"""Leads: records that lead from a recovery code, an address, an identity or a name to a player.

The id of a lead is a keyed hash, so neither the store nor a backup can be searched for codes.
"""

from contextlib import suppress
from typing import NamedTuple

import msgspec

from events.record import at_micros, at_text
from events.store import Document, Store, Taken, Unavailable
from service.base.clock import now_micros
from service.play.player_record import DECODER, ERASED, Player

TRIES = 50
"""Number of times that a change is tried again because another process was faster."""
CLAIM_MICROS = 60_000_000
"""Time for which a claim counts that the player's record does not list. The record is written right
after the claim, unless the process is killed.
"""


class Claim(NamedTuple):
    """What there is of an exclusive lead."""

    document: Document | None
    holder: str
    """The player who holds the lead; empty if anybody may claim it."""


class Leads:
    """The leads in a store."""

    def __init__(self, store: Store) -> None:
        """Keep leads beside the records of players."""
        self._store = store

    async def follow(self, lead: str) -> str:
        """Return the player to whom a lead leads; empty without such a lead."""
        kept = await self._store.document("player", lead)
        return "" if kept is None else DECODER.decode(kept.data).leads_to

    async def point(self, lead: str, player: str) -> None:
        """Let a lead lead to a player, wherever it led before."""
        for _ in range(TRIES):
            kept = await self._store.document("player", lead)
            with suppress(Taken):
                return await self._put(lead, player, kept)
        raise _overtaken(lead)

    async def claim(self, lead: str, player: str, *, listed: bool) -> bool:
        """Claim a lead for a player; return whether no other player holds it.

        `listed` tells whether the player's record lists the lead. Otherwise a claim of a process
        that was killed is renewed.
        """
        for _ in range(TRIES):
            kept, holder = await self.claimed(lead)
            if holder == player and listed:
                return True
            if holder not in ("", player):
                return False
            with suppress(Taken):
                await self._put(lead, player, kept)
                return True
        raise _overtaken(lead)

    async def claimed(self, lead: str) -> Claim:
        """Return who holds an exclusive lead."""
        kept = await self._store.document("player", lead)
        if kept is None:
            return Claim(None, "")
        found = DECODER.decode(kept.data)
        if not found.leads_to:
            return Claim(kept, "")
        holder = await self._store.document("player", found.leads_to)
        lists = holder is not None and lead in DECODER.decode(holder.data).own_name
        is_new = now_micros() - at_micros(found.created) < CLAIM_MICROS
        return Claim(kept, found.leads_to if lists or is_new else "")

    async def end(self, leads: set[str], player: str) -> None:
        """End the leads to a player, except those that lead to another one by now."""
        for lead in leads:
            while kept := await self._store.document("player", lead):
                if DECODER.decode(kept.data).leads_to != player:
                    break
                with suppress(Taken):
                    await self._store.put_document(
                        "player", lead, msgspec.json.encode(ERASED), kept
                    )

    async def _put(self, lead: str, player: str, before: Document | None) -> None:
        record = Player(name="", created=at_text(now_micros()), generation=0, leads_to=player)
        await self._store.put_document("player", lead, msgspec.json.encode(record), before)


def _overtaken(lead: str) -> Unavailable:
    return Unavailable(f"the record {lead} was changed {TRIES} times in the meantime")
