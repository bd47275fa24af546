"""What a hostile bot tries, each in a jail of its own, and that it is denied."""

from __future__ import annotations

import os
import platform
from pathlib import Path

import pytest

from arena.sandbox.forkserver import ForkServer
from tests.sandbox.cells import attempt, cell

pytestmark = pytest.mark.sandbox

NO, NO_SUCH_FILE, NO_ACCESS, READ_ONLY = "PermissionError 1", "FileNotFoundError 2", "PermissionError 13", "OSError 30"
NO_SUCH_CALL = "OSError 38"

PROCESSES: dict[str, tuple[str, str | None]] = {
    "fork": ("os.fork()", NO),
    "forkpty": ("os.forkpty()", NO_SUCH_FILE),
    "spawn": ("os.posix_spawn('/bin/true', ['true'], {})", NO),
    "subprocess": ("import subprocess; subprocess.run(['true'])", NO),
    "exec": ("os.execv('/bin/true', ['true'])", NO),
    "multiprocessing": (
        "import multiprocessing; multiprocessing.Process(target=print).start()",
        NO,
    ),
}
RAW_ON_X86: dict[str, tuple[int, tuple[int, ...], str]] = {
    "fork": (57, (), NO),
    "vfork": (58, (), NO),
    "clone as fork": (56, (17, 0, 0, 0, 0), NO),
    "clone into a namespace": (56, (0x10000000 | 0x10000 | 0x800 | 0x100, 0, 0, 0, 0), NO),
    "clone3": (435, (0, 88), NO_SUCH_CALL),
    "execveat": (322, (0, 0, 0, 0, 0), NO),
    "memfd_create": (319, (0, 0), NO),
    "memfd_secret": (447, (0,), NO),
    "shmget": (29, (0, 4096, 0o1600), NO),
    "msgget": (68, (0, 0o1600), NO),
    "semget": (64, (0, 1, 0o1600), NO),
    "mq_open": (240, (0, 0, 0, 0), NO),
    "ptrace traceme": (101, (0, 0, 0, 0), NO),
    "process_vm_readv": (310, (1, 0, 0, 0, 0, 0), NO),
    "process_vm_writev": (311, (1, 0, 0, 0, 0, 0), NO),
    "pidfd_open": (434, (1, 0), NO),
    "pidfd_getfd": (438, (3, 0, 0), NO),
    "kcmp": (312, (1, 1, 0, 0, 0), NO),
    "prlimit on another": (302, (2, 7, 0, 0), NO),
    "prlimit raises": (302, (0, 7, 1, 0), NO),
    "setuid": (105, (0,), NO),
    "setgroups": (116, (0, 0), NO),
    "capset": (126, (0, 0), NO),
    "mknod": (133, (0, 0o20666, 0x0103), NO),
    "unshare": (272, (0x10000000,), NO),
    "setns": (308, (3, 0), NO),
    "mount": (165, (0, 0, 0, 0, 0), NO),
    "umount2": (166, (0, 0), NO),
    "pivot_root": (155, (0, 0), NO),
    "chroot": (161, (0,), NO),
    "open_tree": (428, (3, 0, 0), NO),
    "bpf": (321, (0, 0, 0), NO),
    "userfaultfd": (323, (0,), NO),
    "perf_event_open": (298, (0, 0, 0, 0, 0), NO),
    "keyctl": (250, (0, 0), NO),
    "add_key": (248, (0, 0, 0, 0, 0), NO),
    "kexec_load": (246, (0, 0, 0, 0), NO),
    "init_module": (175, (0, 0, 0), NO),
    "io_uring_setup": (425, (8, 0), NO),
    "clock_settime": (227, (0, 0), NO),
    "settimeofday": (164, (0, 0), NO),
    "prctl": (157, (1, 0, 0, 0, 0), NO),
    "seccomp": (317, (1, 0, 0), NO),
    "open_by_handle_at": (304, (0, 0, 0), NO),
    "fanotify_init": (300, (0, 0), NO),
    "inotify_init1": (294, (0,), NO),
    "flock": (73, (1, 2), NO),
    "linkat": (265, (0, 0, 0, 0, 0), NO),
    "symlinkat": (266, (0, 0, 0), NO),
    "fchmod": (91, (1, 0o777), NO),
    "mlockall": (151, (1,), NO),
    "setpriority": (141, (0, 0, 20), NO),
    "sched_setaffinity": (203, (0, 8, 0), NO),
    "sched_setscheduler": (144, (0, 1, 0), NO),
    "timer_create": (222, (0, 0, 0), NO),
    "personality": (135, (0xFFFFFFFF,), NO),
    "modify_ldt": (154, (1, 0, 0), NO),
    "reboot": (169, (0, 0, 0, 0), NO),
    "tkill": (200, (1, 9), NO),
    "rt_sigqueueinfo": (129, (1, 9, 0), NO),
}
FILES: dict[str, tuple[str, str | None]] = {
    "host's passwords": ("open('/etc/passwd')", NO_SUCH_FILE),
    "its own process": ("open('/proc/self/environ')", NO_SUCH_FILE),
    "process 1": ("os.stat('/proc/1')", NO_SUCH_FILE),
    "kernel's tree": ("os.listdir('/sys')", NO_SUCH_FILE),
    "root's home": ("os.stat('/root/.ssh')", NO_SUCH_FILE),
    "the checkout": (f"os.stat({str(Path(__file__))!r})", NO_SUCH_FILE),
    "a terminal": ("open('/dev/tty')", NO_SUCH_FILE),
    "shared memory": ("os.stat('/dev/shm')", NO_SUCH_FILE),
    "listing the root": ("os.listdir('/')", NO_ACCESS),
    "climbing out": ("os.stat('/bot/../../../../etc/passwd')", NO_SUCH_FILE),
    "writing the root": ("open('/planted', 'w')", READ_ONLY),
    "writing its folder": ("open('/bot/main.py', 'a')", READ_ONLY),
    "byte code": ("os.mkdir('/bot/__pycache__')", READ_ONLY),
    "replacing its module": ("os.rename('/bot/main.py', '/bot/other.py')", READ_ONLY),
    "the standard library": ("open(os.__file__, 'a')", NO_ACCESS),
    "a standard module": ("open(os.path.dirname(os.__file__) + '/planted.py', 'w')", READ_ONLY),
    "the harness": ("open('/sdk/outer/inner/echo.py', 'a')", NO_ACCESS),
    "libraries": ("open('/libs/0/planted.py', 'w')", READ_ONLY),
    "writing randomness": ("open('/dev/urandom', 'wb')", NO_ACCESS),
    "executable memory by file": (
        "f = open('/tmp/code', 'w+b'); f.write(bytes(4096)); f.flush()\n"
        "mmap.mmap(f.fileno(), 4096, prot=mmap.PROT_READ | mmap.PROT_EXEC)",
        NO,
    ),
    "a device": ("os.mknod('/tmp/disk', 0o60666, os.makedev(8, 0))", NO),
    "a fifo": ("os.mkfifo('/tmp/fifo')", NO),
    "a symbolic link": ("os.symlink('/etc/passwd', '/tmp/link')", NO),
    "a hard link": ("os.link('/bot/main.py', '/tmp/link')", NO),
    "permissions": ("open('/tmp/mine', 'w'); os.chmod('/tmp/mine', 0o4777)", NO),
    "ownership": ("open('/tmp/mine', 'w'); os.chown('/tmp/mine', 0, 0)", NO),
    "a file lock": ("import fcntl; fcntl.flock(open('/bot/main.py'), fcntl.LOCK_EX)", NO),
    "a record lock": ("import fcntl; fcntl.lockf(open('/tmp/mine', 'w'), fcntl.LOCK_EX)", NO),
}
NETWORK: dict[str, tuple[str, str | None]] = {
    "tcp": ("socket.create_connection(('127.0.0.1', 80))", NO),
    "tcp 6": ("socket.socket(socket.AF_INET6)", NO),
    "udp": ("socket.socket(socket.AF_INET, socket.SOCK_DGRAM)", NO),
    "unix": ("socket.socket(socket.AF_UNIX)", NO),
    "socketpair": ("socket.socketpair()", NO),
    "netlink": ("socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)", NO),
    "raw": ("socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)", NO),
    "packet": ("socket.socket(socket.AF_PACKET, socket.SOCK_RAW)", NO),
    "vsock": ("socket.socket(socket.AF_VSOCK)", NO),
    "kernel crypto": ("socket.socket(socket.AF_ALG, socket.SOCK_SEQPACKET)", NO),
    "channel as a socket": ("socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET, 0, 3).sendmsg([b'x'])", None),
}
RIGHTS: dict[str, tuple[str, str | None]] = {
    "signal to the referee": (f"os.kill({os.getpid()}, 0)", NO),
    "signal to all": ("os.kill(-1, 9)", NO),
    "signal to its group": ("os.kill(0, 9)", NO),
    "signal to its parent": ("os.kill(os.getppid() or 2, 9)", NO),
    "nice": ("os.nice(-5)", NO),
    "being nice": ("os.nice(5)", NO),
    "affinity": ("os.sched_setaffinity(0, {0})", NO),
    "root": ("os.setuid(0)", NO),
    "a limit raised": ("resource.setrlimit(resource.RLIMIT_AS, (-1, -1))", "ValueError None"),
    "a limit lowered": ("resource.setrlimit(resource.RLIMIT_CPU, (1, 1))", "ValueError None"),
    "setting the clock": ("time.clock_settime(time.CLOCK_REALTIME, 0)", NO),
    "typing on a terminal": ("import fcntl; fcntl.ioctl(1, 0x5412, b'x')", "OSError 25"),
    "a signal by input": ("import fcntl; fcntl.fcntl(3, fcntl.F_SETOWN, 1)", NO),
    "a bigger pipe": ("import fcntl; fcntl.fcntl(os.pipe()[1], 1031, 2**20)", NO),
    "shared memory": (
        "import multiprocessing; multiprocessing.Lock()",
        None,
    ),
    "its host's name": ("assert os.uname().nodename != 'jail'", "AssertionError None"),
}
TABLE = {
    f"{kind}: {name}": case
    for kind, cases in {"processes": PROCESSES, "files": FILES, "network": NETWORK, "rights": RIGHTS}.items()
    for name, case in cases.items()
}


@pytest.mark.parametrize("name", TABLE)
def test_is_denied(fork_server: ForkServer, name: str) -> None:
    body, expected = TABLE[name]
    seen = attempt(fork_server, body)
    assert seen != "done"
    assert expected in (seen, None)


@pytest.mark.skipif(platform.machine() != "x86_64", reason="numbers of x86_64")
@pytest.mark.parametrize("name", RAW_ON_X86)
def test_raw_call_is_denied(fork_server: ForkServer, name: str) -> None:
    number, arguments, expected = RAW_ON_X86[name]
    assert attempt(fork_server, f"call({number}, {', '.join(map(str, arguments))})") == expected


PERMITTED = {
    "a file of its own": "open('/tmp/mine', 'w').write('x'); assert open('/tmp/mine').read() == 'x'",
    "folders of its own": "os.makedirs('/tmp/a/b'); os.rename('/tmp/a/b', '/tmp/c'); os.rmdir('/tmp/c')",
    "a temporary file": "import tempfile; tempfile.TemporaryFile().write(b'x')",
    "randomness": "assert open('/dev/urandom', 'rb').read(8) != os.urandom(8)",
    "nothingness": "open('/dev/null', 'w').write('x')",
    "reading beside itself": "assert 'def main' in open('main.py').read()",
    "an empty standard input": "assert sys.stdin.read() == ''",
    "its environment": "assert not {key for key in os.environ if key.startswith(('ARENA', 'PYTEST'))}",
    "threads": "t = threading.Thread(target=print, args=('x',)); t.start(); t.join()",
    "a pool": "from concurrent.futures import ThreadPoolExecutor as P; assert list(P(4).map(abs, [-1])) == [1]",
    "a late import": "import sqlite3, ssl, zoneinfo, xml.etree.ElementTree, asyncio",
    "an encoding": "assert '\u68cb'.encode('gbk').decode('gbk')",
    "a timer": "signal.setitimer(signal.ITIMER_REAL, 1000)",
    "a signal to itself": "signal.signal(10, lambda *_: None); os.kill(os.getpid(), 10)",
    "a pipe": "r, w = os.pipe(); os.write(w, b'x'); assert os.read(r, 1) == b'x'",
    "poll": "assert not select.poll().poll(1)",
    "its limits": "assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] == 64",
    "its core's number": "assert os.sched_getaffinity(0)",
}


@pytest.mark.parametrize("name", PERMITTED)
def test_is_permitted(fork_server: ForkServer, name: str) -> None:
    assert attempt(fork_server, PERMITTED[name]) == "done"


def test_no_descriptor_is_inherited(fork_server: ForkServer) -> None:
    body = """
        found = []
        for fd in range(1024):
            try:
                os.fstat(fd)
                found.append(fd)
            except OSError:
                pass
        tell(found)
    """
    with open("/etc/passwd", "rb") as _, cell(fork_server, body) as bot:
        assert bot.hear() == [0, 1, 2, 3]


def test_bots_do_not_meet(fork_server: ForkServer) -> None:
    """The same place, two worlds: neither files nor process ids are shared."""
    body = """
        open(f'/tmp/{hear()}', 'w').close()
        tell([os.getpid(), sorted(os.listdir('/tmp'))])
        hear()
    """
    with cell(fork_server, body) as first, cell(fork_server, body) as second:
        first.tell("one")
        assert first.hear() == [1, ["one"]]
        second.tell("two")
        assert second.hear() == [1, ["two"]]


def test_bots_do_not_share_randomness(fork_server: ForkServer) -> None:
    body = """
        import random
        drawn = [random.random()]
        if 'numpy' in sys.modules:
            drawn.append(sys.modules['numpy'].random.random())
        tell(drawn)
    """
    with cell(fork_server, body) as first, cell(fork_server, body) as second:
        assert not set(first.hear()) & set(second.hear())


def test_nothing_of_ours_is_left_among_its_modules(fork_server: ForkServer) -> None:
    with cell(fork_server, "tell([sys.argv, [m for m in sys.modules if 'arena' in m], sys.path])") as bot:
        argv, modules, path = bot.hear()
    assert argv == [""]
    assert modules == []
    assert str(Path(__file__).parents[2]) not in path


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may read another process's memory")
def test_a_secret_of_the_worker_is_not_in_its_memory(fork_server: ForkServer, monkeypatch: pytest.MonkeyPatch) -> None:
    secret = os.urandom(16).hex()
    monkeypatch.setenv("ARENA_SECRET", secret)
    marker = "here-is-a-bot"
    with (
        ForkServer(fork_server.config) as server,
        cell(server, f"kept = {marker!r} * 3\ntell('on')\nsignal.pause()") as bot,
    ):
        bot.hear()
        memory = _memory(bot.process.process_id)
    assert marker.encode() * 3 in memory
    assert secret.encode() not in memory


def _memory(process_id: int) -> bytes:
    kept = []
    with open(f"/proc/{process_id}/maps") as maps, open(f"/proc/{process_id}/mem", "rb", buffering=0) as memory:
        for line in maps:
            span, rights, *_ = line.split()
            start, end = (int(part, 16) for part in span.split("-"))
            if rights.startswith("rw") and end < 2**63:
                memory.seek(start)
                kept.append(memory.read(end - start))
    return b"".join(kept)
