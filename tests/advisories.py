"""Look locked packages up in a copy of the OSV database, without network.

The copy is a folder with an `all.zip` for each ecosystem, as OSV publishes them:
`FOLDER/PyPI/all.zip` and `FOLDER/npm/all.zip`. See https://ossf.github.io/osv-schema/.
"""

import json
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

STALE = timedelta(days=30)
"""Age of the newest advisory from which a copy says nothing about today."""


def locked_python(lock: str) -> dict[str, set[str]]:
    """Return the versions by package of a `requirements.lock`."""
    found = re.findall(r"^([A-Za-z0-9._-]+)(?:\[[^\]]*\])?==([^\s;\\]+)", lock, re.MULTILINE)
    packages: dict[str, set[str]] = {}
    for name, version in found:
        packages.setdefault(canonicalize_name(name), set()).add(version)
    return packages


def locked_node(lock: Mapping[str, Any]) -> dict[str, set[str]]:
    """Return the versions by package of a `package-lock.json`."""
    packages: dict[str, set[str]] = {}
    for path, entry in lock["packages"].items():
        if path and "version" in entry:
            name = entry.get("name", path.rpartition("node_modules/")[2])
            packages.setdefault(name, set()).add(entry["version"])
    return packages


def read_advisories(copy: Path) -> Iterator[dict[str, Any]]:
    """Yield the advisories of an `all.zip`. Raises `OSError`, `ValueError`."""
    try:
        with zipfile.ZipFile(copy) as archive:
            for name in archive.namelist():
                if name.endswith(".json"):
                    yield json.loads(archive.read(name))
    except zipfile.BadZipFile as error:
        raise ValueError(f"{copy} is not a zip file") from error


def look_up(
    packages: Mapping[str, Iterable[str]],
    advisories: Iterable[Mapping[str, Any]],
    ecosystem: str,
    now: datetime,
) -> list[str]:
    """Return the advisories that apply to packages, one line each.

    A version that cannot be compared counts as affected. Raises `ValueError` if the newest
    advisory is too old, or if there is none.
    """
    newest = datetime.min.replace(tzinfo=UTC)
    holes: list[str] = []
    for advisory in advisories:
        newest = max(newest, datetime.fromisoformat(advisory["modified"][:19] + "+00:00"))
        if "withdrawn" in advisory:
            continue
        for affected in advisory.get("affected", ()):
            package = affected.get("package", {})
            if package.get("ecosystem") != ecosystem:
                continue
            name = package["name"]
            name = canonicalize_name(name) if ecosystem == "PyPI" else name
            holes += [
                f"{name} {version}: {advisory['id']}"
                for version in sorted(packages.get(name, ()))
                if applies(affected, version)
            ]
    if now - newest > STALE:
        raise ValueError(f"the newest {ecosystem} advisory is of {newest:%Y-%m-%d}")
    return sorted(set(holes))


def applies(affected: Mapping[str, Any], version: str) -> bool:
    """Return whether an entry of `affected` includes a version."""
    if version in affected.get("versions", ()):
        return True
    ranges = [one for one in affected.get("ranges", ()) if one["type"] in ("ECOSYSTEM", "SEMVER")]
    return any(_within(one["events"], version) for one in ranges)


def _within(events: Iterable[Mapping[str, str]], version: str) -> bool:
    try:
        own = Version(version)
        inside = False
        for event in events:
            ((kind, at),) = event.items()
            reached = at == "0" or own >= Version(at)
            if kind == "introduced" and reached:
                inside = True
            elif (kind == "fixed" and reached) or (kind == "last_affected" and own > Version(at)):
                inside = False
    except InvalidVersion:
        return True
    return inside
