"""How many connections a process accepts, which open files limit."""

import pytest

from service.http import server
from service.http.server import CONNECTIONS_MAX, FILES_KEPT, connections_max

ENOUGH = CONNECTIONS_MAX + FILES_KEPT


@pytest.mark.parametrize(
    ("soft", "hard", "raised", "connections"),
    [
        (1_024, 1 << 20, ENOUGH, CONNECTIONS_MAX),
        (1_024, server.resource.RLIM_INFINITY, ENOUGH, CONNECTIONS_MAX),
        (1_024, 4_096, 4_096, 4_096 - FILES_KEPT),
        (256, 256, 256, 128),
        (1 << 20, 1 << 20, None, CONNECTIONS_MAX),
        (server.resource.RLIM_INFINITY, server.resource.RLIM_INFINITY, None, CONNECTIONS_MAX),
    ],
)
def test_the_limit_on_files_is_raised_as_far_as_it_may_be(
    monkeypatch, soft, hard, raised, connections
):
    given: list[tuple[int, int]] = []
    monkeypatch.setattr(server.resource, "getrlimit", lambda _: (soft, hard))
    monkeypatch.setattr(server.resource, "setrlimit", lambda _, limits: given.append(limits))
    assert connections_max() == connections
    assert given == ([] if raised is None else [(raised, hard)])
