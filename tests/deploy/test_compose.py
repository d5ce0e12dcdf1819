"""Check the Compose file and the image, except what needs an engine to build and run them."""

import re
import subprocess
import sys
from hashlib import sha256
from urllib.parse import urlsplit

import msgspec
import pytest
import yaml

from service.base.environment import load
from service.base.keys import Keys, SecretFile
from tests.deploy.conftest import DEPLOY, ROOT, told, tool


@pytest.fixture(scope="module")
def compose():
    return yaml.safe_load((DEPLOY / "compose.yaml").read_text())


def test_it_is_what_the_specification_allows():
    """The schema is the one of the Compose specification that check-jsonschema brings along."""
    schema = ("--builtin-schema", "vendor.compose-spec")
    told(tool("check-jsonschema"), *schema, DEPLOY / "compose.yaml")


def test_the_image_is_built_as_the_linter_likes_it():
    told(tool("hadolint"), DEPLOY / "Dockerfile")


def test_every_container_is_locked_down(compose):
    for name, service in compose["services"].items():
        assert service["read_only"] is True, name
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert service["user"].split(":")[0] not in ("0", "root"), name
        assert "healthcheck" in service, name
        assert "privileged" not in service, name


def test_the_logs_redis_keeps_what_it_is_told_and_only_the_service_is_reached_from_outside(compose):
    services = compose["services"]
    assert any(volume.startswith("log:") for volume in services["log"]["volumes"])
    assert {name for name, it in services.items() if "ports" in it} == {"serve"}
    assert all(port.startswith("127.0.0.1:") for port in services["serve"]["ports"])
    assert compose["networks"]["inside"]["internal"] is True


def test_only_the_worker_may_remove_archived_matches(compose):
    assert "secrets/archiver.env" in compose["services"]["worker"]["env_file"]
    assert "secrets/archiver.env" not in compose["services"]["serve"]["env_file"]


def test_the_auditor_can_only_read(compose):
    auditor = compose["services"]["auditor"]
    assert auditor["env_file"] == ["secrets/auditor.env"]
    assert auditor["command"][:2] == ["audit", "--follow"]
    assert "audit:/audit" in auditor["volumes"], "the journal outlives the container"


def test_both_write_one_checkpoint_log_apart_from_the_log(compose):
    for name in ("serve", "worker"):
        settings = load(compose["services"][name]["environment"])
        assert settings.checkpoints_place == "/checkpoints"
        assert "checkpoints:/checkpoints" in compose["services"][name]["volumes"]


def test_its_settings_are_ones_that_the_service_takes(compose):
    for name in ("serve", "worker", "auditor"):
        settings = load(compose["services"][name]["environment"])
        assert settings.drain_s < 60, "stop_grace_period"


def test_the_script_makes_secrets_that_fit_each_other(tmp_path):
    folder = tmp_path / "secrets"
    command = [
        DEPLOY / "secrets.sh", folder,
        "redis://shiplog:PASSWORD@log:6379", "redis://shiplog:PASSWORD@work:6379",
    ]  # fmt: skip
    told(*command)
    Keys(msgspec.json.decode((folder / "secrets.json").read_bytes(), type=SecretFile))
    urls = dict(line.split("=", 1) for line in (folder / "urls.env").read_text().splitlines())
    settings = load(urls)
    password = urlsplit(settings.log_url).password
    assert len(password) == 64
    assert (folder / "password").read_text() == password
    archiver = folder / "archiver.env"
    name, _, url = archiver.read_text().strip().partition("=")
    parts = urlsplit(load({name: url}).log_archiver_url)
    assert (parts.username, parts.hostname, parts.port) == ("archiver", "log", 6379)
    assert parts.password == (folder / "archiver-password").read_text() != password
    assert sha256(parts.password.encode()).hexdigest() in (folder / "redis-log.conf").read_text()
    auditor = (folder / "auditor-password").read_text()
    lines = (folder / "auditor.env").read_text().splitlines()
    settings = load(dict(line.split("=", 1) for line in lines))
    for url, name in ((settings.log_url, "log"), (settings.work_url, "work")):
        parts = urlsplit(url)
        assert (parts.username, parts.password, parts.hostname) == ("auditor", auditor, name)
        text = (folder / f"redis-{name}.conf").read_text()
        assert f"user auditor on #{sha256(auditor.encode()).hexdigest()}" in text
    for name in ("log", "work"):
        text = (folder / f"redis-{name}.conf").read_text()
        assert f"#{sha256(password.encode()).hexdigest()}" in text
        assert "<sha256" not in text
    assert all(path.stat().st_mode & 0o077 == 0 for path in folder.iterdir())
    again = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (again.returncode, "exists" in again.stderr) == (1, True)


def test_the_image_leaves_out_what_only_development_needs():
    spare = told(sys.executable, DEPLOY / "prune.py").split()
    assert {"pytest", "ruff", "pyright", "hypothesis"} <= set(spare)
    assert not {"litestar", "redis", "hiredis", "granian", "rq", "msgspec", "pip"} & set(spare)


def test_nothing_in_the_image_and_the_containers_that_run_it_needs_a_shell(compose):
    """Instructions in the form of the shell would fail: the last stage has none."""
    *_, system, image = re.split(r"^FROM ", (DEPLOY / "Dockerfile").read_text(), flags=re.MULTILINE)
    assert "find /usr/bin /usr/sbin -mindepth 1 -delete" in system
    assert image.startswith("scratch\n")
    assert re.findall(r"^COPY .*", image, flags=re.MULTILINE) == ["COPY --from=system / /"]
    assert not re.findall(r"^(?:RUN|SHELL) ", image, flags=re.MULTILINE)
    started = re.findall(r"^(?:ENTRYPOINT|CMD|    CMD) (.)", image, flags=re.MULTILINE)
    assert started == ["[", "[", "["]
    for name, service in compose["services"].items():
        if service["image"].startswith("shiplog:"):
            check = service["healthcheck"]
            assert check.get("disable") or check["test"][:2] == ["CMD", "python"], name
            assert service["command"][0] in ("serve", "worker", "audit"), name


def test_what_the_image_copies_is_there():
    lines = (DEPLOY / "Dockerfile").read_text().splitlines()
    for line in lines:
        if line.startswith("COPY ") and "--from" not in line:
            for source in line.split()[1:-1]:
                assert (ROOT / source).exists(), line
