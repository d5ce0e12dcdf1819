"""A setting that can't be used stops the start, with a word that names it."""

import errno
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from events.checkpoints.notes import Checkpoint, Signer
from service.base.environment import load
from service.base.settings import BadSetting, Settings
from service.cli.settings import table

SCRIPT = "from service.cli import main; main()"

WRONG = {
    "SHIPLOG_HOST": [" "],
    "SHIPLOG_PORT": ["http", "-1", "65536", ""],
    "SHIPLOG_LOG_URL": ["localhost:6379", "http://localhost", "redis://", "redis://a:b:c:d"],
    "SHIPLOG_WORK_URL": ["redis+cluster://localhost", "memcached://localhost", "rediss://"],
    "SHIPLOG_DURABILITY": ["sometimes", "Always"],
    "SHIPLOG_WAIT_REPLICAS": ["-1", "17", "one"],
    "SHIPLOG_CACHE_MB": ["0", "1e9", "lots"],
    "SHIPLOG_RATE_LIMIT": ["", "often", "10/fortnight", "10/second;", "0/second"],
    "SHIPLOG_GUEST_LIMIT": ["few", "-1/second", "5/second;0/minute"],
    "SHIPLOG_SIGN_IN_LIMIT": ["0/day"],
    "SHIPLOG_STREAMS_MAX": ["0", "some"],
    "SHIPLOG_WEBHOOKS_MAX": ["-1", "many"],
    "SHIPLOG_WEBHOOK_NETWORKS": ["inside", "10.0.0.1/8", "10.0.0.0/33"],
    "SHIPLOG_CORS_ORIGINS": ["play.example", "https://play.example/", "https://*.example"],
    "SHIPLOG_TRUSTED_PROXY": ["maybe"],
    "SHIPLOG_JWKS_URL": ["keys.json", "ftp://keys.example/jwks", "/etc/passwd"],
    "SHIPLOG_OIDC_ISSUER": ["id.example", "http://id.example", "https://id.example?a=b", "/id"],
    "SHIPLOG_OIDC_CLIENT_SECRET_FILE": ["/nowhere/secret"],
    "SHIPLOG_TRACES_URL": ["collector:4318", "grpc://collector", "/collector"],
    "SHIPLOG_TRACES_SHARE": ["-0.1", "1.1", "half"],
    "SHIPLOG_LOG_LEVEL": ["loud", ""],
    "SHIPLOG_METRICS_PORT": ["70000", "8000"],
    "SHIPLOG_BODY_BYTES_MAX": ["0"],
    "SHIPLOG_UPLOAD_BYTES_MAX": ["1"],
    "SHIPLOG_WORKER_POLL_MS": ["1"],
    "SHIPLOG_BOT_PAUSE_MS": ["-1"],
    "SHIPLOG_BOT_WORKERS": ["0"],
    "SHIPLOG_JOB_MEMORY_MB": ["-1"],
    "SHIPLOG_DEMO": ["17"],
    "SHIPLOG_CHECKPOINT_S": ["0", "often"],
    "SHIPLOG_CHECKPOINT_ORIGIN": ["two words", "play.example+log", "https://play.example/log"],
    "SHIPLOG_DATA": [""],
    "SHIPLOG_CHECKPOINT_BEFORE": ["/nowhere/checkpoint"],
    "SHIPLOG_LOG_ARCHIVER_URL": ["http://localhost:6379", "redis://"],
}
ANY_TEXT_WILL_DO = {"SHIPLOG_METRICS_HOST", "SHIPLOG_JWT_AUDIENCE"}
"""What is wrong with them shows when they are used."""
NEED_A_FILE = {"SHIPLOG_SECRET_FILE"}


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name, values in WRONG.items() for value in values]
)
def test_a_wrong_value_is_refused_by_name(name, value):
    with pytest.raises(BadSetting, match=name):
        load({name: value})


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("SHIPLOG_PORT", "http", "Expected `int`"),
        ("SHIPLOG_PORT", "70000", "Expected `int` <= 65535"),
        ("SHIPLOG_SMTP_TLS", "TLS", "Expected `none`, `starttls` or `tls`"),
    ],
)
def test_the_expected_values_are_named(name, value, expected):
    with pytest.raises(BadSetting, match=f"^{name}: {expected}, got {value!r}$"):
        load({name: value})


def test_paths_of_the_wrong_kind_are_refused(tmp_path):
    (tmp_path / "file").touch()
    for below in ("file", "file/data"):
        with pytest.raises(BadSetting, match=r"SHIPLOG_DATA: must be a folder, but .*file is a"):
            load({"SHIPLOG_DATA": str(tmp_path / below)})
    with pytest.raises(BadSetting, match=r"SHIPLOG_SECRET_FILE: must be a file, not a folder"):
        load({"SHIPLOG_SECRET_FILE": str(tmp_path)})


@pytest.mark.parametrize("name", ["SHIPLOG_ARCHIVE", "SHIPLOG_CHECKPOINTS"])
def test_a_misspelt_url_is_not_taken_for_a_folder(name):
    for place in ("s3:/bucket", "s3:bucket", "s4://bucket"):
        with pytest.raises(BadSetting, match=f"{name}: '{place}' is neither a folder nor a URL"):
            load({name: place})
    for place in ("s3://bucket/prefix", "file:///backup", "/backup", "./s3:/bucket", "none"):
        load({name: place})


def test_a_secret_file_in_a_folder_that_others_own_is_refused(monkeypatch):
    def denied(_self):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(Path, "is_dir", denied)
    with pytest.raises(BadSetting, match=r"SHIPLOG_SECRET_FILE: cannot use .*: Permission denied"):
        load({"SHIPLOG_SECRET_FILE": "/theirs/secrets.json"})


def test_every_setting_has_a_wrong_value_here():
    """Except settings that can be checked only in use.

    Settings that others define are theirs to test.
    """
    known = {f"SHIPLOG_{name.upper()}" for name in Settings.__struct_fields__}
    assert known >= WRONG.keys() | ANY_TEXT_WILL_DO | NEED_A_FILE


def test_two_jobs_for_one_redis_are_refused():
    url = "redis://localhost:6379"
    with pytest.raises(BadSetting, match="SHIPLOG_WORK_URL: must not be the log's server"):
        load({"SHIPLOG_LOG_URL": url, "SHIPLOG_WORK_URL": url})


def test_only_a_signed_checkpoint_goes_into_a_new_log(tmp_path):
    file = tmp_path / "checkpoint"
    text = Checkpoint("play.example/log", 7, bytes(32)).text
    signer = Signer("play.example/log", Ed25519PrivateKey.generate())
    file.write_text(f"{text}\n{signer.sign(text)}\n")
    assert load({"SHIPLOG_CHECKPOINT_BEFORE": str(file)}).checkpoint_before == file
    for wrong, why in ((text, "has no signatures"), (f"a\n\n{signer.sign('a')}\n", "is not a")):
        file.write_text(wrong)
        with pytest.raises(BadSetting, match=f"SHIPLOG_CHECKPOINT_BEFORE: .*the note {why}"):
            load({"SHIPLOG_CHECKPOINT_BEFORE": str(file)})


@pytest.mark.parametrize("name", ["SHIPLOG_SMTP_PASSWORD", "SHIPLOG_OIDC_CLIENT_SECRET"])
def test_a_secret_in_two_places_is_refused(tmp_path, name):
    (tmp_path / "secret").write_text("one")
    with pytest.raises(BadSetting, match=f"{name}: must not be set with {name}_FILE"):
        load({name: "other", f"{name}_FILE": str(tmp_path / "secret")})


def test_an_unknown_setting_is_refused():
    with pytest.raises(BadSetting, match=r"Unknown settings: SHIPLOG_HOTS\. `shiplog settings`"):
        load({"SHIPLOG_HOTS": "127.0.0.1"})


def test_good_ones_are_taken():
    settings = load({
        "SHIPLOG_LOG_URL": "redis+cluster://log-1:6379",
        "SHIPLOG_WORK_URL": "unix:///run/redis-work/redis.sock",
        "SHIPLOG_WAIT_REPLICAS": "1",
        "SHIPLOG_CORS_ORIGINS": "https://play.example, http://localhost:5173",
        "SHIPLOG_RATE_LIMIT": "5/second;100/minute",
        "HOME": "/somewhere",
    })  # fmt: skip
    assert settings.origins == ("https://play.example", "http://localhost:5173")
    assert load({}) == Settings()


def test_the_table_names_every_setting():
    for name in Settings.__struct_fields__:
        assert f"| `SHIPLOG_{name.upper()}` |" in table()


@pytest.mark.parametrize("verb", ["serve", "worker", "doctor"])
def test_the_start_stops_with_one_clear_line(tmp_path, verb):
    environ = {**os.environ, "SHIPLOG_DATA": str(tmp_path), "SHIPLOG_RATE_LIMIT": "often"}
    done = run(verb, environ=environ)
    assert done.returncode == 2
    assert "SHIPLOG_RATE_LIMIT: 'often' is not a limit" in done.stderr
    assert "Traceback" not in done.stderr
    assert not list(tmp_path.iterdir()), "nothing was begun"


@pytest.mark.parametrize("verb", ["serve", "worker"])
def test_a_data_folder_that_cannot_be_created_stops_the_start(verb):
    environ = {**os.environ, "SHIPLOG_PORT": "0", "SHIPLOG_DATA": "/proc/shiplog"}
    done = run(verb, environ=environ)
    assert "shiplog: SHIPLOG_DATA: cannot create /proc/shiplog/" in done.stderr
    assert (done.returncode, "Traceback" in done.stderr) == (2, False), done.stderr


@pytest.mark.parametrize(
    ("verb", "name"),
    [
        ("serve", "SHIPLOG_PORT"),
        ("serve", "SHIPLOG_METRICS_PORT"),
        ("worker", "SHIPLOG_METRICS_PORT"),
    ],
)
def test_a_port_that_is_taken_stops_the_start(tmp_path, verb, name):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        environ = {**os.environ, "SHIPLOG_PORT": "0", "SHIPLOG_DATA": str(tmp_path)}
        done = run(verb, environ={**environ, name: str(taken.getsockname()[1])})
    assert done.returncode == 2, done.stderr
    assert name in done.stderr
    assert "Address already in use" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("words", "first", "why"),
    [
        (("run",), 7999, "with 7999 a further process uses 8000, which is SHIPLOG_PORT"),
        (("run",), 65534, "with 65534 a further process uses 65536, which does not exist"),
        (("serve", "--processes", "2"), 7997, "with 7997 a further process uses 8000, which is"),
    ],
)
def test_a_metrics_port_that_follows_from_another_is_checked(tmp_path, words, first, why):
    numbers = {"SHIPLOG_PORT": "8000", "SHIPLOG_METRICS_PORT": str(first)}
    done = run(*words, environ={**os.environ, "SHIPLOG_DATA": str(tmp_path), **numbers})
    assert (done.returncode, f"SHIPLOG_METRICS_PORT: {why}" in done.stderr) == (2, True), done
    assert not list(tmp_path.iterdir()), "nothing was begun"


def run(*words, environ):
    return subprocess.run(
        [sys.executable, "-c", SCRIPT, *words],
        env=environ, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
