"""What the page needs to audit a log: Python for browsers, and the rules of this release."""

import hashlib
import io
import zipfile
from functools import lru_cache
from importlib.metadata import distribution
from inspect import getsource
from pathlib import Path

import jsonpatch
import jsonpointer
from litestar import Response, get
from litestar.exceptions import NotFoundException
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath
from litestar.response import File, Redirect

from games.components import ROOT, SEEDS
from service.http.files import FOR_GOOD, listed, media_type

PACKAGES = ("games", "events", "projections", "replay")
LIBRARIES = (jsonpatch, jsonpointer)
"""Pure Python that the rules import besides msgspec."""
LEFT_OUT = frozenset(("template", "testing"))
EPOCH = (1980, 1, 1, 0, 0, 0)
"""The time of all members, so that equal rules give equal bytes."""
WORKER_POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"
"""For the worker's script alone. No other response allows WebAssembly."""


@lru_cache(maxsize=1)
def rules_archive() -> tuple[str, bytes]:
    """Return the rules of this release as a zip archive, and its SHA-256 in hex.

    It has the modules of the audit with all games of Shiplog. Games of other packages are left
    out: their code is not ours to publish.
    """
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in sorted(_members().items()):
            member = zipfile.ZipInfo(name, EPOCH)
            archive.writestr(member, data, zipfile.ZIP_DEFLATED, compresslevel=9)
    data = packed.getvalue()
    return hashlib.sha256(data).hexdigest(), data


def _members() -> dict[str, bytes]:
    members = {
        str(path.relative_to(ROOT)): path.read_bytes()
        for package in PACKAGES
        for path in (ROOT / package).rglob("*.py")
        if not LEFT_OUT & {*path.relative_to(ROOT).parts}
    }
    members |= {f"games/seeds/{path.name}": path.read_bytes() for path in SEEDS.glob("*.toml")}
    members |= {f"{part.__name__}.py": getsource(part).encode() for part in LIBRARIES}
    shiplog = distribution("shiplog")
    folder = f"shiplog-{shiplog.version}.dist-info"
    members[f"{folder}/METADATA"] = f"Name: shiplog\nVersion: {shiplog.version}\n".encode()
    members[f"{folder}/entry_points.txt"] = (shiplog.read_text("entry_points.txt") or "").encode()
    return members


def handlers(dist: Path) -> list[HTTPRouteHandler]:
    """Serve the worker, Python and the rules, with the files that were built into a folder."""
    files = {name.removesuffix(".gz"): path for name, path in listed(dist / "audit").items()}

    @get("/audit/{path:path}", include_in_schema=False, sync_to_thread=True, name="audit")
    def audit(path: FromPath[str]) -> Response[bytes] | File | Redirect:
        name = path.removeprefix("/")
        if name == "rules.zip" or name.startswith("rules-"):
            return _rules(name)
        if (file := files.get(name)) is None:
            raise NotFoundException
        return _file(file)

    return [audit]


def _rules(name: str) -> Response[bytes] | Redirect:
    digest, data = rules_archive()
    newest = f"rules-{digest}.zip"
    if name == "rules.zip":
        return Redirect(f"/audit/{newest}", headers={"Cache-Control": "no-cache"})
    if name != newest:
        raise NotFoundException
    return Response(data, media_type="application/zip", headers=FOR_GOOD)


def _file(path: Path) -> File:
    """Return a built file. Large ones were compressed with gzip, which every browser reads."""
    headers = dict(FOR_GOOD)
    packed = path.suffix == ".gz"
    if packed:
        headers["Content-Encoding"] = "gzip"
    if ".worker-" in path.name:
        headers["Content-Security-Policy"] = WORKER_POLICY
    return File(
        path,
        content_disposition_type="inline",
        media_type=media_type(path.stem if packed else path.name),
        headers=headers,
    )
