"""The system-call filter is interpreted here for both architectures, and tested with every call in a real jail."""

from __future__ import annotations

import errno
import os
import platform
import re
import signal
import struct
from pathlib import Path

import pytest

from arena.core.sandbox.escape_probe.escape_probe import _FORBIDDEN_CALLS
from arena.core.sandbox.isolation.seccomp import FROM_OUTSIDE, MACHINES, build_filter, build_notify_filter
from arena.core.sandbox.isolation.syscall_numbers import (
    ALLOWED,
    EXAMINED,
    FIRST_UNKNOWN,
    UNSUPPORTED,
    WITHOUT_EFFECT,
)
from arena.core.sandbox.supervision.forkserver import ForkServer
from tests.core.sandbox.jailed_bots import jailed_bot

ALLOW, KILL, ASK = 0x7FFF0000, 0x80000000, 0x7FC00000
AUDIT = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
COLUMN = {"x86_64": 0, "aarch64": 1}


# uretprobe and uprobe on x86_64: the kernel exempts them from every filter, and they do nothing outside a probe.
UPROBES = [335, 336]


def refuse(number: int) -> int:
    return 0x00050000 | number


def unpack_program(program: bytes) -> list[tuple[int, int, int, int]]:
    return [struct.unpack_from("HBBI", program, at) for at in range(0, len(program), 8)]


def verdict(machine: str, number: int, *arguments: int, audit: int | None = None, program: bytes | None = None) -> int:
    """Run the filter program as the kernel would; return its verdict on a call."""
    padded = (*arguments, *[0] * (6 - len(arguments)))
    data = struct.pack("<IIQ6Q", number, AUDIT[machine] if audit is None else audit, 0, *padded)
    instructions = unpack_program(build_filter(machine, 1) if program is None else program)
    at, accumulator = 0, 0
    while True:
        code, if_true, if_false, value = instructions[at]
        at += 1
        match code:
            case 0x20:
                (accumulator,) = struct.unpack_from("<I", data, value)
            case 0x05:
                at += value
            case 0x06:
                return int(value)
            case 0x15:
                at += if_true if accumulator == value else if_false
            case 0x35:
                at += if_true if accumulator >= value else if_false
            case 0x45:
                at += if_true if accumulator & value else if_false
            case _:
                raise AssertionError(f"unknown instruction {code:#x}")


@pytest.fixture(params=MACHINES)
def arch(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_every_system_call_has_the_verdict_of_the_tables(arch: str) -> None:
    allowed = {numbers[COLUMN[arch]] for numbers in ALLOWED.values()}
    examined = {numbers[COLUMN[arch]] for numbers in EXAMINED.values()}
    for number in range(FIRST_UNKNOWN + 200):
        if number in examined:
            continue
        expected = refuse(errno.EPERM if number < FIRST_UNKNOWN else errno.ENOSYS)
        if number in {numbers[COLUMN[arch]] for numbers in WITHOUT_EFFECT.values()}:
            expected = refuse(0)
        elif number in {numbers[COLUMN[arch]] for numbers in UNSUPPORTED.values()}:
            expected = refuse(errno.EOPNOTSUPP)
        assert verdict(arch, number) == (ALLOW if number in allowed else expected), number


def test_foreign_architectures_are_killed(arch: str) -> None:
    others = {0x40000003, 0x40000028, 0, AUDIT["x86_64"], AUDIT["aarch64"], AUDIT[arch] ^ 1 << 30} - {AUDIT[arch]}
    for audit in others:  # including i386 and arm, which the same processors run
        for number in (0, 1, 63, 64, 93, 231, 0x40000000, 2**32 - 1):
            assert verdict(arch, number, audit=audit) == KILL
    if arch == "x86_64":
        assert verdict(arch, 0x40000000) == KILL


def test_numbers_beyond_every_table_are_refused(arch: str) -> None:
    numbers = [1 << bit for bit in range(9, 30)] + [2**30 - 1]
    for number in numbers:
        assert verdict(arch, number) == refuse(errno.EPERM if number < FIRST_UNKNOWN else errno.ENOSYS), number
    for number in (0x40000000, 0x40000000 | 39, 2**31, 2**32 - 1):  # x32 calls, and numbers with the sign bit set
        assert verdict(arch, number) == (KILL if arch == "x86_64" else refuse(errno.ENOSYS))


def test_filter_program_is_valid_for_the_kernel(arch: str) -> None:
    """The kernel requires that all jumps go forward and stay inside the program, and that every path returns."""
    for program in (
        build_filter(arch, 1),
        build_filter(arch, 2**22),
        build_notify_filter(arch, files=True),
        build_notify_filter(arch, files=False),
    ):
        assert len(program) % 8 == 0
        instructions = unpack_program(program)
        assert 0 < len(instructions) <= 4096
        for at, (code, if_true, if_false, value) in enumerate(instructions):
            if code == 0x06:
                assert (if_true, if_false) == (0, 0)
                assert value in (ALLOW, KILL, ASK) or value >> 16 == 5
                continue
            jumps = {0x20: (0,), 0x05: (value,)}.get(code, (if_true, if_false))
            assert all(at + 1 + jump < len(instructions) for jump in jumps)
            if code == 0x20:
                assert value % 4 == 0
                assert value < 64


def test_calls_of_the_escape_probe_are_refused_on_every_architecture(arch: str) -> None:
    for name, numbers in _FORBIDDEN_CALLS.items():
        assert verdict(arch, numbers[COLUMN[arch]]) == refuse(errno.EPERM), name


def test_notify_filter_intercepts_only_thread_creation(arch: str) -> None:
    program = build_notify_filter(arch, files=False)
    clone = EXAMINED["clone"][COLUMN[arch]]
    for number in range(FIRST_UNKNOWN + 200):
        assert verdict(arch, number, program=program) == (ASK if number == clone else ALLOW)


def test_notify_filter_intercepts_creating_and_writing_files(arch: str) -> None:
    program = build_notify_filter(arch, files=True)
    named = ("clone", "mkdir", "mkdirat", "rename", "renameat", "renameat2", "truncate", "chdir")
    intercepted = {columns[COLUMN[arch]] for name, columns in {**ALLOWED, **EXAMINED}.items() if name in named}
    for number in range(FIRST_UNKNOWN + 200):
        assert verdict(arch, number, program=program) == (ASK if number in intercepted else ALLOW)
    for name, position in (("open", 1), ("openat", 2)):
        number = ALLOWED[name][COLUMN[arch]]
        for flags in (
            () if number is None else (os.O_WRONLY, os.O_RDWR, os.O_CREAT, os.O_TRUNC, os.O_TMPFILE | os.O_RDWR)
        ):
            assert verdict(arch, number, *(0,) * position, flags, program=program) == ASK
        if number is not None:
            read_only = os.O_CLOEXEC | os.O_DIRECTORY | os.O_NONBLOCK
            assert verdict(arch, number, *(0,) * position, read_only, program=program) == ALLOW


def test_flushes_and_locks_succeed_without_being_executed(arch: str) -> None:
    for name in ("fsync", "fdatasync", "msync"):
        assert verdict(arch, WITHOUT_EFFECT[name][COLUMN[arch]] or 0) == refuse(0)
    fcntl = EXAMINED["fcntl"][COLUMN[arch]]
    assert [verdict(arch, fcntl, 1, command) for command in (5, 6, 7, 8)] == [
        refuse(errno.EPERM),
        refuse(0),
        refuse(0),
        refuse(errno.EPERM),
    ]


def test_clone_permits_only_threads(arch: str) -> None:
    clone = EXAMINED["clone"][COLUMN[arch]]
    as_the_c_library_does = 0x3D0F00
    assert verdict(arch, clone, as_the_c_library_does) == ALLOW
    assert verdict(arch, clone, 17) == refuse(errno.EPERM)
    assert verdict(arch, clone, as_the_c_library_does | 0x10000000) == refuse(errno.EPERM)
    assert verdict(arch, EXAMINED["clone3"][COLUMN[arch]]) == refuse(errno.ENOSYS)


def test_signals_are_permitted_only_to_itself(arch: str) -> None:
    for name in ("kill", "tgkill"):
        number = EXAMINED[name][COLUMN[arch]]
        between = () if name == "kill" else (1,)  # the thread id
        for other in (0, 2, 2**32 - 1):
            assert verdict(arch, number, other, *between, signal.SIGTERM) == refuse(errno.EPERM)
        for harmful in FROM_OUTSIDE:
            assert verdict(arch, number, 1, *between, harmful) == refuse(errno.EPERM)
        for queued in range(32, 65):
            assert verdict(arch, number, 1, *between, queued) == refuse(errno.EPERM)
        for harmless in set(range(32)) - set(FROM_OUTSIDE):
            assert verdict(arch, number, 1, *between, harmless) == ALLOW


def test_limits_can_only_be_read(arch: str) -> None:
    number = EXAMINED["prlimit64"][COLUMN[arch]]
    assert verdict(arch, number, 0, 7, 0, 4096) == ALLOW
    assert verdict(arch, number, 1, 7, 0, 4096) == refuse(errno.EPERM)
    assert verdict(arch, number, 0, 7, 4096, 0) == refuse(errno.EPERM)
    assert verdict(arch, number, 0, 7, 2**32, 0) == refuse(errno.EPERM)


def test_ioctl_and_fcntl_are_filtered_by_command(arch: str) -> None:
    ioctl, fcntl = EXAMINED["ioctl"][COLUMN[arch]], EXAMINED["fcntl"][COLUMN[arch]]
    assert verdict(arch, ioctl, 1, 0x5401) == ALLOW
    assert verdict(arch, ioctl, 1, 0x5412) == refuse(errno.ENOTTY)
    assert verdict(arch, fcntl, 1, 3) == ALLOW
    assert verdict(arch, fcntl, 1, 9) == refuse(errno.EPERM)


def test_descriptors_keep_their_flags(arch: str) -> None:
    ioctl, fcntl = EXAMINED["ioctl"][COLUMN[arch]], EXAMINED["fcntl"][COLUMN[arch]]
    assert verdict(arch, fcntl, 1, 4) == refuse(errno.EPERM)
    assert verdict(arch, ioctl, 1, 0x5421) == refuse(errno.ENOTTY)


def test_futexes_are_private(arch: str) -> None:
    number = EXAMINED["futex"][COLUMN[arch]]
    for operation in range(14):
        assert verdict(arch, number, 0, operation) == refuse(errno.EAGAIN)
        assert verdict(arch, number, 0, operation | 0x100) == refuse(errno.EAGAIN)  # FUTEX_CLOCK_REALTIME
        assert verdict(arch, number, 0, operation | 0x80) == ALLOW


def test_clocks_of_other_processes_are_refused(arch: str) -> None:
    for name in ("clock_gettime", "clock_getres", "clock_nanosleep"):
        number = EXAMINED[name][COLUMN[arch]]
        assert verdict(arch, number, 3) == ALLOW
        for foreign in (12, ~1 << 3 & 0xFFFFFFFF | 2, ~4000 << 3 & 0xFFFFFFFF | 2):
            assert verdict(arch, number, foreign) == refuse(errno.EINVAL)


def test_memory_advice_for_sharing_is_refused(arch: str) -> None:
    mmap, madvise = EXAMINED["mmap"][COLUMN[arch]], EXAMINED["madvise"][COLUMN[arch]]
    assert verdict(arch, mmap, 0, 4096, 3, 0x22) == ALLOW
    assert verdict(arch, mmap, 0, 4096, 3, 0x40022) == refuse(errno.EPERM)
    for advice, expected in {4: ALLOW, 14: ALLOW, 12: refuse(errno.EINVAL), 21: refuse(errno.EINVAL)}.items():
        assert verdict(arch, madvise, 0, 4096, advice) == expected


HEADERS = {
    "x86_64": Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
    "aarch64": Path("/usr/include/asm-generic/unistd.h"),
}


def test_numbers_match_the_kernel_headers(arch: str) -> None:
    if not HEADERS[arch].is_file():
        pytest.skip("the kernel's headers are not installed: apt install linux-libc-dev")
    text = HEADERS[arch].read_text()
    known = {name: int(number) for name, number in re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", text)}
    assert len(known) > 300
    known.setdefault("newfstatat", known.get("fstatat", -1))  # the name in the generic table
    for name, numbers in {**ALLOWED, **EXAMINED, **WITHOUT_EFFECT, **UNSUPPORTED}.items():
        if name in known:
            assert numbers[COLUMN[arch]] == known[name], name
        else:
            assert numbers[COLUMN[arch]] is None or name in ("faccessat2", "close_range", "fchmodat2"), name
    for name, forbidden in _FORBIDDEN_CALLS.items():
        assert forbidden[COLUMN[arch]] == known[name], name


def test_numbers_of_system_calls_are_unique(arch: str) -> None:
    tables = (ALLOWED, EXAMINED, WITHOUT_EFFECT, UNSUPPORTED)
    numbers = [columns[COLUMN[arch]] for table in tables for columns in table.values()]
    known = [number for number in numbers if number is not None]
    assert len(known) == len(set(known))
    assert max(known) < FIRST_UNKNOWN


@pytest.mark.sandbox
def test_kernel_refuses_every_other_number(fork_server: ForkServer) -> None:
    column = COLUMN[platform.machine()]
    known = {**ALLOWED, **EXAMINED, **WITHOUT_EFFECT, **UNSUPPORTED}
    permitted = [numbers[column] for numbers in known.values()]
    permitted += UPROBES
    body = """
        permitted = set(receive())
        reached = []
        for number in range(1024):
            if number not in permitted:
                try:
                    call(number, 0, 0, 0, 0, 0, 0)
                    reached.append(number)
                except OSError as error:
                    if error.errno not in (errno.EPERM, errno.ENOSYS):
                        reached.append(number)
        send(reached)
    """
    with jailed_bot(fork_server, body) as bot:
        bot.send(permitted)
        assert bot.receive() == []
