"""What the link to a match shows to people without an account: a card, a preview, a QR code."""

import io
from collections.abc import Mapping
from html import escape
from typing import Annotated, NamedTuple
from urllib.parse import quote

import msgspec
from litestar import Response, get
from litestar.di import NamedDependency
from litestar.params import FromPath, QueryParameter

from games.game import AnyGame
from games.match.commands import Clock
from games.match.model import Status
from service.http.access import MatchAccess
from service.http.body import AnyRequest
from service.http.matches import JoinCode
from service.http.qr import qr_code
from service.http.sites import Sites
from service.play.caller import Caller
from service.play.players import Players

STRANGER = Caller("")
"""Somebody without a token."""
MANY = 5
"""The first number with the third form of a noun."""
PARTS_MAX = 64
"""Maximum length of an id or a code in a QR code."""

Link = Annotated[
    str | None,
    QueryParameter(max_length=PARTS_MAX, description="The join code of the link, if it has one."),
]


class CardSeat(msgspec.Struct):
    """A seat on a card; all are null while it is free."""

    name: str | None
    """Name of the player."""
    bot: str | None
    """Level of the bot."""


class MatchCard(msgspec.Struct):
    """What the link to a match says to those who have it."""

    match: str
    game: str
    titles: dict[str, str]
    """Title of the game by language."""
    status: Status
    host: str | None
    """Name of the player who created the match."""
    seats: list[CardSeat]
    free: int
    """Number of free seats."""
    clock: Clock | None
    minutes: int | None
    """Typical length of a match (minutes); null if the game does not say."""


class Preview(NamedTuple):
    """What messengers show of a link."""

    title: str
    text: str
    game: str
    game_title: str


class Words(NamedTuple):
    """The words of previews in a language. Nouns come in forms for 1, for 2 to 4, and for more."""

    language: str
    invites: str
    players: tuple[str, str, str]
    free: tuple[str, str, str]
    minutes: str


WORDS = {
    "en": Words(
        "en",
        "{host} invites you to {title}",
        ("player", "players", "players"),
        ("seat free", "seats free", "seats free"),
        "about {minutes} minutes",
    ),
    "cs": Words(
        "cs",
        "{host} vás zve do hry {title}",
        ("hráč", "hráči", "hráčů"),
        ("volné místo", "volná místa", "volných míst"),
        "asi {minutes} minut",
    ),
}


class MatchCards:
    """Describes matches to people without an account."""

    def __init__(self, access: MatchAccess, players: Players, games: Mapping[str, AnyGame]) -> None:
        """Describe matches that strangers may see."""
        self._access = access
        self._players = players
        self._games = games

    async def card(self, match: str, code: str | None) -> MatchCard:
        """Return the card of a match; raises `Problem` 404, 503."""
        found = (await self._access.find(match, STRANGER, code, fresh=False)).cached.match
        header, game = found.header, self._games.get(found.header.game, found.game)
        people = [chair.player for chair in found.chairs if chair.player]
        names = await self._players.names([header.creator, *people])
        seats = [CardSeat(names.get(chair.player), chair.bot or None) for chair in found.chairs]
        return MatchCard(
            match=header.match,
            game=header.game,
            titles=dict(game.titles),
            status=found.status,
            host=names.get(header.creator),
            seats=seats,
            free=sum(not chair.taken for chair in found.chairs),
            clock=header.clock,
            minutes=game.minutes,
        )

    async def preview(self, match: str, code: str | None, language: str) -> Preview:
        """Return the preview of a link; raises `Problem` 404 if strangers may not see it, 503."""
        return _preview(await self.card(match, code), WORDS[language])


def _preview(card: MatchCard, words: Words) -> Preview:
    title = card.titles.get(words.language, card.titles["en"])
    facts = [_counted(len(card.seats), words.players)]
    if card.minutes:
        facts.append(words.minutes.format(minutes=card.minutes))
    if card.status == "waiting" and card.free:
        facts.append(_counted(card.free, words.free))
        return Preview(
            words.invites.format(host=card.host, title=title), ", ".join(facts), card.game, title
        )
    names = [seat.name or f"bot ({seat.bot})" for seat in card.seats if seat.name or seat.bot]
    return Preview(f"{title}: {', '.join(names)}", ", ".join(facts), card.game, title)


def _counted(count: int, forms: tuple[str, str, str]) -> str:
    """Return a number with its noun."""
    return f"{count} {forms[0 if count == 1 else 1 if count < MANY else 2]}"


def link_to(site: str, match: str, code: str | None) -> str:
    """Return the link to a match, at the address of a service."""
    query = f"?code={quote(code)}" if code else ""
    return f"{site}/match/{quote(match)}{query}"


def picture_of(site: str, match: str, code: str | None, language: str) -> str:
    """Return the address of the picture that goes with the link to a match."""
    query = f"&code={quote(code)}" if code else ""
    return f"{site}/match/{quote(match)}/picture.jpg?lang={language}{query}"


def tags(preview: Preview, link: str, picture: str | None) -> str:
    """Return the elements of a page's head that messengers read."""
    named = {
        "og:type": "website",
        "og:site_name": "Shiplog",
        "og:title": preview.title,
        "og:description": preview.text,
        "og:url": link,
    }
    if picture is not None:
        named |= {"og:image": picture, "og:image:width": "1200", "og:image:height": "630"}
    lines = [f'<meta property="{name}" content="{escape(text)}" />' for name, text in named.items()]
    shown = "summary" if picture is None else "summary_large_image"
    lines.append(f'<meta name="twitter:card" content="{shown}" />')
    lines.append(f'<meta name="description" content="{escape(preview.text)}" />')
    lines.append(f"<title>{escape(preview.title)}</title>")
    return "\n    ".join(lines)


@get(
    "/matches/{match:str}/card",
    tags=["matches"],
    operation_id="getMatchCard",
    counts="calls",
    refuses=("not-found", "rules-version-not-here"),
)
async def get_match_card(
    match: FromPath[str], match_cards: NamedDependency[MatchCards], join_code: JoinCode = None
) -> MatchCard:
    """Describe a match to somebody who has its link, and needs no token for that.

    A private match needs its join code.
    """
    return await match_cards.card(match, join_code)


@get("/match/{match:str}/qr.svg", include_in_schema=False, counts="calls", personal=True)
async def draw_qr(
    request: AnyRequest,
    match: FromPath[str],
    sites: NamedDependency[Sites],
    code: Link = None,
) -> Response[bytes]:
    """Draw the link to a match as a QR code. It does not say whether the match exists."""
    link = link_to(sites.url(request.scope), match[:PARTS_MAX], code)
    drawn = io.BytesIO()
    qr_code(link).save(drawn, kind="svg", scale=4, border=3, light="#fff")
    headers = {"Cache-Control": "private, max-age=600"}
    return Response(drawn.getvalue(), media_type="image/svg+xml", headers=headers)


HANDLERS = (get_match_card,)
PAGES = (draw_qr,)
"""Belong to the page and not to the API."""
