"""What a wheel holds besides the packages: component data, words and the built page."""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class DataFiles(BuildHookInterface):  # type: ignore[type-arg]
    """Put data files where `games.components.shipped` finds them."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the files, unless the install is editable; raises if the page is not built."""
        if version == "editable":
            return
        root = Path(self.root)
        if not (root / "web" / "dist" / "index.html").exists():
            raise FileNotFoundError("web/dist/index.html is missing. Build the page: make setup")
        build_data["force_include"] |= {"web/dist": "service/page"} | {
            str(path.relative_to(root)): f"games/{path.relative_to(root)}"
            for folder in ("seeds", "seeds/tutorials", "seeds/coach", "seeds/puzzles")
            for path in (root / folder).iterdir()
            if path.suffix in {".toml", ".jsonl"}
        }
        boards = root / "web" / "src" / "boards"
        build_data["force_include"] |= {
            str(path.relative_to(root)): f"games/words/{path.relative_to(boards)}"
            for path in (*boards.glob("*/*.json"), *boards.glob("*/rules.*.md"))
        }
