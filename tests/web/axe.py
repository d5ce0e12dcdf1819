"""WCAG 2.2 AA, as axe finds it broken on a page, in both themes."""

from pathlib import Path
from typing import Any

from playwright.sync_api import Page

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
OF_COLOURS = {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}
"""What a theme can break. All else is the same in both."""


AT_THE_END = """async ([part, runOnly]) => {
    for (;;) {
        const height = document.documentElement.scrollHeight;
        scrollTo(0, height);
        const wanted = { runOnly, resultTypes: ["violations"] };
        const { violations } = await axe.run(part, wanted);
        if (document.documentElement.scrollHeight === height) return violations;
    }
}"""
"""At the page's end what sticks to the screen lies in its own place, and covers nothing. A page
that has grown meanwhile, since it still loads, is checked again."""


def breaches(page: Page, part: str = "html") -> list[str]:
    """Return what axe finds in the page's theme, and what it finds of colours in the other one.

    Its script bypasses the content policy, as a debugger does.
    """
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text())
    dark = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    found: list[Any] = page.evaluate(AT_THE_END, [part, TAGS])
    page.emulate_media(color_scheme="light" if dark else "dark")
    found += page.evaluate(AT_THE_END, [part, OF_COLOURS])
    page.emulate_media(color_scheme="dark" if dark else "light")
    return [
        f"{breach['id']}: {node['html'][:160]} {node['failureSummary'][:200]}"
        for breach in found
        for node in breach["nodes"]
    ]
