"""What may be a player's name."""

import pytest
from freezegun import freeze_time

from events.memory_store import MemoryStore
from service.base.keys import Keys
from service.base.problems import Problem
from service.play.look_alikes import looks, told_apart
from service.play.names import nickname
from service.play.players import Players
from tests.service.table import SECRETS

BAD = [
    "", " ", "\u00a0", "\u3000",
    "a\0b", "a\nb", "\x1b[31m", "a\x7f", "a\x85",
    "a\u202eb", "\u2066a", "\u061ca", "\u200e",
    "\u200b", "\u200d", "\ufeff", "\u00ad", "\u034f", "\u2063", "\u3164", "\u115f", "\U000e0041",
    "\u2800", "\u2800 \u2800", "\U0001d159", "\ufffc", "\u0301", "\u20dd",
    "\ue000", "\ud800", "\uffff",
    "\ufdfa\ufdfa\ufdfa",
    "\u0410d\u0430", "Ada \u0418\u0432\u0430\u043d", "\u03bfmega",
    "Ada \u2713", "Ada\u2714\ufe0f", "Ada \u2705", "Ada \u2611", "Ada \u221a",
]  # fmt: skip


@pytest.mark.parametrize("name", BAD, ids=ascii)
def test_what_is_hidden_breaks_the_line_or_turns_it_is_no_name(name):
    with pytest.raises(Problem) as refused:
        nickname(name)
    assert (refused.value.status, refused.value.code) == (400, "bad-name")


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("Ada", "Ada"),
        ("  Ada   Lovelace ", "Ada Lovelace"),
        ("Žluťoučký kůň", "Žluťoučký kůň"),
        ("Z\u030ci", "Ži"),
        ("\uff21\uff44\uff41", "Ada"),
        ("日本", "日本"),
        ("ひらカナ漢字 Ada", "ひらカナ漢字 Ada"),
        ("한국 Ada", "한국 Ada"),
        ("Ελλάδα", "Ελλάδα"),
        ("Иван 😀 2", "Иван 😀 2"),
        ("שלום", "שלום"),
        ("مرحبا", "مرحبا"),
        ("😀", "😀"),
        ("x" * 40, "x" * 40),
    ],
)
def test_names_of_all_peoples_are_kept_in_one_form(name, kept):
    assert nickname(name) == kept
    assert nickname(kept) == kept


@pytest.mark.parametrize("name", ["", "\u202e", None, 7, ["Ada"], "x" * 100])
async def test_an_identity_with_any_name_may_play(name):
    players = Players(MemoryStore(), Keys(SECRETS))
    caller = await players.external("https://id.example", "subject-1", name)
    (shown,) = (await players.names([caller.player])).values()
    assert shown == nickname(shown)


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("Ada", "Ada", True),
        ("paypal", "paypaI", True),
        ("Ivan", "ivan", True),
        ("modem", "rnodern", True),
        ("Nemo", "Nem0", True),
        ("cop", "\u0441\u043e\u0440", True),
        ("Bořek", "Bo\u0072\u0306ek", True),
        ("Bořek", "Borek", False),
        ("Ada", "Eva", False),
    ],
)
def test_names_look_alike_by_case_or_by_their_skeleton(one, other, alike):
    assert bool(looks(one) & looks(other)) == alike


@pytest.mark.parametrize(
    ("names", "shown"),
    [
        (["Ada", "Bob"], ["Ada", "Bob"]),
        (["Ada", "Ada", "ADA"], ["Ada", "Ada (2)", "ADA (3)"]),
        (["Ada", "Ada (2)", "Ada"], ["Ada", "Ada (2)", "Ada (3)"]),
        (["Ada", "Ada", "Ada (2)"], ["Ada", "Ada (2)", "Ada (2) (2)"]),
    ],
)
def test_names_that_look_alike_are_numbered(names, shown):
    assert list(told_apart(names)) == shown


async def test_who_came_first_keeps_the_plain_name_and_nobody_looks_erased():
    players = Players(MemoryStore(), Keys(SECRETS))
    with freeze_time("2026-11-21 12:00:00") as clock:
        made = []
        for name in ("Nemo", "Nem0", "Erased player", "Eva"):
            made.append((await players.create(name))[0])
            clock.tick(1)
    first, second, pretender, gone = made
    await players.erase(gone)
    assert await players.names([*reversed(made), "p_nobody"]) == {
        first: "Nemo",
        second: "Nem0 (2)",
        pretender: "Erased player (2)",
        gone: "erased player",
    }
