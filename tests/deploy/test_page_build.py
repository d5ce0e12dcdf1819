"""The page is built to the same bytes again, so that anybody can compare it with a release."""

from pathlib import Path

import pytest

from service.http.files import listed
from service.http.web import DIST
from tests.deploy.conftest import ROOT, told

pytestmark = pytest.mark.long


def files_of(folder: Path) -> dict[str, bytes]:
    return {name: path.read_bytes() for name, path in listed(folder).items()}


@pytest.mark.timeout(600)
def test_another_build_in_another_folder_gives_the_same_bytes(tmp_path):
    """The first is the set-up's."""
    words = ("npm", "run", "--silent", "build", "--", "--emptyOutDir", "--outDir", tmp_path)
    told(ROOT / "web" / "with-node", *words)
    once, again = files_of(DIST), files_of(tmp_path)
    assert "index.html" in once
    assert sorted(again) == sorted(once)
    assert [name for name in once if again[name] != once[name]] == []
