"""Show what differs when a law fails."""

import pytest

pytest.register_assert_rewrite("games.testing")
