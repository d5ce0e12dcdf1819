"""The accounts of a log, and one for tests that may do everything."""

import re
from pathlib import Path

from events.redis_store import RedisStore

EVERYTHING = {"user default": "on nopass ~* &* +@all"}
"""Setting of a server on which a test does what no account may."""
CONFIGURATION = Path(__file__).parents[2] / "deploy" / "redis-log.conf"
DOCUMENTED = {
    f"user {user}": f"on nopass {rights}"
    for user, rights in re.findall(
        r"^user (shiplog|archiver|auditor) on #\S+ (.*)$", CONFIGURATION.read_text(), re.MULTILINE
    )
}
"""The documented accounts without their passwords."""


class ArchivedStore(RedisStore):
    """A store under the service's account, with the archiver's for removing logs."""

    def __init__(self, service_url, archiver_url, limits=None):
        super().__init__(service_url, limits)
        self._archiver = RedisStore(archiver_url, limits)

    async def forget(self, match):
        await self._archiver.forget(match)

    async def aclose(self):
        await self._archiver.aclose()
        await super().aclose()
