"""The effective line reads alike whether it is packed or not."""

from hypothesis import given
from hypothesis import strategies as st

from games.match.commands import Resign, TimeOut
from games.match.line import Entry, Line
from tests.games.match.toy import TOY, Count, Counted, Note, Noted

appended = st.tuples(st.just("append"), st.integers(1, 3 * Line.BLOCK))
cut = st.tuples(st.just("cut"), st.integers(0, 6 * Line.BLOCK))
packed = st.tuples(st.just("pack"), st.just(0))


def entry(version: int) -> Entry:
    """Return one of the shapes that an entry has."""
    seat = version % 3
    match version % 5:
        case 0:
            return Entry(version, None, None, ())
        case 1:
            return Entry(version, seat, TimeOut(seat, 5), (Counted(seat, version),), 7)
        case 2:
            return Entry(version, seat, Resign(), (Noted(seat, 1), Noted(seat, 2)))
        case 3:
            return Entry(version, seat, Note(version), (Noted(seat, version),), version * 1_000_000)
        case _:
            return Entry(version, seat, Count(1), (Counted(seat, version),))


@given(st.lists(st.one_of(appended, cut, packed), max_size=12))
def test_a_packed_line_reads_as_a_list(steps):
    line, plain, version = Line(game=TOY), list[Entry](), 0
    for step, count in steps:
        match step:
            case "append":
                for _ in range(count):
                    version += 2
                    line.append(entry(version))
                    plain.append(entry(version))
            case "cut":
                kept = min(count, len(plain))
                assert line.cut(kept) == plain[kept:]
                del plain[kept:]
            case _:
                before = line.copy()
                line.pack()
                assert list(before) == plain
                assert len(line.recent) < Line.BLOCK + Line.LOOSE
        assert list(line) == plain
        assert len(line) == len(plain)
        assert bool(line) == bool(plain)
        for place in (0, len(plain) // 2, len(plain) - 1, -1):
            assert line[place:] == plain[place:]
            assert line[:place] == plain[:place]
            if plain:
                assert line[place] == plain[place]
        middle = version // 2 | 1
        assert line.until(middle) == sum(held.version <= middle for held in plain)
        assert list(line.after(middle)) == [held.version for held in plain if held.version > middle]
        for seat in range(3):
            own = [held.version for held in plain if held.seat == seat]
            assert line.last_by(seat) == max(own, default=0)
