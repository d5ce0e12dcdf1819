"""The witness notices silence, also if it is started anew for every look.

A service cannot keep it from noticing.
"""

import httpx
import pytest
import typer
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from freezegun import freeze_time

from events.checkpoints.merkle import ProofFailed, leaf_hash, root, verify_consistency
from events.checkpoints.notes import COSIGNATURE, Checkpoint, Signer
from events.checkpoints.tiles import BadTile, Edge
from events.checkpoints.witness import Witness
from events.store import Unavailable
from service.cli import witness
from service.cli.witness import BUSY_TRIES, RemoteFiles, quiet_s
from service.cli.witness_server import serving


def test_wrong_addresses_are_named(shiplog, files, eye):
    refused = shiplog("witness", "play.example", "--once")
    assert (refused.exit_code, "must begin with http" in refused.stderr) == (2, True)
    with pytest.raises(typer.Exit), serving(eye, "9000/tcp"):
        pass


def test_the_time_without_growth_is_noted_in_the_folder(tmp_path):
    with freeze_time("2026-11-21 12:00:00") as clock:
        assert quiet_s(tmp_path, 5) == 0
        clock.tick(60)
        assert quiet_s(tmp_path, 5) == 60
        clock.tick(60)
        assert quiet_s(tmp_path, 5) == 120
        assert quiet_s(tmp_path, 6) == 0
        clock.tick(10)
        assert quiet_s(tmp_path, 6) == 10


def service(monkeypatch, answer):
    client = httpx.Client(transport=httpx.MockTransport(answer))
    monkeypatch.setattr(httpx, "Client", lambda **_: client)
    return RemoteFiles("http://service")


def test_a_service_that_asks_to_wait_for_ever_is_given_up(monkeypatch):
    pauses = []
    monkeypatch.setattr(witness.time, "sleep", pauses.append)
    files = service(monkeypatch, lambda _: httpx.Response(429, headers={"Retry-After": "1e9"}))
    with pytest.raises(Unavailable, match="status 429"):
        files.read("checkpoint")
    assert sum(pauses) <= BUSY_TRIES


def test_a_busy_service_is_asked_again(monkeypatch):
    monkeypatch.setattr(witness.time, "sleep", lambda _: None)
    answers = iter([httpx.Response(429), httpx.Response(200, content=b"note")])
    assert service(monkeypatch, lambda _: next(answers)).read("checkpoint") == b"note"


def test_an_answer_without_end_is_given_up(monkeypatch):
    endless = (bytes(1 << 16) for _ in iter(int, 1))
    files = service(monkeypatch, lambda _: httpx.Response(200, content=endless))
    with pytest.raises(Unavailable, match="does not end"):
        files.read("checkpoint")


@pytest.fixture
def eye(tmp_path):
    log = Signer("log", Ed25519PrivateKey.generate()).verifier
    return Witness(tmp_path, log, Signer("witness", Ed25519PrivateKey.generate(), COSIGNATURE))


@pytest.mark.parametrize(("old", "new"), [(3, 7), (4, 7), (3, 300)])
@pytest.mark.parametrize("forked", [True, False])
def test_tiles_prove_a_fork_only_if_they_lead_to_the_signed_root(monkeypatch, old, new, forked):
    """A bit that flips on the way is the fault of nobody who signed."""
    hashes = [leaf_hash(number.to_bytes(2)) for number in range(new)]
    sent = [leaf_hash(b""), *hashes[1:]]
    tiles = {tile.path: data for tile, data in Edge().append(hashes).items()}
    first = next(tile for tile in tiles if tile.startswith("tile/0/000"))
    tiles[first] = b"".join(sent[:256])
    if forked:
        tiles = {tile.path: data for tile, data in Edge().append(sent).items()}

    def answer(request):
        data = tiles.get(request.url.path.removeprefix("/"))
        return httpx.Response(404) if data is None else httpx.Response(200, content=data)

    files = service(monkeypatch, answer)
    checkpoint = Checkpoint("log", new, root(sent if forked else hashes))
    if not forked:
        with pytest.raises(BadTile, match=f"do not lead to the signed root of {new} leaves"):
            files.prove(old, checkpoint)
        return
    proof = files.prove(old, checkpoint)
    with pytest.raises(ProofFailed):
        verify_consistency(old, new, proof, root(hashes[:old]), checkpoint.root)


def test_what_the_server_of_a_witness_does_not_know_is_refused(eye):
    with serving(eye, ":0") as url, httpx.Client(base_url=url) as client:
        assert client.get("/checkpoint").status_code == 404, "nothing is cosigned yet"
        assert client.post("/checkpoint").status_code == 404
        assert client.post("/add-checkpoint", content=b"junk").status_code == 400
        endless = iter([b"no length"])
        assert client.post("/add-checkpoint", content=endless).status_code == 413


def test_a_witness_that_can_not_listen_ends(eye):
    with pytest.raises(typer.Exit), serving(eye, "127.0.0.1:none"):
        pass
