"""The component data are those of the table."""

from games.ke_dnu.components import CARDS, KINDS
from games.ke_dnu.model import Options
from games.ke_dnu.rules.shop import shop_price
from tests.games.ke_dnu.table import table

TABLE = """
passenger beige 1 - 32 n n n
baby beige 2 - 8 n n n
iceberg beige 10 20 1 n n n
anchor blue 0 0 2 n n n
arbiter green 7 7 1 n n n
assistant purple 4 4 2 n n n
band green 6 6 1 n n n
bartender blue 4 4 2 y n n
beggar red 7 7 2 y y y
boogeyman green 4 4 1 n n n
burglar red 5 5 2 y y y
captain purple 9 9 1 y y y
caretaker green 3 3 2 n n n
chef purple 4 4 2 y y y
convict beige 3 3 2 y y n
dealer purple 5 5 2 y y y
diver purple 4 4 2 y y y
doctor purple 6 6 2 y y y
drunkard beige 2 2 2 y y n
fanatic red 8 8 2 y y y
fisherman green 2 2 3 n n n
flapper purple 4 4 2 n n n
jack beige 0 0 1 y y n
janitor purple 4 4 2 y y y
lady red 8 8 2 y y y
life_jacket purple 5 5 2 y y n
lifeboat beige 10 8 3 n n n
lifebuoy blue 3 3 3 y n n
lifeguard green 5 5 2 n n n
lockdown purple 0 - 2 n n n
maid purple 4 4 2 n n n
mime red 4 4 2 y y n
navigator green 3 3 2 n n n
pirate red 12 12 2 y y y
polka_dancer purple 3 3 3 y y y
priest red 9 9 2 y y y
profiteer purple 6 6 2 y y y
proletarian green 4 4 2 n n n
rats beige 3 3 4 n n n
rose purple 3 3 1 n n n
saboteur red 8 8 2 y y y
seal purple 5 5 2 n n n
ship_guard blue 6 6 2 y n n
steersman green 7 7 2 n n n
steward blue 4 4 2 y n n
stimulants purple 2 2 2 y y n
stoker green 5 5 2 n n n
storyteller purple 6 6 2 y y y
stowaway red 1 1 2 n n n
teacher blue 6 6 2 n n n
technician purple 5 5 2 y y y
torpedo red 12 12 2 y y y
tycoon green 9 9 2 n n n
singer purple 3 3 2 y y y
"""
"""id, colour, value, cost, copies, exhausts, arrives exhausted, copyable by a Flapper"""


def row(kind) -> str:
    """Return a card as a row of the table."""
    state = table(options={"include_singer": True})
    unsold = kind.dealt == "seat" or kind.id == "lockdown"
    return " ".join(
        (
            kind.id,
            kind.colour,
            str(kind.value),
            "-" if unsold else str(shop_price(state, f"{kind.id}_1")),
            str(sum(other is kind for other in CARDS.values())),
            *(
                "y" if fact else "n"
                for fact in (kind.exhausts, kind.arrives_exhausted, kind.copyable)
            ),
        )
    )


def test_every_card_is_as_in_the_table():
    assert [row(kind) for kind in KINDS.values()] == TABLE.split("\n")[1:-1]


def test_every_card_has_its_titles():
    """The Singer is not in the Czech rulebook."""
    assert all(kind.titles.en for kind in KINDS.values())
    assert [kind.id for kind in KINDS.values() if not kind.titles.cs] == ["singer"]
    assert Options().lifeboat_cost == 8
