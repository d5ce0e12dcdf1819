"""After a failed sync the log restarts by one rule under systemd, Compose and Kubernetes.

`tests/faults/test_disk.py` tries the script on a disk that does not sync.
"""

import yaml

from tests.deploy.conftest import DEPLOY

SCRIPT = "log-server.sh"


def test_systemd_starts_the_log_by_the_script_whenever_it_ends():
    unit = (DEPLOY / "systemd" / "shiplog-log.service").read_text().splitlines()
    (start,) = [line for line in unit if line.startswith("ExecStart=")]
    assert start.split()[0] == f"ExecStart=/opt/shiplog/deploy/{SCRIPT}"
    assert {"Restart=always", "StartLimitIntervalSec=0"} <= set(unit)


def test_compose_starts_the_log_by_the_script_whenever_it_ends():
    log = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]["log"]
    assert log["command"][:4] == ["sh", f"/etc/shiplog/{SCRIPT}", "/data", "valkey-server"]
    assert f"./{SCRIPT}:/etc/shiplog/{SCRIPT}:ro" in log["volumes"]
    assert log["restart"] == "unless-stopped"


def test_kubernetes_starts_the_log_by_the_script_whenever_it_ends():
    cluster = DEPLOY / "kubernetes" / "overlays" / "cluster"
    (parts,) = [
        it["files"]
        for it in yaml.safe_load((cluster / "kustomization.yaml").read_text())["configMapGenerator"]
        if it["name"] == "redis-log"
    ]
    assert SCRIPT in parts
    assert (
        f"SERVER='sh /etc/shiplog/{SCRIPT} /data valkey-server'"
        in (cluster / "join.sh").read_text()
    )
    (pods,) = [
        it["spec"]["template"]["spec"]
        for it in yaml.safe_load_all((cluster / "redis-log.yaml").read_text())
        if it["kind"] == "StatefulSet"
    ]
    assert pods.get("restartPolicy", "Always") == "Always"
    assert pods["containers"][0]["command"] == ["sh", "/etc/shiplog/join.sh"]
