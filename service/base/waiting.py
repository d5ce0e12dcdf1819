"""Wait for events of the event loop."""

import asyncio


class Signal(asyncio.Event):
    """An event for which tasks can wait together with others, at the price of one future."""

    def __init__(self) -> None:
        """Start without being set."""
        super().__init__()
        self._listeners: set[asyncio.Future[bool]] = set()

    def set(self) -> None:
        """Set the event, and wake all that wait for it."""
        super().set()
        for listener in self._listeners:
            _resolve(listener, happened=True)
        self._listeners.clear()

    def notify(self, listener: asyncio.Future[bool]) -> None:
        """Resolve a future as true once the event is set."""
        self._listeners.add(listener)

    def forget(self, listener: asyncio.Future[bool]) -> None:
        """Leave a future alone from now on."""
        self._listeners.discard(listener)


async def wait_for_any(seconds: float, *signals: Signal) -> bool:
    """Wait until one of some signals is set; return whether that happened within a time."""
    if any(signal.is_set() for signal in signals):
        return True
    loop = asyncio.get_running_loop()
    happened: asyncio.Future[bool] = loop.create_future()
    for signal in signals:
        signal.notify(happened)
    timer = loop.call_later(seconds, _resolve, happened)
    try:
        return await happened
    finally:
        timer.cancel()
        for signal in signals:
            signal.forget(happened)


def _resolve(future: asyncio.Future[bool], happened: bool = False) -> None:
    if not future.done():
        future.set_result(happened)
