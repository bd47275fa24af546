"""The configured entry point runs in the jail, and a bot sees only the packages that it needs."""

from __future__ import annotations

import dataclasses
import os
import select
import time
from contextlib import closing
from pathlib import Path

import pytest

from arena.core.sandbox.config import Mode, SandboxConfig
from arena.core.sandbox.errors import SandboxFailure
from arena.core.sandbox.jail.limits import JailLimits
from arena.core.sandbox.supervision.bot_log import BotLog
from arena.core.sandbox.supervision.forkserver import ForkServer
from arena.core.sandbox.supervision.process import JailedProcess
from tests.core.sandbox.jailed_bots import ByMode, jailed_bot, run_in_jail, value_for_mode

pytestmark = pytest.mark.sandbox


def receive_text(process: JailedProcess) -> bytes:
    poller = select.poll()
    poller.register(process, select.POLLIN)
    assert poller.poll(10_000)
    return process.receive() or b""


def test_entry_point_receives_the_channel_and_the_folder(fork_server: ForkServer, public_path: Path) -> None:
    place = value_for_mode(fork_server.mode, ByMode("/bot", "/tmp/arena-bots-"))
    with (
        closing(BotLog(10_000)) as log,
        fork_server.spawn(public_path, log=log, limits=JailLimits()) as process,
    ):
        assert receive_text(process).decode().startswith(place)
        process.send(b"hello")
        assert receive_text(process) == b"hello"


def test_folder_accessible_only_to_the_worker_is_supported(fork_server: ForkServer, tmp_path: Path) -> None:
    """A bot can run from a folder that only the worker can enter; the site creates such folders.

    A worker that runs as root gives the bot a copy, which is removed with the bot.
    """
    tmp_path.chmod(0o700)
    (tmp_path / "deep").mkdir(mode=0o700)
    (tmp_path / "deep" / "weights.txt").write_text("7")
    with (
        closing(BotLog(10_000)) as log,
        fork_server.spawn(tmp_path, log=log, limits=JailLimits()) as process,
    ):
        place = Path(receive_text(process).decode())
        process.kill()
    if fork_server.mode is Mode.LANDLOCK:
        assert place != tmp_path
        deadline = time.monotonic() + 60
        while place.exists() and time.monotonic() < deadline:  # the copy is removed after the bot's exit is reported
            time.sleep(0.01)
        assert not place.exists()
    assert (tmp_path / "deep" / "weights.txt").read_text() == "7"


@pytest.mark.long
def test_copies_of_folders_are_removed_with_the_server(config: SandboxConfig, tmp_path: Path) -> None:
    (tmp_path / "main.py").touch()
    with closing(BotLog(10_000)) as log, ForkServer(config) as server:
        process = server.spawn(tmp_path, log=log, limits=JailLimits())
        place = Path(receive_text(process).decode())
        server.close()
        process.close()
    assert tmp_path.is_dir()
    assert place == tmp_path or not place.exists()


def test_only_the_package_of_the_entry_point_is_importable(fork_server: ForkServer) -> None:
    assert run_in_jail(fork_server, "import outer; assert not outer.__doc__") == "done"
    assert run_in_jail(fork_server, "import outer.inner.echo") == "done"
    assert run_in_jail(fork_server, "import outer.hidden") == "ModuleNotFoundError None"


def test_additional_packages_are_importable_without_their_siblings(fork_server: ForkServer) -> None:
    loaded = "import sys; assert 'beside.part' in sys.modules and not sys.modules['beside'].__doc__"
    assert run_in_jail(fork_server, loaded) == "done"
    assert run_in_jail(fork_server, "import beside.part.later") == "done"
    assert run_in_jail(fork_server, "import beside.hidden") == "ModuleNotFoundError None"


@pytest.mark.parametrize("inner", ["outer.inner.more", "outer", "beside.part.later"])
def test_nested_packages_are_refused(config: SandboxConfig, inner: str) -> None:
    with pytest.raises(ValueError, match="is inside"):
        dataclasses.replace(config, packages={**config.packages, inner: config.harness})


def test_folder_with_several_files_is_readable(fork_server: ForkServer) -> None:
    files = {"parts/__init__.py": "", "parts/deep/value.py": "VALUE = 7", "weights.txt": "\u68cb"}
    body = """
        from parts.deep.value import VALUE
        send([VALUE, open('weights.txt', encoding='utf-8').read()])
    """
    with jailed_bot(fork_server, body, files=files) as bot:
        assert bot.receive() == [7, "\u68cb"]


def test_libraries_are_importable_but_site_packages_are_not(fork_server: ForkServer) -> None:
    assert run_in_jail(fork_server, "import pytest") == "ModuleNotFoundError None"
    if fork_server.preloaded:
        assert run_in_jail(fork_server, "import numpy.linalg, numpy.testing") == "done"


@pytest.mark.long
def test_missing_library_is_not_preloaded(config: SandboxConfig) -> None:
    with ForkServer(dataclasses.replace(config, libraries=(), preload=("numpy", "json"))) as server:
        assert server.preloaded == ("json",)


@pytest.mark.long
def test_harness_that_fails_to_import_is_an_arena_failure(config: SandboxConfig, public_path: Path) -> None:
    broken = dataclasses.replace(config, harness=public_path, entry="missing:main", packages={})
    with pytest.raises(SandboxFailure) as seen:
        ForkServer(broken).start()
    assert (seen.value.message.code, dict(seen.value.message.parameters)) == (
        "sandbox.server.not_started",
        {"error": "ModuleNotFoundError"},
    )


def test_jail_that_cannot_be_built_is_an_arena_failure(fork_server: ForkServer) -> None:
    with jailed_bot(fork_server, "send('on')", core=4095) as bot, pytest.raises(SandboxFailure) as seen:
        bot.wait_for_exit()
    assert seen.value.message.code == "sandbox.not_isolated"


@pytest.mark.parametrize("plant", ["link", "fifo"])
def test_folder_with_a_link_or_special_file_is_refused(fork_server: ForkServer, tmp_path: Path, plant: str) -> None:
    if plant == "link":
        Path(tmp_path, "main.py").symlink_to("/etc/passwd")
    else:
        os.mkfifo(Path(tmp_path, "main.py"))
    with pytest.raises(SandboxFailure), closing(BotLog(10_000)) as log:
        fork_server.spawn(tmp_path, log=log, limits=JailLimits())


def test_missing_folder_is_an_arena_failure(fork_server: ForkServer, tmp_path: Path) -> None:
    with pytest.raises(SandboxFailure), closing(BotLog(10_000)) as log:
        fork_server.spawn(tmp_path / "missing", log=log, limits=JailLimits())


def test_root_uid_and_invalid_entry_point_are_refused(config: SandboxConfig) -> None:
    with pytest.raises(ValueError, match="uid"):
        dataclasses.replace(config, uid=0)
    with pytest.raises(ValueError, match="entry"):
        dataclasses.replace(config, entry="no_function")
