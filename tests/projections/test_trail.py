"""The trail of a log: heads, times and senders of its records."""

import hashlib

from hypothesis import given
from hypothesis import strategies as st

from events.record import GENESIS
from projections.trail import Trail


def head(number):
    return hashlib.sha256(b"%d" % number).hexdigest()


def trail_of(senders):
    trail = Trail()
    for number, sender in enumerate(senders, 1):
        trail.append(bytes.fromhex(head(number)), number * 10, *sender)
    return trail


senders = st.lists(st.tuples(st.sampled_from(["ada", "bob", ""]), st.sampled_from(["", "1", "2"])))


@given(senders)
def test_it_says_what_was_added(given):
    trail = trail_of(given)
    numbers = range(1, len(given) + 1)
    assert len(trail) == len(given)
    assert trail.heads == [head(number) for number in numbers]
    assert trail.head == trail.head_at(len(given)) == (trail.heads or [GENESIS])[-1]
    assert trail.times.tolist() == [number * 10 for number in numbers]
    for sender in {*given, ("eve", "x")}:
        first = given.index(sender) + 1 if sender in given else None
        assert trail.version_of(*sender) == first


@given(senders, st.data())
def test_an_earlier_trail_does_not_change_with_the_later_one(given, data):
    whole = trail_of(given)
    version = data.draw(st.integers(0, len(given)))
    earlier, then = whole.until(version), trail_of(given[:version])
    whole.append(bytes.fromhex(head(0)), 0, "eve", "later")
    assert (earlier.head, earlier.heads, earlier.times) == (then.head, then.heads, then.times)
    assert earlier.version_of("eve", "later") is None
    assert all(earlier.version_of(*sender) == then.version_of(*sender) for sender in given)


def test_a_hash_is_found_only_where_one_begins():
    trail = trail_of([("ada", "1"), ("ada", "2")])
    second = trail._senders[8:]
    trail._senders[:] = trail._senders[4:] + trail._senders[:4]
    assert trail._senders.find(second) == 4
    assert trail.version_of("ada", "2") is None
