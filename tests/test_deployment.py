"""The two ways to run the site agree with the code on what there is to run."""

import json
import os
import re
from importlib.metadata import requires
from pathlib import Path

import pytest
import yaml
from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from arena.celery import CONFIGURATION, Queue, broker_url
from arena.supervisor.children import site_children
from arena.supervisor.options import from_environment

ROOT = Path(__file__).resolve().parents[1]
COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
NAMESPACES = yaml.safe_load((ROOT / "docker" / "namespaces.yml").read_text())


def queues(commands: list[list[str]]) -> set[str]:
    named = (command[command.index("-Q") + 1] for command in commands if "-Q" in command)
    return {queue for several in named for queue in several.split(",")}


def locked(name: str) -> set[str]:
    return set(re.findall(r"^([a-z0-9-]+)==", (ROOT / name).read_text(), re.MULTILINE))


def python(version: str) -> dict[str, str]:
    """This machine with another Python."""
    machine = {name: str(value) for name, value in default_environment().items()}
    return {**machine, "python_full_version": version, "python_version": version.rpartition(".")[0], "extra": ""}


@pytest.mark.parametrize("version", ["3.11.0", "3.11.2", "3.12.0", "3.13.0", "3.14.0"])
@pytest.mark.parametrize("lock", ["requirements.txt", "requirements-dev.txt"])
def test_the_lock_is_complete_for_every_python(lock: str, version: str) -> None:
    """pip-compile locks what the Python that runs it needs; with hashes required, pip adds nothing to that."""
    names = locked(lock)
    demands = [Requirement(text) for name in names for text in requires(name) or ()]
    needed = {
        canonicalize_name(demand.name)
        for demand in demands
        if demand.marker is None or demand.marker.evaluate(python(version))
    }
    assert names
    assert not needed - names


def test_every_queue_has_a_worker() -> None:
    children = site_children(from_environment({}), dict(os.environ))
    services = [service["command"] for service in COMPOSE["services"].values() if "command" in service]
    assert queues([list(child.argv) for child in children]) == set(Queue)
    assert queues(services) == set(Queue)


def test_the_number_of_proxies_decides_and_not_the_server() -> None:
    """uvicorn by itself believes the headers of any peer on this machine."""
    (web,) = (child for child in site_children(from_environment({}), {}) if child.name == "web")
    (command,) = re.findall(r"^CMD \[\"uvicorn.*?\]", (ROOT / "Dockerfile").read_text(), re.MULTILINE | re.DOTALL)
    assert "--no-proxy-headers" in web.argv
    assert '"--no-proxy-headers"' in command
    assert COMPOSE["services"]["web"]["environment"]["PROXY_COUNT"] == "${PROXY_COUNT:-1}"
    assert not {"FORWARDED_ALLOW_IPS"} & set(COMPOSE["services"]["web"]["environment"])


def test_secrets_have_no_default() -> None:
    text = (ROOT / "docker-compose.yml").read_text()
    for name in ("SECRET_KEY", "POSTGRES_PASSWORD", "ALLOWED_HOSTS"):
        uses = re.findall(rf"\$\{{{name}(\W)", text)
        assert uses
        assert set(uses) == {":"}
        assert f"${{{name}:?" in text


def test_older_composers_accept_the_file_too() -> None:
    """docker-compose 1.29 knows no `name` at the top."""
    assert {key for key in COMPOSE if not key.startswith("x-")} == {"services", "volumes"}


def test_nothing_holds_more_than_docker_grants_everybody() -> None:
    for name, service in COMPOSE["services"].items():
        assert not {"privileged", "cap_add", "devices", "pid", "ipc", "userns_mode"} & set(service)
        if "build" in service:
            assert service["cap_drop"] == ["ALL"]
            assert service["security_opt"] == ["no-new-privileges:true"]
            assert service["read_only"] is True
            assert service["environment"]["SANDBOX_MODE"] == "landlock"
        else:
            assert name in ("postgres", "redis")


def test_older_kernels_get_namespaces_and_nothing_else() -> None:
    workers = {name for name in COMPOSE["services"] if name.startswith("worker")}
    assert set(NAMESPACES["services"]) == workers
    for service in NAMESPACES["services"].values():
        assert service == {
            "environment": {"SANDBOX_MODE": "namespaces"},
            "security_opt": ["seccomp:docker/seccomp-worker.json", "apparmor:unconfined"],
        }
    profile = json.loads((ROOT / "docker" / "seccomp-worker.json").read_text())
    denied = {name for rule in profile["syscalls"] for name in rule["names"]}
    assert not denied & {"unshare", "setns", "clone", "mount", "move_mount", "mount_setattr", "pivot_root", "umount2"}
    assert denied >= {"bpf", "keyctl", "kexec_load", "ptrace", "perf_event_open", "init_module", "io_uring_setup"}


def test_workers_are_given_the_time_to_play_their_matches_out() -> None:
    seconds = float(COMPOSE["services"]["worker-matches"]["environment"]["WORKER_DRAIN_SECONDS"])
    for name, service in COMPOSE["services"].items():
        if name.startswith("worker"):
            assert float(service["stop_grace_period"].removesuffix("s")) > seconds + 30


def test_no_task_is_lost_or_offered_twice() -> None:
    assert CONFIGURATION["task_acks_late"]
    assert CONFIGURATION["task_reject_on_worker_lost"]
    assert CONFIGURATION["broker_transport_options"]["visibility_timeout"] > CONFIGURATION["task_time_limit"]


def test_ticks_do_not_pile_up() -> None:
    for name, entry in CONFIGURATION["beat_schedule"].items():
        assert entry["options"]["expires"] <= max(20, entry["schedule"].run_every.total_seconds())
        assert entry["options"]["queue"] == (Queue.MAIL if name == "mails" else Queue.CONTROL)


@pytest.mark.parametrize(
    ("redis", "celery"),
    [
        ("unix:///var/run/a.sock", "redis+socket:///var/run/a.sock"),
        ("redis://redis:6379/0", "redis://redis:6379/0"),
        ("", "memory://"),
    ],
)
def test_celery_finds_the_same_broker(redis: str, celery: str) -> None:
    assert broker_url(redis) == celery
