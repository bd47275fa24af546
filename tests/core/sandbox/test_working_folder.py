"""What a bot may do in the folder that it runs in, and that no other match ever notices.

In namespaces it is a bounded copy of the bot's files. Without them the folder is the worker's and cannot be changed.
"""

from __future__ import annotations

import errno

import pytest

from arena.core.sandbox.config import Mode
from arena.core.sandbox.jail.limits import JailLimits
from arena.core.sandbox.outside.forkserver import ForkServer
from tests.core.sandbox.cells import ByMode, attempt, cell, in_mode

pytestmark = pytest.mark.sandbox

NO_ACCESS = "PermissionError 13"
CHANGES = {
    "a file beside itself": "open(bot_dir + '/table.txt', 'w').write('x')",
    "a folder": "os.mkdir(bot_dir + '/assets'); open(bot_dir + '/assets/a.bin', 'wb').write(bytes(1000))",
    "writing its module": "open(bot_dir + '/main.py', 'a').write('x')",
    "byte code": "os.mkdir(bot_dir + '/__pycache__'); open(bot_dir + '/__pycache__/main.cpython-311.pyc', 'wb')",
    "replacing its module": "os.rename(bot_dir + '/main.py', bot_dir + '/other.py')",
    "removing its module": "os.unlink(bot_dir + '/main.py')",
    "cutting its module": "os.truncate(bot_dir + '/main.py', 0)",
}


@pytest.mark.parametrize("name", CHANGES)
def test_it_changes_its_own_copy_only(fork_server: ForkServer, name: str) -> None:
    assert attempt(fork_server, CHANGES[name]) == in_mode(fork_server.mode, ByMode("done", NO_ACCESS))


def test_the_next_match_finds_the_uploaded_files(fork_server: ForkServer) -> None:
    """The same folder of the worker, started twice: what the first bot spoiled, the second one finds sound."""
    if fork_server.mode is not Mode.NAMESPACES:
        pytest.skip("nothing can be written without namespaces")
    spoil = """
        before = sorted(os.listdir(bot_dir)), open(bot_dir + '/word.py').read()
        open(bot_dir + '/word.py', 'w').write('said = "poisoned"')
        open(bot_dir + '/planted.txt', 'w').close()
        sys.path.insert(0, bot_dir)
        import word
        tell([*before, word.said])
    """
    files = {"word.py": 'said = "sound"'}
    with cell(fork_server, spoil, files=files) as first:
        seen = first.hear()
        with first.again() as second:
            assert second.hear() == seen == [["main.py", "word.py"], 'said = "sound"', "poisoned"]
        assert {path.name for path in first.folder.iterdir()} == {"main.py", "word.py"}
        assert (first.folder / "word.py").read_text() == files["word.py"]


def test_its_bytes_are_bounded(fork_server: ForkServer) -> None:
    body = "tell(count(lambda n: open(f'{bot_dir}/{n}', 'wb', buffering=0).write(bytes(2**18)), 1000))"
    files = {"weights.bin": "w" * 2**20}
    with cell(fork_server, body, JailLimits(tmp_mb=4), files) as bot:
        assert bot.hear() <= in_mode(fork_server.mode, ByMode(17, 0))  # the last one may be cut short


def test_its_files_are_counted(fork_server: ForkServer) -> None:
    body = "tell(count(lambda n: open(f'{bot_dir}/{n}', 'w').close(), 5000))"
    with cell(fork_server, body, JailLimits(tmp_files=100)) as bot:
        least, most = in_mode(fork_server.mode, ByMode((90, 110), (0, 0)))
        assert least <= bot.hear() <= most


def test_a_full_folder_is_an_error_of_the_bot(fork_server: ForkServer) -> None:
    if fork_server.mode is not Mode.NAMESPACES:
        pytest.skip("nothing can be written without namespaces")
    body = """
        try:
            for n in range(1000): open(f'{bot_dir}/{n}', 'wb', buffering=0).write(bytes(2**18))
        except OSError as error:
            tell(error.errno)
    """
    with cell(fork_server, body, JailLimits(tmp_mb=1)) as bot:
        assert bot.hear() in (errno.ENOSPC, errno.EDQUOT)


def test_native_code_beside_it_cannot_be_mapped(fork_server: ForkServer) -> None:
    if fork_server.mode is not Mode.NAMESPACES:
        pytest.skip("nothing can be written without namespaces")
    body = """
        f = open(bot_dir + '/code', 'w+b'); f.write(bytes(4096)); f.flush()
        mmap.mmap(f.fileno(), 4096, prot=mmap.PROT_READ | mmap.PROT_EXEC)
    """
    assert attempt(fork_server, body) == "PermissionError 1"


def test_many_files_and_folders_arrive_as_they_are(fork_server: ForkServer) -> None:
    files = {f"part{n % 7}/deep/{n}.txt": str(n) * n for n in range(60)}
    body = """
        found = {}
        for folder, _, names in os.walk(bot_dir):
            for name in names:
                path = os.path.join(folder, name)
                found[os.path.relpath(path, bot_dir)] = len(open(path).read())
        tell(found)
    """
    with cell(fork_server, body, files=files) as bot:
        seen = bot.hear()
    assert {name: size for name, size in seen.items() if name != "main.py"} == {
        name: len(text) for name, text in files.items()
    }
