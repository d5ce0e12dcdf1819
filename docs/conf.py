"""Configure Sphinx for `make docs`. The pages are CommonMark and read well as plain files too."""

import re
from fnmatch import fnmatch

from sphinx.application import Sphinx

project = "Shiplog"
author = copyright = "the Shiplog authors"  # noqa: A001 - Sphinx's name
extensions = ["myst_parser"]

myst_heading_anchors = 3
exclude_patterns = ["README.md"]
suppress_warnings = [
    "misc.highlighting_failure",  # shortened examples are no whole programs
]

html_theme = "furo"
html_title = "Shiplog"
html_static_path = ["static"]
html_copy_source = False
html_show_sphinx = False
html_show_sourcelink = False
html_theme_options = {"top_of_page_buttons": []}


def setup(app: Sphinx) -> None:
    """List what no group of the first page names, so that no page is lost."""
    app.connect("source-read", list_the_rest)


def list_the_rest(app: Sphinx, page: str, source: list[str]) -> None:
    """Complete the first page with a group of the pages that it does not name."""
    if page != "index":
        return
    patterns = re.findall(r"^[\w/*.-]+$", source[0], re.MULTILINE)
    named = {name for name in app.env.found_docs for it in patterns if fnmatch(name, it)}
    rest = sorted(app.env.found_docs - named - {"index"})
    if rest:
        names = "\n".join(rest)
        source[0] += f"\n```{{toctree}}\n:caption: More\n:hidden:\n\n{names}\n```\n"
