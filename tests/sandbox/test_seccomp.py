"""The system-call filter: interpreted here for both machines, and swept in a real jail."""

from __future__ import annotations

import errno
import platform
import re
import signal
import struct
from pathlib import Path

import pytest

from arena.sandbox.forkserver import ForkServer
from arena.sandbox.seccomp import MACHINES, build_filter
from arena.sandbox.syscall_numbers import ALLOWED, EXAMINED, FIRST_UNKNOWN
from tests.sandbox.cells import cell

ALLOW, KILL = 0x7FFF0000, 0x80000000
AUDIT = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
COLUMN = {"x86_64": 0, "aarch64": 1}


# uretprobe and uprobe of x86_64: the kernel lets them past every filter, and they do nothing outside a probe.
UPROBES = [335, 336]


def refuse(number: int) -> int:
    return 0x00050000 | number


def verdict(machine: str, number: int, *arguments: int, audit: int | None = None) -> int:
    """Run the program as the kernel would."""
    program = build_filter(machine, 1)
    padded = (*arguments, *[0] * (6 - len(arguments)))
    data = struct.pack("<IIQ6Q", number, AUDIT[machine] if audit is None else audit, 0, *padded)
    instructions = [struct.unpack_from("HBBI", program, at) for at in range(0, len(program), 8)]
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


def test_every_number_has_the_verdict_of_the_tables(arch: str) -> None:
    allowed = {numbers[COLUMN[arch]] for numbers in ALLOWED.values()}
    examined = {numbers[COLUMN[arch]] for numbers in EXAMINED.values()}
    for number in range(FIRST_UNKNOWN + 200):
        if number in examined:
            continue
        expected = refuse(errno.EPERM if number < FIRST_UNKNOWN else errno.ENOSYS)
        assert verdict(arch, number) == (ALLOW if number in allowed else expected), number


def test_foreign_architectures_die(arch: str) -> None:
    assert verdict(arch, 0, audit=0x40000003) == KILL
    if arch == "x86_64":
        assert verdict(arch, 0x40000000) == KILL


def test_threads_and_nothing_else(arch: str) -> None:
    clone = EXAMINED["clone"][COLUMN[arch]]
    as_the_c_library_does = 0x3D0F00
    assert verdict(arch, clone, as_the_c_library_does) == ALLOW
    assert verdict(arch, clone, 17) == refuse(errno.EPERM)
    assert verdict(arch, clone, as_the_c_library_does | 0x10000000) == refuse(errno.EPERM)
    assert verdict(arch, EXAMINED["clone3"][COLUMN[arch]]) == refuse(errno.ENOSYS)


def test_signals_to_itself_only(arch: str) -> None:
    for name in ("kill", "tgkill"):
        number = EXAMINED[name][COLUMN[arch]]
        between = () if name == "kill" else (1,)  # the number of the thread
        for other in (0, 2, 2**32 - 1):
            assert verdict(arch, number, other, *between, signal.SIGTERM) == refuse(errno.EPERM)
        for harmful in (signal.SIGKILL, signal.SIGSTOP):
            assert verdict(arch, number, 1, *between, harmful) == refuse(errno.EPERM)
        for harmless in (0, *(signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP})):
            assert verdict(arch, number, 1, *between, harmless) == ALLOW


def test_limits_can_be_read_only(arch: str) -> None:
    number = EXAMINED["prlimit64"][COLUMN[arch]]
    assert verdict(arch, number, 0, 7, 0, 4096) == ALLOW
    assert verdict(arch, number, 1, 7, 0, 4096) == refuse(errno.EPERM)
    assert verdict(arch, number, 0, 7, 4096, 0) == refuse(errno.EPERM)
    assert verdict(arch, number, 0, 7, 2**32, 0) == refuse(errno.EPERM)


def test_ioctl_and_fcntl_by_command(arch: str) -> None:
    ioctl, fcntl = EXAMINED["ioctl"][COLUMN[arch]], EXAMINED["fcntl"][COLUMN[arch]]
    assert verdict(arch, ioctl, 1, 0x5401) == ALLOW
    assert verdict(arch, ioctl, 1, 0x5412) == refuse(errno.ENOTTY)
    assert verdict(arch, fcntl, 1, 3) == ALLOW
    assert verdict(arch, fcntl, 1, 6) == refuse(errno.EPERM)


HEADERS = {
    "x86_64": Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
    "aarch64": Path("/usr/include/asm-generic/unistd.h"),
}


def test_numbers_are_those_of_the_kernel_headers(arch: str) -> None:
    if not HEADERS[arch].is_file():
        pytest.skip("the kernel's headers are not installed")
    text = HEADERS[arch].read_text()
    known = {name: int(number) for name, number in re.findall(r"#define __NR(?:3264)?_(\w+) (\d+)", text)}
    known.setdefault("newfstatat", known.get("fstatat", -1))  # the generic table's name for it
    for name, numbers in {**ALLOWED, **EXAMINED}.items():
        if name in known:
            assert numbers[COLUMN[arch]] == known[name], name
        else:
            assert numbers[COLUMN[arch]] is None or name in ("faccessat2", "close_range"), name


@pytest.mark.sandbox
def test_every_other_number_is_refused_by_the_kernel(fork_server: ForkServer) -> None:
    column = COLUMN[platform.machine()]
    permitted = [numbers[column] for numbers in {**ALLOWED, **EXAMINED}.values()]
    permitted += UPROBES
    body = """
        permitted = set(hear())
        reached = []
        for number in range(1024):
            if number not in permitted:
                try:
                    call(number, 0, 0, 0, 0, 0, 0)
                    reached.append(number)
                except OSError as error:
                    if error.errno not in (errno.EPERM, errno.ENOSYS):
                        reached.append(number)
        tell(reached)
    """
    with cell(fork_server, body) as bot:
        bot.tell(permitted)
        assert bot.hear() == []
