"""The embedded broker listens only on a private socket and persists acknowledged writes."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.platform.supervisor import broker
from arena.platform.supervisor.options import StartupError


@pytest.fixture
def short_path() -> Iterator[Path]:
    """Yield a temporary folder with a short path; pytest's own folders have long names."""
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


def test_socket_is_in_the_data_folder(tmp_path: Path) -> None:
    assert broker.socket_path(tmp_path) == tmp_path / "broker" / "valkey.sock"
    assert broker.broker_url(tmp_path) == f"unix://{tmp_path}/broker/valkey.sock"


def test_long_path_falls_back_to_a_short_private_folder(
    short_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(short_path))
    deep = tmp_path / ("d" * 120)
    path = broker.socket_path(deep)
    assert len(os.fsencode(path)) <= broker.MAX_SOCKET_PATH_LENGTH
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert broker.socket_path(deep) == path
    assert broker.socket_path(tmp_path / ("e" * 120)) != path


def test_folder_owned_by_another_user_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    deep = tmp_path / ("d" * 120)
    broker.socket_path(deep).parent.chmod(0o777)
    with pytest.raises(StartupError, match="another user"):
        broker.socket_path(deep)


def test_broker_opens_no_port_and_persists_acknowledged_writes(tmp_path: Path) -> None:
    command = broker.broker_command(broker.BrokerServer(Path("/usr/bin/server"), "valkey-9"), tmp_path)
    pairs = dict(zip(command[1::2], command[2::2], strict=True))
    assert pairs["--port"] == "0"
    assert pairs["--appendonly"] == "yes"
    assert pairs["--maxmemory-policy"] == "noeviction"
    assert Path(pairs["--dir"]).is_dir()


def test_different_server_editions_keep_their_files_apart(tmp_path: Path) -> None:
    """Each server program and major version has its own folder: Redis 7, say, cannot read the data of Valkey 9."""
    folders = {
        dict(zip(command[1::2], command[2::2], strict=True))["--dir"]
        for version in (
            "Valkey server v=9.1.2 sha=0",
            "Valkey server v=9.2.0 sha=0",
            "Redis server v=7.0.15 sha=0",
            "?",
        )
        for command in [
            broker.broker_command(
                broker.BrokerServer(Path("/usr/bin/server"), broker.name_and_major_version(version)), tmp_path
            )
        ]
    }
    assert folders == {str(tmp_path / "broker" / edition) for edition in ("valkey-9", "redis-7", "other")}


def test_installed_server_reports_its_edition() -> None:
    server = broker.find_server()
    assert server.binary.is_file()
    assert server.edition.split("-")[0] in ("valkey", "redis")


def test_socket_without_a_server_does_not_answer(tmp_path: Path) -> None:
    assert not broker.is_responding(tmp_path / "nobody.sock")
