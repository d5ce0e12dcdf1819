"""A backup is encrypted into one file, and restored from it; what was changed is refused."""

import pytest

from service.process import encryption
from service.process.encryption import CHUNK_BYTES, MAGIC, SALT_BYTES, BadFile, decrypt, encrypt

KEY, OTHER = b"k" * 32, b"o" * 32
HEADER_BYTES = len(MAGIC) + SALT_BYTES
WHOLE = CHUNK_BYTES + 16


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "backup"
    (folder / "logs").mkdir(parents=True)
    (folder / "players.jsonl").write_bytes(b"Zdislava\n")
    (folder / "logs" / "m_1").write_bytes(bytes(range(256)) * 10_000)
    return folder


@pytest.fixture
def encrypted(folder, tmp_path):
    encrypt(folder, tmp_path / "file", KEY)
    return tmp_path / "file"


def content(folder):
    paths = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


def test_a_folder_comes_back_to_the_byte(folder, encrypted, tmp_path):
    data = encrypted.read_bytes()
    assert len(data) > HEADER_BYTES + 2 * WHOLE, "several chunks"
    assert b"Zdislava" not in data
    assert encrypted.stat().st_mode & 0o077 == 0
    decrypt(encrypted, tmp_path / "again", KEY)
    assert content(tmp_path / "again") == content(folder)
    encrypt(folder, tmp_path / "second", KEY)
    assert (tmp_path / "second").read_bytes()[HEADER_BYTES:] != data[HEADER_BYTES:]


def flipped(data, at):
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


def swapped(data):
    first, second = HEADER_BYTES + WHOLE, HEADER_BYTES + 2 * WHOLE
    return data[:HEADER_BYTES] + data[first:second] + data[HEADER_BYTES:first] + data[second:]


@pytest.mark.parametrize(
    "change",
    [
        lambda data: flipped(data, len(MAGIC)),
        lambda data: flipped(data, HEADER_BYTES),
        lambda data: flipped(data, len(data) - 1),
        lambda data: data[:-1],
        lambda data: data[: HEADER_BYTES + 2 * WHOLE],
        lambda data: data[:HEADER_BYTES],
        lambda data: data[: len(MAGIC) + 3],
        lambda data: data + b"x",
        swapped,
    ],
    ids=["salt", "first", "tag", "cut", "cut-chunk", "empty", "half-salt", "longer", "swapped"],
)
def test_a_changed_file_is_not_decrypted(encrypted, tmp_path, change):
    encrypted.write_bytes(change(encrypted.read_bytes()))
    with pytest.raises(BadFile, match="another one, or the file was changed or cut"):
        decrypt(encrypted, tmp_path / "again", KEY)
    assert not (tmp_path / "again").exists()
    assert not list(tmp_path.glob(".*.part"))


def test_another_key_and_another_file_are_refused(encrypted, tmp_path):
    with pytest.raises(BadFile, match="the key is another one"):
        decrypt(encrypted, tmp_path / "again", OTHER)
    encrypted.write_bytes(b"PK\x03\x04")
    with pytest.raises(BadFile, match="not an encrypted backup"):
        decrypt(encrypted, tmp_path / "again", KEY)


def test_nothing_is_overwritten(folder, encrypted):
    with pytest.raises(FileExistsError):
        encrypt(folder, encrypted, KEY)
    with pytest.raises(FileExistsError):
        decrypt(encrypted, folder, KEY)


def test_a_key_is_private_and_64_hex_digits(tmp_path):
    key = tmp_path / "key"
    key.write_text(f"{KEY.hex()}\n")
    key.chmod(0o644)
    with pytest.raises(BadFile, match="chmod 600"):
        encryption.read_key(key)
    key.chmod(0o600)
    assert encryption.read_key(key) == KEY
    key.write_text("secret")
    with pytest.raises(BadFile, match="64 hex digits"):
        encryption.read_key(key)


def test_a_file_that_cannot_be_written_is_named(shiplog, folder, encrypted, tmp_path):
    key = tmp_path / "key"
    key.write_text("ab" * 32)
    key.chmod(0o600)
    refused = [
        shiplog("encrypt", folder, tmp_path / "gone" / "file", "--key", key),
        shiplog("encrypt", folder, encrypted, "--key", key),
    ]
    assert [result.exit_code for result in refused] == [2, 2]
    missing, existing = (" ".join(result.stderr.split()) for result in refused)
    assert missing.endswith("gone/.file.part: No such file or directory")
    assert existing.endswith("exists already")


def test_a_restore_is_drilled_from_an_encrypted_backup(shiplog, service, files, monkeypatch):
    """Only the encrypted file, its key and a new data folder are left."""
    key = files / "key"
    key.write_text(KEY.hex())
    key.chmod(0o600)
    for words in (
        ("backup", "saved", "--with-secrets"),
        ("encrypt", "saved", "saved.enc", "--key", "key"),
        ("decrypt", "saved.enc", "copy", "--key", "key"),
    ):
        done = shiplog(*words)
        assert done.exit_code == 0, done.output
    assert content(files / "copy") == content(files / "saved")
    (files / "fresh").mkdir()
    monkeypatch.setenv("SHIPLOG_DATA", str(files / "fresh"))
    restored = shiplog("restore", "copy")
    assert restored.exit_code == 0, restored.output
