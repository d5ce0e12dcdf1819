"""A command counts once, however many processes it is sent to."""

from games.captain_sonar.commands import WipeOverlay
from games.match.commands import CreateMatch, PerMove, TakeSeat
from service.play.caller import Caller

PEOPLE = ADA, BOB = Caller("p_ada"), Caller("p_bob")


async def test_a_command_is_recognised_among_records_read_for_a_clock_that_ran_out(
    store, start, noon
):
    first, second = start(), start()
    clock = PerMove(60)
    cached = await first.matches.create(ADA, CreateMatch("captain_sonar", 2, clock=clock), "open")
    for seat, player in enumerate(PEOPLE):
        await first.matches.play(cached, player, TakeSeat(seat), f"sit-{seat}")
    match = cached.match.header.match
    stale = await second.cache.get(match)
    noon.tick(61)
    answer = await first.matches.play(cached, ADA, WipeOverlay(), "wipe")
    noon.tick(1)
    assert stale.folded.version < cached.folded.version - 1, "a timeout came before the command"
    assert await second.matches.play(stale, ADA, WipeOverlay(), "wipe") == answer
    assert len(await store.read(match)) == cached.folded.version
