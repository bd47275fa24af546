"""`make up` and docker-compose.yml run everything that the code needs."""

import json
import os
import re
import subprocess
import sys
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from importlib.metadata import requires
from pathlib import Path
from threading import Thread

import pytest
import yaml
from django.http.request import validate_host
from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from arena.celery import CONFIGURATION, Queue, broker_url
from arena.platform.supervisor.children import site_children
from arena.platform.supervisor.options import from_environment

ROOT = Path(__file__).resolve().parents[1]
COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
NAMESPACES = yaml.safe_load((ROOT / "docker" / "namespaces.yml").read_text())


def consumed_queues(commands: list[list[str]]) -> set[str]:
    named = (command[command.index("-Q") + 1] for command in commands if "-Q" in command)
    return {queue for several in named for queue in several.split(",")}


def container_command(service: str) -> list[str]:
    """Return the entry point and command that the compose file specifies for a service's container."""
    keys: dict[str, list[str]] = COMPOSE["services"][service]
    return [*keys.get("entrypoint", []), *keys.get("command", [])]


def locked_packages(name: str) -> set[str]:
    return set(re.findall(r"^([a-z0-9-]+)==", (ROOT / name).read_text(), re.MULTILINE))


def python(version: str) -> dict[str, str]:
    """Return the environment for requirement markers on this machine, but with another Python version."""
    machine = {name: str(value) for name, value in default_environment().items()}
    return {**machine, "python_full_version": version, "python_version": version.rpartition(".")[0], "extra": ""}


@pytest.mark.parametrize("version", ["3.11.0", "3.11.2", "3.12.0", "3.13.0", "3.14.0"])
@pytest.mark.parametrize("lock", ["requirements.txt", "requirements-dev.txt"])
def test_lock_file_is_complete_for_every_python_version(lock: str, version: str) -> None:
    """The lock files contain what every supported Python version needs.

    pip-compile locks only what its own Python needs; with hashes required, pip installs nothing else.
    """
    names = locked_packages(lock)
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
    services = [container_command(name) for name in COMPOSE["services"]]
    assert consumed_queues([list(child.argv) for child in children]) == set(Queue)
    assert consumed_queues(services) == set(Queue)


def test_proxy_headers_are_handled_by_the_site_not_by_uvicorn() -> None:
    """Uvicorn ignores proxy headers, which the site handles; by default, it would trust those of any local peer."""
    (web,) = (child for child in site_children(from_environment({}), {}) if child.name == "web")
    (command,) = re.findall(r"^CMD \[\"uvicorn.*?\]", (ROOT / "Dockerfile").read_text(), re.MULTILINE | re.DOTALL)
    assert "--no-proxy-headers" in web.argv
    assert '"--no-proxy-headers"' in command
    assert COMPOSE["services"]["web"]["environment"]["PROXY_COUNT"] == "${PROXY_COUNT:-1}"
    assert not {"FORWARDED_ALLOW_IPS"} & set(COMPOSE["services"]["web"]["environment"])


def health_check(service: str) -> list[str]:
    found: list[str] = COMPOSE["services"][service]["healthcheck"]["test"]
    return [word.replace("$$", "$") for word in found]


def test_worker_health_depends_on_the_age_of_the_heartbeat_file(tmp_path: Path) -> None:
    workers = [name for name in COMPOSE["services"] if "worker" in container_command(name)]
    assert len(workers) == len([name for name in COMPOSE["services"] if name.startswith("worker")]) + 3
    (shell,) = {tuple(health_check(name)) for name in workers}
    (path,) = {COMPOSE["services"][name]["environment"]["WORKER_HEARTBEAT_FILE"] for name in workers}
    assert shell[0] == "CMD-SHELL"
    assert shell[1].count(path) == 1
    file = tmp_path / "heartbeat"

    def is_healthy() -> bool:
        command = ["sh", "-c", shell[1].replace(path, str(file))]
        return subprocess.run(command, capture_output=True, check=False).returncode == 0

    assert not is_healthy()
    file.touch()
    assert is_healthy()
    an_hour_ago = time.time() - 3600
    os.utime(file, (an_hour_ago, an_hour_ago))
    assert not is_healthy()


def test_workers_send_no_unused_celery_events() -> None:
    """Workers do not send the Celery events that nothing reads.

    Celery would resend a heartbeat event in the event loop until Redis is back, and ignore SIGTERM meanwhile.
    """
    quiet = {"--without-gossip", "--without-mingle", "--without-heartbeat"}
    children = [list(child.argv) for child in site_children(from_environment({}), dict(os.environ))]
    services = [container_command(name) for name in COMPOSE["services"]]
    workers = [command for command in [*children, *services] if "worker" in command]
    assert len(workers) > 10
    assert [command for command in workers if not quiet <= set(command)] == []


def test_health_checks_leave_no_orphaned_processes() -> None:
    """Health checks leave no orphaned processes.

    PostgreSQL mistakes a shell's orphaned child for its own process and restarts if a signal kills that child.
    """
    for name in ("postgres", "redis"):
        service = COMPOSE["services"][name]
        assert service["init"] is True
        assert service["healthcheck"]["test"][0] == "CMD"
        assert float(service["healthcheck"]["timeout"].removesuffix("s")) >= 15


@pytest.mark.parametrize(("status", "code"), [(200, 0), (503, 1)])
@pytest.mark.parametrize("allowed", ["arena.example.org,other.example", ".example.org", " arena.example.org", "*"])
def test_web_health_check_uses_the_health_endpoint(allowed: str, status: int, code: int) -> None:
    requests: list[tuple[str, str | None, str | None]] = []

    class Site(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            requests.append((self.path, self.headers["Host"], self.headers["X-Forwarded-Proto"]))
            self.send_response(status)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    kind, *command = health_check("web")
    assert (kind, command[0]) == ("CMD", "python")
    with HTTPServer(("127.0.0.1", 0), Site) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        script = command[-1].replace("8000", str(server.server_port))
        done = subprocess.run(
            [sys.executable, *command[1:-1], script],
            env={**os.environ, "ALLOWED_HOSTS": allowed},
            capture_output=True,
            check=False,
        )
        server.shutdown()
    assert done.returncode == code, done.stderr
    ((path, host, scheme),) = requests
    assert (path, scheme) == ("/healthz", "https")
    assert host is not None
    assert validate_host(host, allowed.replace(" ", "").split(","))


def test_exported_host_variable_is_ignored() -> None:
    assert "${HOST" not in (ROOT / "docker-compose.yml").read_text()


# Set by the image or the compose file, or only for other ways to start the site.
DECIDED = {"ARENA_BUILD", "ARENA_VAR", "BIND", "BOT_LIBRARIES_DIR", "DEBUG", "PYTHONWARNINGS"}


def test_every_setting_reaches_the_containers() -> None:
    """All games' settings reach containers in one variable, so adding a game changes no file outside its folders."""
    files = [path for path in (ROOT / "arena").rglob("*.py") if not path.is_relative_to(ROOT / "arena" / "games")]
    code = "\n".join(path.read_text() for path in files)
    read = set(re.findall(r"\benvironment\.[a-z_]+\(\s*\"([A-Z_]+)\"", code))
    assert "SIGNUPS_AN_HOUR" in read
    assert {*(read - DECIDED), "GAME_SETTINGS"} <= set(COMPOSE["services"]["web"]["environment"])


def test_required_settings_have_no_default() -> None:
    text = (ROOT / "docker-compose.yml").read_text()
    for name in ("SECRET_KEY", "POSTGRES_PASSWORD", "ALLOWED_HOSTS", "EMAIL_URL"):
        uses = re.findall(rf"\$\{{{name}(\W)", text)
        assert uses
        assert set(uses) == {":"}
        assert f"${{{name}:?" in text


def test_compose_file_works_with_docker_compose_1_29() -> None:
    """The compose file has no top-level `name`, which docker-compose 1.29 does not support."""
    assert {key for key in COMPOSE if not key.startswith("x-")} == {"services", "volumes"}


def test_containers_get_no_extra_privileges() -> None:
    for name, service in COMPOSE["services"].items():
        assert not {"privileged", "cap_add", "devices", "pid", "ipc", "userns_mode"} & set(service)
        if "build" in service:
            assert service["cap_drop"] == ["ALL"]
            assert service["security_opt"] == ["no-new-privileges:true"]
            assert service["read_only"] is True
            assert service["environment"]["SANDBOX_MODE"] == "landlock"
        else:
            assert name in ("postgres", "redis")


def test_namespaces_override_changes_only_the_sandbox() -> None:
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


def test_workers_get_time_to_drain_before_being_stopped() -> None:
    seconds = float(COMPOSE["services"]["worker-matches"]["environment"]["WORKER_DRAIN_SECONDS"])
    for name, service in COMPOSE["services"].items():
        if name.startswith("worker"):
            assert float(service["stop_grace_period"].removesuffix("s")) > seconds + 30


def test_tasks_are_acknowledged_late_and_not_redelivered_early() -> None:
    assert CONFIGURATION["task_acks_late"]
    assert CONFIGURATION["task_reject_on_worker_lost"]
    assert CONFIGURATION["broker_transport_options"]["visibility_timeout"] > CONFIGURATION["task_time_limit"]


def test_scheduled_tasks_expire_before_they_pile_up() -> None:
    for name, entry in CONFIGURATION["beat_schedule"].items():
        assert entry["options"]["expires"] <= max(20, entry["schedule"].run_every.total_seconds())
        expected = {"mails": Queue.MAIL, "dataset": Queue.EXPORTS, "webhooks": Queue.WEBHOOKS}
        assert entry["options"]["queue"] == expected.get(name, Queue.CONTROL)


@pytest.mark.parametrize(
    ("redis", "celery"),
    [
        ("unix:///var/run/a.sock", "redis+socket:///var/run/a.sock"),
        ("redis://redis:6379/0", "redis://redis:6379/0"),
        ("", "memory://"),
    ],
)
def test_celery_uses_the_configured_broker(redis: str, celery: str) -> None:
    assert broker_url(redis) == celery
