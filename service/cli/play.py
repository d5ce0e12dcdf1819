"""`shiplog play`: play a match in the terminal, against bots or people, over the public API."""

import json
import secrets
import time
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer
from rich.markdown import Markdown
from rich.prompt import Prompt
from rich.table import Table
from rich.text import Text

from games.match.commands import BotPace
from service.cli.choice import Choice, choices, chosen
from service.cli.output import Terminal
from service.cli.reasons import asked, in_words
from service.cli.remote import OVER, POLL_S, RemotePlayer, RequestRefused, exiting
from service.cli.scene import BOT_NAMES, show_board, show_end, show_news, speaker_of
from service.cli.wording import Speaker

HINT_S = 20
"""Time to wait for a hint (seconds)."""
HINT_OTHERS = 3
"""Maximum number of alternatives in a hint."""
SHOWN_COMMANDS = 60
"""Maximum number of legal commands to list; `more` lists the rest."""
HELP = (
    "A [b]number[/b], a [b]code[/b] or a [b]part of the words[/b] plays; [b]more[/b] lists the "
    "rest, [b]hint[/b] advises, [b]why[/b] asks the bots about their last moves, [b]undo[/b] takes "
    "back, [b]rules[/b] explains, [b]view[/b] shows all, [b]quit[/b] leaves"
)

Url = Annotated[str, typer.Option(help="Address of the service.")]
console = Terminal()


def play(
    game: Annotated[
        str, typer.Argument(help="Game to play; `shiplog play` alone lists the games.")
    ] = "",
    match: Annotated[str, typer.Option(help="Join this match instead of creating one.")] = "",
    seats: Annotated[int, typer.Option(help="Number of seats; bots take the others.")] = 2,
    level: Annotated[str, typer.Option(help="Level of the bots; by default, the middle one.")] = "",
    pace: Annotated[
        BotPace | None, typer.Option(help="How long bots wait; by default, as the service is set.")
    ] = None,
    people: Annotated[int, typer.Option(min=0, help="Seats to keep free for other people.")] = 0,
    options: Annotated[
        str, typer.Option(help="Options of the game, as JSON; others as the page proposes them.")
    ] = "{}",
    name: Annotated[str, typer.Option(help="Your name.")] = "You",
    token: Annotated[str, typer.Option(help="Return as the player with this token.")] = "",
    url: Url = "http://127.0.0.1:8000",
) -> None:
    """Play in the terminal."""
    if people and people >= seats:
        raise typer.BadParameter(
            f"--people: {seats} seats leave at most {seats - 1} for other people, got {people}."
        )
    with exiting(console, url):
        player = RemotePlayer(url, name, token)
        if not game and not match:
            _list_games(player)
            return
        bots = 0 if match else seats - 1 - people
        match = match or _open(player, game, seats, level, options, pace, alone=not people)
        try:
            if player.get(f"/matches/{match}")["you"] is None:
                player.send(match, {"type": "take_seat", "entropy": secrets.token_hex(8)})
            for _ in range(bots):
                sent = {"type": "add_bot", "level": level or _usual_level(player, game)}
                player.send(match, sent)
            if people:
                joining = f"shiplog play --url {url} --match {match}"
                console.print(f"Others join with: {joining}", soft_wrap=True)
            _play(player, match)
        except (EOFError, KeyboardInterrupt):
            again = f"shiplog play --url {url} --match {match} --token {player.token}"
            console.print(f"\nThe match waits for you: {again}", soft_wrap=True)


def _open(
    player: RemotePlayer,
    game: str,
    seats: int,
    level: str,
    options: str,
    pace: BotPace | None,
    *,
    alone: bool,
) -> str:
    """Create a match and return its id; exit if the game, the level or the options are wrong.

    `alone`: bots take all other seats.
    """
    games = {one["slug"]: one for one in player.get("/games")}
    if game not in games:
        console.print(f"There is no game {game!r}. The service has:", style="red")
        _list_games(player)
        raise typer.Exit(1)
    levels = games[game]["bots"]
    if level and level not in levels:
        raise typer.BadParameter(
            f"Unknown level {level!r}. Levels of the bots: {', '.join(levels)}."
        )
    try:
        given = json.loads(options)
    except json.JSONDecodeError as error:
        console.print(f"Invalid JSON in --options: {error}", style="red")
        raise typer.Exit(2) from None
    proposed = games[game]["recommended"]
    if alone:
        proposed |= games[game]["recommended_with_bots"]
    match = player.open(game, seats, proposed | given, pace)
    console.print("Match", Text(match, "bold"))
    return match


def _usual_level(player: RemotePlayer, game: str) -> str:
    """Return the middle level of a game's bots."""
    levels = player.get(f"/games/{game}")["bots"]
    return levels[len(levels) // 2]


def _list_games(player: RemotePlayer) -> None:
    table = Table("game", "title", "seats", "bots")
    for game in player.get("/games"):
        numbers = f"{game['seats'][0]}-{game['seats'][-1]}"
        bots = ", ".join(f"{level} ({BOT_NAMES.get(level, 'Bot')})" for level in game["bots"])
        table.add_row(game["slug"], game["titles"]["en"], numbers, bots)
    console.print(table)


def _play(player: RemotePlayer, match: str) -> None:
    told = 0
    for shown in player.changes(match):
        told = show_news(console, player, shown, told)
        if shown["status"] in OVER:
            show_board(console, shown)
            show_end(console, shown)
            return
        if shown["you"] in shown["waiting"] and not _turn(player, shown):
            raise EOFError


def _turn(player: RemotePlayer, shown: dict[str, Any]) -> bool:
    """Ask the player for one action; return False if the player quits."""
    match = shown["match"]
    legal = player.get(f"/matches/{match}/legal")
    speaker = speaker_of(shown)
    offered = choices(legal["commands"], speaker)
    show_board(console, shown)
    _list_commands(offered[:SHOWN_COMMANDS], len(offered))
    while True:
        words = Prompt.ask(f"{HELP}\n>").strip()
        match [*words.split(maxsplit=1), "", ""][:2]:
            case "quit", _:
                return False
            case "more", _:
                _list_commands(offered, len(offered))
            case "hint", _:
                _hint(player, match, speaker)
            case "why", number:
                _why(player, shown, number)
            case "view", _:
                console.print_json(data=shown)
            case "rules", part:
                _rules(player, shown["game"], part)
            case "undo", _:
                return _undo(player, match, legal["undo"])
            case _:
                meant = chosen(offered, words)
                if len(meant) == 1:
                    return _try(player, match, dict(meant[0].command))
                _ask_again(meant, words)


def _ask_again(meant: Sequence[Choice], words: str) -> None:
    if meant:
        console.print(f"{words!r} may mean:", style="yellow")
        _list_commands(meant[:SHOWN_COMMANDS], len(meant))
    elif words:
        console.print(f"No command is called {words!r}.", style="yellow")


def _rules(player: RemotePlayer, game: str, part: str) -> None:
    """Print the rules of a game, or the paragraphs that contain a word."""
    text: str = player.get(f"/games/{game}")["rules_text"]
    if part:
        paragraphs = [one for one in text.split("\n\n") if part.lower() in one.lower()]
        text = "\n\n".join(paragraphs) or f"The rules do not mention {part!r}."
    console.print(Markdown(text or "This game has no rules to show."))


def _hint(player: RemotePlayer, match: str, speaker: Speaker) -> None:
    """Print the hint of the rules, and then the hint of the job that looks ahead."""
    try:
        asked = player.post(f"/matches/{match}/hints", {})
        _say_hint(asked["hint"], speaker)
        job = asked["job"]
        deadline = time.monotonic() + HINT_S
        while job["state"] in ("queued", "running") and time.monotonic() < deadline:
            time.sleep(POLL_S)
            job = player.get(f"/jobs/{job['id']}")
        if job["state"] == "finished":
            _say_hint(job["result"], speaker)
        else:
            console.print(f"No better hint: the job is {job['state']}.", style="dim")
    except RequestRefused as error:
        console.print(str(error), style="red")


def _why(player: RemotePlayer, shown: Mapping[str, Any], number: str) -> None:
    """Print why a bot made the move of a version, by default the last move of each bot."""
    versions = [int(number)] if number.isdecimal() else _last_moves(player, shown)
    if not versions:
        console.print("No bot has moved yet.")
    for version in versions:
        try:
            console.print(in_words(asked(player, shown["match"], version), speaker_of(shown)))
        except RequestRefused as error:
            console.print(str(error), style="red")


def _last_moves(player: RemotePlayer, shown: Mapping[str, Any]) -> list[int]:
    """List the versions of the last shown move of each bot."""
    bots = {seat["seat"] for seat in shown["seats"] if seat["bot"]}
    records = player.get(f"/matches/{shown['match']}/events?after=1")["records"]
    moves = {
        one["by"]["seat"]: one["v"]
        for one in records
        if one["by"] and one["events"] and one["by"].get("seat") in bots
    }
    return sorted(moves.values())


def _say_hint(hint: dict[str, Any], speaker: Speaker) -> None:
    best, others = hint["best"], hint["alternatives"]
    advice = (speaker.command(hint["command"]), "bold")
    console.print(Text.assemble(advice, f". {hint['reason']['words']}"))
    if best["share"] is not None:
        console.print(
            f"{hint['sure']} after {hint['playouts']} playouts: {_share(best)}"
            + "".join(
                f"; {speaker.command(one['command'])} {_share(one)}" for one in others[:HINT_OTHERS]
            ),
            style="dim",
        )


def _share(weighed: dict[str, Any]) -> str:
    """Return a share with two standard errors."""
    return f"{100 * weighed['share']:.0f} ± {200 * weighed['standard_error']:.0f} %"


def _undo(player: RemotePlayer, match: str, price: dict[str, Any] | None) -> bool:
    if price is None:
        console.print("There is nothing to undo.", style="red")
        return True
    kind = "undo" if price["undo"] == "free" else "propose_undo"
    return _try(player, match, {"type": kind, "to": price["to"]})


def _try(player: RemotePlayer, match: str, command: dict[str, Any]) -> bool:
    try:
        player.send(match, command)
    except RequestRefused as error:
        console.print(str(error), style="red")
    return True


def _list_commands(offered: Sequence[Choice], all_: int) -> None:
    width = max((len(one.code) for one in offered), default=0)
    for one in offered:
        code = Text(f"{one.code:{width}}", "cyan")
        console.print(Text.assemble((f"{one.number:4} ", "bold"), code, "  ", one.words))
    if all_ > len(offered):
        console.print(f"     … and {all_ - len(offered)} more")
