"""The pages at `type` of every problem: what the code means, the rule behind it, the way out."""

import hashlib
import re
from base64 import b64encode
from collections.abc import Iterator, Mapping
from functools import cache
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

from litestar import MediaType, Response, get
from litestar.params import FromPath

from games.game import AnyGame
from service.base.codes import CODES, filled, words
from service.http.ahead import LANGUAGES
from service.http.games import Offered

TEXTS = {
    "en": {
        "heading": "Problem",
        "all": "All codes",
        "way": "What to do",
        "rules": "Rules of the game",
        "legal": "Send one of the commands that `GET /matches/{match}/legal` lists.",
        "unknown": "No game that is installed here explains this code. Read its rules:",
    },
    "cs": {
        "heading": "Potíž",
        "all": "Všechny kódy",
        "way": "Co s tím",
        "rules": "Pravidla hry",
        "legal": "Pošlete některý z příkazů, které vypíše `GET /matches/{match}/legal`.",
        "unknown": "Tenhle kód žádná zdejší hra nevysvětluje. Přečtěte si její pravidla:",
    },
}
RULE = re.compile(r"^- \*\*([A-Z]+-\d+)\*\* (.+(?:\n {2}.+)*)", re.MULTILINE)
"""A numbered rule in Markdown, with the lines that continue it."""
RULE_ID = re.compile(r"\b[A-Z]+-\d+\b")
STYLE = """\
:root { color-scheme: light dark; }
body { font: 1.05rem/1.5 system-ui, sans-serif; max-width: 42rem; margin: 2rem auto; }
main { padding: 0 1rem; }
blockquote { border-inline-start: 0.25rem solid; margin-inline: 0; padding-inline-start: 1rem; }
section { border-top: 1px solid; margin-top: 2rem; }
"""
DIRECTIVES = (
    "default-src 'none'",
    f"style-src 'sha256-{b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()}'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
)
HEADERS = {"Content-Security-Policy": "; ".join(DIRECTIVES), "Cache-Control": "no-cache"}


class Refused(NamedTuple):
    """What a game says of one of its codes in one language."""

    sentence: str
    rules: dict[str, str]
    """Text of the rules that the sentence names, by id."""


@get("/problems", include_in_schema=False)
async def list_problems(offered: Offered) -> Response[str]:
    """List the codes of the service and of all games."""
    codes = sorted({*CODES, *(code for game in offered.values() for code in _codes(game))})
    items = "".join(f'<li><a href="/problems/{code}">{code}</a></li>' for code in codes)
    return _page(TEXTS["en"]["all"], f"<ul>{items}</ul>")


@get("/problems/{code:str}", include_in_schema=False)
async def explain_problem(code: FromPath[str], offered: Offered) -> Response[str]:
    """Explain a code, in all languages."""
    known = code in CODES or any(code in _codes(game) for game in offered.values())
    sections = "".join(
        f'<section lang="{language}"><h2>{TEXTS[language]["heading"]} <code>{escape(code)}</code>'
        f"</h2>{''.join(_parts(code, language, offered))}</section>"
        for language in LANGUAGES
    )
    page = f'{sections}<p><a href="/problems">{TEXTS["en"]["all"]}</a></p>'
    return _page(code, page, 200 if known else 404)


def _parts(code: str, language: str, offered: Mapping[str, AnyGame]) -> Iterator[str]:
    """Yield what the service and the games say of a code."""
    texts = TEXTS[language]
    way = f"<h3>{texts['way']}</h3>"
    if (own := CODES.get(code)) is not None:
        meaning, out = own.en if language == "en" else own.cs
        yield f"<p>{_markup(meaning)}</p>{way}<p>{_markup(out)}</p>"
    games = [game for game in offered.values() if code in _codes(game)]
    for game in games:
        refused = _refused(game, code, language)
        link = f"/rules/{game.slug}"
        yield f"<h3>{escape(_title(game, language))}</h3><p>{_markup(refused.sentence)}</p>"
        for rule, text in refused.rules.items():
            yield f'<blockquote><a href="{link}#{rule}">{rule}</a> {_markup(text)}</blockquote>'
        yield f'<p><a href="{link}">{texts["rules"]}</a></p>'
    if games:
        yield f"{way}<p>{_markup(texts['legal'])}</p>"
    elif own is None:
        links = (
            f'<a href="/rules/{slug}">{escape(_title(game, language))}</a>'
            for slug, game in offered.items()
        )
        yield f"<p>{texts['unknown']} {', '.join(links)}.</p>"


def _codes(game: AnyGame) -> dict[str, str]:
    return words(game.files.words, "en")


def _refused(game: AnyGame, code: str, language: str) -> Refused:
    sentence = words(game.files.words, language).get(code) or _codes(game)[code]
    rules = _rules(game, language)
    named = {rule: rules[rule] for rule in RULE_ID.findall(sentence) if rule in rules}
    return Refused(filled(sentence, {}), named)


def _rules(game: AnyGame, language: str) -> dict[str, str]:
    """Return the numbered rules by id, in English where the language has none."""
    files = game.files
    translated = None if files.words is None else files.words / f"rules.{language}.md"
    found = _numbered(translated) if translated is not None and translated.exists() else {}
    return (_numbered(files.rules) if files.rules is not None else {}) | found


@cache
def _numbered(path: Path) -> dict[str, str]:
    return dict(RULE.findall(path.read_text()))


def _title(game: AnyGame, language: str) -> str:
    return game.titles.get(language, game.titles["en"])


@cache
def _markdown() -> Any:
    """Return the converter of Markdown, in which HTML is text."""
    from markdown_it import MarkdownIt  # noqa: PLC0415 - takes long to load, and few use it

    return MarkdownIt("js-default")


def _markup(text: str) -> str:
    return _markdown().renderInline(text)


def _page(title: str, content: str, status: int = 200) -> Response[str]:
    page = (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{STYLE}</style></head>'
        f"<body><main><h1>{escape(title)}</h1>{content}</main></body></html>"
    )
    return Response(page, status_code=status, media_type=MediaType.HTML, headers=HEADERS)


HANDLERS = (
    list_problems,
    explain_problem,
)
