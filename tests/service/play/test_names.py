"""What may be a player's name."""

import pytest

from events.memory_store import MemoryStore
from service.base.keys import Keys
from service.base.problems import Problem
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
