"""The digest of a match, as docs/log-format.md says."""

import hmac

from games.match.digest import canonical, digest
from tests.games.match.table import SERVICE_SEED, Table


def test_it_is_an_hmac_over_version_head_and_contents():
    match = Table().match
    head = "ab" * 32
    message = b"shiplog-digest-2\n" + match.version.to_bytes(8, "big") + bytes.fromhex(head)
    expected = hmac.digest(SERVICE_SEED, message + canonical(match), "sha256").hex()[:24]
    assert digest(match, SERVICE_SEED, head) == expected
