"""Tutorials and puzzles."""

from tests.examples.recording import Examples


async def take_a_tutorial(examples: Examples) -> None:
    """Take the first goal of a tutorial: reach it, miss it, and break a rule. Hear the coach."""
    call, of = examples.call, {"slug": "tranquility"}
    await call("GET", "/games/{slug}/coach", **of)
    del examples.recorded["getCoach"]["200"]["example"]["tips"][2:]
    syllabus = await call("GET", "/games/{slug}/tutorial", **of)
    step = str(next(n for n, one in enumerate(syllabus["steps"], 1) if one["goal"]))
    place = "/games/{slug}/tutorial/steps/{step}"
    shown = (await call("GET", place, **of, step=step))["shown"]
    for name, command in (
        ("reached", shown[0]),
        ("missed", shown[0] | {"cell": [0, 0]}),
        ("refused", shown[0] | {"cell": [4, 5]}),
    ):
        await call("POST", place + "/try", name, body={"attempt": [command]}, **of, step=step)
    shown = examples.recorded["getTutorialStep"]["200"]["example"]
    shown["legal"] = shown["legal"][:4]


async def solve(examples: Examples, ada: str) -> None:
    """Fail a puzzle, solve it, and break a rule."""
    call, of = examples.call, {"puzzle": "captain_sonar-1"}
    await call("GET", "/puzzles", query={"game": "captain_sonar"})
    del examples.recorded["listPuzzles"]["200"]["example"][2:]
    await call("GET", "/puzzles/daily")
    shown = await call("GET", "/puzzles/{puzzle}", **of)
    shots = [each for each in shown["legal"] if each["type"] == "launch_torpedo"]
    place, right = "/puzzles/{puzzle}/attempts", shots[:1]
    for name in ("failed", "solved"):
        made = await call("POST", place, name, who=ada, body={"attempt": right}, **of)
        right = made["attempt"]["right"]
    await call("POST", place, who=ada, body={"attempt": [{"type": "dive"}]}, **of)
    await call("GET", "/players/me/puzzles", who=ada)
    kept = examples.recorded["getPuzzle"]["200"]["example"]
    kept["legal"], kept["records"] = kept["legal"][:2], kept["records"][-2:]
