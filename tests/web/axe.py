"""WCAG 2.2 AA, as axe finds it broken on a page."""

from pathlib import Path
from typing import Any

from playwright.sync_api import Page

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


AT_THE_END = """async ([part, tags]) => {
    for (;;) {
        const height = document.documentElement.scrollHeight;
        scrollTo(0, height);
        const wanted = { runOnly: tags, resultTypes: ["violations"] };
        const { violations } = await axe.run(part, wanted);
        if (document.documentElement.scrollHeight === height) return violations;
    }
}"""
"""At the page's end what sticks to the screen lies in its own place, and covers nothing. A page
that has grown meanwhile, since it still loads, is checked again."""


def breaches(page: Page, part: str = "html") -> list[str]:
    """Return what axe finds; its script bypasses the content policy, as a debugger does."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text())
    found: Any = page.evaluate(AT_THE_END, [part, RULES])
    return [
        f"{breach['id']}: {node['html'][:160]} {node['failureSummary'][:200]}"
        for breach in found
        for node in breach["nodes"]
    ]
