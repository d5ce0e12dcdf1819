"""Name the installed distributions that running Shiplog does not need: the lock is one, for development too."""

from importlib.metadata import distributions, requires

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

KEPT = ("shiplog[s3,traces]", "pip")


def needed(names: tuple[str, ...] = KEPT) -> set[str]:
    """Give what these need, and all that that needs."""
    found: set[str] = set()
    open_ = [Requirement(name) for name in names]
    while open_:
        wanted = open_.pop()
        key = canonicalize_name(wanted.name)
        found.add(key)
        extras = wanted.extras or {""}
        for line in requires(key) or ():
            one = Requirement(line)
            here = any(one.marker is None or one.marker.evaluate({"extra": it}) for it in extras)
            if here and (canonicalize_name(one.name) not in found or one.extras):
                open_.append(one)
    return found


def spare() -> list[str]:
    """Give the others."""
    here = {canonicalize_name(each.name) for each in distributions()}
    return sorted(here - needed())


if __name__ == "__main__":
    print("\n".join(spare()))  # noqa: T201 - for `pip uninstall -r`
