"""Reads the answers of servers that nobody vouches for: they may be endless, or very slow."""

import time

import httpx

ANSWER_S = 10.0
"""How long an answer may take."""
ANSWER_BYTES_MAX = 1 << 20


class EndlessError(httpx.HTTPError):
    """The answer is too long, or takes too long."""


def received(answer: httpx.Response) -> bytes:
    """Return the body of a streamed answer. Raises `httpx.HTTPError`."""
    data, end = bytearray(), time.monotonic() + ANSWER_S
    for part in answer.iter_bytes():
        data += part
        if len(data) > ANSWER_BYTES_MAX or time.monotonic() > end:
            raise EndlessError("the answer does not end")
    return bytes(data)
