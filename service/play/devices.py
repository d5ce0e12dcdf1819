"""Devices: the browsers and programs in which a player is signed in, each with its own token."""

from typing import NamedTuple

from msgspec.structs import replace

from projections.notices import DeviceNotice
from service.base.problems import not_found
from service.play.notices import Notices
from service.play.player_record import Device, Player
from service.play.players import Players


class SignIn(NamedTuple):
    """A new device of a player."""

    player: str
    token: str
    name: str
    """Name of the player."""


class Devices:
    """The devices of players."""

    def __init__(self, players: Players, notices: Notices) -> None:
        """Keep devices in the players' records, and notify the player's other devices."""
        self._players = players
        self._notices = notices

    async def sign_in(self, player: str, device: str) -> SignIn:
        """Sign in a device by name. Raises `Problem` 404."""
        made, token = await self._players.sign_in(player, device)
        record = await self._players.stored(player)
        await self._notices.send([(player, DeviceNotice(made.id, "added"))])
        return SignIn(player, token, record.name)

    async def of(self, player: str) -> tuple[Device, ...]:
        """Return a player's devices, oldest first.

        A token of an earlier release stands for a device without a name.
        """
        record = await self._players.get(player)
        if record is None:
            return ()
        older = Device(str(record.generation), "", record.created, 0)
        return (*((older,) if record.generation else ()), *record.devices)

    async def end(self, player: str, device: str) -> None:
        """Sign out a device at once. Raises `Problem` 404."""

        def remove(record: Player) -> Player:
            if device == str(record.generation) != "0":
                return replace(record, generation=0)
            kept = tuple(one for one in record.devices if one.id != device)
            if kept == record.devices:
                raise not_found("device")
            return replace(record, devices=kept)

        await self._players.update(player, remove)
        await self._notices.send([(player, DeviceNotice(device, "ended"))])
