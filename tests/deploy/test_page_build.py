"""The page is built to the same bytes again, so that anybody can compare it with a release."""

from pathlib import Path

import pytest

from tests.deploy.conftest import ROOT, told

pytestmark = pytest.mark.long

WEB = ROOT / "web"


def built(folder: Path) -> dict[str, bytes]:
    """Build the page into a folder, and return its files."""
    words = ("npm", "run", "--silent", "build", "--", "--emptyOutDir", "--outDir", folder)
    told(WEB / "with-node", *words)
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


@pytest.mark.timeout(600)
def test_another_build_in_another_folder_gives_the_same_bytes(tmp_path):
    once, again = built(tmp_path / "once"), built(tmp_path / "elsewhere" / "again")
    assert "index.html" in once
    assert sorted(again) == sorted(once)
    assert [name for name in once if again[name] != once[name]] == []
