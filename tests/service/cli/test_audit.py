"""`audit` exits with 0 when all holds, 1 on a finding, 2 when used wrongly."""

import json

import pytest

from events import file
from events.chain import follow
from service.process.audit_journal import Journal
from tests.recorder import PUBLIC
from tests.replay.logs import a_match
from tests.service.cli.conftest import write_secrets

KEY = PUBLIC.public_bytes_raw().hex()


def test_a_good_file_holds(shiplog, files):
    result = shiplog("audit", "good.jsonl", "--public-key", KEY)
    assert (result.exit_code, result.stderr) == (0, "")
    assert "yes" in result.stdout
    assert "not checked" not in result.stdout


def test_a_packed_file_holds(shiplog, files):
    assert shiplog("audit", "good.jsonl.zst", "--public-key", KEY).exit_code == 0


def test_without_a_key_it_says_what_was_not_checked(shiplog, files):
    result = shiplog("audit", "good.jsonl")
    assert result.exit_code == 0
    assert "not checked: signature: the public key is not known" in result.stdout


def test_a_file_without_a_signed_head_holds_only_if_that_is_accepted(shiplog, files):
    (files / "unsigned.jsonl").write_bytes(file.write(a_match(), None))
    refused = shiplog("audit", "unsigned.jsonl")
    assert refused.exit_code == 1
    assert "the last line is not a signed head" in refused.stdout
    accepted = shiplog("audit", "unsigned.jsonl", "--unsigned")
    assert accepted.exit_code == 0
    assert "not checked: signature: there is no signed head" in accepted.stdout


def test_a_tampered_file_is_a_finding_that_names_the_record(shiplog, files):
    result = shiplog("audit", "good.jsonl", "forged.jsonl", "--public-key", KEY)
    assert result.exit_code == 1
    assert "forged.jsonl: 1 cause" in result.stdout
    assert "record 9  digest: " in result.stdout


def test_a_damaged_file_is_a_finding(shiplog, files):
    result = shiplog("audit", "cut.jsonl", "--public-key", KEY)
    assert result.exit_code == 1
    assert "cut short" in result.stdout


def test_json_has_the_reports(shiplog, files):
    result = shiplog("audit", "good.jsonl", "forged.jsonl", "--json", "--fast")
    told = json.loads(result.stdout)
    assert (result.exit_code, told["ok"]) == (1, False)
    good, forged = told["reports"]
    assert (good["ok"], good["figures"]["decided"]) == (True, len(a_match()))
    assert forged["findings"][0]["record"] == 9


def test_the_secret_file_gives_the_key(shiplog, files):
    write_secrets(files)
    result = shiplog("audit", "good.jsonl", "--secrets", "secrets.json")
    assert result.exit_code == 0
    assert "not checked" not in result.stdout


def test_receipts_are_held_against_the_log(shiplog, files):
    heads = list(follow(a_match()))
    for head, status in ((heads[0], 0), (heads[1], 1)):
        (files / "receipts.json").write_text(json.dumps([{"version": 1, "head": head}]))
        result = shiplog("audit", "good.jsonl", "--receipts", "receipts.json")
        assert result.exit_code == status


def test_what_a_seat_was_sent_is_held_against_the_log(shiplog, files):
    told = json.loads(shiplog("replay", "good.jsonl", "--seat", 0, "--json").stdout)
    lines = [
        json.dumps({name: moment[name] for name in ("v", "at", "by", "events")}) for moment in told
    ]
    (files / "sent.jsonl").write_text("\n".join(lines))
    assert shiplog("audit", "good.jsonl", "--sent", "0=sent.jsonl").exit_code == 0
    assert shiplog("audit", "good.jsonl", "--sent", "1=sent.jsonl").exit_code == 1


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("good.jsonl", "--all"),
        ("missing.jsonl",),
        ("m_nowhere",),
        ("good.jsonl", "--public-key", "xyz"),
        ("good.jsonl", "--sent", "first=good.jsonl"),
        ("good.jsonl", "--receipts", "good.jsonl"),
        ("good.jsonl", "--secrets", "good.jsonl"),
        ("good.jsonl", "--processes", "0"),
        ("good.jsonl", "--spread"),
        ("good.jsonl", "--follow"),
        ("--all", "--follow"),
    ],
)
def test_wrong_use_is_told_from_a_finding(shiplog, files, words):
    assert shiplog("audit", *words).exit_code == 2


def test_the_services_own_matches_are_audited_with_their_secrets(shiplog, service):
    """The running one too, dice and all."""
    result = shiplog("audit", "--all", "--json", "--processes", 1)
    told = json.loads(result.stdout)
    assert (result.exit_code, told["ok"]) == (0, True)
    assert {report["status"] for report in told["reports"]} == {"finished", "running"}
    assert all(report["figures"]["sealed"] == 0 for report in told["reports"])
    assert shiplog("audit", service).exit_code == 0
    assert shiplog("audit", "m_nowhere").exit_code == 2


def test_an_audit_goes_on_where_it_was_stopped(shiplog, files):
    """Each report is a line of the file; a torn line is written again, a finding is not."""
    first = shiplog("audit", "good.jsonl", "forged.jsonl", "--resume", "done.jsonl")
    assert first.exit_code == 1
    lines = (files / "done.jsonl").read_bytes().splitlines(keepends=True)
    assert [json.loads(line)["ok"] for line in lines] == [True, False]
    (files / "done.jsonl").write_bytes(lines[0] + lines[1][:50])
    again = shiplog("audit", "good.jsonl", "forged.jsonl", "--resume", "done.jsonl", "--json")
    told = json.loads(again.stdout)
    assert [report["name"] for report in told["reports"]] == ["forged.jsonl"]
    assert (told["audited"], told["audited_before"], told["failed"]) == (1, 1, 1)
    assert (files / "done.jsonl").read_bytes().splitlines(keepends=True)[0] == lines[0]
    done = shiplog("audit", "good.jsonl", "forged.jsonl", "--resume", "done.jsonl")
    assert done.exit_code == 1
    assert "2 had been audited before" in done.stdout
    (files / "other.txt").write_text("no report\n")
    assert shiplog("audit", "good.jsonl", "--resume", "other.txt").exit_code == 2


def test_another_log_of_the_same_name_is_not_skipped(shiplog, files):
    assert shiplog("audit", "good.jsonl", "--resume", "done.jsonl").exit_code == 0
    (files / "good.jsonl").write_bytes((files / "forged.jsonl").read_bytes())
    for _ in range(2):
        done = shiplog("audit", "good.jsonl", "--resume", "done.jsonl")
        assert done.exit_code == 1
    assert "1 had been audited before): 1 are not valid" in done.stdout
    found = [line["findings"] for line in map(json.loads, journal_lines(files))][1]
    assert ("rewritten", len(a_match())) in [(one["rule"], one["record"]) for one in found]


def journal_lines(folder):
    return (folder / "done.jsonl").read_bytes().splitlines()


def test_only_one_audit_uses_a_journal(shiplog, files):
    with Journal(files / "done.jsonl"):
        done = shiplog("audit", "good.jsonl", "--resume", "done.jsonl")
    assert (done.exit_code, "in use" in done.stderr) == (2, True)


def test_of_many_logs_those_that_do_not_hold_are_listed(shiplog, files):
    for number in range(24):
        (files / f"{number}.jsonl").write_bytes((files / "good.jsonl").read_bytes())
    result = shiplog(
        "audit", *[f"{n}.jsonl" for n in range(24)], "forged.jsonl", "--fast", "--processes", 1
    )
    assert result.exit_code == 1
    assert "forged.jsonl: 1 cause" in result.stdout
    assert "25 logs" in result.stdout
    assert "3.jsonl:" not in result.stdout
