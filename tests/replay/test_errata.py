"""An erratum explains what a faulty release decided, exactly that, and nothing else."""

import msgspec
import pytest

from events import file
from events.checkpoints.leaves import Leaf, PlacedLeaf
from events.errata import BadErratum, decoded, encoded, leaf_of, signed, trusted
from events.keyring import Keyring, Revocation
from projections.rows import row
from projections.summary import corrected, summary
from replay.audit import audit
from replay.evidence import Evidence
from replay.transfer import file_evidence, upload
from tests.recorder import KEYS
from tests.replay.errata import (
    WHEN,
    audited,
    changed,
    erratum_of,
    sealed,
    wrongly_decided,
    wrongly_scored,
)
from tests.replay.logs import TOYS, toy
from tests.tampered.files import STRANGER, STRANGER_ID

SCORED = wrongly_scored()
GOOD = sealed(erratum_of(SCORED))


def test_a_match_of_a_faulty_release_is_broken_until_there_is_an_erratum():
    assert audited(SCORED).verdict == "broken"
    report = audited(SCORED, GOOD)
    assert report.verdict == "holds"
    assert report.findings == []
    assert [one.finding.rule for one in report.explained] == ["events"]
    assert [one.erratum for one in report.explained] == [1]
    (erratum,) = report.errata
    assert erratum.erratum.reason == "The release counted one too few."


def test_an_erratum_never_hides_what_was_found():
    before, after = audited(SCORED), audited(SCORED, GOOD)
    assert [one.finding for one in after.explained] == before.findings


def test_the_ending_is_that_of_the_same_commands_under_the_mended_rules():
    erratum = erratum_of(SCORED)
    assert SCORED.match.ending.winners == (1,)
    assert erratum.ending.winners == (0,)
    assert erratum.ending.places == (1, 2)


def test_without_an_ending_that_follows_the_recorded_one_stands():
    """By the mended rules the match was over before its last command."""
    recorder = wrongly_decided()
    erratum = erratum_of(recorder)
    assert erratum.ending is None
    report = audited(recorder, sealed(erratum))
    assert report.verdict == "holds"
    assert {one.finding.rule for one in report.explained} <= {"events", "decision", "digest"}


def test_an_erratum_without_a_valid_signature_of_the_log_itself_leaves_it_unauthenticated():
    log = Evidence("log", SCORED.lines, errata=(GOOD,))
    assert audit(TOYS, log, KEYS, redaction=False).verdict == "unauthenticated"


OTHER_EXPLAINED = msgspec.structs.replace(erratum_of(SCORED).explains[0], record=3)
FORGED = {
    "another reason": (changed(GOOD, reason="Nothing happened."), "signature is not valid"),
    "a stranger's key": (
        encoded(signed(STRANGER, erratum_of(SCORED, key=STRANGER_ID))),
        "not one of the known keys",
    ),
    "a stranger under the service's id": (
        encoded(signed(STRANGER, erratum_of(SCORED))),
        "signature is not valid",
    ),
    "another match": (sealed(erratum_of(SCORED, match="m_other")), "about match m_other"),
    "another head": (sealed(erratum_of(SCORED, head="0" * 64)), "about another log"),
    "an earlier version": (sealed(erratum_of(SCORED, version=3)), "about another log"),
    "more than was found": (
        sealed(erratum_of(SCORED, explains=(*erratum_of(SCORED).explains, OTHER_EXPLAINED))),
        "which this audit does not find",
    ),
    "the same twice": (
        sealed(erratum_of(SCORED, explains=erratum_of(SCORED).explains * 2)),
        "names a finding twice",
    ),
    "nothing": (sealed(erratum_of(SCORED, explains=())), "names no finding"),
    "an ending at will": (sealed(erratum_of(SCORED, ending=SCORED.match.ending)), "its ending"),
    "no ending": (sealed(erratum_of(SCORED, ending=None)), "its ending"),
    "another release": (sealed(erratum_of(SCORED, wrong="0.1.0")), "blames release 0.1.0"),
    "no time": (sealed(erratum_of(SCORED, at="yesterday")), "malformed"),
    "another form": (GOOD.replace(b'"reason":', b'"reason": '), "standard form"),
    "a doubled field": (GOOD.replace(b'"at":', b'"at":"","at":'), "standard form"),
    "a field more": (GOOD.replace(b'"at":', b'"why":"","at":'), "cannot be read"),
    "no erratum": (b'{"erratum":{}}', "cannot be read"),
    "the signature of a head": (
        encoded(msgspec.structs.replace(decoded(GOOD), signature=SCORED.head().signature)),
        "signature is not valid",
    ),
}


@pytest.mark.parametrize("name", FORGED)
def test_any_other_erratum_explains_nothing_and_is_a_finding(name):
    line, why = FORGED[name]
    report = audited(SCORED, line)
    assert report.verdict == "broken"
    assert report.explained == []
    assert report.errata == []
    assert [finding.rule for finding in report.findings] == ["events", "erratum"]
    assert why in report.findings[-1].message


def test_no_erratum_explains_what_no_release_decides():
    """A cut log that was signed anew, with an erratum that would excuse it."""
    recorder = toy()
    report = audit(TOYS, Evidence("log", recorder.lines[1:], head=recorder.head()), KEYS)
    assert report.verdict == "broken"
    erratum = msgspec.structs.replace(
        erratum_of(SCORED).explains[0], rule="signature", record=len(SCORED.lines), path="/head"
    )
    line = sealed(erratum_of(SCORED, explains=(erratum,)))
    assert "no erratum can explain signature" in audited(SCORED, line).findings[-1].message


def test_an_erratum_of_a_sound_match_is_a_finding():
    """It claims what this audit does not find."""
    sound = wrongly_decided(TOYS["toy"])
    line = sealed(
        erratum_of(
            SCORED, head=sound.folded.head, version=len(sound.lines), ending=None, wrong="0.2.0"
        )
    )
    report = audited(sound, line)
    assert report.verdict == "broken"
    assert [finding.rule for finding in report.findings] == ["erratum"]


def ring(**changes) -> Keyring:
    return Keyring((msgspec.structs.replace(KEYS.keys[0], **changes),))


BEFORE, AFTER = "2026-11-23T08:59:59.999999Z", "2026-11-23T09:00:00.000001Z"


@pytest.mark.parametrize(
    ("keys", "why"),
    [
        (Keyring(), "no public key is known"),
        (ring(since=AFTER), "was not in use yet"),
        (ring(until=BEFORE), "was no longer in use"),
        (ring(revoked=Revocation(BEFORE, "stolen")), "had been revoked"),
    ],
)
def test_the_key_must_have_been_valid_when_it_signed(keys, why):
    report = audited(SCORED, GOOD, keys=keys)
    assert report.verdict == "broken"
    assert why in report.findings[-1].message


@pytest.mark.parametrize(
    "keys",
    [ring(since=BEFORE), ring(since=WHEN, until=WHEN), ring(revoked=Revocation(AFTER, "retired"))],
)
def test_a_key_that_was_replaced_later_still_counts(keys):
    assert audited(SCORED, GOOD, keys=keys).verdict == "holds"


def test_the_row_must_have_the_corrected_outcome():
    plain = summary(SCORED.match)
    right = corrected(plain, [decoded(GOOD)])
    assert right.outcome.winners == (0,)
    for one, errata, verdict in (
        (right, (GOOD,), "holds"),
        (plain, (GOOD,), "broken"),
        (right, (), "broken"),
    ):
        data = msgspec.json.encode(row(one))
        assert audited(SCORED, *errata, row=data).verdict == verdict


def test_errata_follow_the_head_in_a_file():
    for packed in (False, True):
        data = file.write(SCORED.lines, SCORED.head(), [GOOD], packed=packed)
        assert file.read(data) == (SCORED.lines, SCORED.head())
        assert audit(TOYS, file_evidence("x", data), KEYS, redaction=False).verdict == "holds"
        replay = upload(TOYS, data, KEYS)
        assert replay.report.verdict == "holds"
        assert len(replay.lines) == len(SCORED.lines)


@pytest.mark.parametrize(
    "order", [lambda o: [GOOD, *o], lambda o: [*o[:-1], GOOD, o[-1]], lambda o: [GOOD]]
)
def test_errata_elsewhere_damage_the_file(order):
    lines = file.write(SCORED.lines, SCORED.head()).splitlines()
    report = audit(TOYS, file_evidence("x", b"\n".join(order(lines)) + b"\n"), KEYS)
    assert "file" in {finding.rule for finding in report.findings}


def test_more_errata_than_any_match_needs_are_not_read():
    report = audited(SCORED, *[GOOD] * 17)
    assert "at most 16" in report.findings[-1].message


def test_the_second_copy_of_an_erratum_explains_nothing():
    assert audited(SCORED, GOOD, GOOD).verdict == "broken"


@pytest.mark.parametrize("reason", ["", " ", "x" * 1_001])
def test_a_draft_needs_a_reason(reason):
    with pytest.raises(BadErratum, match="reason must have"):
        erratum_of(SCORED, reason)


def test_a_draft_needs_something_to_explain():
    with pytest.raises(BadErratum, match="nothing that an erratum could explain"):
        erratum_of(wrongly_decided(TOYS["toy"]))


def test_a_running_match_has_no_erratum():
    """Its expected values could show hidden cards."""
    with pytest.raises(BadErratum, match="has ended"):
        erratum_of(wrongly_decided(ended=False))


def test_a_finding_that_no_release_decided_prevents_the_draft():
    recorder = wrongly_scored()
    recorder.lines[3] = recorder.lines[3].replace(b'"id":"c4"', b'"id":"c3"')
    with pytest.raises(BadErratum, match="No erratum can explain record 4"):
        erratum_of(recorder)


def placed(line, index):
    """Return the leaf of an erratum at a place of the checkpoint log."""
    return [PlacedLeaf(index, leaf_of(decoded(line)))]


def test_where_the_checkpoint_log_is_at_hand_it_must_have_a_leaf_of_the_erratum():
    unknown = audited(SCORED, GOOD)
    assert any(gap.startswith("errata: the checkpoint log") for gap in unknown.unchecked)
    absent = audited(SCORED, GOOD, leaves=[])
    assert absent.verdict == "broken"
    assert absent.findings[-1].message.endswith("no leaf of it is known in the checkpoint log")
    present = audited(SCORED, GOOD, leaves=placed(GOOD, 7))
    assert present.verdict == "holds"
    assert not any(gap.startswith("errata") for gap in present.unchecked)
    other = sealed(erratum_of(SCORED, "Another reason."))
    assert audited(SCORED, GOOD, leaves=placed(other, 7)).verdict == "broken"


def test_a_thief_of_a_revoked_key_cannot_date_an_erratum_back():
    """It was signed in the time of the key. But it entered the checkpoint log too late."""
    (key,) = KEYS.keys
    revocation = Revocation("2026-12-01T00:00:00.000000Z", "stolen", size=8)
    keys = Keyring((msgspec.structs.replace(key, revoked=revocation),))
    early = [PlacedLeaf(0, Leaf("end", "m_1", len(SCORED.lines), SCORED.folded.head, WHEN))]
    for leaves, why in (
        ([*early, *placed(GOOD, 7)], None),
        ([*early, *placed(GOOD, 8)], "it entered the log as leaf 8"),
        (None, "no leaf of it is known"),
    ):
        report = audited(SCORED, GOOD, keys=keys, leaves=leaves)
        assert report.verdict == ("holds" if why is None else "broken")
        if why is not None:
            assert why in report.findings[-1].message
        assert len(trusted([GOOD], keys, leaves)) == (why is None)
