"""Export of logs with a signed head, and uploads, which are verified but not stored."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated

from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, QueryParameter

from events.errata import SignedErratum
from events.keyring import Keyring
from events.signing import CannotSign
from events.store import Unavailable
from events.tiered_store import TieredStore
from projections.folded import Viewer
from service.base.keys import Keys
from service.base.problems import limited, log_unavailable, too_large
from service.base.settings import Settings
from service.http.access import FULL, SPECTATOR, MatchAccess, require_over
from service.http.body import AnyRequest, encoded
from service.http.matches import Eyes, JoinCode
from service.play import answers
from service.play.answers import Replay
from service.play.caller import Caller
from service.play.errata import errata_of
from service.play.match_cache import CachedMatch
from service.play.readers import Readers

JSON_LINES = "application/jsonl"
PACKED = "application/zstd"
BYTES = "application/octet-stream"
"""Either of them, for clients that know no other type of files."""
HELD_MAX = 4
"""Number of the largest uploads for which there is memory at a time."""
RETRY_S = 5


class Exports:
    """Writes the logs of matches as signed files."""

    def __init__(
        self, readers: Readers, store: TieredStore, keys: Keys, settings: Settings
    ) -> None:
        """Write in a reading process. Heads that are not kept in the store are signed anew."""
        self._readers = readers
        self._store = store
        self._keys = keys
        self._settings = settings

    async def export(self, caller: str, cached: CachedMatch, *, packed: bool) -> bytes:
        """Return the log of a match up to its cached version, as a file; raises `Problem`."""
        match = cached.match.header.match
        version, head = cached.folded.version, cached.folded.head
        try:
            kept = await self._store.head(match, version)
            signed = kept or await asyncio.to_thread(self._keys.sign, match, version, head)
            errata = await self._errata(cached)
        except (CannotSign, Unavailable):
            raise log_unavailable() from None
        return await self._readers.of_match(
            caller, cached, FULL, answers.export, signed, errata, packed
        )

    async def errata(self, cached: CachedMatch) -> list[SignedErratum]:
        """Return the errata of a match that count; raises `Problem`."""
        if not cached.match.over:
            return []
        match = cached.match.header.match
        try:
            found = await errata_of(self._store, self._keys, self._settings, match)
        except Unavailable:
            raise log_unavailable() from None
        return [given for given in found if given.erratum.head == cached.folded.head]

    async def _errata(self, cached: CachedMatch) -> list[bytes]:
        """Return the stored errata. Only matches that have ended have any."""
        match = cached.match
        return await self._store.errata(match.header.match) if match.over else []


class Uploads:
    """Verifies uploaded logs.

    Those that are being received or wait to be read are in memory. Their callers share the room.
    """

    def __init__(self, readers: Readers, keys: Keyring, bytes_max: int) -> None:
        """Verify signatures with these keys; refuse logs above a size (bytes)."""
        self._readers = readers
        self._keyring = keys
        self._bytes_max = bytes_max
        self._held: Counter[str] = Counter()
        """Bytes in memory by caller."""

    async def replay(self, caller: str, request: AnyRequest, at: int | None, eyes: Viewer) -> bytes:
        """Verify the log in the body of a request and show one of its versions.

        Raises `Problem`.
        """
        with self._held_by(caller) as hold:
            data = await self._received(request, hold)
            return await self._readers.compute(
                caller, answers.browse, data, at, eyes, self._keyring, self._bytes_max
            )

    async def _received(self, request: AnyRequest, hold: Callable[[int], None]) -> bytes:
        """Return the body of a request; raises `Problem` 413, 429."""
        data = bytearray()
        async for chunk in request.stream():
            hold(len(chunk))
            data += chunk
            if len(data) > self._bytes_max:
                raise too_large(self._bytes_max)
        return bytes(data)

    @contextmanager
    def _held_by(self, caller: str) -> Iterator[Callable[[int], None]]:
        """Yield a function that counts bytes in memory until the end of the block.

        It raises `Problem` 429 if the caller has more than an equal share.
        """
        counted = 0

        def hold(count: int) -> None:
            nonlocal counted
            counted += count
            self._held[caller] += count
            if self._held[caller] > HELD_MAX * self._bytes_max / len(self._held):
                raise limited(
                    "uploads",
                    "rate-limited",
                    "You have used up your share of the memory for uploads. Try again later.",
                    retry_after=RETRY_S,
                )

        try:
            yield hold
        finally:
            self._held[caller] -= counted
            if not self._held[caller]:
                del self._held[caller]


@get(
    "/matches/{match:str}/export",
    tags=["transfer"],
    operation_id="exportMatch",
    refuses=("forbidden",),
    media_type=JSON_LINES,
)
async def export_match(
    request: AnyRequest,
    match: FromPath[str],
    caller: NamedDependency[Caller],
    access: NamedDependency[MatchAccess],
    exports: NamedDependency[Exports],
    packed: Annotated[bool, QueryParameter(description="Compress with zstd.")] = False,
    join_code: JoinCode = None,
) -> Response[bytes]:
    """Download the log of a match: its records, byte for byte, a signature of the head, and errata.

    For officers, or once the match is over.
    """
    found = await access.find(match, caller, join_code)
    require_over(found, caller, "The log is")
    name = f"{match}.jsonl" + (".zst" if packed else "")
    kind = PACKED if packed else JSON_LINES
    return Response(
        await exports.export(caller.player, found.cached, packed=packed),
        media_type=request.accept.best_match([kind, BYTES], kind),
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


@get(
    "/matches/{match:str}/errata",
    tags=["transfer"],
    operation_id="matchErrata",
    refuses=("log-unavailable",),
)
async def match_errata(
    match: FromPath[str],
    caller: NamedDependency[Caller],
    access: NamedDependency[MatchAccess],
    exports: NamedDependency[Exports],
    join_code: JoinCode = None,
) -> list[SignedErratum]:
    """Return the errata of a match: what a faulty release decided wrongly, and what follows.

    Only matches that have ended have errata. The records stay as they are.
    """
    found = await access.find(match, caller, join_code)
    return await exports.errata(found.cached)


@post(
    "/replays",
    status_code=200,
    tags=["transfer"],
    operation_id="browseReplay",
    scope="read",
    refuses=("too-large", "too-slow", "no-such-version"),
    request_max_body_size=None,
)
async def browse_replay(
    request: AnyRequest,
    caller: NamedDependency[Caller],
    uploads: NamedDependency[Uploads],
    at: Annotated[
        int | None, QueryParameter(ge=1, description="The version to show in `full`.")
    ] = None,
    eyes: Eyes = None,
) -> Response[Replay]:
    """Verify and browse an exported log (`.jsonl` or `.jsonl.zst`). It is not stored.

    `seen` is the view of `eyes`, by default of a spectator.
    """
    viewer = None if eyes in (None, SPECTATOR) else int(eyes)
    return encoded(await uploads.replay(caller.player, request, at, viewer))


HANDLERS = (export_match, match_errata, browse_replay)
