"""A bot cannot find a worker's secret in memory, the environment or modules."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from arena.core.sandbox.config import SandboxConfig
from arena.core.sandbox.supervision.forkserver import ForkServer
from tests.core.sandbox.jailed_bots import JailedBot, jailed_bot

pytestmark = pytest.mark.sandbox

MARK = "planted-secret-"

# Scans stack, heap and mappings and skips unmapped pages, for which sigprocmask returns EFAULT.
SCAN = """
import re
wanted = re.compile(receive().encode() + b'[0-9a-f]{32}')
sigprocmask = ctypes.c_long({'x86_64': 14, 'aarch64': 135}[platform.machine()])

def page(address):
    libc.syscall(sigprocmask, ctypes.c_int(99), ctypes.c_void_p(address), None, ctypes.c_size_t(8))
    return None if ctypes.get_errno() == errno.EFAULT else ctypes.string_at(address, 4096)

def sweep(start, step, most):
    found, before, gaps = set(), b'', 0
    address = start & ~4095
    for _ in range(most):
        data = page(address)
        if data is None:
            gaps += 1
            before = b''
            if gaps > 4096: break
        else:
            joined = before + data if step > 0 else data + before
            found.update(match.decode() for match in wanted.findall(joined))
            before = data[-64:] if step > 0 else data[:64]
        address += step
    return found

libc.sbrk.restype = ctypes.c_void_p
libc.sbrk.argtypes = [ctypes.c_ssize_t]
own = ['own-secret-mark-' + os.urandom(16).hex() for _ in range(50)]
on_heap = ctypes.create_string_buffer(16)
stack = ctypes.c_void_p.in_dll(libc, '__libc_stack_end').value
places = [libc.sbrk(0), id(own[0]), id(sys.modules), ctypes.addressof(on_heap), stack]
found = set()
for start in places:
    for step in (4096, -4096): found |= sweep(start, step, 16384)
send([sorted(found), sorted(own[:1])])
"""


@contextmanager
def server_with_secret(config: SandboxConfig, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[ForkServer, str]]:
    """Yield a fork server whose worker has a secret in its environment, on its heap and in a descriptor."""
    secret = MARK + os.urandom(16).hex()
    monkeypatch.setenv("ARENA_SECRET", secret)
    kept = [secret * 3, secret.encode() * 1000]
    out, into = os.pipe()
    os.write(into, secret.encode())
    try:
        with ForkServer(config) as server:
            yield server, secret
    finally:
        os.close(out)
        os.close(into)
        kept.clear()


def test_scan_finds_a_planted_secret(fork_server: ForkServer) -> None:
    with jailed_bot(fork_server, SCAN) as bot:
        bot.send("own-secret-mark-")
        found, own = bot.receive()
        assert set(own) <= set(found)


@pytest.mark.long
def test_bot_that_scans_its_memory_finds_no_secret(config: SandboxConfig, monkeypatch: pytest.MonkeyPatch) -> None:
    with server_with_secret(config, monkeypatch) as (server, _), jailed_bot(server, SCAN) as bot:
        bot.send(MARK)
        assert bot.receive()[0] == []


@pytest.mark.long
@pytest.mark.skipif(os.geteuid() != 0, reason="only root may read another process's memory")
def test_memory_pages_of_a_bot_hold_no_secret(config: SandboxConfig, monkeypatch: pytest.MonkeyPatch) -> None:
    marker = "here-is-a-bot"
    with (
        server_with_secret(config, monkeypatch) as (server, secret),
        jailed_bot(server, f"kept = {marker!r} * 3\nsend('on')\nsignal.pause()") as bot,
    ):
        bot.receive()
        memory = _memory(bot)
    assert marker.encode() * 3 in memory
    assert secret.encode() not in memory


def _memory(bot: JailedBot) -> bytes:
    kept = []
    process = bot.process.process_id
    with open(f"/proc/{process}/maps") as maps, open(f"/proc/{process}/mem", "rb", buffering=0) as memory:
        for line in maps:
            span, rights, *_ = line.split()
            start, end = (int(part, 16) for part in span.split("-"))
            if rights.startswith("rw") and end < 2**63:
                memory.seek(start)
                kept.append(memory.read(end - start))
    return b"".join(kept)


def test_no_descriptor_is_inherited(fork_server: ForkServer) -> None:
    body = """
        found = []
        for fd in range(1024):
            try:
                os.fstat(fd)
                found.append(fd)
            except OSError:
                pass
        send(found)
    """
    with open("/etc/passwd", "rb") as _, jailed_bot(fork_server, body) as bot:
        assert bot.receive() == [0, 1, 2, 3]


def test_environment_contains_only_the_arenas_variables(fork_server: ForkServer) -> None:
    with jailed_bot(fork_server, "send(sorted(os.environ))") as bot:
        assert bot.receive() == [
            "HOME",
            "LANG",
            "MKL_NUM_THREADS",
            "OMP_NUM_THREADS",
            "OPENBLAS_NUM_THREADS",
            "PATH",
            "TMPDIR",
        ]


def test_loaded_modules_include_none_of_the_arenas(fork_server: ForkServer) -> None:
    with jailed_bot(fork_server, "send([sys.argv, [m for m in sys.modules if 'arena' in m], sys.path])") as bot:
        argv, modules, path = bot.receive()
    assert argv == [""]
    assert modules == []
    assert str(Path(__file__).parents[4]) not in path
