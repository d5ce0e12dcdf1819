"""What a call cannot do without the work Redis."""

from collections.abc import Iterator
from contextlib import contextmanager

from redis.exceptions import RedisError

from projections.rows import NoRows
from service.base.problems import work_unavailable


@contextmanager
def work_needed() -> Iterator[None]:
    """Raise `Problem` 503 if the work Redis is unreachable in the block, or has no rows yet."""
    try:
        yield
    except (RedisError, OSError, NoRows):
        raise work_unavailable() from None
