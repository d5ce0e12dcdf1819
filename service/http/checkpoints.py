"""The checkpoint log: its checkpoint, tiles and proofs, for everybody."""

from collections.abc import Awaitable
from typing import Annotated, TypeVar

import msgspec
from litestar import Response, get
from litestar.di import NamedDependency
from litestar.params import FromPath, QueryParameter

from events.checkpoints.leaves import Kind
from events.checkpoints.reader import LogBroken
from events.checkpoints.tiles import PATH, BadTile
from events.store import Unavailable
from games.match.seed import leaf_secret
from service.base.problems import checkpoints_unavailable, not_found
from service.http.access import MatchAccess, require_over
from service.http.files import FOR_GOOD
from service.http.matches import JoinCode
from service.play.caller import Caller
from service.play.published_log import Absent, PublishedLog

T = TypeVar("T")

TEXT = "text/plain"
BINARY = "application/octet-stream"
BRIEF = {"Cache-Control": "public, max-age=1"}

Size = Annotated[int, QueryParameter(ge=1, description="A number of leaves.")]


class ConsistencyProof(msgspec.Struct):
    """The proof that a tree only grew from one size to another (RFC 9162, section 2.1.4)."""

    old: int
    """Size of the smaller tree."""
    new: int
    """Size of the larger tree."""
    hashes: list[str]
    """Hashes in hex, in the order of the RFC."""


class MatchLeaf(msgspec.Struct):
    """A leaf of a match in the checkpoint log."""

    index: int
    """Place in the tree."""
    kind: Kind
    version: int
    """Version of the log."""
    head: str
    """Hash of the record at that version."""
    at: str
    """Time of that record."""
    proof: str
    """Proof of inclusion in the form of C2SP's tlog-proof, with the checkpoint."""


class MatchLeaves(msgspec.Struct):
    """The leaves of a match that has ended, with what opens them."""

    log: str
    """Verifier key (vkey) of the checkpoint log."""
    secret: str
    """Leaf secret of the match in hex: HMAC-SHA-256 of `leaf` with the service seed as the key."""
    leaves: list[MatchLeaf]
    """Empty until the end of the match is in the log, which takes some seconds."""


class Checkpoints:
    """Reads the checkpoint log on behalf of callers."""

    def __init__(self, published: PublishedLog | None) -> None:
        """Read a log; without one, nothing is found."""
        self._published = published

    @property
    def log(self) -> PublishedLog:
        """The log; raises `Problem` 404."""
        if self._published is None:
            raise not_found("checkpoint log")
        return self._published

    async def read(self, what: str, reading: Awaitable[T]) -> T:
        """Wait for something that is read from the log; raises `Problem` 404, 503."""
        try:
            return await reading
        except Absent:
            raise not_found(what) from None
        except (BadTile, LogBroken, Unavailable):
            raise checkpoints_unavailable() from None


@get(
    "/checkpoint",
    tags=["checkpoints"],
    operation_id="checkpoint",
    counts="calls",
    refuses=("not-found", "checkpoints-unavailable"),
    media_type=TEXT,
)
async def checkpoint(checkpoints: NamedDependency[Checkpoints]) -> Response[bytes]:
    """Return the signed checkpoint: origin, number of leaves and root (C2SP tlog-checkpoint)."""
    data = await checkpoints.read("checkpoint", checkpoints.log.checkpoint())
    return Response(data, media_type=TEXT, headers=BRIEF)


@get(
    "/checkpoint/key",
    tags=["checkpoints"],
    operation_id="checkpointKey",
    counts="calls",
    refuses=("not-found",),
    media_type=TEXT,
)
async def checkpoint_key(checkpoints: NamedDependency[Checkpoints]) -> Response[bytes]:
    """Return the verifier key (vkey) of the checkpoints. Keep it: a later one may be forged."""
    return Response(f"{checkpoints.log.verifier}\n".encode(), media_type=TEXT)


@get(
    "/checkpoint/consistency",
    tags=["checkpoints"],
    operation_id="checkpointConsistency",
    counts="calls",
    refuses=("not-found", "checkpoints-unavailable"),
)
async def checkpoint_consistency(
    checkpoints: NamedDependency[Checkpoints], old: Size, new: Size
) -> ConsistencyProof:
    """Prove that the log only grew from one size to another."""
    proof = await checkpoints.read("pair of sizes", checkpoints.log.consistency(old, new))
    return ConsistencyProof(old, new, [hash_.hex() for hash_ in proof])


@get(
    "/tile/{name:path}",
    tags=["checkpoints"],
    operation_id="tile",
    counts="calls",
    refuses=("not-found", "checkpoints-unavailable"),
    media_type=BINARY,
)
async def tile(checkpoints: NamedDependency[Checkpoints], name: FromPath[str]) -> Response[bytes]:
    """Return a tile of hashes, or the entries of one (C2SP tlog-tiles). It never changes."""
    path = f"tile{name}"
    if not PATH.fullmatch(path):
        raise not_found("tile")
    data = await checkpoints.read("tile", checkpoints.log.tile(path))
    return Response(data, media_type=BINARY, headers=FOR_GOOD)


@get(
    "/matches/{match:str}/leaves",
    tags=["checkpoints"],
    operation_id="matchLeaves",
    refuses=("forbidden", "checkpoints-unavailable"),
)
async def match_leaves(
    match: FromPath[str],
    caller: NamedDependency[Caller],
    access: NamedDependency[MatchAccess],
    checkpoints: NamedDependency[Checkpoints],
    join_code: JoinCode = None,
) -> MatchLeaves:
    """Return the leaves of a match that has ended, with proofs that they are in the log.

    A running match has none that can be shown: versions would reveal hidden records.
    """
    found = await access.find(match, caller, join_code)
    require_over(found, caller, "The leaves are")
    log = checkpoints.log
    leaves = await checkpoints.read("checkpoint", log.proofs(match))
    return MatchLeaves(
        log=str(log.verifier),
        secret=leaf_secret(found.cached.service_seed).hex() if found.cached.match.over else "",
        leaves=[
            MatchLeaf(
                one.index,
                one.leaf.kind,
                one.leaf.version,
                one.leaf.head,
                one.leaf.at,
                one.proof.decode(),
            )
            for one in leaves
        ],
    )


HANDLERS = (checkpoint, checkpoint_key, checkpoint_consistency, tile, match_leaves)
