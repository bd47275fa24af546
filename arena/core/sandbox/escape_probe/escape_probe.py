"""Sandbox escape probe: attempt known escapes from inside a jail and report what succeeded.

Runs inside the jail and uses only the standard library. First, it reports that it is running. Then it receives one JSON
message about its jail ({"namespaces": bool, "scratch": bool, "limits": {...}, "referee": process id, "secret": path of
a planted file}). Its answer is another JSON message, [[attempt, evidence], ...], which is empty if all restrictions
hold.

Invariant: even a successful attempt has no lasting effect.
"""

import contextlib
import ctypes
import errno
import fcntl
import json
import mmap
import os
import platform
import resource
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

_libc = ctypes.CDLL(None, use_errno=True)
_COLUMN = {"x86_64": 0, "aarch64": 1}
_DENIED = (errno.EPERM, errno.ENOSYS)

# name: (x86_64, aarch64). None of these may reach the kernel.
_FORBIDDEN_CALLS = {
    "add_key": (248, 217),
    "bpf": (321, 280),
    "chroot": (161, 51),
    "clock_settime": (227, 112),
    "epoll_create1": (291, 20),
    "eventfd2": (290, 19),
    "execve": (59, 221),
    "execveat": (322, 281),
    "fadvise64": (221, 223),
    "fanotify_init": (300, 262),
    "fchown": (93, 55),
    "flock": (73, 32),
    "fstatfs": (138, 44),
    "getrusage": (98, 165),
    "inotify_init1": (294, 26),
    "io_uring_setup": (425, 425),
    "kcmp": (312, 272),
    "keyctl": (250, 219),
    "linkat": (265, 37),
    "memfd_create": (319, 279),
    "mincore": (27, 232),
    "mknodat": (259, 33),
    "mount": (165, 40),
    "mq_open": (240, 180),
    "msgget": (68, 186),
    "open_by_handle_at": (304, 265),
    "perf_event_open": (298, 241),
    "personality": (135, 92),
    "pidfd_open": (434, 434),
    "pipe2": (293, 59),
    "pivot_root": (155, 41),
    "prctl": (157, 167),
    "preadv2": (327, 286),
    "process_madvise": (440, 440),
    "process_vm_readv": (310, 270),
    "ptrace": (101, 117),
    "readahead": (187, 213),
    "sched_setaffinity": (203, 122),
    "semget": (64, 190),
    "sethostname": (170, 161),
    "setns": (308, 268),
    "setpriority": (141, 140),
    "setuid": (105, 146),
    "shmget": (29, 194),
    "socketpair": (53, 199),
    "statfs": (137, 43),
    "symlinkat": (266, 36),
    "sync": (162, 81),
    "sync_file_range": (277, 84),
    "syncfs": (306, 267),
    "sysinfo": (99, 179),
    "timer_create": (222, 107),
    "tkill": (200, 130),
    "unshare": (272, 97),
    "userfaultfd": (323, 282),
}
# name: (numbers, arguments that the kernel would refuse). These succeed without being executed.
_UNEXECUTED_CALLS = {
    "fsync": ((74, 82), (-1,)),
    "fdatasync": ((75, 83), (-1,)),
    "msync": ((26, 227), (0, 0, -1)),
    "fchmod": ((91, 52), (-1, 0)),
    "fchmodat": ((268, 53), (-1, 0, 0)),
    "utimensat": ((280, 88), (-1, 0, 0, 0)),
    "fcntl(F_SETLK)": ((72, 25), (-1, 6, 0)),
    "fcntl(F_SETLKW)": ((72, 25), (-1, 7, 0)),
}
_FUTEX, _FUTEX_WAKE = (202, 98), 1
_CPU_CLOCK_OF_PROCESS = 2
_SOCKET_FAMILIES = {
    "unix": socket.AF_UNIX,
    "inet": socket.AF_INET,
    "inet6": socket.AF_INET6,
    "netlink": socket.AF_NETLINK,
    "packet": socket.AF_PACKET,
    "alg": socket.AF_ALG,
    "vsock": socket.AF_VSOCK,
}
_HOST_FILES = ("/etc/passwd", "/etc/hostname", "/proc/self/status", "/proc/1/environ", "/sys/kernel", "/dev/tty")
# World-writable folders. A jail with a separate root has only a private /tmp.
_SHARED_FOLDERS = ("/tmp", "/var/tmp", "/dev/shm", "/dev/mqueue", "/run/lock")  # noqa: S108
# Upper bounds on the bytes and entries of the probe's own files in the copy of its folder.
_OWN_FILES, _OWN_ENTRIES = 2**20, 64
_BLOCK = 2**18

Evidence = Iterator[str]


def host_files(jail: dict[str, Any]) -> Evidence:
    """Attempt to find the host's files, which do not exist in a separate root."""
    for path in (*_HOST_FILES, jail["secret"]):
        try:
            if jail["namespaces"]:
                os.stat(path)  # noqa: PTH116
                yield f"{path} exists"
            else:
                os.close(os.open(path, os.O_RDONLY))
                yield f"{path} can be read"
        except OSError:
            continue


def writes(jail: dict[str, Any]) -> Evidence:
    """Attempt to write outside the writable folders.

    Only the bot's folder (a copy) and, if the jail has a separate root, /tmp are writable.
    """
    folders = ["/", str(Path(os.__file__).parent), "/libs/0", "/sdk", f"{jail['bot']}/.."]
    if not jail["namespaces"]:
        folders += _SHARED_FOLDERS
    if not jail["scratch"]:
        folders.append(jail["bot"])
    for folder in folders:
        try:
            path = f"{folder}/planted"
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
            os.unlink(path)  # noqa: PTH108
            yield f"{folder} can be written"
        except OSError:
            continue
    try:
        # The device is readable. Only Landlock prevents writing to it.
        os.close(os.open("/dev/urandom", os.O_WRONLY))
        yield "/dev/urandom can be opened for writing"
    except OSError:
        return


def sockets(_: dict[str, Any]) -> Evidence:
    for name, family in _SOCKET_FAMILIES.items():
        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET):
            try:
                socket.socket(family, kind).close()
                yield f"a {name} socket"
                break
            except OSError:
                continue


def processes(jail: dict[str, Any]) -> Evidence:
    if jail["namespaces"] and os.getpid() != 1:
        yield f"process {os.getpid()} instead of 1"
    try:
        child = os.fork()
    except OSError:
        pass
    else:
        if child == 0:
            os._exit(0)
        os.waitpid(child, 0)
        yield "a child process"
    for target in {jail["referee"], os.getppid(), -1} - {0}:
        try:
            os.kill(target, 0)
            yield f"a signal to {target}"
        except OSError:
            continue


def forbidden_calls(_: dict[str, Any]) -> Evidence:
    column = _COLUMN[platform.machine()]
    for name, numbers in _FORBIDDEN_CALLS.items():
        zero = ctypes.c_long(0)
        if _libc.syscall(ctypes.c_long(numbers[column]), *[zero] * 6) >= 0 or ctypes.get_errno() not in _DENIED:
            yield f"the system call {name} reaches the kernel"
    for name, (numbers, arguments) in _UNEXECUTED_CALLS.items():
        if _libc.syscall(ctypes.c_long(numbers[column]), *map(ctypes.c_long, arguments)) != 0:
            yield f"the system call {name} reaches the kernel"


def shared_state(jail: dict[str, Any]) -> Evidence:
    """Attempt to change state that another bot or the referee could observe."""
    for fd in (0, 1, 3):
        try:
            fcntl.fcntl(fd, fcntl.F_SETFL, fcntl.fcntl(fd, fcntl.F_GETFL))
            yield f"the flags of descriptor {fd} can be changed"
        except OSError:
            continue
    word = ctypes.c_int(0)
    futex = ctypes.c_long(_FUTEX[_COLUMN[platform.machine()]])
    if _libc.syscall(futex, ctypes.byref(word), _FUTEX_WAKE, 1, None, None, 0) >= 0:
        yield "a futex can be shared with another process"
    try:
        time.clock_gettime(~jail["referee"] << 3 | _CPU_CLOCK_OF_PROCESS)
        yield "the CPU clock of another process can be read"
    except OSError:
        return


def descriptors(_: dict[str, Any]) -> Evidence:
    for fd in range(4, 1024):
        try:
            os.fstat(fd)
            yield f"descriptor {fd} is open"
        except OSError:
            continue


def capabilities(jail: dict[str, Any]) -> Evidence:
    """Attempt to open a file whose mode grants no access to anyone, which requires CAP_DAC_OVERRIDE."""
    if 0 in (os.getuid(), os.geteuid(), os.getgid(), os.getegid()):
        yield "it is root"
    if not jail["namespaces"]:
        return
    path = "/tmp/locked"  # noqa: S108 - the jail's own
    try:
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0))
        os.close(os.open(path, os.O_RDONLY))
        yield "file permissions are not enforced"
    except OSError:
        pass
    finally:
        os.unlink(path)  # noqa: PTH108


def memory(jail: dict[str, Any]) -> Evidence:
    try:
        mmap.mmap(-1, (jail["limits"]["memory_mb"] + 1) * 2**20).close()
        yield "more memory than the limit can be allocated"
    except (OSError, ValueError):
        return


def limits(jail: dict[str, Any]) -> Evidence:
    wanted = jail["limits"]
    expected = {
        "RLIMIT_FSIZE": wanted["file_bytes"],
        "RLIMIT_CPU": wanted["cpu_seconds"],
        "RLIMIT_NOFILE": wanted["open_files"],
        "RLIMIT_CORE": 0,
        "RLIMIT_MEMLOCK": 0,
    }
    for name, value in expected.items():
        for found in resource.getrlimit(getattr(resource, name)):
            if found == resource.RLIM_INFINITY or found > value:
                yield f"{name} is {found}, not {value}"
                break


def threads(jail: dict[str, Any]) -> Evidence:
    done = threading.Event()
    started = []
    try:
        for _ in range(jail["limits"]["threads"] + 1):
            thread = threading.Thread(target=done.wait)
            thread.start()
            started.append(thread)
        yield f"{len(started) + 1} threads"
    except RuntimeError:
        return
    finally:
        done.set()
        for thread in started:
            thread.join()


def scratch(jail: dict[str, Any]) -> Evidence:
    """Attempt to exceed the limits on /tmp and on the copy of the bot's folder."""
    folders = [jail["bot"]] if jail["scratch"] else []
    if jail["namespaces"]:
        folders.append("/tmp")  # noqa: S108
    most = jail["limits"]["tmp_mb"] * 2**20 + _OWN_FILES
    for folder in folders:
        if _holds(folder, most // _BLOCK + 1, _BLOCK):
            yield f"{folder} accepts an unlimited number of bytes"
        if _holds(folder, most // _BLOCK + 1, _BLOCK, removed=True):
            yield f"{folder} accepts an unlimited number of bytes in files that are removed but mapped"
        if _holds(folder, jail["limits"]["tmp_files"] + _OWN_ENTRIES, 0):
            yield f"{folder} accepts an unlimited number of files"


def _holds(folder: str, count: int, size: int, *, removed: bool = False) -> bool:
    """Create ``count`` files of ``size`` bytes in a folder, delete them, and return whether they fit.

    ``removed``: delete each file as soon as it is mapped, and keep the mapping.
    """
    paths: list[str] = []
    with contextlib.ExitStack() as maps:
        try:
            for number in range(count):
                paths.append(f"{folder}/block{number}")
                with open(paths[-1], "w+b", buffering=0) as file:
                    if size and file.write(bytes(size)) < size:
                        return False
                    if removed:
                        maps.enter_context(mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ))
                        os.unlink(paths[-1])  # noqa: PTH108
            return True
        except OSError:
            return False
        finally:
            for path in paths:
                with contextlib.suppress(OSError):
                    os.unlink(path)  # noqa: PTH108


ATTEMPTS: tuple[Callable[[dict[str, Any]], Evidence], ...] = (
    host_files,
    writes,
    sockets,
    processes,
    forbidden_calls,
    shared_state,
    descriptors,
    capabilities,
    memory,
    limits,
    threads,
    scratch,
)


def main(channel: int, bot_dir: str) -> None:
    """Run all attempts and send the results through the channel; this is the entry point in the jail."""
    os.write(channel, b"locked up")
    jail = json.loads(os.read(channel, 65_536))
    jail["bot"] = bot_dir
    found = [[attempt.__name__, evidence] for attempt in ATTEMPTS for evidence in attempt(jail)]
    os.write(channel, json.dumps(found).encode())
