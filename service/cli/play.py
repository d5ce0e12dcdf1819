"""`shiplog play`: play a match in the terminal, against bots or people, over the public API."""

import json
import secrets
import time
from collections.abc import Iterator
from typing import Annotated, Any

import httpx
import typer
from rich.console import Console
from rich.prompt import Prompt
from rich.table import Table

POLL_S = 0.3
TIMEOUT_S = 30
HINT_S = 20
"""Time to wait for a hint (seconds)."""
HINT_OTHERS = 3
"""Maximum number of alternatives in a hint."""
SHOWN_COMMANDS = 60
"""Maximum number of legal commands to list; `more` lists the rest."""
HELP = (
    "[b]number[/b] plays, [b]more[/b] lists the rest, [b]hint[/b] advises, "
    "[b]undo[/b] takes back, [b]view[/b] shows all, [b]quit[/b] leaves"
)

Url = Annotated[str, typer.Option(help="Address of the service.")]
console = Console()


class RemotePlayer:
    """A player in a match, over HTTP."""

    def __init__(self, url: str, name: str, token: str = "") -> None:
        """Create a guest, unless a token is given."""
        self.http = httpx.Client(base_url=url, timeout=TIMEOUT_S)
        self.token = token or self._json(self.http.post("/players", json={"name": name}))["token"]
        self.http.headers["Authorization"] = f"Bearer {self.token}"

    def open(self, game: str, seats: int, options: dict[str, Any]) -> str:
        """Create a match and take its first seat; the others are for bots or people."""
        body = {"game": game, "seats": seats, "options": options}
        return self._json(self.http.post("/matches", json=body))["match"]

    def send(self, match: str, command: dict[str, Any]) -> dict[str, Any]:
        """Send a command until it is answered; it counts once."""
        key = {"Idempotency-Key": secrets.token_hex(8)}
        while True:
            try:
                answer = self.http.post(f"/matches/{match}/commands", json=command, headers=key)
            except httpx.TransportError:
                time.sleep(POLL_S)
                continue
            if answer.status_code != 503:
                return self._json(answer)
            time.sleep(float(answer.headers.get("Retry-After", "1")))

    def post(self, path: str, body: dict[str, Any]) -> Any:
        """Send a POST request and return the answer."""
        return self._json(self.http.post(path, json=body))

    def get(self, path: str) -> Any:
        """Send a GET request and return the answer."""
        return self._json(self.http.get(path))

    @staticmethod
    def _json(answer: httpx.Response) -> Any:
        body = answer.json()
        if answer.is_error:
            raise RequestRefused(f"{body['code']}: {body['detail']}")
        return body


class RequestRefused(Exception):
    """The service refused a request; the message has the code."""


def play(
    game: Annotated[
        str, typer.Argument(help="Game to play; `shiplog play` alone lists the games.")
    ] = "",
    match: Annotated[str, typer.Option(help="Join this match instead of creating one.")] = "",
    seats: Annotated[int, typer.Option(help="Number of seats; bots take the others.")] = 2,
    level: Annotated[str, typer.Option(help="Level of the bots.")] = "heuristic",
    people: Annotated[int, typer.Option(help="Seats to keep free for other people.")] = 0,
    options: Annotated[str, typer.Option(help="Options of the game, as JSON.")] = "{}",
    name: Annotated[str, typer.Option(help="Your name.")] = "You",
    token: Annotated[str, typer.Option(help="Return as the player with this token.")] = "",
    url: Url = "http://127.0.0.1:8000",
) -> None:
    """Play in the terminal."""
    player = None
    try:
        player = RemotePlayer(url, name, token)
        if not game and not match:
            _list_games(player)
            return
        if not match:
            match = player.open(game, seats, json.loads(options))
            console.print(f"Match [b]{match}[/b]")
        if player.get(f"/matches/{match}")["you"] is None:
            player.send(match, {"type": "take_seat", "entropy": secrets.token_hex(8)})
        for _ in range(seats - 1 - people if game else 0):
            player.send(match, {"type": "add_bot", "level": level})
        _play(player, match)
    except RequestRefused as error:
        console.print(f"[red]{error}[/red]")
        raise typer.Exit(1) from None
    except httpx.TransportError as error:
        console.print(f"[red]Cannot connect to {url}: {error}. Is the service running?[/red]")
        raise typer.Exit(2) from None
    except json.JSONDecodeError as error:
        console.print(f"[red]Invalid JSON: {error}[/red]")
        raise typer.Exit(2) from None
    except (EOFError, KeyboardInterrupt):
        if player is not None and match:
            again = f"shiplog play --url {url} --match {match} --token {player.token}"
            console.print(f"\nThe match waits for you: {again}", soft_wrap=True)


def _list_games(player: RemotePlayer) -> None:
    table = Table("game", "title", "seats", "bots")
    for game in player.get("/games"):
        numbers = f"{game['seats'][0]}-{game['seats'][-1]}"
        table.add_row(game["slug"], game["titles"]["en"], numbers, ", ".join(game["bots"]))
    console.print(table)


def _play(player: RemotePlayer, match: str) -> None:
    told = 0
    for view in _turns(player, match):
        told = _tell(player, match, told)
        if view["status"] in ("finished", "abandoned"):
            console.print_json(data=view["result"] or {"status": view["status"]})
            return
        if view["you"] in view["waiting"] and not _turn(player, match):
            raise EOFError


def _turns(player: RemotePlayer, match: str) -> Iterator[dict[str, Any]]:
    """Yield the match whenever it has changed."""
    version = 0
    while True:
        view = player.get(f"/matches/{match}")
        if view["version"] != version or view["you"] in view["waiting"]:
            version = view["version"]
            yield view
        else:
            time.sleep(POLL_S)


def _tell(player: RemotePlayer, match: str, told: int) -> int:
    """Print the new records; return the last version."""
    answer = player.get(f"/matches/{match}/events?after={told}")
    for record in answer["records"]:
        who = record["by"] or {}
        actor = f"seat {who['seat']}" if "seat" in who else next(iter(who), "")
        for event in record["events"]:
            fields = ", ".join(
                f"{k} {_brief(v)}" for k, v in event.items() if k not in ("type", "seat")
            )
            console.print(
                f"[dim]{record['v']:4}[/dim] {actor:8} [cyan]{event['type']}[/cyan] {fields}",
                highlight=False,
            )
    return answer["version"]


def _brief(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 60 else text[:57] + "…"


def _turn(player: RemotePlayer, match: str) -> bool:
    """Ask the player for one action; return False if the player quits."""
    legal = player.get(f"/matches/{match}/legal")
    commands = legal["commands"]
    _show(player.get(f"/matches/{match}")["view"])
    _list_commands(commands[:SHOWN_COMMANDS], len(commands))
    while True:
        words = Prompt.ask(f"{HELP}\n>").strip()
        if words == "quit":
            return False
        if words == "more":
            _list_commands(commands, len(commands))
        elif words == "hint":
            _hint(player, match)
        elif words == "view":
            console.print_json(data=player.get(f"/matches/{match}"))
        elif words == "undo":
            return _undo(player, match, legal["undo"])
        elif words.isdecimal() and 1 <= int(words) <= len(commands):
            return _try(player, match, commands[int(words) - 1])


def _hint(player: RemotePlayer, match: str) -> None:
    """Print the hint of the rules, and then the hint of the job that looks ahead."""
    try:
        asked = player.post(f"/matches/{match}/hints", {})
        _say_hint(asked["hint"])
        job = asked["job"]
        deadline = time.monotonic() + HINT_S
        while job["state"] in ("queued", "running") and time.monotonic() < deadline:
            time.sleep(POLL_S)
            job = player.get(f"/jobs/{job['id']}")
        if job["state"] == "finished":
            _say_hint(job["result"])
        else:
            console.print(f"[dim]No better hint: the job is {job['state']}.[/dim]")
    except RequestRefused as error:
        console.print(f"[red]{error}[/red]")


def _say_hint(hint: dict[str, Any]) -> None:
    best, others = hint["best"], hint["alternatives"]
    console.print(f"[b]{_brief(hint['command'])}[/b] {hint['reason']['words']}", highlight=False)
    if best["share"] is not None:
        console.print(
            f"[dim]{hint['sure']} after {hint['playouts']} playouts: {_share(best)}"
            + "".join(f"; {_brief(one['command'])} {_share(one)}" for one in others[:HINT_OTHERS])
            + "[/dim]",
            highlight=False,
        )


def _share(weighed: dict[str, Any]) -> str:
    """Return a share with two standard errors."""
    return f"{100 * weighed['share']:.0f} ± {200 * weighed['standard_error']:.0f} %"


def _undo(player: RemotePlayer, match: str, price: dict[str, Any] | None) -> bool:
    if price is None:
        console.print("[red]There is nothing to undo.[/red]")
        return True
    kind = "undo" if price["undo"] == "free" else "propose_undo"
    return _try(player, match, {"type": kind, "to": price["to"]})


def _try(player: RemotePlayer, match: str, command: dict[str, Any]) -> bool:
    try:
        player.send(match, command)
    except RequestRefused as error:
        console.print(f"[red]{error}[/red]")
    return True


def _show(view: dict[str, Any]) -> None:
    table = Table(show_header=False)
    for field, value in view.items():
        if value not in (None, [], {}, "") and field != "options":
            table.add_row(field, json.dumps(_hidden_counted(value), ensure_ascii=False))
    console.print(table)


def _hidden_counted(value: Any) -> Any:
    """Replace lists of hidden things by their number."""
    if isinstance(value, list):
        parts: list[Any] = value
        if parts and all(part == "?" for part in parts):
            return f"{len(parts)} hidden"
        return [_hidden_counted(part) for part in parts]
    return value


def _list_commands(commands: list[dict[str, Any]], all_: int) -> None:
    for number, command in enumerate(commands, start=1):
        fields = ", ".join(
            f"{k} {_brief(v)}"
            for k, v in command.items()
            if k != "type" and v not in ([], 0, False)
        )
        console.print(f"[b]{number:4}[/b] {command['type']} {fields}", highlight=False)
    if all_ > len(commands):
        console.print(f"     … and {all_ - len(commands)} more")
