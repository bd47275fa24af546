"""Confine a newly forked child before it runs a bot's code.

Invariants:
- The order is fixed: each step needs something that a later one removes. seccomp comes last.
- Any error before the entry point is called is reported as an arena failure and ends the process: a bot runs with all
  restrictions or not at all.
- When the entry point is called, exactly descriptors 0 to 3 are open (null, log, log, channel).
"""

from __future__ import annotations

import contextlib
import errno
import faulthandler
import fcntl
import gc
import importlib
import io
import os
import resource
import signal
import sys
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from arena.core.sandbox.isolation import Layers, call_supervisor, landlock, namespaces, seccomp, syscalls
from arena.core.sandbox.jail import process_status, root
from arena.core.sandbox.jail.bundle import ReceivedFolder
from arena.core.sandbox.jail.limits import JailLimits

CHANNEL_FD = 3
_STATUS_FD, _SUPERVISOR_FD = 4, 5
_SETUP_FAILED = 125
_PYTHON_FAILED = 1
_STACK_BYTES = 8 * 2**20
_MT_WORDS = 624  # words in the state of the Mersenne Twister
# Signals that only the fork server handles.
OF_THE_SERVER = (signal.SIGTERM, signal.SIGIO)
_ENVIRONMENT = {
    "PATH": "/nonexistent",
    "LANG": "C.UTF-8",
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
}


@dataclass(frozen=True, slots=True)
class Isolation:
    """The isolation settings shared by all bots of one fork server."""

    layers: Layers
    namespaced: bool
    access: landlock.AccessiblePaths  # each bot's own folder is added
    filter_for: Callable[[int], bytes]  # process id as the bot sees it -> BPF program
    proc: int  # descriptor of the host's /proc
    own_ids: int = 0  # number of bots that can have their own user


@dataclass(frozen=True, slots=True)
class SpawnRequest:
    """The referee's request to start one bot, with the descriptors that it sent."""

    limits: JailLimits
    core: int | None
    entry: str
    entry_in_bot: bool  # whether the entry point is in a module in the bot's own folder
    bot_dir: str  # path as seen by the bot
    bundle: int | None  # its files, unless the folder itself is visible
    channel: int
    log: int
    status: int
    own_id: int | None  # its own user id, as mapped in the fork server
    group: int | None  # descriptor to write to in order to enter its control group
    supervisor: int | None  # receiver of the call notifications, without namespaces
    scratch: bool  # whether it may change its folder, through the call supervisor


class _BoundedLog(io.RawIOBase):
    """A standard stream that discards output once the log is full, so that printing never costs a bot the match."""

    def __init__(self, fd: int, most: int) -> None:
        self._fd, self._most = fd, most

    def fileno(self) -> int:
        return self._fd

    def writable(self) -> bool:
        return True

    def write(self, data: Any, /) -> int:
        left = self._most - os.fstat(self._fd).st_size  # both streams write to the same file
        return os.write(self._fd, data) if len(data) <= left else self._write_what_fits(data[: max(0, left)], len(data))

    def _write_what_fits(self, data: Any, accepted: int) -> int:
        """Write as much of ``data`` as fits into the log and discard the rest; return ``accepted`` unchanged."""
        try:
            os.write(self._fd, data)
        except OSError as error:
            if error.errno not in (errno.EFBIG, errno.ENOSPC):
                raise
        return accepted


def _text_log(fd: int, most: int) -> io.TextIOWrapper:
    buffered = io.BufferedWriter(_BoundedLog(fd, most))
    return io.TextIOWrapper(buffered, encoding="utf-8", errors="backslashreplace", line_buffering=True)


def _arrange_descriptors(request: SpawnRequest) -> None:
    null = os.open("/dev/null", os.O_RDONLY | os.O_CLOEXEC)
    supervisor = null if request.supervisor is None else request.supervisor
    wanted = (null, request.log, request.log, request.channel, request.status, supervisor)
    # First move all descriptors out of the way, so that none is overwritten before it has been moved.
    parked = [fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 64) for fd in wanted]
    for target, fd in enumerate(parked):
        os.dup2(fd, target)
    os.closerange(_SUPERVISOR_FD + 1, 2**31 - 1)


def prepare_interpreter() -> None:
    """Prepare the interpreter once in the fork server; the result is the same for all forked bots."""
    os.environ.clear()
    os.environ.update(_ENVIRONMENT, HOME=root.SCRATCH, TMPDIR=root.SCRATCH)
    sys.stdin = sys.__stdin__ = open(0, encoding="utf-8", closefd=False)  # type: ignore[misc] # noqa: SIM115
    sys.argv = [""]
    sys.orig_argv = [""]
    sys.executable = ""


def _reset_interpreter(request: SpawnRequest, temporary: str) -> None:
    """Give the bot's code the usual environment, without traces of the fork server."""
    if temporary != root.SCRATCH:
        os.environ.update(HOME=temporary, TMPDIR=temporary)
    sys.stdout = sys.__stdout__ = _text_log(1, request.limits.log_bytes)  # type: ignore[misc]
    sys.stderr = sys.__stderr__ = _text_log(2, request.limits.log_bytes)  # type: ignore[misc]
    faulthandler.enable(file=2)
    numpy_random = sys.modules.get("numpy.random")
    if numpy_random is not None and request.entry_in_bot:  # the configured entry point seeds it itself
        _reseed(numpy_random)
    os.chdir(request.bot_dir)


def _reseed(numpy_random: Any) -> None:
    """Reseed numpy: otherwise all forks would share one random stream. The random module reseeds itself.

    Sets a randomly drawn state, because ``seed()`` takes twice as long and accepts only 32 bits.
    """
    words = sys.modules["numpy"].frombuffer(os.urandom(4 * _MT_WORDS), "uint32")
    numpy_random.set_state(("MT19937", words, _MT_WORDS))


def _set_limit(kind: int, value: int) -> None:
    _, hard = resource.getrlimit(kind)
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(kind, (value, value))


def _set_limits(limits: JailLimits, namespaced: bool) -> None:
    _set_limit(resource.RLIMIT_AS, limits.memory_mb * 2**20)
    _set_limit(resource.RLIMIT_FSIZE, limits.max_file_bytes)
    _set_limit(resource.RLIMIT_NOFILE, limits.open_files)
    _set_limit(resource.RLIMIT_STACK, _STACK_BYTES)
    _set_limit(resource.RLIMIT_CPU, limits.cpu_seconds)
    # Without a user namespace, this limit counts all tasks of the worker's user; the supervisor then limits threads.
    if namespaced:
        _set_limit(resource.RLIMIT_NPROC, limits.threads)
    _set_limit(resource.RLIMIT_SIGPENDING, 64)
    for kind in (resource.RLIMIT_CORE, resource.RLIMIT_MEMLOCK, resource.RLIMIT_MSGQUEUE):
        _set_limit(kind, 0)
    for kind in (resource.RLIMIT_NICE, resource.RLIMIT_RTPRIO):
        _set_limit(kind, 0)


def _enter_namespaces(isolation: Isolation, request: SpawnRequest) -> None:
    """Enter the bot's namespaces, and do all other setup that must precede dropping privileges and descriptors."""
    if request.group is not None:
        os.write(request.group, b"0")  # the kernel checks the permissions of the opener, which is the worker
    if request.own_id is not None:
        namespaces.switch_to_own_id(request.own_id)
    syscalls.prctl(syscalls.PR_SET_PDEATHSIG, signal.SIGKILL)
    namespaces.prefer_for_oom_kill(isolation.proc)
    if request.core is not None:
        os.sched_setaffinity(0, {request.core})
    if isolation.namespaced:
        namespaces.enter_bot_namespaces(isolation.proc, request.own_id)
    if request.bundle is not None:
        root.mount_bot_folders(ReceivedFolder(request.bundle), request.limits)
    if request.supervisor is not None:
        call_supervisor.send_memory(isolation.proc, request.supervisor)
    os.setsid()


def _drop_privileges(isolation: Isolation, request: SpawnRequest) -> None:
    """Drop all privileges permanently."""
    layers = isolation.layers
    if layers.capabilities:
        syscalls.clear_capabilities()
    syscalls.prctl(syscalls.PR_SET_DUMPABLE, 0)
    syscalls.prctl(syscalls.PR_SET_NO_NEW_PRIVS, 1)
    if layers.landlock:
        landlock.restrict(_accessible_paths(isolation, request))
    if layers.limits:
        _set_limits(request.limits, isolation.namespaced)
        if request.supervisor is not None:
            program = seccomp.build_notify_filter(syscalls.MACHINE, files=request.scratch)
            call_supervisor.send_listener(program, _SUPERVISOR_FD)
    os.close(_SUPERVISOR_FD)
    if layers.seccomp:
        syscalls.install_seccomp(isolation.filter_for(os.getpid()))


def _accessible_paths(isolation: Isolation, request: SpawnRequest) -> landlock.AccessiblePaths:
    """Return the paths a bot may access: those shared by all bots, and its own folder, which may be read-only."""
    readable, writable = isolation.access.readable, isolation.access.writable
    if request.scratch:
        return landlock.AccessiblePaths(readable, writable, (request.bot_dir,))
    if request.bundle is None:
        return landlock.AccessiblePaths((*readable, request.bot_dir), writable)
    return landlock.AccessiblePaths(readable, (*writable, request.bot_dir))


def _call_entry(request: SpawnRequest) -> int:
    module, _, function = request.entry.partition(":")
    if request.entry_in_bot:
        sys.path.insert(0, request.bot_dir)
    try:
        getattr(importlib.import_module(module), function)(CHANNEL_FD, request.bot_dir)
    except SystemExit as leaving:
        if leaving.code is None or isinstance(leaving.code, int):
            return (leaving.code or 0) & 0xFF
        print(leaving.code, file=sys.stderr)
        return _PYTHON_FAILED
    except BaseException:  # noqa: BLE001 - the bot's, for its log
        traceback.print_exc()
        return _PYTHON_FAILED
    return 0


def run_in_jail(isolation: Isolation, request: SpawnRequest) -> NoReturn:
    """Enter the jail and call the entry point. Never returns."""
    status_fd = request.status
    try:
        for number in OF_THE_SERVER:
            signal.signal(number, signal.SIG_DFL)
        _enter_namespaces(isolation, request)
        _arrange_descriptors(request)
        status_fd = _STATUS_FD
        temporary = request.bot_dir if request.scratch else root.SCRATCH
        _reset_interpreter(request, temporary)
        gc.enable()
        _drop_privileges(isolation, request)
        process_status.report_jailed(status_fd)
        os.close(status_fd)
    except BaseException as error:  # noqa: BLE001 - reported to the referee; nothing may get past this
        process_status.report_failed(status_fd, f"{type(error).__name__}: {error}")
        os._exit(_SETUP_FAILED)
    code = _call_entry(request)
    _flush_streams((sys.stdout, sys.stderr))
    os._exit(code)


def _flush_streams(streams: Sequence[io.TextIOBase | Any]) -> None:
    for stream in streams:
        with contextlib.suppress(Exception):  # the bot may have replaced or closed it
            stream.flush()
