"""The commands that change the service's log: branches, the archive; and comparing all of it."""

import json

import pytest

from service.cli.sources import sources
from service.embedded.servers import Server, Supervisor
from service.jobs.queues import enqueue, open_queues, run_clocks
from tests.recorder import PUBLIC
from tests.service.cli.conftest import widen

KEY = PUBLIC.public_bytes_raw().hex()


@pytest.mark.parametrize("seat", [(), ("--seat", 1)])
def test_a_branch_is_a_match_of_the_service(shiplog, own, seat):
    """It can be audited against its parent, exported and audited again elsewhere."""
    result = shiplog("branch", own, 8, *seat, "--bots", "heuristic", "--json")
    assert result.exit_code == 0, result.stderr
    made = json.loads(result.stdout)
    assert made["branch"] == {"parent": own, "version": 8, "seat": 1 if seat else None}
    (report,) = json.loads(shiplog("audit", made["match"], "--json").stdout)["reports"]
    assert report["verdict"] == "holds"
    assert not [gap for gap in report["unchecked"] if gap.startswith("start")]
    assert shiplog("export", made["match"], "-o", "branch.jsonl").exit_code == 0
    assert shiplog("export", own, "-o", "parent.jsonl").exit_code == 0
    alone = json.loads(shiplog("audit", "branch.jsonl", "--json").stdout)["reports"][0]
    assert [gap for gap in alone["unchecked"] if gap.startswith("start")]
    held = shiplog(
        "audit", "branch.jsonl", "--parent", "parent.jsonl", "--json", "--public-key", KEY
    )
    assert (held.exit_code, json.loads(held.stdout)["verdict"]) == (0, "holds")
    other = shiplog("audit", "branch.jsonl", "--parent", "good.jsonl", "--json")
    assert other.exit_code == 1
    assert json.loads(other.stdout)["reports"][0]["findings"][0]["rule"] == "branch"


def test_a_branch_of_a_branch_is_read_with_all_that_came_before(shiplog, own):
    """Else its seats would remember less than they do in the service, and be judged otherwise."""

    def branch(*words):
        return json.loads(shiplog("branch", *words, "--bots", "heuristic", "--json").stdout)[
            "match"
        ]

    first = branch(own, 8)
    second = branch(first, 3)
    with sources() as source:
        lines = {match: source.lines(match)[0] for match in (own, first, second)}
        assert source.lineage(lines[second]) == [lines[first], lines[own]]
        assert source.lineage(lines[own]) == []


def test_compare_decides_logs_again(shiplog, own):
    result = shiplog("compare", own, "--json")
    assert (result.exit_code, json.loads(result.stdout)["verdict"]) == (0, "holds")
    assert shiplog("compare", "--store").exit_code == 0
    assert shiplog("compare", "good.jsonl", "good.jsonl.zst").exit_code == 0
    result = shiplog("compare", "good.jsonl", "forged.jsonl", "--json")
    assert result.exit_code == 1
    _, forged = json.loads(result.stdout)["reports"]
    (finding,) = forged["findings"]
    assert (finding["rule"], finding["record"]) == ("digest", 9)
    for form, said in (("sarif", '"ruleId":"digest"'), ("junit", 'type="digest"')):
        assert said in shiplog("compare", "forged.jsonl", "--format", form).stdout
    line = shiplog("compare", "forged.jsonl", "--format", "ndjson").stdout.splitlines()[0]
    assert shiplog("explain", line).exit_code == 0, "the events are the same, the state is not"
    assert shiplog("compare").exit_code == 2
    assert shiplog("compare", own, "--all").exit_code == 2
    assert shiplog("compare", "none.jsonl").exit_code == 2


def test_a_file_is_forked_where_its_match_is_kept(shiplog, own):
    assert shiplog("export", own, "-o", "parent.jsonl").exit_code == 0
    assert shiplog("branch", "parent.jsonl", 8).exit_code == 0
    assert shiplog("branch", "good.jsonl", 8).exit_code == 2


def test_what_can_not_be_forked_is_refused(shiplog, own):
    assert shiplog("branch", own, 1).exit_code == 1
    assert shiplog("branch", own, 9_999).exit_code == 1
    assert shiplog("branch", own, 8, "--seat", 9).exit_code == 2
    assert shiplog("branch", own, 8, "--bots", "grandmaster").exit_code == 2
    assert shiplog("branch", "m_unknown", 8).exit_code == 1


def test_archive_moves_what_is_over(shiplog, own, files, monkeypatch):
    """Every verb then reads it as before."""
    century = 100 * 365 * 86_400
    monkeypatch.setenv("SHIPLOG_ARCHIVE_AFTER_S", str(century))
    before = shiplog("replay", own, "--json").stdout
    result = shiplog("archive", "--json")
    assert (result.exit_code, json.loads(result.stdout)["moved"]) == (0, []), "not yet due"
    result = shiplog("archive", own, "m_running", "m_none", "--json")
    assert result.exit_code == 1
    done = json.loads(result.stdout)
    failed = {"m_running": "it is not over", "m_none": "no such match"}
    assert done == {"moved": [own], "failed": failed}
    assert json.loads(shiplog("archive", own, "--json").stdout) == {"moved": [], "failed": {}}
    assert list((files / "own" / "archive").rglob("*.zst"))
    assert shiplog("replay", own, "--json").stdout == before
    reports = json.loads(shiplog("audit", "--all", "--json").stdout)["reports"]
    assert {report["name"] for report in reports} == {own, "m_running"}
    assert {report["verdict"] for report in reports} == {"holds"}
    assert shiplog("rebuild", "--verify").exit_code == 0
    assert shiplog("compare", "--all").exit_code == 0
    assert shiplog("export", own, "-o", "archived.jsonl").exit_code == 0
    assert shiplog("import", "archived.jsonl", "--keep").exit_code == 0
    assert shiplog("branch", own, 8).exit_code == 0
    assert shiplog("archive", "--after", 0, "--json").exit_code == 0


def test_without_an_archive_nothing_moves(shiplog, own, monkeypatch):
    monkeypatch.setenv("SHIPLOG_ARCHIVE", "none")
    assert shiplog("archive", own).exit_code == 2


def test_erase_forgets_a_person(shiplog, own):
    made = shiplog("token", "--role", "auditor", "--name", "Ada").stdout.split()[-2]
    assert shiplog("erase", made, stdin="n\n").exit_code == 1
    assert shiplog("rebuild").exit_code == 0
    assert shiplog("erase", made, "--yes").exit_code == 0
    assert shiplog("erase", "p_nobody", "--yes").exit_code == 1
    assert shiplog("audit", "--all").exit_code == 0


def test_jobs_are_listed_as_json_alone_and_their_ids_whole(shiplog, own, files, monkeypatch):
    """What the servers have to say goes to standard error: the list can be piped on."""
    widen(monkeypatch, 80)
    wake = run_clocks([("m_running", 5)])
    with Supervisor(Server.work(files / "own" / "work")) as server:
        queues = open_queues(server.url)
        enqueue(queues, wake)
        queues["clock"].connection.close()
        told = shiplog("jobs", "list", "--json")
        assert [job["id"] for job in json.loads(told.stdout)] == [wake.id]
        assert wake.id in shiplog("jobs", "list").stdout
