"""Linters and generators take the document as it is, and generated clients play every game."""

import json
import re
import shutil
from pathlib import Path

import msgspec

from games import GAMES
from service.cli.receipts import read_receipts
from service.http.calls import CALLS
from service.http.openapi import asyncapi
from tests.clients.conftest import HERE, TYPESCRIPT, Run, ran
from tests.e2e.service import Player, Running

PYTHON = HERE.parents[1] / "clients" / "python"
README = PYTHON / "README.md"
OFFLINE = ("--no-deps", "--no-index", "--no-build-isolation", "--disable-pip-version-check")
COMPLAINTS = ("WARNING", "ERROR", "Unable to", "will be omitted")


def finished(lines: str) -> list[str]:
    """Return the games whose matches a program has played to their end."""
    return [json.loads(line)["game"] for line in lines.splitlines()]


def test_redocly_has_nothing_to_say(run: Run, openapi: Path):
    told = run("node", "node_modules/@redocly/cli/bin/cli.js", "lint", "--format=json", openapi)
    problems = json.loads(told[told.index("{") : told.rindex("}") + 1])["problems"]
    assert [(found["ruleId"], found["message"]) for found in problems] == []


def test_the_parser_of_asyncapi_has_nothing_to_say(run: Run, workshop: Path):
    (workshop / "asyncapi.json").write_bytes(msgspec.json.encode(asyncapi.document(CALLS)))
    (workshop / "parse.cjs").write_text(
        """
        const { Parser } = require("@asyncapi/parser");
        const text = require("fs").readFileSync("asyncapi.json", "utf8");
        new Parser().parse(text).then(({ document, diagnostics }) => {
          console.log(JSON.stringify({ channels: document.channels().all().length, diagnostics }));
        });
        """
    )
    assert json.loads(run("node", "parse.cjs")) == {"channels": 1, "diagnostics": []}


def test_the_python_package_plays_every_game(
    run: Run, openapi: Path, workshop: Path, service: Running
):
    shutil.copytree(PYTHON, workshop / "client", ignore=shutil.ignore_patterns("generated"))
    told = run("python", "client/generate.py", openapi)
    assert [line for line in told.splitlines() if any(each in line for each in COMPLAINTS)] == []
    client = {"PYTHONPATH": str(workshop / "client")}
    assert finished(run("python", HERE / "play.py", service.url, *GAMES, **client)) == [*GAMES]
    for game in GAMES:
        assert read_receipts(workshop / f"receipts-{game}.jsonl"), "as an audit reads them"


def test_the_readme_of_the_python_package(
    run: Run, openapi: Path, workshop: Path, service: Running
):
    """Its programs run on the package as it is built."""
    shutil.copytree(PYTHON, workshop / "client", ignore=shutil.ignore_patterns("generated"))
    shutil.copy(openapi, workshop / "client")
    run("python", "-m", "pip", "wheel", "-q", *OFFLINE, "--wheel-dir", "built", "./client")
    (wheel,) = (workshop / "built").glob("shiplog_client-*.whl")
    for name, program in re.findall(r"```python (\w+.py)\n(.*?)```", README.read_text(), re.DOTALL):
        (workshop / name).write_text(program)
    told = run("python", "match.py", service.url, PYTHONPATH=str(wheel)).splitlines()
    assert told[0].startswith("1 ['match_created'")
    assert "match_finished" in told[-2]
    assert told[-1].endswith(" receipts")
    with Player(service.url) as player:
        program = ("python", "notices.py", service.url)
        told = run(*program, player.token, PYTHONPATH=str(wheel)).splitlines()
        assert told[0] == f"{len(GAMES)} games"
        assert told[1].endswith(" reset")
        assert told[2] == "0 turns and proposals"
        assert run(*program, "nobody", PYTHONPATH=str(wheel)).endswith("unauthenticated\n")


def test_the_typescript_package_plays_every_game(typescript: Path, service: Running):
    schema = typescript / "node_modules" / "@shiplog" / "client" / "dist" / "schema.d.ts"
    assert "unknown" not in {line.rpartition(": ")[2] for line in schema.read_text().splitlines()}
    program = compiled(typescript, "play.ts", (HERE / "play.ts").read_text())
    assert finished(ran(typescript, "node", program, service.url, *GAMES)) == [*GAMES]
    for game in GAMES:
        assert read_receipts(typescript / f"receipts-{game}.jsonl"), "as an audit reads them"


def test_the_readme_of_the_typescript_package(typescript: Path, service: Running):
    """Its programs run on the package as it is published."""
    text = (TYPESCRIPT / "README.md").read_text()
    programs = dict(re.findall(r"```ts (\w+\.ts)\n(.*?)```", text, re.DOTALL))
    match, notices = [compiled(typescript, *program) for program in programs.items()]
    told = ran(typescript, "node", match, service.url).splitlines()
    assert told[0].startswith("1 match_created")
    assert "match_finished" in told[-1]
    with Player(service.url) as player:
        told = ran(typescript, "node", notices, service.url, player.token).splitlines()
    assert told[0] == f"{len(GAMES)} games"
    assert told[1].endswith(" reset")
    assert told[2] == "closed"
    assert "refused: unauthenticated" in ran(typescript, "node", notices, service.url, "nobody")
    assert "Cannot reach" in ran(typescript, "node", notices, "http://127.0.0.1:9", "nobody")


def compiled(folder: Path, name: str, text: str) -> Path:
    """Check the types of a program and compile it; return the compiled file."""
    (folder / name).write_text(text)
    config = {"extends": "./tsconfig.json", "files": [name]}
    project = folder / f"{name}.json"
    project.write_text(json.dumps(config))
    ran(folder, "node", "node_modules/typescript/bin/tsc", "-p", project)
    return folder / "built" / Path(name).with_suffix(".js")


def test_a_kotlin_client_is_generated(run: Run, openapi: Path, workshop: Path):
    run("openapi-generator-cli", "generate", "-g", "kotlin", "-i", openapi, "-o", "kotlin")
    models = {path.stem for path in (workshop / "kotlin").rglob("models/*.kt")}
    assert models >= {"NautilusView", "TranquilityAccepted", "KeDnuRecordedEvent", "Problem"}
