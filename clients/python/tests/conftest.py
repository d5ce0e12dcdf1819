"""The package with its generated part, which is made anew from the document of this tree."""

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import msgspec

from service.http.documents import document

ROOT = Path(__file__).resolve().parents[1]


def pytest_configure() -> None:
    """Generate the client and make the package importable."""
    spec = spec_from_file_location("generate", ROOT / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    generator = module_from_spec(spec)
    spec.loader.exec_module(generator)
    path = ROOT / "openapi.json"
    path.write_bytes(msgspec.json.encode(document()))
    generator.generate(path, ROOT / "shiplog_client")
    sys.path.insert(0, str(ROOT))
