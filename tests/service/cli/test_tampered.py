"""The tampered corpus as the command line and the API judge it."""

import json
from collections.abc import Sequence

import msgspec
import pytest

from replay.report import Report
from replay.transfer import BadUpload, file_evidence
from service.play.answers import browse
from tests.recorder import KEYS
from tests.tampered import Tampered, corpus
from tests.tampered.corpus import named, write
from tests.tampered.origin import KEY, origins

pytestmark = pytest.mark.long

BYTES_MAX = 32 << 20
UNSIGNED = "signature: there is no signed head"


@pytest.fixture(scope="module")
def tampered() -> list[Tampered]:
    return corpus()


def test_there_are_many_kinds_for_every_game_in_both_formats(tampered):
    games = {(one.game, one.format) for one in tampered}
    assert len(tampered) >= 120
    assert len(games) == 10
    for game in games:
        assert sum((one.game, one.format) == game for one in tampered) >= 40, game
    assert len({one.name for one in tampered}) == len(tampered)
    assert corpus() == tampered


def test_what_was_tampered_with_is_no_longer_the_recorded_match(tampered):
    recorded = {o.good for o in (origins(one.game, one.format)[0] for one in tampered)}
    assert not recorded & {one.data for one in tampered}


def test_the_command_line_finds_them_all_and_names_the_record(shiplog, tmp_path):
    tampered = write(tmp_path)
    paths = [tmp_path / f"{one.name}.jsonl" for one in tampered]
    result = shiplog("audit", *paths, "--public-key", KEY, "--json", "--fast", "--processes", 1)
    assert result.exit_code == 1
    reports = [msgspec.convert(report, Report) for report in json.loads(result.stdout)["reports"]]
    assert [report.name for report in reports if report.verdict == "holds"] == []
    wrong = map(Tampered.differs, tampered, map(named, reports))
    assert [*filter(None, wrong)] == []


def test_the_api_finds_them_all_and_names_the_record(tampered):
    assert [why for one in tampered if (why := one.differs(uploaded(one))) is not None] == []


def uploaded(one: Tampered) -> Sequence[tuple[int, str]]:
    """Return what an upload finds. It refuses damaged files, and those without a sound record."""
    try:
        answer = json.loads(browse(one.data, None, None, KEYS, BYTES_MAX))
    except BadUpload:
        assert one.record < 2 or file_evidence("damaged", one.data).findings
        return [(one.record, check) for check in one.checks]
    report = msgspec.convert(answer["report"], Report)
    unsigned = [(0, "file")] if UNSIGNED in report.unchecked else []
    return [*unsigned, *named(report)]
