"""What a caller prefers (`Prefer`, RFC 7240), and what of it was applied."""

from litestar.datastructures import ResponseHeader

MINIMAL = "return=minimal"
"""Leave the view out of the answer to a command."""
WITH_RECEIPT = "receipt"
"""Sign a receipt for the answer at once."""

PREFERENCE_APPLIED = ResponseHeader(
    name="Preference-Applied",
    documentation_only=True,
    description=f"`{MINIMAL}` if the view was left out, `{WITH_RECEIPT}` if there is a receipt.",
)


def preferred(prefer: str | None) -> tuple[str, ...]:
    """Return the known preferences of a Prefer field. Its first `return` counts."""
    if prefer is None:
        return ()
    named: dict[str, str] = {}
    for preference in prefer.lower().split(","):
        name, _, value = preference.partition(";")[0].partition("=")
        named.setdefault(name.strip(), value.strip().strip('"'))
    minimal = (MINIMAL,) if named.get("return") == "minimal" else ()
    return (*minimal, WITH_RECEIPT) if WITH_RECEIPT in named else minimal


def headers_of(receipt: str | None, *, minimal: bool) -> dict[str, str]:
    """Return the headers of what was applied."""
    applied = [MINIMAL] if minimal else []
    headers: dict[str, str] = {}
    if receipt is not None:
        applied.append(WITH_RECEIPT)
        headers["Receipt"] = receipt
    if applied:
        headers["Preference-Applied"] = ", ".join(applied)
    return headers
