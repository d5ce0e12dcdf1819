"""The manifests build, fit the API's schemas, and keep what they promise."""

import re
import warnings

import pytest
import yaml

from service.base.environment import load
from service.jobs.queues import QUEUES
from tests.deploy.conftest import DEPLOY, ROOT, told, tool

warnings.filterwarnings("ignore", category=DeprecationWarning, module="kubernetes_validate")
import kubernetes_validate  # noqa: E402 - its import warns

KUBERNETES = DEPLOY / "kubernetes"
VERSION = "1.32"
OVERLAYS = ("cluster", "managed")
FOREIGN = {"ScaledObject", "TriggerAuthentication"}
"""Kinds of KEDA. No package has their schemas, so only their references are checked."""


@pytest.fixture(scope="module", params=OVERLAYS)
def resources(request):
    out = told(tool("kubectl"), "kustomize", KUBERNETES / "overlays" / request.param)
    return list(yaml.safe_load_all(out))


def kinds(resources, *names):
    return [it for it in resources if it["kind"] in names]


def pods(resources):
    """Return name and pod specification of everything that runs."""
    for it in kinds(resources, "Deployment", "StatefulSet", "Job"):
        yield it["metadata"]["name"], it["spec"]["template"]["spec"]
    for it in kinds(resources, "CronJob"):
        yield it["metadata"]["name"], it["spec"]["jobTemplate"]["spec"]["template"]["spec"]


def test_every_resource_fits_its_schema(resources):
    foreign = set()
    for it in resources:
        if it["kind"] in FOREIGN:
            foreign.add(it["kind"])
            continue
        kubernetes_validate.validate(it, VERSION, strict=True)
    assert foreign == FOREIGN
    print(f"not checked against a schema: {sorted(foreign)}")


def test_everything_runs_as_little_as_it_can(resources):
    for name, spec in pods(resources):
        assert spec["securityContext"]["runAsNonRoot"] is True, name
        assert spec["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}, name
        assert spec["automountServiceAccountToken"] is False, name
        for container in (*spec["containers"], *spec.get("initContainers", ())):
            context = container["securityContext"]
            assert context["readOnlyRootFilesystem"] is True, name
            assert context["allowPrivilegeEscalation"] is False, name
            assert context["capabilities"] == {"drop": ["ALL"]}, name
            assert "memory" in container["resources"]["limits"], name
            assert ":" in container["image"], f"{name}: {container['image']} names no version"
            if "shiplog:" in container["image"]:
                assert "command" not in container, f"{name}: the image has no shell"


def test_settings_are_ones_that_the_service_takes(resources):
    (settings,) = [
        it["data"]
        for it in kinds(resources, "ConfigMap")
        if it["metadata"]["name"].startswith("shiplog-settings")
    ]
    loaded = load(settings)
    assert loaded.wait_replicas == 1
    (serve,) = [spec for name, spec in pods(resources) if name == "serve"]
    assert serve["terminationGracePeriodSeconds"] > loaded.drain_s + 30


def test_the_auditor_can_only_read_and_keeps_its_journal(resources):
    (auditor,) = [spec for name, spec in pods(resources) if name == "auditor"]
    (container,) = auditor["containers"]
    secrets = [it["secretRef"]["name"] for it in container["envFrom"] if "secretRef" in it]
    assert "shiplog-urls" not in secrets
    assert "shiplog-archiver" not in secrets
    claims = {it["metadata"]["name"] for it in kinds(resources, "PersistentVolumeClaim")}
    assert {"audit", "backup"} <= claims
    (deployment,) = [
        it for it in kinds(resources, "Deployment") if it["metadata"]["name"] == "auditor"
    ]
    assert (deployment["spec"]["replicas"], deployment["spec"]["strategy"]["type"]) == (
        1, "Recreate",
    )  # fmt: skip


def test_a_stop_is_seen_before_the_process_goes(resources):
    (serve,) = [spec for name, spec in pods(resources) if name == "serve"]
    probe = serve["containers"][0]["readinessProbe"]
    assert probe["httpGet"]["path"] == "/health/ready"
    assert probe["periodSeconds"] * probe["failureThreshold"] < 20, "SHIPLOG_DRAIN_S"


def test_what_is_referred_to_is_there(resources):
    names = {(it["kind"], it["metadata"]["name"]) for it in resources}
    for it in kinds(resources, "ScaledObject"):
        assert ("Deployment", it["spec"]["scaleTargetRef"]["name"]) in names
        for trigger in it["spec"]["triggers"]:
            assert ("TriggerAuthentication", trigger["authenticationRef"]["name"]) in names
            service = trigger["metadata"]["address"].split(".")[0]
            assert ("Service", service) in names
            assert trigger["metadata"]["listName"].removeprefix("rq:queue:") in QUEUES
    for it in kinds(resources, "Ingress"):
        for rule in it["spec"]["rules"]:
            for path in rule["http"]["paths"]:
                assert ("Service", path["backend"]["service"]["name"]) in names
    labels = [
        it["spec"]["template"]["metadata"]["labels"]
        for it in kinds(resources, "Deployment", "StatefulSet", "Job")
    ]
    for it in kinds(resources, "PodDisruptionBudget"):
        wanted = it["spec"]["selector"]["matchLabels"].items()
        assert any(wanted <= have.items() for have in labels), it["metadata"]["name"]


def test_no_secret_is_in_a_manifest(resources):
    assert not kinds(resources, "Secret")


def test_the_ingress_hashes_the_match():
    text = (KUBERNETES / "base" / "ingress.yaml").read_text()
    assert re.search(r"balance-algorithm: uri depth 2$", text, re.MULTILINE)


@pytest.mark.parametrize(
    ("copy", "original"),
    [
        ("base/redis-work.conf", DEPLOY / "redis-work.conf"),
        ("overlays/cluster/redis-log.conf", DEPLOY / "redis-log.conf"),
        ("overlays/cluster/log-server.sh", DEPLOY / "log-server.sh"),
        ("overlays/cluster/start.sh", KUBERNETES / "base" / "start.sh"),
    ],
)
def test_copies_are_the_same(copy, original):
    """Kustomize reads no file above its folder."""
    assert (KUBERNETES / copy).read_text() == original.read_text()


def test_the_files_are_tidy():
    told(tool("yamllint"), "--strict", "-c", ROOT / ".yamllint.yaml", DEPLOY)
