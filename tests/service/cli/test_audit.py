"""`audit` exits with 0 when all holds, 1 on a finding, 2 when used wrongly, 3 without a signer."""

import json

import httpx
import msgspec
import pytest
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from events import file
from events.chain import follow
from events.keyring import Revocation
from events.receipts import Receipt, sign_together
from service.process.audit_journal import Journal
from tests.recorder import KEYS, PUBLIC, SERVICE, SIGNING
from tests.replay.logs import a_match
from tests.service.cli.conftest import write_secrets

AT = "2026-11-21T09:00:00.000000Z"
KEY = PUBLIC.public_bytes_raw().hex()


def test_a_good_file_holds(shiplog, files):
    result = shiplog("audit", "good.jsonl", "--public-key", KEY)
    assert (result.exit_code, result.stderr) == (0, "")
    assert "holds" in result.stdout
    assert "not checked" not in result.stdout


def test_a_packed_file_holds(shiplog, files):
    assert shiplog("audit", "good.jsonl.zst", "--public-key", KEY).exit_code == 0


def test_without_a_key_nothing_holds(shiplog, files):
    result = shiplog("audit", "good.jsonl")
    assert result.exit_code == 3
    assert "unauthenticated" in result.stdout
    assert "not checked: signature: no public key is known" in result.stdout
    assert shiplog("audit", "good.jsonl", "--allow-unsigned").exit_code == 0
    assert shiplog("audit", "good.jsonl", "forged.jsonl", "--allow-unsigned").exit_code == 1


def test_a_key_is_given_in_hex_or_as_a_file(shiplog, files):
    """PEM as OpenSSL writes it, hex, or what `GET /keys` answers."""
    pem = PUBLIC.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    history, one = msgspec.json.encode(KEYS.keys), msgspec.json.encode(KEYS.keys[0])
    for data in (pem, KEY.encode(), history, one):
        (files / "key").write_bytes(data + b"\n")
        assert shiplog("audit", "good.jsonl", "--public-key", "key").exit_code == 0
    other = "00" * 32
    assert shiplog("audit", "good.jsonl", "--public-key", other).exit_code == 3
    both = ("--public-key", other, "--public-key", KEY)
    assert shiplog("audit", "good.jsonl", *both).exit_code == 0


@pytest.mark.parametrize("order", [1, -1])
def test_a_revoked_key_is_not_trusted_if_it_is_given_twice(shiplog, files, order):
    revoked = msgspec.structs.replace(KEYS.keys[0], revoked=Revocation(AT, "stolen"))
    (files / "keys.json").write_bytes(msgspec.json.encode([revoked]))
    given = [word for key in (KEY, "keys.json")[::order] for word in ("--public-key", key)]
    result = shiplog("audit", "good.jsonl", *given)
    assert (result.exit_code, f"revoked at {AT}" in result.stdout) == (3, True)


@pytest.mark.parametrize("at", ["yesterday", "2026-11-21", "2026-11-21T09:00:00", ""])
def test_a_key_with_a_malformed_time_is_refused(shiplog, files, at):
    revoked = msgspec.structs.replace(KEYS.keys[0], revoked=Revocation(at, "stolen"))
    (files / "key").write_bytes(msgspec.json.encode(revoked))
    result = shiplog("audit", "good.jsonl", "--public-key", "key")
    assert (result.exit_code, "has the time" in result.stderr) == (2, True)


def test_a_receipt_with_a_malformed_time_proves_nothing(shiplog, files):
    revoked = msgspec.structs.replace(KEYS.keys[0], revoked=Revocation(AT, "stolen"))
    (files / "key").write_bytes(msgspec.json.encode(revoked))
    receipt = Receipt(1, "0" * 64, at="2026-11-21", key=SERVICE, signature="0" * 128)
    (files / "receipts").write_bytes(msgspec.json.encode(receipt))
    result = shiplog("verify-receipt", "receipts", "--public-key", "key")
    assert (result.exit_code, "has no time zone" in result.stderr) == (3, True)


def test_a_seat_that_is_no_number_is_refused(shiplog, files):
    assert shiplog("audit", "good.jsonl", "--sent", "\u00b2=good.jsonl").exit_code == 2


def test_a_key_is_fetched_from_the_service(shiplog, files, monkeypatch):
    asked = key_server(monkeypatch, lambda: msgspec.json.encode(KEYS.keys))
    for url in ("https://play.example", "https://play.example/keys"):
        assert shiplog("audit", "good.jsonl", "--public-key", url).exit_code == 0
    assert asked == ["https://play.example/keys"] * 2


def test_a_list_of_keys_without_end_is_given_up(shiplog, files, monkeypatch):
    key_server(monkeypatch, lambda: (b"[" * 65_536 for _ in iter(int, 1)))
    refused = shiplog("audit", "good.jsonl", "--public-key", "https://play.example")
    assert (refused.exit_code, "does not end" in refused.output) == (2, True)


def key_server(monkeypatch, content):
    """Answer all requests in place of a server; return the addresses that are asked for."""
    asked = []

    def answer(request):
        asked.append(str(request.url))
        return httpx.Response(200, content=content())

    client = httpx.Client(transport=httpx.MockTransport(answer))
    monkeypatch.setattr(httpx, "stream", client.stream)
    return asked


def test_keys_whose_ids_are_not_theirs_are_refused(shiplog, files):
    swapped = msgspec.structs.replace(KEYS.keys[0], public_key="00" * 32)
    (files / "keys.json").write_bytes(msgspec.json.encode([swapped]))
    refused = shiplog("audit", "good.jsonl", "--public-key", "keys.json")
    assert refused.exit_code == 2
    assert "The id of key" in refused.stderr


@pytest.mark.parametrize("key", ["nonsense", "good.jsonl.zst"])
def test_what_is_no_key_is_refused(shiplog, files, key):
    refused = shiplog("audit", "good.jsonl", "--public-key", key)
    assert (refused.exit_code, "Expected 64 hex digits" in refused.stderr) == (2, True)


def test_a_file_without_a_signed_head_holds_only_if_that_is_accepted(shiplog, files):
    (files / "unsigned.jsonl").write_bytes(file.write(a_match(), None))
    refused = shiplog("audit", "unsigned.jsonl")
    assert refused.exit_code == 1
    assert "the last line is not a signed head" in refused.stdout
    accepted = shiplog("audit", "unsigned.jsonl", "--allow-unsigned")
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
    words = ("--json", "--fast", "--public-key", KEY)
    result = shiplog("audit", "good.jsonl", "forged.jsonl", *words)
    told = json.loads(result.stdout)
    assert (result.exit_code, told["verdict"]) == (1, "broken")
    assert (told["broken"], told["unauthenticated"]) == (1, 0)
    good, forged = told["reports"]
    assert (good["verdict"], good["figures"]["decided"]) == ("holds", len(a_match()))
    assert forged["findings"][0]["record"] == 9


def test_the_secret_file_gives_the_key(shiplog, files):
    write_secrets(files)
    result = shiplog("audit", "good.jsonl", "--secrets", "secrets.json")
    assert result.exit_code == 0
    assert "not checked" not in result.stdout


def test_receipts_are_held_against_the_log(shiplog, files):
    heads = list(follow(a_match()))
    match = json.loads(a_match()[0])["events"][0]["match"]
    for head, status in ((heads[0], 0), (heads[1], 1)):
        told = Receipt(1, head, match=match, key=SERVICE, at=AT)
        signed_ones = sign_together(SIGNING, [told])
        (files / "receipts.json").write_bytes(msgspec.json.encode(signed_ones))
        result = shiplog("audit", "good.jsonl", "--receipts", "receipts.json", "--public-key", KEY)
        assert result.exit_code == status


def test_receipts_of_other_matches_are_named(shiplog, files):
    match = json.loads(a_match()[0])["events"][0]["match"]
    told = [
        Receipt(1, next(iter(follow(a_match()))), match=one, key=SERVICE, at=AT)
        for one in (match, "m_other")
    ]
    (files / "receipts.json").write_bytes(msgspec.json.encode(sign_together(SIGNING, told)))
    words = ("--receipts", "receipts.json", "--public-key", KEY)
    result = shiplog("audit", "good.jsonl", *words)
    assert result.exit_code == 0
    assert "receipts: 1 of 2 compared" in result.stderr
    assert "not checked: receipt: the receipt for version 1 of the log: match m_other" in (
        result.stderr
    )


@pytest.mark.parametrize("verb", [("audit", "good.jsonl", "--receipts"), ("verify-receipt",)])
@pytest.mark.parametrize("content", ["", "[]", "\n"])
def test_a_file_without_receipts_is_refused(shiplog, files, verb, content):
    (files / "receipts.json").write_text(content)
    refused = shiplog(*verb, "receipts.json", "--public-key", KEY)
    assert (refused.exit_code, "has no receipts" in refused.stderr) == (2, True)


def test_receipts_need_a_signature_or_a_mark(shiplog, files):
    (files / "receipts.jsonl").write_text('{"version": 1, "head": "ab"}\n')
    words = ("--receipts", "receipts.jsonl", "--public-key", KEY)
    refused = shiplog("audit", "good.jsonl", *words)
    assert refused.exit_code == 2
    assert "Receipt 1 is not signed" in refused.stderr
    (files / "receipts.jsonl").write_text('{"version": 1, "head": "ab", "hint": true}\n')
    told = shiplog("audit", "good.jsonl", *words)
    assert told.exit_code == 0
    assert "not checked: receipt: the receipt for version 1" in told.stdout


def test_one_head_for_two_versions_convicts_the_service(shiplog, files):
    """Each version of a viewer is that of another record."""
    told = [Receipt(version, "ab" * 32, 0, "m_1", AT, SERVICE) for version in (4, 4, 5)]
    for count, status in ((2, 0), (3, 1)):
        kept = sign_together(SIGNING, told[:count])
        (files / "kept.jsonl").write_bytes(b"\n".join(map(msgspec.json.encode, kept)))
        result = shiplog("verify-receipt", "kept.jsonl", "--public-key", KEY)
        assert result.exit_code == status
    assert "for versions 4 and 5" in result.stderr


def test_receipts_are_checked_without_a_log(shiplog, files):
    """Two heads for one version convict the service; another key proves nothing."""
    one, other = (
        sign_together(SIGNING, [Receipt(4, head * 32, 0, "m_1", AT, SERVICE)])
        for head in ("ab", "cd")
    )
    words = ("verify-receipt", "kept.jsonl", "--public-key")
    (files / "kept.jsonl").write_bytes(b"\n".join(map(msgspec.json.encode, one)))
    assert "m_1 version 4 of seat 0: signed by" in shiplog(*words, KEY).stdout
    assert shiplog(*words, "00" * 32).exit_code == 3
    (files / "kept.jsonl").write_bytes(b"\n".join(map(msgspec.json.encode, [*one, *other])))
    convicted = shiplog(*words, KEY)
    assert convicted.exit_code == 1
    assert "the service signed abab" in convicted.stderr


def test_what_a_seat_was_sent_is_held_against_the_log(shiplog, files):
    told = json.loads(shiplog("replay", "good.jsonl", "--seat", 0, "--json").stdout)
    lines = [
        json.dumps({name: moment[name] for name in ("v", "at", "by", "events")}) for moment in told
    ]
    (files / "sent.jsonl").write_text("\n".join(lines))
    for seat, status in ((0, 0), (1, 1)):
        words = ("--sent", f"{seat}=sent.jsonl", "--public-key", KEY)
        assert shiplog("audit", "good.jsonl", *words).exit_code == status


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
    assert (result.exit_code, told["verdict"]) == (0, "holds")
    assert {report["status"] for report in told["reports"]} == {"finished", "running"}
    assert all(report["figures"]["sealed"] == 0 for report in told["reports"])
    assert shiplog("audit", service).exit_code == 0
    assert shiplog("audit", "m_nowhere").exit_code == 2


def test_an_audit_goes_on_where_it_was_stopped(shiplog, files):
    """Each report is a line of the file; a torn line is written again, a finding is not."""
    first = shiplog("audit", "good.jsonl", "forged.jsonl", "--resume", "done.jsonl")
    assert first.exit_code == 1
    lines = (files / "done.jsonl").read_bytes().splitlines(keepends=True)
    assert [json.loads(line)["verdict"] for line in lines] == ["unauthenticated", "broken"]
    (files / "done.jsonl").write_bytes(lines[0] + lines[1][:50])
    again = shiplog("audit", "good.jsonl", "forged.jsonl", "--resume", "done.jsonl", "--json")
    told = json.loads(again.stdout)
    assert [report["name"] for report in told["reports"]] == ["forged.jsonl"]
    assert (told["audited"], told["audited_before"], told["broken"]) == (1, 1, 1)
    assert (files / "done.jsonl").read_bytes().splitlines(keepends=True)[0] == lines[0]
    done = shiplog("audit", "good.jsonl", "forged.jsonl", "--resume", "done.jsonl")
    assert done.exit_code == 1
    assert "2 had been audited before" in done.stdout
    (files / "other.txt").write_text("no report\n")
    assert shiplog("audit", "good.jsonl", "--resume", "other.txt").exit_code == 2


def test_another_log_of_the_same_name_is_not_skipped(shiplog, files):
    words = ("--resume", "done.jsonl", "--public-key", KEY)
    assert shiplog("audit", "good.jsonl", *words).exit_code == 0
    (files / "good.jsonl").write_bytes((files / "forged.jsonl").read_bytes())
    for _ in range(2):
        done = shiplog("audit", "good.jsonl", *words)
        assert done.exit_code == 1
    assert "1 had been audited before): 1 broken, 0 unauthenticated" in done.stdout
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
