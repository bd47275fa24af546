"""A restarted bot finds nothing that its previous process stored, wherever it was stored."""

from __future__ import annotations

import pytest

from arena.core.referee.players import restart_line
from arena.core.referee.spec import MatchLimits, MatchSpec, SeatSpec
from arena.core.sandbox.supervision.forkserver import ForkServer
from arena.games.registry import GAMES
from tests.core.referee.jailed import MakeBot, play_in_jail

pytestmark = pytest.mark.sandbox

FIRST_LEGAL = "def get_move(state): return state.legal[0]\n"
# In the first deal the bot stores its hand wherever it can, in the second it looks for it; its log reports both.
REMEMBERS = '''
import builtins, ctypes, mmap, os, pathlib, socket, sys, tempfile, threading

libc = ctypes.CDLL(None, use_errno=True)
libc.shmat.restype = ctypes.c_void_p
KEY = 0x5EC2E7
SIZE = 4096
CALLS = (248, 249, 250) if os.uname().machine == "x86_64" else (217, 218, 219)  # add_key, request_key, keyctl
FOLDERS = [".", "sub", "/tmp", "/var/tmp", "/dev/shm", "/run", "/run/lock", os.path.expanduser("~"),
           tempfile.gettempdir(), os.path.dirname(os.__file__), os.path.dirname(os.path.abspath(__file__))]
kept = []
hand = None


def failed(result):
    if result in (-1, None, 2**64 - 1):
        raise OSError(ctypes.get_errno(), "refused")
    return result


def attached(flags):
    address = failed(libc.shmat(failed(libc.shmget(KEY, SIZE, flags)), None, 0))
    return (ctypes.c_char * SIZE).from_address(address)


def write_globals(text):
    global hand
    hand = builtins.hand = sys.hand = os.hand = text


def read_globals():
    return hand or getattr(builtins, "hand", None) or getattr(sys, "hand", None) or getattr(os, "hand", None)


def write_environment(text):
    os.environ["HAND"] = text


def read_environment():
    return os.environ.get("HAND")


def write_main(text):
    with open("main.py", "a") as own:
        own.write("# hand: " + text)


def read_main():
    return "# hand: [" in open("main.py").read().rpartition("\\n")[2] or None


def write_module(text):
    pathlib.Path("hand_module.py").write_text("hand = " + repr(text))
    os.makedirs("__pycache__", exist_ok=True)
    pathlib.Path("__pycache__/hand.pyc").write_text(text)


def read_module():
    try:
        import hand_module
        return hand_module.hand
    except ImportError:
        return os.path.exists("__pycache__/hand.pyc") or None


def file_in(folder):
    def write(text):
        if folder == "sub":
            os.makedirs("sub", exist_ok=True)
        pathlib.Path(folder, "hand.txt").write_text(text)

    def read():
        found = pathlib.Path(folder, "hand.txt")
        return found.read_text() if found.exists() else None

    return write, read


def write_abstract(text):
    server = socket.socket(socket.AF_UNIX)
    server.bind("\\0hand")
    server.listen()
    kept.append(server)

    def serve():
        while True:
            server.accept()[0].sendall(text.encode())

    threading.Thread(target=serve, daemon=True).start()


def read_abstract():
    client = socket.socket(socket.AF_UNIX)
    client.connect("\\0hand")
    return client.recv(100)


def write_local(text):
    server = socket.create_server(("127.0.0.1", 50505))
    kept.append(server)


def read_local():
    return socket.create_connection(("127.0.0.1", 50505), 1)


def write_shm(text):
    attached(0o1666).value = text.encode()


def read_shm():
    return attached(0o666).value or None


def write_posix_shm(text):
    descriptor = failed(libc.shm_open(b"/hand", os.O_CREAT | os.O_RDWR, 0o666))
    os.ftruncate(descriptor, SIZE)
    mmap.mmap(descriptor, SIZE)[: len(text)] = text.encode()


def read_posix_shm():
    return mmap.mmap(failed(libc.shm_open(b"/hand", os.O_RDWR, 0o666)), SIZE)[:100]


def write_queue(text):
    queue = failed(libc.msgget(KEY, 0o1666))
    failed(libc.msgsnd(queue, b"\\1" + bytes(7) + text.encode(), len(text), 0))


def read_queue():
    return failed(libc.msgget(KEY, 0o666))


def write_semaphore(text):
    failed(libc.semget(KEY, 20, 0o1666))


def read_semaphore():
    return failed(libc.semget(KEY, 20, 0o666))


def write_keyring(text):
    failed(libc.syscall(CALLS[0], b"user", b"hand", text.encode(), len(text), ctypes.c_int(-4)))


def read_keyring():
    return failed(libc.syscall(CALLS[1], b"user", b"hand", None, ctypes.c_int(0)))


def write_log(text):
    print("my hand is", text)


def read_log():
    """Its log itself, and how long it is before this process has printed anything."""
    return LOG_AT_START or None


def write_times(text):
    os.utime("main.py", (12345, 12345))
    os.utime(os.__file__, (12345, 12345))


def read_times():
    return [path for path in ("main.py", os.__file__) if os.stat(path).st_mtime == 12345] or None


def write_memory_file(text):
    descriptor = os.memfd_create("hand")
    os.write(descriptor, text.encode())
    kept.append(descriptor)


def read_memory_file():
    for process in filter(str.isdigit, os.listdir("/proc")):
        for descriptor in os.listdir(f"/proc/{process}/fd"):
            path = f"/proc/{process}/fd/{descriptor}"
            if "hand" in os.readlink(path):
                return open(path).read()
    return None


def write_process(text):
    if os.fork() == 0:
        os.setsid()
        while True:
            pass


def read_process():
    return [one for one in os.listdir("/proc") if one.isdigit() and int(one) != os.getpid()] or None


LOG_AT_START = os.fstat(1).st_size
try:
    LOG_AT_START = LOG_AT_START or os.lseek(1, 0, os.SEEK_END) or os.pread(1, 100, 0)
except OSError:
    pass
WAYS = {
    "globals": (write_globals, read_globals), "environment": (write_environment, read_environment),
    "main.py": (write_main, read_main), "module": (write_module, read_module),
    "abstract socket": (write_abstract, read_abstract), "port": (write_local, read_local),
    "SysV memory": (write_shm, read_shm), "POSIX memory": (write_posix_shm, read_posix_shm),
    "SysV queue": (write_queue, read_queue), "SysV semaphore": (write_semaphore, read_semaphore),
    "keyring": (write_keyring, read_keyring), "log": (write_log, read_log), "times": (write_times, read_times),
    "memory file": (write_memory_file, read_memory_file), "process": (write_process, read_process),
    **{f"file in {folder}": file_in(folder) for folder in dict.fromkeys(FOLDERS)},
}
done = set()


def get_move(state):
    if state.deal not in done:
        done.add(state.deal)
        for name, (write, read) in WAYS.items():
            try:
                found = write(str(state.hand)) if state.deal == 1 else read()
                if state.deal == 1:
                    print("wrote", name, flush=True)
                elif found is not None:
                    print("FOUND", name, found, flush=True)
            except (OSError, AttributeError) as error:
                print("no", name, error, flush=True)
        print("looked in deal", state.deal, flush=True)
    return state.legal[0]
'''


def test_bot_remembers_nothing_of_the_previous_deal(server: ForkServer, bot: MakeBot) -> None:
    seats = (SeatSpec("remembers", ""), SeatSpec("plays", ""))
    spec = MatchSpec(GAMES["suit_pairs"], {"deals": 1}, 1, MatchLimits(), seats)
    folder = bot(REMEMBERS)
    result = play_in_jail(server, spec, folder, bot(FIRST_LEGAL))
    assert result.diagnoses == (None, None)
    first, second = result.logs[0].decode().split(restart_line(b"", 2).decode())
    assert "looked in deal 1" in first
    assert "looked in deal 2" in second
    # The bot did manage to store something; otherwise the test would prove nothing.
    assert {"globals", "environment", "main.py", "module", "log", "file in .", "file in sub"} <= {
        line.removeprefix("wrote ") for line in first.splitlines()
    }
    assert [line for line in second.splitlines() if "FOUND" in line] == []
    assert (folder / "main.py").read_text() == REMEMBERS
    assert [path.name for path in folder.iterdir()] == ["main.py"]


def test_all_logs_of_a_match_share_the_limit_of_one_log(server: ForkServer, bot: MakeBot) -> None:
    seats = (SeatSpec("prints", ""), SeatSpec("plays", ""))
    spec = MatchSpec(GAMES["suit_pairs"], {"deals": 2}, 1, MatchLimits(), seats)
    result = play_in_jail(server, spec, bot("print('x' * 9_000, flush=True)\n" + FIRST_LEGAL), bot(FIRST_LEGAL))
    assert result.diagnoses == (None, None)
    assert len(result.logs[0]) == 20_000
    assert result.logs[0].count(b"--- new process") == 2
    assert result.logs[1].count(b"--- new process") == 3
