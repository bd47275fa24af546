"""All attacks by a hostile bot, each in its own jail, are denied."""

from __future__ import annotations

import errno
import os
import platform
from pathlib import Path

import pytest

from arena.core.sandbox.config import Mode
from arena.core.sandbox.supervision.forkserver import ForkServer
from tests.core.sandbox.jailed_bots import ByMode, jailed_bot, run_in_jail, value_for_mode

pytestmark = pytest.mark.sandbox

NO, NO_SUCH_FILE, NO_ACCESS, READ_ONLY = "PermissionError 1", "FileNotFoundError 2", "PermissionError 13", "OSError 30"
NO_SUCH_CALL = "OSError 38"
# Landlock reports "no access" where a private root would have no file: without namespaces names stay visible.
HIDDEN = ByMode(NO_SUCH_FILE, NO_ACCESS)
UNCHANGED = ByMode(READ_ONLY, NO_ACCESS)

PROCESSES: dict[str, tuple[str, str | ByMode[str] | None]] = {
    "fork": ("os.fork()", NO),
    "forkpty": ("os.forkpty()", HIDDEN),
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
    "fchown": (93, (1, 0, 0), NO),
    "mlockall": (151, (1,), NO),
    "setpriority": (141, (0, 0, 20), NO),
    "sched_setaffinity": (203, (0, 8, 0), NO),
    "sched_setscheduler": (144, (0, 1, 0), NO),
    "timer_create": (222, (0, 0, 0), NO),
    "sync_file_range": (277, (1, 0, 0, 2), NO),
    "mincore": (27, (0, 4096, 0), NO),
    "eventfd2": (290, (0, 0), NO),
    "epoll_create1": (291, (0,), NO),
    "personality": (135, (0xFFFFFFFF,), NO),
    "modify_ldt": (154, (1, 0, 0), NO),
    "reboot": (169, (0, 0, 0, 0), NO),
    "tkill": (200, (1, 9), NO),
    "rt_sigqueueinfo": (129, (1, 9, 0), NO),
}
FILES: dict[str, tuple[str, str | ByMode[str] | None]] = {
    "host's passwords": ("open('/etc/passwd')", HIDDEN),
    "its own process": ("open('/proc/self/environ')", HIDDEN),
    "its own memory": ("open('/proc/self/mem', 'r+b')", HIDDEN),
    "its descriptors": ("os.listdir('/proc/self/fd')", HIDDEN),
    "process 1": ("os.listdir('/proc/1')", HIDDEN),
    "its parent": ("open(f'/proc/{os.getppid() or 2}/environ')", HIDDEN),
    "the referee's environment": (f"open('/proc/{os.getpid()}/environ')", HIDDEN),
    "the referee's memory": (f"open('/proc/{os.getpid()}/mem', 'rb')", HIDDEN),
    "kernel's tree": ("os.listdir('/sys')", HIDDEN),
    "root's home": ("os.listdir('/root/.ssh')", HIDDEN),
    "the checkout": (f"open({str(Path(__file__))!r})", HIDDEN),
    "a terminal": ("open('/dev/tty')", HIDDEN),
    "shared memory": ("os.listdir('/dev/shm')", HIDDEN),
    "listing the root": ("os.listdir('/')", NO_ACCESS),
    "climbing out": ("open(bot_dir + '/../../../../../../etc/passwd')", HIDDEN),
    "writing the root": ("open('/planted', 'w')", UNCHANGED),
    "byte code of the library": ("import json; open(json.__cached__, 'r+b')", NO_ACCESS),
    "standard library": ("open(os.__file__, 'a')", NO_ACCESS),
    "a standard module": ("open(os.path.dirname(os.__file__) + '/planted.py', 'w')", UNCHANGED),
    "the harness": ("import outer.inner.echo as it; open(it.__file__, 'a')", NO_ACCESS),
    "libraries": ("open(os.path.dirname(sys.modules['numpy'].__file__) + '/planted.py', 'w')", UNCHANGED),
    "writing randomness": ("open('/dev/urandom', 'wb')", NO_ACCESS),
    "a device": ("os.mknod('/tmp/disk', 0o60666, os.makedev(8, 0))", NO),
    "a fifo": ("os.mkfifo('/tmp/fifo')", NO),
    "a symlink": ("os.symlink('/etc/passwd', '/tmp/link')", NO),
    "a hard link": ("os.link(bot_dir + '/main.py', '/tmp/link')", NO),
    "ownership": ("os.chown(bot_dir + '/main.py', 0, 0)", NO),
    "an attribute": ("os.setxattr(bot_dir + '/main.py', 'user.note', b'x')", f"OSError {errno.EOPNOTSUPP}"),
    "a file lock": ("import fcntl; fcntl.flock(open(bot_dir + '/main.py'), fcntl.LOCK_EX)", NO),
    "a lease": ("import fcntl; fcntl.fcntl(open(os.__file__), fcntl.F_SETLEASE, fcntl.F_RDLCK)", NO),
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
    "bluetooth": ("socket.socket(31, socket.SOCK_RAW)", NO),
    "can": ("socket.socket(29, socket.SOCK_RAW)", NO),
    "abstract unix": ("socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).connect('\\0arena')", NO),
    "channel as a socket": ("socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET, 0, 3).sendmsg([b'x'])", None),
    "channel connected anew": ("call({'x86_64': 42, 'aarch64': 203}[platform.machine()], 3, 0, 0)", NO),
    "channel bound": ("call({'x86_64': 49, 'aarch64': 200}[platform.machine()], 3, 0, 0)", NO),
    "channel sent from": ("call({'x86_64': 44, 'aarch64': 206}[platform.machine()], 3, 0, 0, 0, 0, 0)", NO),
    "channel with descriptors": ("call({'x86_64': 46, 'aarch64': 211}[platform.machine()], 3, 0, 0)", NO),
    "channel's options": ("call({'x86_64': 54, 'aarch64': 208}[platform.machine()], 3, 1, 7, 0, 0)", NO),
    "channel shut down": ("call({'x86_64': 48, 'aarch64': 210}[platform.machine()], 3, 2)", NO),
    "io_uring": ("call(425, 8, 0)", NO),
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
    "a pipe": ("os.pipe()", NO),
    "flags of its log": (
        "import fcntl; fcntl.fcntl(1, fcntl.F_SETFL, fcntl.fcntl(1, fcntl.F_GETFL) | os.O_DIRECT)",
        NO,
    ),
    "flags of its channel": ("os.set_blocking(3, False)", "OSError 25"),
    "shortening its log": ("print('x'); os.ftruncate(1, 0)", NO),
    "reading its log": ("os.pread(1, 1, 0)", "OSError 9"),
    "flushing everything to disk": ("call({'x86_64': 306, 'aarch64': 267}[platform.machine()], 1)", NO),
    "memory of the machine": ("call({'x86_64': 99, 'aarch64': 179}[platform.machine()], 0)", NO),
    "use of resources": ("resource.getrusage(resource.RUSAGE_SELF)", NO),
    "room on a file system": ("os.statvfs('/')", NO),
    "shared memory": (
        "import multiprocessing; multiprocessing.Lock()",
        None,
    ),
    "killing itself": ("os.kill(os.getpid(), signal.SIGKILL)", NO),
    "stopping itself": ("os.kill(os.getpid(), signal.SIGSTOP)", NO),
    "killing its thread": ("signal.pthread_kill(threading.get_ident(), signal.SIGKILL)", NO),
}
TABLE: dict[str, tuple[str, str | ByMode[str] | None]] = {
    f"{kind}: {name}": case
    for kind, cases in {"processes": PROCESSES, "files": FILES, "network": NETWORK, "rights": RIGHTS}.items()
    for name, case in cases.items()
}


@pytest.mark.long
@pytest.mark.parametrize("name", TABLE)
def test_attack_is_denied(fork_server: ForkServer, name: str) -> None:
    body, expected = TABLE[name]
    if "numpy" in body and "numpy" not in fork_server.preloaded:
        pytest.skip("numpy is not among the libraries for bots: make install")
    seen = run_in_jail(fork_server, body)
    assert seen != "done"
    assert value_for_mode(fork_server.mode, expected) in (seen, None)


# What Landlock cannot hide, as documented in docs/sandbox.md: names, sizes and dates of files; the machine's name;
# native code in the bot's own files, which gains it nothing over machine code in its memory.
BEYOND_LANDLOCK = {
    "a file's name": "os.stat('/etc/passwd')",
    "a process's name": "os.stat('/proc/1')",
    "the machine's name": "assert os.uname().nodename != 'jail'",
    "native code of its own": (
        "f = open(bot_dir + '/main.py', 'rb')\nmmap.mmap(f.fileno(), 1, prot=mmap.PROT_READ | mmap.PROT_EXEC)"
    ),
    "native code that it wrote": (
        "f = open('code', 'w+b'); f.write(bytes(4096)); f.flush()\n"
        "mmap.mmap(f.fileno(), 4096, prot=mmap.PROT_READ | mmap.PROT_EXEC)"
    ),
}


@pytest.mark.parametrize("name", BEYOND_LANDLOCK)
def test_some_access_is_denied_only_in_namespaces(fork_server: ForkServer, name: str) -> None:
    seen = run_in_jail(fork_server, BEYOND_LANDLOCK[name])
    assert (seen == "done") is (fork_server.mode is Mode.LANDLOCK), seen


@pytest.mark.skipif(platform.machine() != "x86_64", reason="numbers of x86_64")
@pytest.mark.parametrize("name", RAW_ON_X86)
def test_raw_call_is_denied(fork_server: ForkServer, name: str) -> None:
    number, arguments, expected = RAW_ON_X86[name]
    assert run_in_jail(fork_server, f"call({number}, {', '.join(map(str, arguments))})") == expected


SCRATCH = {
    "a file of its own": "open('mine', 'w').write('x'); assert open('mine').read() == 'x'",
    "folders of its own": "os.makedirs('its/own'); os.rename('its/own', 'its-own'); os.rmdir('its-own')",
}


@pytest.mark.parametrize("name", SCRATCH)
@pytest.mark.parametrize("place", ["bot_dir", "os.environ['TMPDIR']"])
def test_private_folder_is_writable(fork_server: ForkServer, place: str, name: str) -> None:
    assert run_in_jail(fork_server, f"os.chdir({place}); {SCRATCH[name]}") == "done"


def test_without_namespaces_there_is_no_tmp(fork_server: ForkServer) -> None:
    written = run_in_jail(fork_server, "open('/tmp/mine', 'w').write('x')")
    assert written == value_for_mode(fork_server.mode, ByMode("done", NO_ACCESS))


SHARED_FOLDERS = ("/tmp", "/var/tmp", "/dev/shm", "/dev/mqueue", "/run/lock", "/run", "/home", "/root", "/var/lib")


@pytest.mark.parametrize("folder", SHARED_FOLDERS)
def test_no_folder_is_shared(fork_server: ForkServer, folder: str) -> None:
    """A file written by one bot is visible neither to other bots nor to the host."""
    with jailed_bot(
        fork_server, f"send(count(lambda _: open({folder + '/from-a-bot'!r}, 'w').close(), 1))\nreceive()"
    ) as bot:
        assert bot.receive() == int(folder == "/tmp" and fork_server.mode is Mode.NAMESPACES)
        assert not os.path.exists(f"{folder}/from-a-bot")  # noqa: PTH110 - it answers where root alone may look
        assert run_in_jail(fork_server, f"open({folder + '/from-a-bot'!r})") in (NO_SUCH_FILE, NO_ACCESS)


PERMITTED = {
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
    "poll": "assert not select.poll().poll(1)",
    "its limits": "assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] == 64",
    "its own clocks": "time.process_time(); time.thread_time(); time.monotonic(); time.sleep(0.001)",
    "joining a thread": "t = threading.Thread(target=time.sleep, args=(0.05,)); t.start(); t.join(); t.join()",
    "memory of its own": "m = mmap.mmap(-1, 2**22); m.madvise(mmap.MADV_DONTNEED); m[:2] = b'ab'",
    "its core's number": "assert os.sched_getaffinity(0)",
    # These succeed without effect: if they were executed, such descriptors would be refused.
    "flushing its log": "os.fsync(1); os.fdatasync(999)",
    "flushing a mapping": "f = open('m', 'w+b', buffering=0); f.write(b'x'); mmap.mmap(f.fileno(), 1).flush()",
    "a record lock": "import fcntl; fcntl.lockf(open('main.py'), fcntl.LOCK_EX); fcntl.lockf(999, fcntl.LOCK_EX)",
}


@pytest.mark.parametrize("name", PERMITTED)
def test_ordinary_call_is_permitted(fork_server: ForkServer, name: str) -> None:
    assert run_in_jail(fork_server, PERMITTED[name]) == "done"
