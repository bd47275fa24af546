"""Bots cannot write without limit, outside their folder, or where other bots can see their files."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from arena.core.sandbox.config import Mode, SandboxConfig
from arena.core.sandbox.jail.limits import JailLimits
from arena.core.sandbox.supervision.forkserver import ForkServer
from tests.core.sandbox.jailed_bots import JailedBot, jailed_bot, run_in_jail

pytestmark = pytest.mark.sandbox

ROOT = Path(__file__).parents[4]
MEGABYTE = 2**20
LIMITS = JailLimits(tmp_mb=4, tmp_files=100, file_bytes=3 * MEGABYTE, log_bytes=65_536)
# Without namespaces, files open for writing share twice the quota in total; a write that began while fewer files were
# open may finish.
MAX_BYTES = 3 * 4 * MEGABYTE

# Each program returns how many of its attempts succeeded.
FILLING = {
    "bytes": "count(lambda n: write(f'{n}'), 1000)",
    "bytes in files that stay open": "count(lambda n: kept.append(write(f'{n}', closed=False)), 1000)",
    "bytes in files that were opened before": """
        count(lambda n: kept.append(open(f'{n}', 'wb', buffering=0)), 40)
        for f in kept: count(lambda _: f.write(bytes(2**16)), 500)
    """,
    "bytes in removed files that stay open": """
        count(lambda n: (kept.append(write('x', closed=False)), os.unlink('x')), 1000)
    """,
    "bytes in removed files that stay mapped": """
        count(lambda n: (kept.append(mapped('x')), os.unlink('x')), 1000)
    """,
    "bytes in replaced files that stay mapped": """
        count(lambda n: (kept.append(mapped('x')), os.rename('x', 'y')), 1000)
    """,
    "bytes through a mapping that grows": """
        def fill(n):
            f = open(f'{n}', 'w+b'); f.truncate(MEGABYTE)
            kept.append(m := mmap.mmap(f.fileno(), MEGABYTE)); m[:] = bytes(MEGABYTE)
        count(fill, 1000)
    """,
    "bytes by many threads": """
        from concurrent.futures import ThreadPoolExecutor
        sum(ThreadPoolExecutor(8).map(lambda t: count(lambda n: write(f'{t}-{n}', closed=t % 2), 1000), range(8)))
    """,
    "bytes after it was cut": """
        count(lambda n: (write(f'{n}'), os.truncate(f'{n}', 0), kept.append(open(f'{n}', 'r+b', buffering=0)),
                         kept[-1].write(bytes(MEGABYTE))), 1000)
    """,
    "files": "count(lambda n: open(f'{n}', 'w').close(), 5000)",
    "removed files that stay open for reading": """
        def hide(n):
            open('x', 'w').close(); kept.append(os.open('x', os.O_RDONLY)); os.unlink('x')
        count(hide, 5000)
    """,
    "folders": "count(lambda n: os.mkdir(f'{n}'), 5000)",
    "nested folders": "count(lambda n: (os.mkdir('d'), os.chdir('d')), 5000)",
    "nested folders by renaming": """
        def deepen(n):
            os.makedirs('a/' * 10)
            if n: os.rename('x', 'a/' * 10 + 'x')
            os.rename('a', 'x')
        count(deepen, 100)
    """,
    "files by many threads": """
        from concurrent.futures import ThreadPoolExecutor
        sum(ThreadPoolExecutor(8).map(lambda t: count(lambda n: open(f'{t}-{n}', 'w').close(), 500), range(8)))
    """,
    "one name made and removed by many threads": """
        from concurrent.futures import ThreadPoolExecutor
        until = time.monotonic() + 1
        def race(t):
            while time.monotonic() < until:
                try:
                    if t % 2: os.unlink('x')
                    else: kept.append(os.open('x', os.O_RDWR | os.O_CREAT)); os.write(kept[-1], bytes(65536))
                except OSError: pass
        list(ThreadPoolExecutor(8).map(race, range(8)))
    """,
    "a sparse file": """
        f = open('x', 'wb')
        count(lambda n: f.truncate(MEGABYTE << n), 40)
    """,
    "many sparse files": "count(lambda n: open(f'{n}', 'wb').truncate(MEGABYTE), 1000)",
    "files without a name": """
        count(lambda n: kept.append(os.open('.', os.O_TMPFILE | os.O_RDWR)) or os.write(kept[-1], bytes(65536)), 1000)
    """,
    "space set aside": "count(lambda n: os.posix_fallocate(open(f'{n}', 'wb').fileno(), 0, MEGABYTE), 1000)",
    "folders without permissions": """
        count(lambda n: (os.mkdir(f'{n}', 0), os.mkdir(f'{n}/x', 0o111), os.close(
            os.open(f'{n}/y', os.O_CREAT | os.O_RDWR, 0))), 20)
    """,
}
OVERSTEPPING = ("bytes through a mapping that grows",)
HELP = """
MEGABYTE = 2**20
kept = []
os.chdir(bot_dir)
def write(name, closed=True):
    f = open(name, 'wb', buffering=0)
    if f.write(bytes(MEGABYTE)) < MEGABYTE: raise OSError(errno.ENOSPC, 'full')
    if closed: f.close()
    return f
def mapped(name):
    write(name)
    with open(name, 'rb') as f: return mmap.mmap(f.fileno(), 4096, prot=mmap.PROT_READ)
"""


def bot_folders(server: ForkServer) -> Path:
    assert server._bot_folders is not None
    return server._bot_folders.path


def usage(folder: Path) -> tuple[int, int, int]:
    """Return a folder's disk usage in bytes, its number of entries and its depth; hard links count once.

    Must run as root or as the owner of the folder.
    """
    size, seen, depth = 0, 0, 0
    inodes = set()
    for parent, folders, files in os.walk(folder):
        depth = max(depth, len(Path(parent).relative_to(folder).parts))
        seen += len(folders)
        for name in files:
            status = Path(parent, name).lstat()
            if status.st_ino not in inodes:
                inodes.add(status.st_ino)
                size += status.st_blocks * 512
    return size, seen + len(inodes), depth


@contextmanager
def attacker(server: ForkServer, body: str) -> Iterator[JailedBot]:
    """Run a hostile bot, and keep the jail in its final state until the block ends."""
    with jailed_bot(server, f"{HELP}{textwrap.dedent(body)}\nsend('did it')\nreceive()", LIMITS) as bot:
        yield bot


@pytest.mark.parametrize("name", FILLING)
def test_bot_fills_only_its_own_quota(fork_server: ForkServer, name: str) -> None:
    """A bot that writes as much as it can leaves the next bot its full quota, and its files are deleted when it exits.

    In namespaces, the kernel enforces the quota.
    """
    landlock = fork_server.mode is Mode.LANDLOCK
    with attacker(fork_server, FILLING[name]) as bot:
        if name in OVERSTEPPING and not landlock:
            assert (
                bot.wait_for_exit().signal == signal.SIGBUS
            )  # a page without space, which the kernel can only report this way
        else:
            assert bot.receive() == "did it", bot.log
        if landlock:
            size, entries, depth = usage(bot_folders(fork_server))
            assert size <= MAX_BYTES + MEGABYTE
            assert entries <= LIMITS.tmp_files + 20
            assert depth < 40
        bot.process.kill()
        if landlock:
            assert all(has_ended(path) for path in bot_folders(fork_server).iterdir() if path.name != "lock")
    assert run_in_jail(fork_server, "open('x', 'w').write('the next one has room')") == "done"


def test_quota_cannot_be_used_twice(fork_server: ForkServer) -> None:
    """Removing or replacing a file that is still mapped frees no quota."""
    for name in ("bytes in removed files that stay mapped", "bytes in replaced files that stay mapped"):
        with attacker(fork_server, f"send({FILLING[name].strip()})") as bot:
            assert 1 <= bot.receive() <= 4


OUTSIDE = {
    "a file above": "open('../x', 'w')",
    "a file above by its path": "open(os.path.dirname(bot_dir) + '/x', 'w')",
    "a folder above": "os.mkdir('../x')",
    "above through a folder": "os.mkdir('d'); open('d/../../x', 'w')",
    "a file beside its folder": "open(bot_dir + 'x', 'w')",
    "the ledger": "os.listdir('../inodes')",
    "a file of the host": "open('/etc/passwd', 'a')",
    "cutting a file of the host": "os.truncate('/etc/passwd', 0)",
    "moving out": "os.rename('main.py', '../x')",
    "moving to the host": "os.rename('main.py', '/var/tmp/x')",
    "moving in": "os.rename('/etc/passwd', 'x')",
    "moving its folder": "os.rename(bot_dir, bot_dir + 'x')",
    "moving its folder into itself": "os.mkdir('d'); os.rename(bot_dir, 'd/x')",
    "removing its folder": "os.rmdir(bot_dir)",
    "removing above": "os.unlink('../inodes/1')",
    "exchanging": "call({'x86_64': 316, 'aarch64': 276}[platform.machine()], -100, 0, -100, 0, 2)",
    "a hard link": "os.link('main.py', 'link')",
    "a symlink": "os.symlink('/etc/passwd', 'link')",
    "a device": "os.mknod('disk', 0o60666, os.makedev(8, 0))",
    "a pipe": "os.mkfifo('pipe')",
    "a socket": "socket.socket(socket.AF_UNIX).bind('socket')",
    "through a descriptor of a folder": (
        "d = os.open('/', os.O_PATH)\nos.open('sdk/x', os.O_CREAT | os.O_WRONLY, dir_fd=d)"
    ),
    "a path without an end": "call({'x86_64': 83, 'aarch64': 34}[platform.machine()], 1, 1)",
    "a path beyond memory": "call({'x86_64': 76, 'aarch64': 45}[platform.machine()], -1, 1)",
}


@pytest.mark.parametrize("name", OUTSIDE)
def test_no_path_leads_outside(fork_server: ForkServer, name: str) -> None:
    seen = run_in_jail(fork_server, OUTSIDE[name])
    assert seen.rpartition(" ")[0] not in ("", "crashed"), seen
    assert seen != "done"


def test_path_changed_during_the_check_creates_nothing_outside(fork_server: ForkServer, public_path: Path) -> None:
    """While a thread keeps switching a path between inside and outside the folder, nothing is created outside."""
    public_path.chmod(0o777)
    body = f"""
        good, evil = b'./ok', {str(public_path / "evil").encode()!r}
        path = ctypes.create_string_buffer(256)
        done = threading.Event()
        def flip():
            while not done.is_set():
                path.value = evil; path.value = good
        threading.Thread(target=flip, daemon=True).start()
        libc.open.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_int]
        until = time.monotonic() + 1.5
        made = 0
        while time.monotonic() < until:
            fd = libc.open(ctypes.addressof(path), os.O_CREAT | os.O_RDWR, 0o600)
            if fd >= 0: made += 1; os.close(fd)
            libc.mkdir(ctypes.addressof(path), 0o700)
            libc.rename(b'main.py', ctypes.addressof(path)); libc.rename(b'ok', b'main.py')
        done.set()
        send(made)
    """
    with jailed_bot(fork_server, body) as bot:
        assert bot.receive() > 0
    assert list(public_path.iterdir()) == []


def test_flood_of_calls_does_not_delay_others(fork_server: ForkServer) -> None:
    """A bot that sends requests constantly at its limit does not delay the fork server's work for others."""
    body = """
        count(lambda n: open(f'{n}', 'w').close(), 5000)
        send('full')
        def ask():
            while True:
                try: open('more', 'w')
                except OSError: pass
        for _ in range(4): threading.Thread(target=ask, daemon=True).start()
        receive()
    """
    with jailed_bot(fork_server, body) as busy:
        assert busy.receive() == "full"
        for _ in range(10):
            assert run_in_jail(fork_server, "open('x', 'w').close()") == "done"


@pytest.mark.long
def test_exit_is_reported_before_files_are_removed(fork_server: ForkServer) -> None:
    """A bot's exit is reported before its files are removed, however many there are.

    If the verdict waited for the disk, that would be an arena failure and void the match.
    """
    # in namespaces files are in memory and vanish with the bot
    trees = 120 if fork_server.mode is Mode.LANDLOCK else 10
    files = {f"{n}/{'a/' * 90}x": "" for n in range(trees)}
    with jailed_bot(fork_server, "send(True)\nreceive()", files=files) as bot:
        assert bot.receive(120)
        begin = time.monotonic()
        bot.process.kill()
        took = time.monotonic() - begin
    if fork_server.mode is Mode.LANDLOCK:
        begin = time.monotonic()
        assert all(has_ended(path) for path in bot_folders(fork_server).iterdir() if path.name != "lock")
        assert took < 0.2 + time.monotonic() - begin


def test_two_seats_do_not_see_each_others_files(fork_server: ForkServer) -> None:
    secret = "open('secret', 'w').write('x'); os.mkdir('d'); send(bot_dir); receive()"
    curious = """
        other = receive()
        seen = []
        for path in (other + '/secret', other, other + '/..', other + '/d', '..'):
            for action in (os.listdir, open, os.rmdir, os.unlink, lambda p: open(p + '/y', 'w')):
                try: action(path); seen.append([path, str(action)])
                except OSError: pass
        send(seen)
    """
    with jailed_bot(fork_server, secret) as one, jailed_bot(fork_server, curious) as two:
        place = one.receive()
        two.send(place if fork_server.mode is Mode.LANDLOCK else "/nowhere")
        assert two.receive() == []


def test_each_match_starts_with_fresh_files(fork_server: ForkServer) -> None:
    with jailed_bot(fork_server, "send(sorted(os.listdir()))\nopen('x', 'w').write('1')\nreceive()") as first:
        assert first.receive() == ["main.py"]
        with first.restart() as second:
            assert second.receive() == ["main.py"]
        first.process.kill()
        with first.restart() as third:
            assert third.receive() == ["main.py"]
        assert sorted(path.name for path in first.folder.iterdir()) == ["main.py"]


BODY = "os.makedirs('a/b'); open('a/b/c', 'wb').write(bytes(1000)); send('on')\nwhile True: signal.pause()"
WORKER = f"""
import json, sys, time
from arena.core.sandbox.config import Mode
from arena.core.sandbox.supervision.forkserver import ForkServer
from tests.core.sandbox.jailed_bots import jailed_bot
from tests.core.sandbox.configs import create_config
with create_config(Mode.LANDLOCK) as config, ForkServer(config) as server:
    with jailed_bot(server, {BODY!r}) as bot:
        bot.receive()
        print(json.dumps([server.server_id, str(server._bot_folders.path)]), flush=True)
        time.sleep(1000)
"""


@contextmanager
def worker(temporary: Path) -> Iterator[tuple[subprocess.Popen[str], int, Path]]:
    """Start a worker in a separate process; yield it, its fork server's id and the parent of its bots' folders."""
    environment = {**os.environ, "TMPDIR": str(temporary)}
    command = [sys.executable, "-c", WORKER]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=environment) as process:
        try:
            assert process.stdout is not None
            server, place = json.loads(process.stdout.readline())
            yield process, server, Path(place)
        finally:
            process.kill()


def has_ended(path: Path) -> bool:
    until = time.monotonic() + 120
    while path.exists() and time.monotonic() < until:
        time.sleep(0.05)
    return not path.exists()


@pytest.fixture
def landlock_alone(config: SandboxConfig) -> None:
    if config.mode is not Mode.LANDLOCK:
        pytest.skip("in namespaces the folder is memory that ends with the bot")


@pytest.mark.long
@pytest.mark.usefixtures("landlock_alone")
def test_killed_worker_leaves_no_files(public_path: Path) -> None:
    public_path.chmod(0o777)
    with worker(public_path) as (process, _, place):
        assert any(path.name == "c" for path in place.rglob("*"))
        process.kill()
        assert has_ended(place)


@pytest.mark.long
@pytest.mark.usefixtures("landlock_alone")
def test_stopped_fork_server_leaves_no_files(public_path: Path) -> None:
    """A fork server that gets SIGTERM, as when a service manager stops a worker, still removes its folders."""
    public_path.chmod(0o777)
    with worker(public_path) as (_, server, place):
        os.kill(server, signal.SIGTERM)
        assert has_ended(place)


@pytest.mark.long
@pytest.mark.usefixtures("landlock_alone")
def test_next_worker_removes_files_of_a_killed_worker(public_path: Path) -> None:
    """A new worker removes the files of a worker that was killed together with its fork server.

    Files of running workers are left alone.
    """
    public_path.chmod(0o777)
    with ExitStack() as stack:
        forgotten_worker, server, forgotten = stack.enter_context(worker(public_path))
        os.kill(forgotten_worker.pid, signal.SIGSTOP)
        os.kill(server, signal.SIGKILL)
        forgotten_worker.kill()
        forgotten_worker.wait()
        assert forgotten.exists()
        _, _, running = stack.enter_context(worker(public_path))
        assert not forgotten.exists()
        _, _, third = stack.enter_context(worker(public_path))
        assert running.exists()
        assert third.exists()


def test_full_folder_is_a_fault_of_one_bot_only(fork_server: ForkServer) -> None:
    with attacker(fork_server, FILLING["bytes in files that stay open"]) as bot:
        bot.receive()
        assert run_in_jail(fork_server, "open('x', 'wb').write(bytes(2**22))") == "done"


def test_log_is_kept_while_files_are_full(fork_server: ForkServer) -> None:
    body = """
        count(lambda n: kept.append(open(f'{n}', 'wb', buffering=0)) or kept[-1].write(bytes(2**22)), 8)
        print('x' * 60_000)
    """
    with attacker(fork_server, body) as bot:
        bot.receive()
        assert len(bot.log) == 60_001
