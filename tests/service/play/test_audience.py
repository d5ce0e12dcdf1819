"""What an audience says: kept for a while, and found again as long as it is kept."""

import msgspec

from games.match.commands import CreateMatch
from service.play.audience import KEPT_S, Audience
from tests.service.table import ADA, BOB


async def test_a_message_never_outlives_the_list_by_which_it_is_erased(work, start):
    made = await start().matches.create(ADA, CreateMatch("tranquility", 2), None)
    match, audience = made.match, Audience(work)
    name = match.header.match
    old = await audience.say(match, None, ADA, "My address is 5 Main St.")
    (entry, _), *_ = await work.xrange(f"audience:{name}")
    assert await work.ttl(f"audience:of:{ADA.player}") > 2 * KEPT_S - 60
    earlier = int(entry.split(b"-")[0]) - 1_000 * (KEPT_S + 60)
    await work.delete(f"audience:{name}")
    await work.xadd(f"audience:{name}", {"m": msgspec.json.encode(old)}, id=f"{earlier}-0")
    new = await audience.say(match, None, BOB, "Hm.")
    assert await audience.heard(match, None) == [new]
