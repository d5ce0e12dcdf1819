"""An export reads back as it was; an upload is browsed as far as it holds, and no further."""

import dataclasses

import msgspec
import pytest
import zstandard

from events import file
from replay.timeline import timeline
from replay.transfer import BadUpload, UploadLimits, upload
from tests.recorder import KEYS
from tests.replay.forgery import changed, rechained, signed
from tests.replay.logs import ALL, TOYS, a_match, noted, toy

LINES = list(a_match())


@pytest.mark.parametrize("packed", [False, True])
def test_an_exported_match_comes_back_whole(packed):
    replay = upload(ALL, file.write(LINES, signed(LINES), packed=packed), KEYS)
    assert replay.lines == LINES
    assert replay.report.verdict == "holds"
    assert replay.folded.match.status == "finished"
    assert len(timeline(ALL, replay.lines, "full")) == len(LINES)


def test_a_running_match_can_be_browsed_too():
    recorder = noted(toy())
    replay = upload(TOYS, file.write(recorder.lines, recorder.head()), KEYS)
    assert (replay.report.verdict, replay.folded.version) == ("holds", len(recorder.lines))


def test_an_unsigned_log_is_browsed_and_said_to_be_unsigned():
    replay = upload(ALL, file.write(LINES, None))
    assert replay.report.verdict == "unauthenticated"
    assert "signature: there is no signed head" in replay.report.unchecked


def test_a_log_that_does_not_hold_is_browsed_up_to_there():
    forged = rechained(changed(LINES, 12, digest="0" * 24))
    replay = upload(ALL, file.write(forged, signed(forged)), KEYS)
    assert replay.report.verdict == "broken"
    assert replay.lines == forged[:11]
    assert replay.folded.version == 11


def test_a_changed_log_is_browsed_up_to_the_change_though_its_head_is_that_of_the_original():
    forged = changed(LINES, 12, digest="0" * 24)
    replay = upload(ALL, file.write(forged, signed(LINES)), KEYS)
    assert replay.report.verdict == "broken"
    assert replay.lines == LINES[:11]
    assert {finding.rule for finding in replay.report.findings} >= {"file", "digest", "signature"}


def test_a_log_that_ends_before_its_head_is_browsed_to_its_end():
    replay = upload(ALL, file.write(LINES[:-1], signed(LINES)), KEYS)
    assert (replay.report.verdict, replay.lines) == ("broken", LINES[:-1])


def test_a_strangers_signature_spoils_nothing_but_trust():
    head = msgspec.structs.replace(signed(LINES), signature="00" * 64)
    replay = upload(ALL, file.write(LINES, head), KEYS)
    assert replay.lines == LINES
    assert [finding.rule for finding in replay.report.findings] == ["signature"]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n",
        b"{}\n",
        b"no log\n",
        b"[]\n[]\n",
        b"\x28\xb5\x2f\xfd",
        b"\x28\xb5\x2f\xfdnot really",
        file.write(LINES[1:], None),
        file.write(LINES, signed(LINES))[:-1],
    ],
)
def test_what_is_no_log_is_refused(data):
    with pytest.raises(BadUpload):
        upload(ALL, data, KEYS)


def test_a_game_that_is_not_here_is_refused():
    with pytest.raises(BadUpload, match="tranquility"):
        upload(TOYS, file.write(LINES, None))


def test_old_rules_are_browsed_as_far_as_they_can_be_folded():
    def strange(state, event):
        raise KeyError(event)

    game = dataclasses.replace(TOYS["toy"], version=2, apply=strange)
    replay = upload({"toy": game}, file.write(noted(toy()).lines, None))
    assert (replay.folded.version, replay.folded.match.status) == (4, "waiting")


def test_old_rules_are_browsed_all_the_same():
    recorder = noted(toy())
    game = dataclasses.replace(TOYS["toy"], version=2)
    replay = upload({"toy": game}, file.write(recorder.lines, None))
    assert replay.lines == recorder.lines
    assert [finding.rule for finding in replay.report.findings] == ["rules-version-not-here"]


def test_an_upload_has_limits():
    data = file.write(LINES, signed(LINES))
    for limits in (
        UploadLimits(unpacked_bytes=len(data) - 1),
        UploadLimits(records=len(LINES) - 1),
    ):
        with pytest.raises(BadUpload):
            upload(ALL, data, KEYS, limits)
    assert upload(ALL, data, KEYS, UploadLimits(len(data), len(LINES))).report.verdict == "holds"
    bomb = zstandard.ZstdCompressor().compress(bytes(100 << 20))
    with pytest.raises(BadUpload):
        upload(ALL, bomb, KEYS)
    long = b'{"v":1,"x":"' + b"x" * 300_000 + b'"}'
    with pytest.raises(BadUpload, match="A record has 300014 bytes, at most"):
        upload(ALL, file.write([long], None))


@pytest.mark.parametrize("line", [b"", b"{}"], ids=["empty", "short"])
def test_millions_of_lines_are_not_parsed(monkeypatch, line):
    """Compressed they are a kilobyte, and parsed they were close to a gigabyte of memory."""
    monkeypatch.setattr(file, "parsed", None)
    many = zstandard.ZstdCompressor().compress((line + b"\n") * 100)
    with pytest.raises(BadUpload, match="100 lines, at most 40 records"):
        upload(ALL, many, KEYS, UploadLimits(records=40))
