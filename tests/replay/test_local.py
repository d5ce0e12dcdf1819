"""`LocalMatch`: any game is played, looked at, undone, saved and loaded in process."""

import random
import re
from functools import partial

import msgspec
import pytest

import shiplog
from games import GAMES
from games.game import Illegal
from games.match.commands import Resign
from replay.audit import audit
from replay.evidence import Evidence
from replay.local import LocalMatch, ReadOnly
from replay.travel import NoSuchVersion

SLUGS = list(GAMES)


def opened(slug="tranquility", seed=7, **given) -> LocalMatch:
    return LocalMatch.create(slug, max(2, GAMES[slug].seats[0]), seed=seed, **given)


def played(match: LocalMatch, commands: int = 10_000) -> LocalMatch:
    """Play random commands, and the bots' own, until so many records are added."""
    dice = random.Random(5)
    last = match.version + commands
    while not match.over and match.version < last:
        match.play_bots()
        if match.waiting:
            seat = match.waiting[0]
            match.play(seat, dice.choice(match.legal(seat)))
    return match


@pytest.mark.parametrize("slug", SLUGS)
def test_every_game_is_played_to_its_end_and_its_log_holds(slug):
    match = opened(slug)
    level = next(iter(match.game.players.bots))
    match = played(opened(slug, bots=dict.fromkeys(range(1, match.seats), level)))
    assert match.result is not None
    report = audit(GAMES, Evidence("local", match.lines))
    assert (report.verdict, report.findings) == ("unauthenticated", [])
    assert report.unchecked == ["signature: there is no signed head"]


def test_the_same_seed_gives_the_same_bytes():
    assert played(opened()).lines == played(opened()).lines
    assert opened(seed=8).lines[-1] != opened().lines[-1]


def test_without_a_seed_the_dice_are_random():
    one, other = (LocalMatch.create("tranquility") for _ in range(2))
    assert one.seed != other.seed
    assert one.lines[1:] != other.lines[1:]


@pytest.mark.parametrize("slug", SLUGS)
def test_a_seat_sees_what_the_game_shows_it(slug):
    match = played(opened(slug), 12)
    for viewer in (*range(match.seats), None):
        assert match.view(viewer) == match.game.view(match.state, viewer)
        assert match.seen(viewer).viewer == viewer
        assert [told.v for told in match.records(viewer)] == list(
            range(1, len(match.records(viewer)) + 1)
        )


def test_the_state_is_a_copy():
    match = opened()
    before = match.view(0)
    match.state.turn += 1
    assert match.view(0) == before


def test_an_undo_takes_back_the_last_command():
    match = opened()
    seat, before = match.waiting[0], match.state
    match.play(seat, match.legal(seat)[0])
    match.undo(seat)
    assert match.state == before
    assert audit(GAMES, Evidence("local", match.lines)).findings == []


def test_an_undo_that_needs_consent_gets_it():
    """Here one to the start of the match, with commands of both seats in between."""
    match = played(opened(), 6)
    match.undo(0, match.at(match.seats + 1).records(0)[-1].v)
    assert match.state == match.at(match.seats + 1).state
    types = [event["type"] for line in match.lines for event in msgspec.json.decode(line)["events"]]
    assert types[-3:] == ["proposal_answered", "proposal_closed", "undone"]


def test_nothing_to_undo_is_refused():
    with pytest.raises(Illegal, match="nothing-to-undo"):
        opened().undo(0)


def test_an_earlier_version_can_be_continued_another_way():
    match = played(opened(), 8)
    earlier = match.at(6)
    assert earlier.lines == match.lines[:6]
    seat = earlier.waiting[0]
    earlier.play(seat, earlier.legal(seat)[-1])
    assert audit(GAMES, Evidence("local", earlier.lines)).findings == []
    for version in (0, match.version + 1):
        with pytest.raises(NoSuchVersion):
            match.at(version)


def test_a_finished_match_is_loaded_with_its_seed(tmp_path):
    match = played(opened())
    match.save(tmp_path / "match.jsonl")
    loaded = LocalMatch.load(tmp_path / "match.jsonl")
    assert (loaded.head, loaded.result, loaded.seed) == (match.head, match.result, match.seed)


def test_a_running_match_goes_on_with_its_seed_only(tmp_path):
    match = played(opened(), 4)
    match.save(path := tmp_path / "match.jsonl")
    loaded = LocalMatch.load(path)
    seat = loaded.waiting[0]
    assert loaded.view(seat) == match.view(seat)
    with pytest.raises(ReadOnly, match="does not contain the seed yet"):
        loaded.play(seat, loaded.legal(seat)[0])
    again = LocalMatch.load(path, seed=match.seed)
    assert again.play(seat, again.legal(seat)[0])
    with pytest.raises(ValueError, match="The seed is not that of match m_"):
        LocalMatch.load(path, seed=8)


def test_commands_of_the_match_are_sent_alike():
    match = opened()
    match.play(0, Resign())
    match.play(1, Resign())
    assert match.over
    assert match.legal(0) == []


def test_wrong_use_is_explained():
    with pytest.raises(ValueError, match=r"Unknown game 'chess'. Installed games: .*tranquility"):
        LocalMatch.create("chess")
    with pytest.raises(Illegal, match="bad-player-count"):
        LocalMatch.create("tranquility", 9)
    with pytest.raises(ValueError, match="Seat must be between 0 and 1, got 2"):
        opened().view(2)
    with pytest.raises(ValueError, match="Seat must be between 0 and 1, got 5"):
        opened(bots={5: "heuristic"})
    with pytest.raises(Illegal, match="no-such-level"):
        opened(bots={1: "godlike"})
    with pytest.raises(ValueError, match="Unknown level 'godlike'"):
        opened().choose(0, "godlike")
    with pytest.raises(ValueError, match=r"Unknown option 'speed'\. tranquility has: variant, "):
        opened(options={"speed": 1})
    with pytest.raises(ValueError, match=r'must be mappings, such as bots={1: "medium"}'):
        opened(bots=["medium"])


@pytest.mark.parametrize("wrong", ["7", 7.0, b"7"])
def test_what_is_no_number_is_explained(wrong, tmp_path):
    got = re.escape(repr(wrong))
    opened().save(tmp_path / "match.jsonl")
    with pytest.raises(ValueError, match=f"Seats must be a whole number, got {got}"):
        LocalMatch.create("tranquility", wrong)
    with pytest.raises(ValueError, match=f"Version must be a whole number, got {got}"):
        opened().at(wrong)
    with pytest.raises(ValueError, match=f"Version must be a whole number, got {got}"):
        opened().undo(0, wrong)
    for call in (opened, partial(LocalMatch.load, tmp_path / "match.jsonl")):
        with pytest.raises(ValueError, match=f"Seed must be a whole number .* got {got}"):
            call(seed=wrong)


def test_a_command_may_be_in_plain_form():
    match, plain = opened(), opened()
    seat = match.waiting[0]
    command = match.legal(seat)[0]
    assert match.play(seat, command) == plain.play(seat, msgspec.to_builtins(command))
    assert match.head == plain.head


@pytest.mark.parametrize("slug", GAMES)
@pytest.mark.parametrize("command", [None, "draw", {"type": "teleport"}, {}, object()])
def test_what_is_no_command_is_refused(slug, command):
    match = LocalMatch.create(slug, seed=7)
    with pytest.raises(ValueError, match=f"Not a command of {slug}: "):
        match.play(match.waiting[0], command)
    assert match.version == 3


def test_a_field_of_the_wrong_type_is_named():
    match = opened()
    seat = match.waiting[0]
    wrong = msgspec.structs.replace(match.legal(seat)[0], cell=None)
    with pytest.raises(ValueError, match=r"Expected `array`, got `null` - at `\$.cell`"):
        match.play(seat, wrong)


@pytest.mark.parametrize("seat", ["0", None, 1.5, -1])
def test_a_seat_is_a_number(seat):
    match = opened()
    for call in (match.legal, match.undo, lambda seat: match.choose(seat, "medium")):
        with pytest.raises(ValueError, match="Seat must be between 0 and 1, got "):
            call(seat)


@pytest.mark.parametrize("slug", GAMES)
def test_a_bot_chooses_only_for_a_seat_that_is_to_move(slug):
    match = LocalMatch.create(slug, seed=7)
    for late in {0, 1} - set(match.waiting):
        with pytest.raises(Illegal, match="not-your-turn"):
            match.choose(late, "medium")
    with pytest.raises(Illegal, match="match-not-started"):
        match.at(1).choose(0, "medium")
    match.play(0, Resign())
    with pytest.raises(Illegal, match="seat-left" if match.waiting else "game-over"):
        match.choose(0, "medium")


def test_nothing_is_seen_before_the_start():
    waiting = opened().at(2)
    with pytest.raises(Illegal, match="match-not-started"):
        waiting.view(0)
    with pytest.raises(Illegal, match="match-not-started"):
        _ = waiting.state


def test_the_package_refuses_to_load_anothers_modules(monkeypatch):
    monkeypatch.setattr(shiplog, "foreign", lambda: iter(["another package hides games"]))
    with pytest.raises(ImportError, match="hides games"):
        _ = shiplog.LocalMatch
    with pytest.raises(AttributeError):
        _ = shiplog.Nothing


def test_a_refusal_says_what_was_expected():
    with pytest.raises(Illegal, match=r"^bad-player-count \(least=1, most=5\)$"):
        LocalMatch.create("tranquility", seats=9)
    with pytest.raises(Illegal, match=r"bad-option .*at `\$\.variant`"):
        LocalMatch.create("tranquility", seats=2, options={"variant": 1})
