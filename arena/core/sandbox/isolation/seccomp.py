"""The system-call filter: an allow-list as a BPF program, assembled by hand.

Invariants:
- Only calls in ALLOWED, or in EXAMINED with harmless arguments, reach the kernel. Calls in WITHOUT_EFFECT succeed and
  do nothing.
- A call for a foreign architecture (int 0x80, x32) kills the process; every other refusal is an error number, so that a
  library that merely tries a call keeps working.
- The program depends only on the machine and on the process id.
- A bot cannot end or stop itself with a signal that the referee would attribute to the arena or the kernel.
"""

from __future__ import annotations

import errno
import os
import signal
import struct
from collections.abc import Sequence
from dataclasses import dataclass

from arena.core.sandbox.isolation.syscall_numbers import (
    ALLOWED,
    EXAMINED,
    FIRST_UNKNOWN,
    UNSUPPORTED,
    WITHOUT_EFFECT,
)

# BPF operations: load a word of seccomp_data, compare and jump, return a verdict.
_LOAD, _JUMP, _IF_EQUAL, _IF_AT_LEAST, _IF_ANY_BIT, _RETURN = 0x20, 0x05, 0x15, 0x35, 0x45, 0x06
_KILL, _ERRNO, _ASK, _ALLOW = 0x8000_0000, 0x0005_0000, 0x7FC0_0000, 0x7FFF_0000
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16  # offsets in seccomp_data (both machines are little-endian)
_X32_BIT = 0x4000_0000

_CLONE_THREAD = 0x0001_0000
# CLONE_NEW*, including CLONE_NEWTIME, and CLONE_UNTRACED: never allowed for a bot's threads.
_CLONE_FORBIDDEN = 0x7E02_0000 | 0x80 | 0x0080_0000

# TCGETS, TIOCGWINSZ, FIONREAD, FIONCLEX, FIOCLEX. Not FIONBIO: it affects all processes that share the open file.
_IOCTLS = (0x5401, 0x5413, 0x541B, 0x5450, 0x5451)
# F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_DUPFD_CLOEXEC. Not F_SETFL, for the same reason; no locks (two bots could signal
# each other), no owner, signal or lease commands.
_FCNTLS = (0, 1, 2, 3, 1030)
# F_SETLK and F_SETLKW always succeed, because a bot does not share its files. Databases in files, such as SQLite, need
# them.
_LOCKS = (6, 7)
# MADV_NORMAL, RANDOM, SEQUENTIAL, WILLNEED, DONTNEED, FREE, HUGEPAGE, NOHUGEPAGE. None that evicts a file's pages from
# memory or merges identical pages of two processes, because either allows timing attacks.
_ADVICE = (0, 1, 2, 3, 4, 8, 14, 15)
_MAP_HUGETLB = 0x4_0000  # the machine has one shared pool of these pages
_FUTEX_PRIVATE = 0x80
# Signals that end or stop a bot from outside: sent by the arena, the kernel, or an operator who stops a worker.
FROM_OUTSIDE = (signal.SIGKILL, signal.SIGSTOP, signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT)
# Real-time signals are queued, and the kernel counts the queues of all bots of one user together.
_FIRST_REAL_TIME_SIGNAL = 32
# Clock ids from here on, and negative ones, belong to devices or other processes.
_FIRST_FOREIGN_CLOCK = 12


@dataclass(frozen=True, slots=True)
class _Machine:
    audit: int  # AUDIT_ARCH_*
    column: int  # column in the system call tables
    has_x32: bool


_MACHINES = {
    "x86_64": _Machine(0xC000_003E, 0, has_x32=True),
    "aarch64": _Machine(0xC000_00B7, 1, has_x32=False),
}
MACHINES = tuple(_MACHINES)


def _op(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("HBBI", code, if_true, if_false, value)


def _refuse(number: int) -> bytes:
    return _op(_RETURN, _ERRNO | number)


# The call succeeds without doing anything.
_SUCCESS = _refuse(0)


def _load_argument(index: int, high: bool = False) -> bytes:
    return _op(_LOAD, _ARGUMENTS + 8 * index + (4 if high else 0))


def _for_syscall(number: int, body: Sequence[bytes]) -> list[bytes]:
    """Return instructions that run `body`, which always returns a verdict, only for the call with this number."""
    return [_op(_IF_EQUAL, number, 0, len(body)), *body]


def _allow_argument_values(
    index: int, permitted: Sequence[int], refusal: int, granted_unexecuted: Sequence[int] = ()
) -> list[bytes]:
    """Allow a call if the low word of an argument, which is all that the kernel reads, is in `permitted`.

    Otherwise, fail with the error `refusal`. For the values in `granted_unexecuted`, succeed without doing anything.
    """
    unexecuted = [test for value in granted_unexecuted for test in (_op(_IF_EQUAL, value, 0, 1), _SUCCESS)]
    count = len(permitted)
    tests = [_op(_IF_EQUAL, value, count - position, 0) for position, value in enumerate(permitted)]
    return [_load_argument(index), *unexecuted, *tests, _refuse(refusal), _op(_RETURN, _ALLOW)]


def _signals_only_to_itself(process_id: int, position: int) -> list[bytes]:
    """Let a bot send signals only to itself; `position` is the index of the signal argument.

    Even to itself, it cannot send signals that would make its exit or stop look as if the arena had caused it.
    """
    count = len(FROM_OUTSIDE)
    return [
        _load_argument(0),
        _op(_IF_EQUAL, process_id, 0, count + 3),
        _load_argument(position),
        *(_op(_IF_EQUAL, number, count + 1 - index, 0) for index, number in enumerate(FROM_OUTSIDE)),
        _op(_IF_AT_LEAST, _FIRST_REAL_TIME_SIGNAL, 1, 0),
        _op(_RETURN, _ALLOW),
        _refuse(errno.EPERM),
    ]


def _threads_only() -> list[bytes]:
    return [
        _load_argument(0),
        _op(_IF_ANY_BIT, _CLONE_FORBIDDEN, 2, 0),
        _op(_IF_ANY_BIT, _CLONE_THREAD, 0, 1),
        _op(_RETURN, _ALLOW),
        _refuse(errno.EPERM),
    ]


def _private_futex() -> list[bytes]:
    """Allow only process-private futexes: a shared one lets two bots that map the same library wake each other.

    Others fail with EAGAIN: the C library uses shared futexes only to wait for the end of a thread, and then retries.
    """
    return [_load_argument(1), _op(_IF_ANY_BIT, _FUTEX_PRIVATE, 0, 1), _op(_RETURN, _ALLOW), _refuse(errno.EAGAIN)]


def _ordinary_pages() -> list[bytes]:
    return [_load_argument(3), _op(_IF_ANY_BIT, _MAP_HUGETLB, 0, 1), _refuse(errno.EPERM), _op(_RETURN, _ALLOW)]


def _own_clock() -> list[bytes]:
    foreign = _op(_IF_AT_LEAST, _FIRST_FOREIGN_CLOCK, 0, 1)
    return [_load_argument(0), foreign, _refuse(errno.EINVAL), _op(_RETURN, _ALLOW)]


def _own_limits_read_only() -> list[bytes]:
    """Allow prlimit64(0, resource, NULL, old), which only reads."""
    return [
        _load_argument(0),
        _op(_IF_EQUAL, 0, 0, 5),
        _load_argument(2),
        _op(_IF_EQUAL, 0, 0, 3),
        _load_argument(2, high=True),
        _op(_IF_EQUAL, 0, 0, 1),
        _op(_RETURN, _ALLOW),
        _refuse(errno.EPERM),
    ]


def _bounds(numbers: Sequence[int]) -> list[tuple[int, bool]]:
    """Return the call numbers at which the verdict changes: (first number, whether allowed from there on)."""
    inside = set(numbers)
    bounds = [(0, 0 in inside)]
    for number in range(1, max(inside) + 2):
        if (number in inside) != bounds[-1][1]:
            bounds.append((number, number in inside))
    return bounds


def _search(bounds: Sequence[tuple[int, bool]]) -> list[bytes]:
    """Emit a binary search for the loaded call number."""
    if len(bounds) == 1:
        if bounds[0][1]:
            return [_op(_RETURN, _ALLOW)]
        return [_op(_IF_AT_LEAST, FIRST_UNKNOWN, 0, 1), _refuse(errno.ENOSYS), _refuse(errno.EPERM)]
    middle = len(bounds) // 2
    below, above = _search(bounds[:middle]), _search(bounds[middle:])
    if len(below) <= 255:  # the maximum distance of a conditional jump
        return [_op(_IF_AT_LEAST, bounds[middle][0], len(below), 0), *below, *above]
    return [_op(_IF_AT_LEAST, bounds[middle][0], 0, 1), _op(_JUMP, len(below)), *below, *above]


def build_filter(machine: str, process_id: int) -> bytes:
    """Build the program, 8 bytes per instruction, for a process that sees `process_id` as its own id.

    Raises KeyError for a machine that is not in MACHINES.
    """
    kind = _MACHINES[machine]
    number = {name: columns[kind.column] for name, columns in EXAMINED.items()}
    program = [_op(_LOAD, _ARCHITECTURE), _op(_IF_EQUAL, kind.audit, 1, 0), _op(_RETURN, _KILL), _op(_LOAD, _NUMBER)]
    if kind.has_x32:
        program += [_op(_IF_AT_LEAST, _X32_BIT, 0, 1), _op(_RETURN, _KILL)]
    program += _for_syscall(number["clone"], _threads_only())
    # The C library then falls back to clone, whose flags can be inspected here.
    program += _for_syscall(number["clone3"], [_refuse(errno.ENOSYS)])
    program += _for_syscall(number["kill"], _signals_only_to_itself(process_id, 1))
    program += _for_syscall(number["tgkill"], _signals_only_to_itself(process_id, 2))
    program += _for_syscall(number["ioctl"], _allow_argument_values(1, _IOCTLS, errno.ENOTTY))
    program += _for_syscall(number["fcntl"], _allow_argument_values(1, _FCNTLS, errno.EPERM, _LOCKS))
    for verdict, calls in ((_SUCCESS, WITHOUT_EFFECT), (_refuse(errno.EOPNOTSUPP), UNSUPPORTED)):
        for columns in calls.values():
            found = columns[kind.column]
            if found is not None:
                program += _for_syscall(found, [verdict])
    program += _for_syscall(number["prlimit64"], _own_limits_read_only())
    program += _for_syscall(number["futex"], _private_futex())
    program += _for_syscall(number["mmap"], _ordinary_pages())
    program += _for_syscall(number["madvise"], _allow_argument_values(2, _ADVICE, errno.EINVAL))
    for clock in ("clock_gettime", "clock_getres", "clock_nanosleep"):
        program += _for_syscall(number[clock], _own_clock())
    allowed = [columns[kind.column] for columns in ALLOWED.values()]
    program += _search(_bounds([found for found in allowed if found is not None]))
    return b"".join(program)


# Calls that create a file or folder or change a file's length by name, and what such names are relative to.
_FILE_CALLS = ("mkdir", "mkdirat", "rename", "renameat", "renameat2", "truncate", "chdir")
_OPENING_CALLS = {"open": 1, "openat": 2}  # index of each call's flags argument
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC


def _numbers(machine: str) -> dict[str, int]:
    """Return the numbers of the system calls that a bot may make."""
    column = _MACHINES[machine].column
    found = {name: columns[column] for name, columns in {**ALLOWED, **EXAMINED}.items()}
    return {name: number for name, number in found.items() if number is not None}


def call_names(machine: str) -> dict[int, str]:
    """Return the names of the system calls for which a supervisor is notified, keyed by call number."""
    gated = ("clone", *_FILE_CALLS, *_OPENING_CALLS)
    return {number: name for name, number in _numbers(machine).items() if name in gated}


def build_notify_filter(machine: str, *, files: bool) -> bytes:
    """Build the program that notifies the supervisor before a thread starts. On its own, it restricts nothing.

    files: whether the program also notifies the supervisor before the calls that ``file_calls`` handles.
    """
    numbers = _numbers(machine)
    program = [_op(_LOAD, _NUMBER)]
    for name in ("clone", *(_FILE_CALLS if files else ())):
        if name in numbers:
            program += _for_syscall(numbers[name], [_op(_RETURN, _ASK)])
    for name, flags in _OPENING_CALLS.items() if files else ():
        if name in numbers:
            filtered = [
                _load_argument(flags),
                _op(_IF_ANY_BIT, _WRITING, 0, 1),
                _op(_RETURN, _ASK),
                _op(_RETURN, _ALLOW),
            ]
            program += _for_syscall(numbers[name], filtered)
    return b"".join([*program, _op(_RETURN, _ALLOW)])
