"""The table of faults in the documentation names what exists."""

import re
from pathlib import Path

import pytest

from tests.simulation.faults import KINDS

ROOT = Path(__file__).parent.parent.parent
LINES = {
    line.split("|")[1].strip(): line
    for line in (ROOT / "docs/reliability.md").read_text().splitlines()
    if re.match(r"\| F\d+ \|", line)
}


def test_no_fault_is_left_out():
    assert list(LINES) == [f"F{number}" for number in range(1, 26)]


@pytest.mark.parametrize("number", LINES)
def test_the_named_tests_and_faults_exist(number):
    *_, where, _ = LINES[number].split("|")
    places = re.findall(r"`(tests/[^`]+)`", where)
    for place in places:
        path, _, name = place.partition("::")
        text = (ROOT / path).read_text()
        assert f"def {name}(" in text or not name, place
    simulated = re.search(r"simulation: ([a-z, ]+)", where)
    assert places or simulated, "no test is named"
    for kind in simulated[1].split(", ") if simulated else ():
        assert kind.strip() in (*KINDS, "several services", "commands sent twice at once"), kind
