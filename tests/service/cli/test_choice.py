"""Commands are chosen by number, by code, or by a part of their words."""

from service.cli.choice import choices, chosen
from service.cli.wording import Speaker

SPEAKER = Speaker("tranquility", None, ["Ada", "Bob"])
LAID = [
    {"type": "play_card", "card": f"island_{number}", "cell": cell}
    for number, cell in ((34, [2, 1]), (35, [2, 1]), (34, [0, 0]))
]
OFFERED = choices([*LAID, {"type": "let_pass"}, {"type": "let_pass"}], SPEAKER)


def numbers(text: str) -> list[int]:
    return [one.number for one in chosen(OFFERED, text)]


def test_commands_are_named_in_words_with_short_codes():
    assert OFFERED[0].words == "Lay 34 on C2"
    assert [one.code for one in OFFERED] == ["l34c2", "l35c2", "l34a1", "lip", "lip-2"]


def test_a_number_and_a_code_mean_one_command():
    assert numbers("2") == [2]
    assert numbers("L34C2") == [1]
    assert numbers("lip-2") == [5]
    assert numbers("34") == [1, 3], "not a number in the list"


def test_a_part_of_the_words_means_all_commands_that_have_it():
    assert numbers("lay 35") == [2]
    assert numbers("c2") == [1, 2]
    assert numbers("lay 34 on C2") == [1]
    assert numbers("pas") == [4, 5]
    assert numbers("sail") == []
    assert numbers("") == []
    assert numbers("!") == []
