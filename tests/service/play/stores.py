"""Stores for players, and a process at one."""

from events.memory_store import MemoryStore
from service.base.keys import Keys
from service.play.players import Players
from tests.service.table import SECRETS


def process(store):
    return Players(store, Keys(SECRETS))


class Between(MemoryStore):
    """A store in which something else happens between a read and the write that follows."""

    def __init__(self):
        super().__init__()
        self.between = None

    async def put_document(self, *words):
        if self.between is not None:
            between, self.between = self.between, None
            await between()
        return await super().put_document(*words)
