"""List the installed distributions that are not needed at run time.

The lock file covers development as well.
"""

from importlib.metadata import distributions, requires

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

KEPT = ("shiplog[s3,traces]", "pip")


def needed(names: tuple[str, ...] = KEPT) -> set[str]:
    """Return the names of these distributions and of all their dependencies."""
    found: set[str] = set()
    pending = [Requirement(name) for name in names]
    while pending:
        requirement = pending.pop()
        name = canonicalize_name(requirement.name)
        found.add(name)
        extras = requirement.extras or {""}
        for line in requires(name) or ():
            dependency = Requirement(line)
            marker = dependency.marker
            applies = any(marker is None or marker.evaluate({"extra": extra}) for extra in extras)
            if applies and (canonicalize_name(dependency.name) not in found or dependency.extras):
                pending.append(dependency)
    return found


def spare() -> list[str]:
    """Return the names of the installed distributions that are not needed."""
    installed = {canonicalize_name(distribution.name) for distribution in distributions()}
    return sorted(installed - needed())


if __name__ == "__main__":
    print("\n".join(spare()))  # noqa: T201 - for `pip uninstall -r`
