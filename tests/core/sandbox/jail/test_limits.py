"""A bot can use only a limited amount of each resource: requests for more fail in the jail at the expected limit."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from arena.core.sandbox.jail.limits import JailLimits
from arena.core.sandbox.supervision.exits import ExitReason
from arena.core.sandbox.supervision.forkserver import ForkServer
from tests.core.sandbox.jailed_bots import ByMode, JailedBot, jailed_bot, value_for_mode

pytestmark = pytest.mark.sandbox

COUNTS = {
    "threads": (
        "stop = threading.Event()\n"
        "send(count(lambda _: threading.Thread(target=stop.wait, daemon=True).start(), 1000))",
        JailLimits(threads=8),
        7,  # plus the main thread
    ),
    "small threads": (
        "threading.stack_size(32768)\nstop = threading.Event()\n"
        "send(count(lambda _: threading.Thread(target=stop.wait, daemon=True).start(), 1000))",
        JailLimits(),
        15,
    ),
    "descriptors": ("send(count(lambda _: os.dup(1), 1000))", JailLimits(), 60),
    "files": (
        "os.chdir(os.environ['TMPDIR']); send(count(lambda n: open(f'{n}', 'w').close(), 5000))",
        JailLimits(tmp_files=100),
        100,
    ),
    "deep folders": ("send(count(lambda _: (os.mkdir('/tmp/d'), os.chdir('/tmp/d'))[0], 5000))", JailLimits(), 1),
}


@pytest.mark.parametrize("name", COUNTS)
def test_resource_is_capped(fork_server: ForkServer, name: str) -> None:
    body, limits, most = COUNTS[name]
    with jailed_bot(fork_server, body, limits) as bot:
        assert bot.receive() <= most


def test_nested_folders_are_limited(fork_server: ForkServer) -> None:
    least, most = value_for_mode(fork_server.mode, ByMode((100, 200), (20, 40)))
    body = """
        os.chdir(os.environ['TMPDIR'])
        send(count(lambda _: (os.mkdir('d'), os.chdir('d')), 5000))
    """
    with jailed_bot(fork_server, body, JailLimits(tmp_files=200)) as bot:
        assert least < bot.receive() < most


@pytest.mark.parametrize(
    "allocate",
    [
        "bytearray(2**20)",
        "mmap.mmap(-1, 2**20)",
        "mmap.mmap(-1, 2**20, flags=mmap.MAP_SHARED)",
        "mmap.mmap(-1, 2**20, flags=mmap.MAP_PRIVATE)",
    ],
)
def test_memory_is_limited(fork_server: ForkServer, allocate: str) -> None:
    with jailed_bot(fork_server, f"send(count(lambda _: {allocate}, 2000))", JailLimits(memory_mb=300)) as bot:
        assert 20 < bot.receive() < 300


def test_thread_bomb_is_limited(fork_server: ForkServer) -> None:
    """The limit holds if each thread starts as many others as it can; without a namespace, it is slightly exceeded."""
    body = """
        threading.stack_size(32768)
        def burst():
            while True:
                try: threading.Thread(target=burst, daemon=True).start()
                except (RuntimeError, MemoryError): time.sleep(0.001)
        count(lambda _: threading.Thread(target=burst, daemon=True).start(), 4)
        time.sleep(0.3)
        send('on')
        signal.pause()
    """
    with (
        jailed_bot(fork_server, body, JailLimits(threads=8)) as bot,
        jailed_bot(fork_server, "receive()\nsend(7)") as sibling,
    ):
        bot.receive()
        tasks = len(list(Path(f"/proc/{bot.process.process_id}/task").iterdir()))
        assert 4 < tasks <= value_for_mode(fork_server.mode, ByMode(8, 16))
        sibling.send("continue")
        assert sibling.receive() == 7
        assert bot.process.kill().reason is ExitReason.KILLED


def test_thread_limits_of_bots_are_independent(fork_server: ForkServer) -> None:
    body = """
        stop = threading.Event()
        send(count(lambda _: threading.Thread(target=stop.wait, daemon=True).start(), 100))
        receive()
    """
    with (
        jailed_bot(fork_server, body, JailLimits(threads=8)) as first,
        jailed_bot(fork_server, body, JailLimits(threads=8)) as second,
    ):
        assert [first.receive(), second.receive()] == [7, 7]


def test_numpy_fits_into_the_memory_limit(fork_server: ForkServer) -> None:
    if "numpy" not in fork_server.preloaded:
        pytest.skip("numpy is not among the libraries for bots: make install")
    body = """
        import numpy
        a = numpy.random.random((1000, 1000))
        send(float((a @ numpy.linalg.inv(a)).trace()))
    """
    with jailed_bot(fork_server, body) as bot:
        assert bot.receive() == pytest.approx(1000)


def test_each_bot_has_its_own_random_numbers(fork_server: ForkServer) -> None:
    if "numpy" not in fork_server.preloaded:
        pytest.skip("numpy is not among the libraries for bots: make install")
    body = (
        "import numpy, random; send([random.random(), *numpy.random.random(2).tolist(), float(numpy.random.normal())])"
    )
    with jailed_bot(fork_server, body) as first, jailed_bot(fork_server, body) as second:
        numbers = [*first.receive(), *second.receive()]
    assert len(set(numbers)) == len(numbers)


def test_scratch_bytes_are_limited(fork_server: ForkServer) -> None:
    body = """
        os.chdir(os.environ['TMPDIR'])
        kept = count(lambda n: open(f'{n}', 'wb', buffering=0).write(bytes(2**18)), 1000)
        send(kept)
    """
    with jailed_bot(fork_server, body, JailLimits(tmp_mb=4)) as bot:
        assert bot.receive() <= 17  # the last one may be truncated


def test_file_size_is_limited(fork_server: ForkServer) -> None:
    body = """
        wrote = 0
        try:
            f = open('long', 'wb', buffering=0)
            wrote = f.write(bytes(2**20))
            f.write(b'x')
        except OSError as error:
            send([wrote, error.errno])
    """
    with jailed_bot(fork_server, body, JailLimits(log_bytes=1000, file_bytes=1000)) as bot:
        assert bot.receive() == [1000, errno.EFBIG]


FLOODS = {
    "print": "for _ in range(100000): print('garbage' * 10)",
    "errors": "for _ in range(100000): print('garbage' * 10, file=sys.stderr)",
    "one huge line": "print('x' * 10**7)",
    "without a line end": "for _ in range(10000): print('x' * 1000, end='')",
    "bytes": "for _ in range(1000): sys.stdout.buffer.write(os.urandom(10000))",
    "a hole": "os.lseek(1, 10**12, 0)\nprint('far')",
    "lone surrogates": "print('\\ud800' * 100000)",
}


@pytest.mark.parametrize("name", FLOODS)
def test_flooding_the_log_is_harmless(fork_server: ForkServer, name: str) -> None:
    with jailed_bot(fork_server, f"{FLOODS[name]}\nsend('still here')", JailLimits(log_bytes=10_000)) as bot:
        assert bot.receive() == "still here"
        assert bot.wait_for_exit().reason is ExitReason.EXITED
        assert len(bot.log) <= 10_000


def test_full_log_is_an_error_only_for_raw_writes(fork_server: ForkServer) -> None:
    body = """
        try:
            while True: os.write(1, bytes(1000))
        except OSError as error:
            send(error.errno == errno.EFBIG)
    """
    with jailed_bot(fork_server, body, JailLimits(log_bytes=10_000, file_bytes=20_000)) as bot:
        assert bot.receive() is True


def test_full_log_does_not_limit_other_files(fork_server: ForkServer) -> None:
    body = """
        print('x' * 20_000)
        print('still', file=sys.stderr)
        send(open(bot_dir + '/table.npy', 'wb').write(bytes(2**20)))
    """
    with jailed_bot(fork_server, body, JailLimits(log_bytes=10_000)) as bot:
        assert bot.receive() == 2**20
        assert len(bot.log) == 10_000


def test_closing_the_log_is_harmless(fork_server: ForkServer) -> None:
    with jailed_bot(fork_server, "sys.stdout.close(); os.close(2); send('on')") as bot:
        assert bot.receive() == "on"
        assert _end_code(bot) == 0


def _end_code(bot: JailedBot) -> int | None:
    return bot.wait_for_exit().code
