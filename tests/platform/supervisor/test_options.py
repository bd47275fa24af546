"""Options are read from the environment; invalid ones are refused with a short message."""

import socket
from pathlib import Path

import pytest

from arena.platform.supervisor.options import StartupError, check_port, from_environment, reachable_names


def test_defaults_serve_only_this_machine() -> None:
    options = from_environment({})
    assert options.address == "http://127.0.0.1:8000/"
    assert options.redis_url == ""
    assert options.concurrency >= 4
    assert options.allowed_hosts == "127.0.0.1,localhost,[::1]"


def test_environment_variables_override_defaults(tmp_path: Path) -> None:
    options = from_environment(
        {"BIND": "0.0.0.0", "PORT": "9000", "ARENA_VAR": str(tmp_path), "WORKER_CONCURRENCY": "7"}
    )
    assert (options.port, options.concurrency, options.var) == (9000, 7, tmp_path)
    assert options.address == "http://127.0.0.1:9000/"


def test_host_variable_of_the_shell_is_ignored() -> None:
    assert from_environment({"HOST": "workstation.example"}) == from_environment({})


@pytest.mark.parametrize("text", ["0", "65536", "eighty", "-1", "80.5", "٣"])
def test_invalid_port_is_refused_with_a_short_message(text: str) -> None:
    with pytest.raises(StartupError, match="PORT must be a whole number from 1 to 65535"):
        from_environment({"PORT": text})


def test_classroom_site_answers_only_to_its_own_names() -> None:
    names = reachable_names("0.0.0.0")
    assert socket.gethostname() in names
    assert "*" not in names


def test_bound_name_or_address_is_an_allowed_host() -> None:
    assert reachable_names("192.0.2.7")[-1] == "192.0.2.7"
    assert reachable_names("2001:db8::1")[-1] == "[2001:db8::1]"
    assert reachable_names("arena.example")[-1] == "arena.example"


def test_busy_port_is_refused_with_a_short_message() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(StartupError, match=f"port {port}: the port is in use.*make up PORT="):
            check_port("127.0.0.1", port)


def test_free_port_is_accepted() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        port = other.getsockname()[1]
    check_port("127.0.0.1", port)
