"""What an operator sees: metrics of service and workers, a dashboard, and alerts."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import httpx
import promql_parser
import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from service.jobs.queues import QUEUES
from tests.e2e.service import Player, refusal, running, wait_until
from tests.events.cluster import free_port

ROOT = Path(__file__).parents[2]
OBSERVE = ROOT / "deploy" / "observe"
GROUPS = yaml.safe_load((OBSERVE / "alerts.yml").read_text())["groups"]
RULES = [rule for group in GROUPS for rule in group["rules"] if "alert" in rule]
RECORDS = [rule for group in GROUPS for rule in group["rules"] if "record" in rule]
DASHBOARDS = {
    path.stem: json.loads(path.read_text()) for path in (OBSERVE / "dashboards").glob("*.json")
}
NOT_OURS = {
    "up",
    "node_filesystem_avail_bytes",
    "node_filesystem_size_bytes",
    "probe_ssl_earliest_cert_expiry",
}
"""Metrics of Prometheus and of exporters that docs/observing.md names."""
LATER = {"shiplog_job_outcomes_total"}
"""Metrics that exist as soon as a job has ended."""
WAIT_S = 60


def officer(service) -> dict[str, str]:
    """Make an auditor; return its header."""
    with running(service.data, "token", "--role", "auditor") as made:
        assert made.process.stdout is not None
        token = made.process.stdout.read().split()[-1]
    return {"Authorization": f"Bearer {token}"}


class Installation:
    """A service with its worker, and where their metrics are."""

    def __init__(self, service, worker, ports):
        self.service = service
        self.worker = worker
        self.ports = ports

    def metrics(self, which: str) -> dict[str, list]:
        """Return the samples by name."""
        text = httpx.get(f"http://127.0.0.1:{self.ports[which]}/metrics", timeout=20).text
        found: dict[str, list] = {}
        for family in text_string_to_metric_families(text):
            for sample in family.samples:
                found.setdefault(sample.name, []).append(sample)
        return found

    def lines(self, which: str) -> list[dict]:
        """Return the log lines of a process."""
        text = (self.service.data / f"{which}.err").read_text()
        return [json.loads(line) for line in text.splitlines() if line.startswith("{")]


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("observed")
    ports = {"serve": free_port(), "worker": free_port()}
    common = {"log_level": "info", "bot_pause_ms": "0"}
    with (
        running(folder, "serve", metrics_port=str(ports["serve"]), **common) as service,
        running(folder, "worker", metrics_port=str(ports["worker"]), **common) as worker,
    ):
        one = Installation(service, worker, ports)
        with Player(service.url) as player:
            match = player.open_match("tranquility", 2)
            for _ in range(2):
                player.do(match, {"type": "add_bot", "level": "heuristic"})
            wait_until(
                lambda: [line for line in one.lines("worker") if line["event"] == "played"], WAIT_S
            )
            wait_until(lambda: set(QUEUES) <= processes(one), WAIT_S)
            with running(folder, "backup", str(folder / "backup")) as backup:
                assert backup.close() == 0, backup.errors()
            yield one


def processes(installed) -> set[str]:
    try:
        samples = installed.metrics("worker").get("shiplog_cache_reads_total", [])
    except httpx.HTTPError:
        return set()
    return {sample.labels["process"].split("-")[0] for sample in samples}


def exist(installed) -> set[str]:
    return {*installed.metrics("serve"), *installed.metrics("worker"), *NOT_OURS}


def asked(query: str) -> set[str]:
    """Return the names of the metrics in a query."""
    promql_parser.parse(query)
    names = r"\b(?:shiplog[_:][\w:]+|process_\w+|node_\w+|probe_\w+|up)\b(?=[\[{) ]|$)"
    return set(re.findall(names, query))


@pytest.mark.parametrize("dashboard", DASHBOARDS.values(), ids=DASHBOARDS)
def test_every_panel_asks_for_figures_that_exist(installed, dashboard):
    there = exist(installed) | LATER | {rule["record"] for rule in RECORDS}
    queries = [
        target["expr"] for panel in dashboard["panels"] for target in panel.get("targets", [])
    ]
    assert len(queries) >= 4
    for query in queries:
        names = asked(query.replace("$__rate_interval", "5m"))
        assert names, query
        assert names <= there, query


def test_every_panel_of_a_runbook_is_on_a_dashboard():
    runbooks = (ROOT / "docs" / "runbooks.md").read_text()
    shown = {panel["title"] for board in DASHBOARDS.values() for panel in board["panels"]}
    named = set(re.findall(r"(?<!\*)\*([A-Z][^*]+)\*(?!\*)", runbooks))
    assert len(named) > 5
    assert named <= shown


def test_dashboards_have_ids_of_their_own():
    assert len({board["uid"] for board in DASHBOARDS.values()}) == len(DASHBOARDS) == 5


def test_every_rule_asks_for_figures_that_exist(installed):
    there = exist(installed) | {rule["record"] for rule in RECORDS}
    for rule in (*RECORDS, *RULES):
        names = asked(rule["expr"])
        assert names, rule
        assert names <= there, rule


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule["alert"])
def test_every_alert_has_a_runbook(rule):
    runbooks = (ROOT / "docs" / "runbooks.md").read_text()
    assert f"\n## {rule['alert']}\n" in runbooks
    assert rule["annotations"]["runbook"] == f"docs/runbooks.md#{rule['alert'].lower()}"
    assert rule["labels"]["severity"] in ("page", "ticket")


def test_every_runbook_is_that_of_an_alert():
    sections = re.findall(r"^## (\w+)$", (ROOT / "docs" / "runbooks.md").read_text(), re.MULTILINE)
    assert sections == [rule["alert"] for rule in RULES]


def test_every_figure_of_ours_is_explained(installed):
    page = (ROOT / "docs" / "observing.md").read_text()
    for name in exist(installed):
        if name.startswith("shiplog_") and not name.startswith("shiplog_redis_"):
            assert re.sub(r"_(bucket|count|sum)$", "", name) in page, name


def test_prometheus_takes_the_rules():
    promtool = shutil.which("promtool")
    if promtool is None:
        pytest.skip("promtool is not on PATH")
    done = subprocess.run(
        [promtool, "check", "config", OBSERVE / "prometheus.yml"], capture_output=True, check=False
    )
    assert done.returncode == 0, done.stdout


def test_the_figures_tell_what_was_played(installed):
    metrics = installed.metrics("serve")
    by_code = {
        (sample.labels["game"], sample.labels["code"]): sample.value
        for sample in metrics["shiplog_commands_total"]
    }
    assert by_code["tranquility", "accepted"] >= 2
    assert metrics["shiplog_append_batch_records_sum"][0].value >= 2
    assert {sample.labels["server"] for sample in metrics["shiplog_redis_up"]} == {"log", "work"}
    assert all(sample.value == 1 for sample in metrics["shiplog_redis_up"])
    workers = {sample.labels["queue"]: sample.value for sample in metrics["shiplog_workers"]}
    assert workers == dict.fromkeys(QUEUES, 1)


def test_figures_on_the_players_port_are_for_officers(installed):
    """Polled, they would tell when a rival does what no other seat is told of."""
    url = f"{installed.service.url}/metrics"
    assert httpx.get(url).status_code == 401
    with Player(installed.service.url) as player:
        refused = player.http.get("/metrics")
        assert refusal(refused) == (403, "forbidden")
    answer = httpx.get(url, headers=officer(installed.service), timeout=20)
    assert answer.status_code == 200
    assert 'shiplog_commands_total{code="accepted",game="tranquility"}' in answer.text


def test_a_call_its_record_and_its_job_are_joined_by_ids(installed):
    with Player(installed.service.url) as player:
        match = player.open_match("tranquility", 1)
        sat = player.send(match, {"type": "take_seat"}, key="sit-down")
        left = player.send(match, {"type": "resign"}, key="leave")
        asking = player.http.post(f"/matches/{match}/audit")
        job = asking.json()["id"]
        wait_until(lambda: player.get(f"/jobs/{job}")["state"] == "finished", WAIT_S)
        records = player.http.get(f"/matches/{match}/export").text
    commands = {
        line["request"]: line
        for line in installed.lines("serve")
        if line["event"] == "command" and line["match"] == match
    }
    assert commands[sat.headers["X-Request-Id"]]["id"] == "sit-down"
    assert commands[left.headers["X-Request-Id"]]["id"] == "leave"
    assert '"id":"sit-down"' in records
    (enqueued,) = [line for line in installed.lines("serve") if line.get("job") == job]
    assert enqueued["request"] == asking.headers["X-Request-Id"]
    done = wait_until(
        lambda: [
            line
            for line in installed.lines("worker")
            if line.get("job") == job and line["event"] == "job"
        ],
        WAIT_S,
    )
    assert {line["request"] for line in done} == {enqueued["request"]}
    played = [line for line in installed.lines("worker") if line["event"] == "played"]
    assert all(line["job"].startswith("bot-") and line["id"] for line in played)


def test_no_line_holds_a_token_or_a_hand(installed):
    with Player(installed.service.url) as player:
        match = player.open_match("tranquility", 1)
        player.do(match, {"type": "take_seat"})
        legal = player.legal(match)
        cards = {command["card"] for command in legal if "card" in command}
        assert cards
        player.do(match, legal[0])
        token = player.token
    folder = installed.service.data

    def logged():
        text = "".join((folder / f"{it}.err").read_text() for it in ("serve", "worker"))
        return text if text.count(match) >= 3 else ""

    text = wait_until(logged, WAIT_S)
    assert token.split(".")[2] not in text
    assert not [card for card in cards if card in text]
