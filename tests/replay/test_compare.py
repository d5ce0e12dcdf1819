"""Comparing rules over the recorded matches: the regression test of a change of rules."""

import dataclasses
import tomllib
from pathlib import Path

import msgspec
import pytest

import events.upcast
from games import GAMES
from games.game import Illegal
from projections.folded import Folded
from replay.audit import audit
from replay.compare import compare
from replay.evidence import Evidence
from replay.releases import RELEASES, release_of
from tests.corpus import load, recorded, recorded_of
from tests.games.laws import lacks
from tests.games.match.toy import TOY, Count
from tests.replay.changed_rules import CLOSED_COLUMN, GAME, OTHER_RULE, OTHER_SHAPE, UPCASTS
from tests.replay.forgery import changed, opened, rechained
from tests.replay.logs import toy

ROOT = Path(__file__).resolve().parents[2]
PATHS = recorded("tranquility")
DRAWN = [path for path in PATHS if b'"cards_drawn"' in path.read_bytes()]


def compared(game, lines):
    return compare({game.slug: game}, Evidence("log", lines))


def differs(game, lines):
    """Return the first difference, or None."""
    return next(iter(compared(game, lines).findings), None)


def changed_at(lines):
    """Find the first record that lays a card where a later rule forbids it."""
    for place, line in enumerate(lines, start=1):
        command = msgspec.json.decode(line)["command"]
        if command["type"] == "play_card" and command["cell"][1] == CLOSED_COLUMN:
            return place
    return None


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_the_rules_that_are_here_decide_as_they_did(game):
    lines = load(recorded_of(game.slug)[0])
    comparison = compared(game, lines)
    assert comparison.verdict == "holds"
    assert (comparison.figures.decided, comparison.figures.sealed) == (len(lines), 0)


@pytest.mark.parametrize("path", PATHS, ids=[path.stem for path in PATHS])
def test_a_change_of_a_rule_shows_where_it_first_tells(path):
    lines = load(path)
    comparison = compared(OTHER_RULE, lines)
    assert comparison.rules == 1
    expected = changed_at(lines)
    assert [finding.record for finding in comparison.findings] == [expected] * bool(expected)
    assert all("column-closed" in finding.message for finding in comparison.findings)


def test_the_changed_rule_tells_somewhere():
    assert any(changed_at(load(path)) for path in PATHS)


def test_a_change_of_the_fold_shows_though_every_event_is_the_same():
    """A release that counts another score parts from the digests at the first record it touches."""
    path = PATHS[0]
    lines = load(path)
    apply = GAME.apply

    def wrong(state, event):
        apply(state, event)
        if type(event).__name__ == "TurnBegun":
            state.turn += 100

    found = differs(dataclasses.replace(GAME, apply=wrong), lines)
    assert found is not None
    assert (found.rule, found.path) == ("digest", "/digest")
    first = next(v for v, line in enumerate(lines, 1) if b'"turn_begun"' in line)
    assert found.record == first


@pytest.mark.parametrize("path", DRAWN, ids=[path.stem for path in DRAWN])
def test_a_change_of_a_shape_alone_decides_as_before(path, monkeypatch):
    """With its upcast an old log is folded, compared and browsed in the new shape."""
    lines = load(path)
    assert differs(OTHER_SHAPE, lines) is not None, "without an upcast it can't be read"
    monkeypatch.setattr(events.upcast, "UPCASTS", UPCASTS)
    comparison = compared(OTHER_SHAPE, lines)
    assert comparison.findings == ()
    assert comparison.figures.decided == len(lines)
    later = Folded.of({"tranquility": OTHER_SHAPE}, lines).match
    assert later.state == Folded.of(GAMES, lines).match.state


def test_an_audit_names_the_release_that_has_the_rules():
    lines = load(PATHS[0])
    (finding,) = audit({GAME.slug: OTHER_RULE}, Evidence("log", lines), redaction=False).findings
    assert (finding.record, finding.rule) == (1, "rules-version-not-here")
    assert f"use release {release_of('tranquility', 1)}, which has it" in finding.message


def test_rules_of_no_release_are_said_to_be_so():
    game = dataclasses.replace(GAME, version=7, earlier=())
    header = opened(load(PATHS[0])[0])["events"]
    header[0]["rules"] = 6
    forged = rechained(changed(load(PATHS[0]), 1, events=header))
    found = audit({GAME.slug: game}, Evidence("log", forged), redaction=False).findings
    (finding,) = [finding for finding in found if finding.rule == "rules-version-not-here"]
    assert "no release" in finding.message


def test_rules_of_another_package_are_looked_for_there():
    game = dataclasses.replace(TOY, version=7)
    (finding,) = audit({"toy": game}, Evidence("log", toy().lines), redaction=False).findings
    assert "install a version of the package that declares toy" in finding.message


def test_this_release_is_listed():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert list(RELEASES)[-1] == project["version"]


@pytest.mark.parametrize("slug", GAMES)
def test_every_rules_version_that_is_here_has_its_release(slug):
    """Raise a game's version together with RELEASES and the change log."""
    versions = RELEASES[list(RELEASES)[-1]].get(slug) or lacks(slug, "rules version in RELEASES")
    game = GAMES[slug]
    assert {one.version for one in (game, *game.earlier)} == versions
    assert f"{slug} {game.version}" in (ROOT / "CHANGELOG.md").read_text()


def nothing_counts(draft, seat, command):
    raise Illegal("nothing-counts")


def test_earlier_rules_stand_beside_as_long_as_matches_need_them():
    """A match goes on under the rules that it was opened with, and is audited under them."""
    recorder = toy(seats=2, goal=3)
    newer = dataclasses.replace(TOY, version=2, decide_on=nothing_counts, earlier=(TOY,))
    folded = Folded.of({"toy": newer}, recorder.lines)
    assert folded.match.game is TOY
    assert folded.decidable
    recorder.play(0, Count(1))
    report = audit({"toy": newer}, Evidence("log", recorder.lines, secret=recorder.service_seed))
    assert report.findings == []
    assert differs(newer, recorder.lines) is not None, "compared is with the newest"
    gone = dataclasses.replace(newer, earlier=())
    assert not Folded.of({"toy": gone}, recorder.lines).decidable


@pytest.mark.parametrize("lines", [[b""], [b"{}"], [*load(PATHS[0])[:1], b"{"]])
def test_a_damaged_log_is_a_difference(lines):
    assert differs(GAME, lines) is not None


def test_a_damaged_record_is_named_once():
    lines = load(PATHS[0])
    finding = differs(GAME, [*lines[:5], *lines[6:]])
    assert (finding.rule, finding.record, finding.message) == ("fold", 6, "has version 7")
    finding = differs(GAME, [*lines[:5], b"{}"])
    assert (finding.record, finding.message.partition(":")[0]) == (6, "ValidationError")


def test_an_empty_log_is_a_damaged_file():
    finding = differs(GAME, [])
    assert (finding.rule, finding.message) == ("file", "there are no records")


def test_a_running_matchs_dice_are_taken_as_they_stand():
    comparison = compared(GAME, load(PATHS[0])[:8])
    assert comparison.verdict == "holds"
    assert comparison.figures.decided + comparison.figures.sealed == 8
