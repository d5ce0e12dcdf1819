"""The simulated network: bytes arrive late, never, or after their sender has died."""

import asyncio
import contextvars
import random
from typing import Any, Protocol

from tests.simulation.loop import MACHINE, VirtualLoop

LATENCY_S = 0.000_5
"""Mean delay of a message (seconds)."""


class Server(Protocol):
    """What listens at an address."""

    up: bool

    def receive(self, link: "Link", data: bytes) -> None:
        """Take bytes of a connection."""
        ...


class Network:
    """Connects machines with the servers behind addresses."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self.loop: VirtualLoop
        self.servers: dict[str, Server] = {}
        """The server that answers at each address."""
        self.latency = LATENCY_S
        """Mean delay of a message (seconds)."""
        self.links: list[Link] = []
        self._clogged: dict[tuple[str, str], float] = {}

    def delay(self) -> float:
        """Return the delay of one message (seconds)."""
        return self.latency * (0.2 + self._chance.expovariate(1.25))

    def clog(self, machine: str, address: str, seconds: float) -> None:
        """Hold back everything between a machine and an address."""
        self._clogged[machine, address] = self.loop.time() + seconds

    def arrival(self, machine: str, address: str) -> float:
        """Return when a message that is sent now arrives."""
        return max(self.loop.time(), self._clogged.get((machine, address), 0.0)) + self.delay()

    async def connect(self, protocol: Any, address: str) -> "Link":
        """Connect the running machine. Raises `ConnectionRefusedError`."""
        machine = MACHINE.get()
        name = "" if machine is None else machine.name
        await asyncio.sleep(self.arrival(name, address) - self.loop.time())
        server = self.servers[address]
        if not server.up:
            raise ConnectionRefusedError(f"nothing listens at {address}")
        link = Link(self, name, address, server, protocol)
        self.links = [one for one in self.links if not one.closed]
        self.links.append(link)
        protocol.connection_made(link)
        return link


class Link(asyncio.Transport):
    """One connection, as the transport of its client."""

    def __init__(
        self, network: Network, machine: str, address: str, server: Server, protocol: Any
    ) -> None:
        super().__init__()
        self.machine = machine
        self.address = address
        self.server = server
        self.muted = False
        """Whether answers are lost from now on."""
        self.closed = False
        self.reader: Any = None
        """The server's parser of this connection."""
        self.offset = 0
        """Length of the server's append file after the last write of this connection."""
        self.watched: dict[bytes, Any] = {}
        self.queued: list[list[bytes]] | None = None
        """The commands of an open transaction."""
        self._network = network
        self._protocol = protocol
        self._context = contextvars.copy_context()
        self._sent_until = 0.0
        self._answered_until = 0.0

    def write(self, data: Any) -> None:
        """Send bytes to the server. They arrive even if the machine dies in the meantime."""
        if self.closed:
            return
        loop = self._network.loop
        arrives = max(self._sent_until, self._network.arrival(self.machine, self.address))
        self._sent_until = arrives + 1e-9
        loop.outside(arrives - loop.time(), self._arrive, bytes(data))

    def _arrive(self, data: bytes) -> None:
        if self.server.up:
            self.server.receive(self, data)

    def answer(self, data: bytes) -> None:
        """Send bytes to the client."""
        if self.muted or self.closed:
            return
        loop = self._network.loop
        arrives = max(self._answered_until, self._network.arrival(self.machine, self.address))
        self._answered_until = arrives + 1e-9
        loop.call_at(arrives, self._deliver, data, context=self._context)

    def _deliver(self, data: bytes) -> None:
        if not self.closed:
            self._protocol.data_received(data)

    def cut(self) -> None:
        """Reset the connection, as its client sees it."""
        loop = self._network.loop
        loop.call_later(self._network.delay(), self._lose, context=self._context)

    def _lose(self) -> None:
        if not self.closed:
            self.closed = True
            self._protocol.connection_lost(ConnectionResetError("connection reset"))

    def close(self) -> None:
        """Close the connection. What was sent before still arrives."""
        if not self.closed:
            self.closed = True
            self._network.loop.call_soon(
                self._protocol.connection_lost, None, context=self._context
            )

    def abort(self) -> None:
        self.close()

    def is_closing(self) -> bool:
        return self.closed

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return default

    def get_protocol(self) -> Any:
        return self._protocol

    def set_protocol(self, protocol: Any) -> None:
        self._protocol = protocol

    def can_write_eof(self) -> bool:
        return False

    def set_write_buffer_limits(self, high: Any = None, low: Any = None) -> None:
        """Do nothing: the network takes everything at once."""

    def get_write_buffer_size(self) -> int:
        return 0

    def is_reading(self) -> bool:
        return True

    def pause_reading(self) -> None:
        """Do nothing: a reader's buffer is never full here."""

    def resume_reading(self) -> None:
        """Do nothing."""
