"""What the projections of a generation contain."""

from projections.rows import Rows


async def content(rows: Rows, generation: str) -> dict[str, object]:
    """Return everything that a generation contains."""
    found: dict[str, object] = {}
    async for key in rows.client.scan_iter(match=f"{generation}:*"):
        name = key.decode().removeprefix(f"{generation}:")
        if await rows.client.type(key) == b"hash":
            found[name] = await rows.client.hgetall(key)
        else:
            found[name] = await rows.client.zrange(key, 0, -1, withscores=True)
    return found
