"""However a small bot ends, its exit reason is exact."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from arena.core.sandbox.errors import ChannelClosed
from arena.core.sandbox.jail.limits import JailLimits
from arena.core.sandbox.supervision.exits import ExitReason, ProcessExit
from arena.core.sandbox.supervision.forkserver import ForkServer
from tests.core.sandbox.jailed_bots import ByMode, jailed_bot, value_for_mode

pytestmark = pytest.mark.sandbox

ROOT = Path(__file__).parents[4]


def exited_with(code: int) -> ProcessExit:
    return ProcessExit(ExitReason.EXITED, code=code)


def crashed_with(number: signal.Signals) -> ProcessExit:
    return ProcessExit(ExitReason.CRASHED, signal=number)


CRASHED = crashed_with(signal.SIGSEGV)
FORBIDDEN = ProcessExit(ExitReason.FORBIDDEN_CALL, signal=signal.SIGSYS)

MACHINE_CODE = """
code = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
code.write({code!r})
ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(code)))()
"""

PAST_THE_END = """
f = open(bot_dir + '/main.py', 'rb')
libc.mmap.restype = ctypes.c_void_p
place = libc.mmap(None, ctypes.c_size_t(2**20), mmap.PROT_READ, mmap.MAP_PRIVATE, f.fileno(), ctypes.c_long(0))
ctypes.string_at(place + 2**19, 1)
"""

ENDINGS: dict[str, tuple[str, ProcessExit | ByMode[ProcessExit]]] = {
    "returns": ("", exited_with(0)),
    "sys.exit()": ("sys.exit()", exited_with(0)),
    "sys.exit(3)": ("sys.exit(3)", exited_with(3)),
    "sys.exit(text)": ("sys.exit('no more')", exited_with(1)),
    "os._exit": ("os._exit(7)", exited_with(7)),
    "exception": ("raise ValueError('wrong')", exited_with(1)),
    "huge exception": ("raise ValueError('x' * 10**7)", exited_with(1)),
    "endless recursion": ("def again(): again()\nagain()", exited_with(1)),
    "keyboard interrupt": ("raise KeyboardInterrupt", exited_with(1)),
    "heap": ("kept = []\nwhile True: kept.append(bytearray(2**20))", exited_with(1)),
    "shared mmap": ("kept = [mmap.mmap(-1, 2**26) for _ in range(100)]", exited_with(1)),
    "threads left behind": ("threading.Thread(target=time.sleep, args=(1000,)).start()\nsys.exit(4)", exited_with(4)),
    "missing import": ("import no_such_module", exited_with(1)),
    "segfault": ("ctypes.string_at(0)", CRASHED),
    # Process 1 of a namespace ignores SIGABRT; the C library then forces a fault.
    "abort": ("os.abort()", ByMode(CRASHED, crashed_with(signal.SIGABRT))),
    "bus error": (PAST_THE_END, crashed_with(signal.SIGBUS)),
    # The same applies to a signal to itself: without a namespace the signal kills the process.
    "alarms itself": ("os.kill(os.getpid(), signal.SIGALRM)", ByMode(exited_with(0), crashed_with(signal.SIGALRM))),
    # If one of these signals killed the process, it would look as if somebody had stopped the worker.
    "terminates itself": ("os.kill(os.getpid(), signal.SIGTERM)", exited_with(1)),
    "hangs up on itself": ("os.kill(os.getpid(), signal.SIGHUP)", exited_with(1)),
    "C stack overflow": (
        "sys.setrecursionlimit(10**9)\nvalue = []\nfor _ in range(10**6): value = [value]\nrepr(value)",
        CRASHED,
    ),
    "int 0x80": (MACHINE_CODE.format(code=b"\xb8\x14\x00\x00\x00\xcd\x80\xc3"), FORBIDDEN),
    "x32": ("call(0x40000000 | 39)", FORBIDDEN),
}
ONLY_X86 = {"int 0x80", "x32"}


@pytest.mark.parametrize("name", ENDINGS)
def test_exit_reason_is_exact(fork_server: ForkServer, name: str, machine: str) -> None:
    if name in ONLY_X86 and machine != "x86_64":
        pytest.skip("a call of another processor")
    body, by_mode = ENDINGS[name]
    expected = value_for_mode(fork_server.mode, by_mode)
    with jailed_bot(fork_server, body) as bot:
        assert bot.wait_for_exit() == expected
        assert bot.process.kill() == expected, "killing what is gone changes nothing"


SEND_ITSELF = """
try: os.kill(os.getpid(), signal.{name})
except PermissionError: send('on')
signal.pause()
"""
SURVIVORS = {
    "spins": "send('on')\nwhile True: pass",
    "sleeps": "send('on')\ntime.sleep(10**6)",
    "never answers": "send('on')\nreceive()\nthreading.Event().wait()",
    "stops itself": SEND_ITSELF.format(name="SIGSTOP"),
    "stops itself like a terminal": "os.kill(os.getpid(), signal.SIGTSTP)\nsend('on')\nsignal.pause()",
    "reads like a background job": "os.kill(os.getpid(), signal.SIGTTIN)\nsend('on')\nsignal.pause()",
    "kills itself": SEND_ITSELF.format(name="SIGKILL"),
    "ignores every signal": """
        for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
            signal.signal(number, signal.SIG_IGN)
        send('on')
        while True: time.sleep(1000)
    """,
    # The bot's threads outlive its main thread, but belong to the same process and die with it.
    "leaves its threads behind": """
        def think():
            time.sleep(0.05)
            send('on')
            while True: pass
        threading.Thread(target=think, daemon=True).start()
        libc.syscall(ctypes.c_long({'x86_64': 60, 'aarch64': 93}[platform.machine()]), ctypes.c_long(0))
    """,
    "closes all but its channel": "os.close(0); os.close(1); os.close(2)\nsend('on')\nwhile True: pass",
    "many threads": """
        def spin():
            while True: pass
        for _ in range(10): threading.Thread(target=spin).start()
        send('on')
        while True: pass
    """,
}


@pytest.mark.parametrize("name", SURVIVORS)
def test_stubborn_process_is_killed(fork_server: ForkServer, name: str) -> None:
    with jailed_bot(fork_server, SURVIVORS[name]) as bot:
        assert bot.receive() == "on"
        assert bot.process.wait_for_exit() is None
        assert bot.process.kill() == ProcessExit(ExitReason.KILLED, signal=signal.SIGKILL)


def test_total_cpu_time_is_limited(fork_server: ForkServer) -> None:
    ignore = "signal.signal(signal.SIGXCPU, signal.SIG_IGN)\nwhile True: pass"
    with jailed_bot(fork_server, ignore, JailLimits(cpu_seconds=1)) as bot:
        assert bot.wait_for_exit() == ProcessExit(ExitReason.CPU_LIMIT, signal=signal.SIGKILL)
        assert bot.process.usage().cpu == pytest.approx(1, abs=0.5)


def test_crash_leaves_a_traceback(fork_server: ForkServer) -> None:
    with jailed_bot(fork_server, "ctypes.string_at(0)") as bot:
        bot.wait_for_exit()
        assert b"Segmentation fault" in bot.log
        assert b'/main.py", line' in bot.log


def test_crash_does_not_reveal_the_installation_path(fork_server: ForkServer) -> None:
    """In a stack dump, the arena's own files appear as "<arena>".

    The paths of libraries and of the bot's folder remain, because a bot can find out both anyway.
    """
    body = "import faulthandler\nfaulthandler.dump_traceback()\nraise ValueError('wrong')"
    with jailed_bot(fork_server, body) as bot:
        bot.wait_for_exit()
        frames = [line for line in bot.log.decode().splitlines() if line.lstrip().startswith("File ")]
        assert any('"<arena>"' in frame for frame in frames)
        assert not [frame for frame in frames if str(ROOT / "arena") in frame]


def test_exception_is_in_the_log(fork_server: ForkServer) -> None:
    with jailed_bot(fork_server, "print('thinking')\nraise ValueError('wrong')") as bot:
        bot.wait_for_exit()
        assert bot.log.startswith(b"thinking\n")
        assert bot.log.endswith(b"ValueError: wrong\n")


def test_exit_closes_the_channel(fork_server: ForkServer) -> None:
    with jailed_bot(fork_server, "send('last words')") as bot:
        assert bot.receive() == "last words"
        with pytest.raises(ChannelClosed):
            bot.receive()
        assert bot.wait_for_exit() == exited_with(0)
        with pytest.raises(ChannelClosed):
            bot.send("hello?")
