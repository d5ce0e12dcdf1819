"""A process may decode in several threads from the start."""

import subprocess
import sys

import msgspec

from replay.examined import all_structs


def test_types_that_were_examined_can_be_decoded_in_several_threads_at_once():
    """Unless they were, the process dies of a segmentation fault, mostly at the first try."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.replay.decoding_threads", "examined"],
        check=False,
        timeout=120,
    )
    assert done.returncode == 0


def test_types_of_all_depths_are_found():
    class Base(msgspec.Struct):
        pass

    class Derived(Base):
        pass

    assert {Base, Derived} <= set(all_structs())
