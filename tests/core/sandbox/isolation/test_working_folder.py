"""A bot can change the files in its working folder within limits, and no other match ever notices.

The folder is a bounded copy of the bot's files. Its limits are enforced by its own file system if namespaces are
available, and otherwise by the fork server.
"""

from __future__ import annotations

import errno
import textwrap

import pytest

from arena.core.sandbox.config import Mode
from arena.core.sandbox.jail.limits import JailLimits
from arena.core.sandbox.supervision.forkserver import ForkServer
from tests.core.sandbox.jailed_bots import jailed_bot, run_in_jail

pytestmark = pytest.mark.sandbox

CHANGES = {
    "a file beside itself": "open(bot_dir + '/table.txt', 'w').write('x')",
    "a folder": "os.mkdir(bot_dir + '/assets'); open(bot_dir + '/assets/a.bin', 'wb').write(bytes(1000))",
    "writing its module": "open(bot_dir + '/main.py', 'a').write('x')",
    "byte code": "os.mkdir(bot_dir + '/__pycache__'); open(bot_dir + '/__pycache__/main.cpython-311.pyc', 'wb')",
    "replacing its module": "os.rename(bot_dir + '/main.py', bot_dir + '/other.py')",
    "removing its module": "os.unlink(bot_dir + '/main.py')",
    "cutting its module": "os.truncate(bot_dir + '/main.py', 0)",
}

COURSE_SCRIPTS = {
    "a table of numpy": """
        import numpy
        numpy.save('prediction_table.npy', numpy.arange(100_000))
        assert numpy.load('prediction_table.npy', mmap_mode='r')[7] == 7
        numpy.savez_compressed('all.npz', a=numpy.zeros(10))
        numpy.save('prediction_table.npy', numpy.arange(10))
        assert len(numpy.load('prediction_table.npy')) == 10
    """,
    "a mapped array": """
        import numpy
        table = numpy.memmap('table.dat', dtype='f8', mode='w+', shape=(1000,))
        table[:] = 1
        table.flush()
        assert numpy.fromfile('table.dat').sum() == 1000
    """,
    "a folder if it is missing": """
        for _ in range(3):
            if not os.path.exists('assets'): os.mkdir('assets')
            os.makedirs('assets/a/b', exist_ok=True)
        assert os.listdir('assets') == ['a']
    """,
    "a log that grows": """
        for n in range(2000):
            with open('log.csv', 'a') as f: f.write(f'{n},1\\n')
        assert len(open('log.csv').readlines()) == 2000
    """,
    "a pickle, replaced as a whole": """
        import pickle
        for n in range(1500):
            with open('memory.tmp', 'wb') as f: pickle.dump({'n': n}, f)
            os.replace('memory.tmp', 'memory.pkl')
        assert pickle.load(open('memory.pkl', 'rb')) == {'n': 1499}
        assert sorted(os.listdir()) == ['main.py', 'memory.pkl']
    """,
    "temporary files": """
        import tempfile
        for _ in range(50):
            with tempfile.NamedTemporaryFile('w') as f: f.write('x')
            with tempfile.TemporaryDirectory() as folder: open(folder + '/x', 'w').close()
            with tempfile.TemporaryFile() as f: f.write(b'x')
    """,
    "pathlib": """
        import pathlib
        here = pathlib.Path('results', 'today')
        here.mkdir(parents=True, exist_ok=True)
        (here / 'a.txt').write_text('1')
        (here / 'a.txt').rename('a.txt')
        here.rmdir()
        assert pathlib.Path('a.txt').read_text() == '1'
    """,
    "another working folder": """
        os.mkdir('data'); os.chdir('data')
        open('x', 'w').write('1'); open('../y', 'w').write('2')
        os.chdir('..')
        assert (open('data/x').read(), open('y').read()) == ('1', '2')
        os.chdir('/'); os.chdir(bot_dir); open('z', 'w').close()
        assert sorted(os.listdir()) == ['data', 'main.py', 'y', 'z']
    """,
    "shutil": """
        import shutil
        os.makedirs('a/b/c'); open('a/b/c/d', 'w').write('x')
        shutil.copyfile('a/b/c/d', 'copy'); shutil.move('a', 'e'); shutil.rmtree('e')
        assert (open('copy').read(), os.path.exists('e')) == ('x', False)
    """,
    "copies": """
        import shutil
        os.makedirs('a/b'); open('a/b/c', 'w').write('x')
        shutil.copy('a/b/c', 'copy'); shutil.copy2('a/b/c', 'copy2'); shutil.copytree('a', 'tree')
        shutil.move('a', 'tree/b/a')
        assert (open('copy').read(), open('copy2').read(), open('tree/b/a/b/c').read()) == ('x', 'x', 'x')
    """,
    "archives": """
        import tarfile, zipfile
        os.makedirs('a/b'); open('a/b/c', 'w').write('x')
        with tarfile.open('a.tgz', 'w:gz') as archive: archive.add('a')
        with tarfile.open('a.tgz') as archive: archive.extractall('tar')
        with zipfile.ZipFile('a.zip', 'w') as archive: archive.write('a/b/c')
        with zipfile.ZipFile('a.zip') as archive: archive.extractall('zip')
        assert (open('tar/a/b/c').read(), open('zip/a/b/c').read()) == ('x', 'x')
    """,
    "a shelf": """
        import dbm.dumb, shelve
        for _ in range(3):
            with shelve.Shelf(dbm.dumb.open('memory')) as shelf: shelf['moves'] = [*shelf.get('moves', []), 'D3']
        with shelve.open('memory') as shelf: assert shelf['moves'] == ['D3'] * 3
    """,
    "a database": """
        import sqlite3
        database = sqlite3.connect('memory.db')
        database.execute('create table moves (board text, move text)')
        for n in range(300):
            with database: database.execute('insert into moves values (?, ?)', (str(n), 'D3'))
        database.close()
        database = sqlite3.connect('memory.db')
        assert database.execute('select count(*) from moves').fetchone() == (300,)
    """,
    "reading and writing": """
        with open('notes.txt', 'w+') as f: f.write('abc'); f.seek(0); assert f.read() == 'abc'
        with open('notes.txt', 'r+') as f: f.truncate(1)
        assert open('notes.txt').read() == 'a'
        os.remove('notes.txt')
    """,
    "from a thread": """
        from concurrent.futures import ThreadPoolExecutor
        def save(n):
            for _ in range(30):
                with open(f'{n}.txt', 'w') as f: f.write(str(n))
        list(ThreadPoolExecutor(6).map(save, range(6)))
        assert [open(f'{n}.txt').read() for n in range(6)] == list('012345')
    """,
}

REFUSALS = {
    "a file that is there": ("open('main.py', 'x')", errno.EEXIST),
    "a file that is not there": ("open('nothing', 'r+')", errno.ENOENT),
    "a file in no folder": ("open('no/file', 'w')", errno.ENOENT),
    "a file in a file": ("open('main.py/file', 'w')", errno.ENOTDIR),
    "a folder as a file": ("os.mkdir('d'); open('d', 'w')", errno.EISDIR),
    "a folder that is there": ("os.mkdir('d'); os.mkdir('d')", errno.EEXIST),
    "a folder with something in it": ("os.makedirs('d/e'); os.rmdir('d')", errno.ENOTEMPTY),
    "renaming nothing": ("os.rename('nothing', 'other')", errno.ENOENT),
    "renaming onto a folder": ("os.mkdir('d'); os.rename('main.py', 'd')", errno.EISDIR),
    "cutting nothing": ("os.truncate('nothing', 1)", errno.ENOENT),
    "no name": ("open('', 'w')", errno.ENOENT),
    "a name that is too long": ("open('x' * 300, 'w')", errno.ENAMETOOLONG),
    "a folder that it cannot enter": ("os.chdir('main.py')", errno.ENOTDIR),
}


@pytest.mark.long
@pytest.mark.parametrize("name", CHANGES)
def test_bot_changes_only_its_own_copy(fork_server: ForkServer, name: str) -> None:
    assert run_in_jail(fork_server, CHANGES[name]) == "done"


@pytest.mark.parametrize("name", COURSE_SCRIPTS)
def test_course_scripts_save_files_next_to_themselves(fork_server: ForkServer, name: str) -> None:
    body = textwrap.dedent(COURSE_SCRIPTS[name])
    if "numpy" in body and "numpy" not in fork_server.preloaded:
        pytest.skip("numpy is not among the libraries for bots: make install")
    assert run_in_jail(fork_server, body) == "done"


def test_modes_and_times_stay_unchanged(fork_server: ForkServer) -> None:
    """Changing modes and times succeeds without effect, in the bot's folder and elsewhere."""
    body = """
        def look(path):
            status = os.stat(path)
            return [status.st_mode, status.st_mtime_ns, status.st_uid]
        paths = [bot_dir, bot_dir + '/main.py', os.__file__]
        before = [look(path) for path in paths]
        for path in paths:
            os.chmod(path, 0o4777); os.utime(path, (0, 0)); os.chmod(path, 0o777, follow_symlinks=True)
        with open('main.py') as f: os.fchmod(f.fileno(), 0)
        os.umask(0)
        send([before, [look(path) for path in paths]])
    """
    with jailed_bot(fork_server, body) as bot:
        before, after = bot.receive()
    assert after == before


@pytest.mark.parametrize("name", REFUSALS)
def test_errors_are_the_usual_ones(fork_server: ForkServer, name: str) -> None:
    body, number = REFUSALS[name]
    with jailed_bot(fork_server, f"try: {body}\nexcept OSError as error: send(error.errno)") as bot:
        assert bot.receive() == number


def test_next_match_finds_the_uploaded_files(fork_server: ForkServer) -> None:
    """If two bots are started from the same folder, the second does not see the first one's changes to files."""
    spoil = """
        before = sorted(os.listdir(bot_dir)), open(bot_dir + '/word.py').read()
        open(bot_dir + '/word.py', 'w').write('said = "poisoned"')
        open(bot_dir + '/planted.txt', 'w').close()
        sys.path.insert(0, bot_dir)
        import word
        send([*before, word.said])
    """
    files = {"word.py": 'said = "sound"'}
    with jailed_bot(fork_server, spoil, files=files) as first:
        seen = first.receive()
        with first.restart() as second:
            assert second.receive() == seen == [["main.py", "word.py"], 'said = "sound"', "poisoned"]
        assert {path.name for path in first.folder.iterdir()} == {"main.py", "word.py"}
        assert (first.folder / "word.py").read_text() == files["word.py"]


def test_size_of_written_files_is_limited(fork_server: ForkServer) -> None:
    body = "send(count(lambda n: open(f'{bot_dir}/{n}', 'wb', buffering=0).write(bytes(2**18)), 1000))"
    files = {"weights.bin": "w" * 2**20}
    with jailed_bot(fork_server, body, JailLimits(tmp_mb=4), files) as bot:
        assert 15 <= bot.receive() <= 17  # the last one may be truncated


def test_uploaded_files_use_none_of_the_quota(fork_server: ForkServer) -> None:
    body = """
        for n in range(6):
            with open(f'weights{n}.bin', 'r+') as f: f.write('v' * 2**20)
        send(count(lambda n: open(f'{n}', 'wb', buffering=0).write(bytes(2**18)), 1000))
    """
    files = {f"weights{n}.bin": "w" * 2**20 for n in range(6)}
    with jailed_bot(fork_server, body, JailLimits(tmp_mb=4), files) as bot:
        assert 14 <= bot.receive() <= 17


def test_number_of_files_is_limited(fork_server: ForkServer) -> None:
    body = "send(count(lambda n: open(f'{bot_dir}/{n}', 'w').close(), 5000))"
    with jailed_bot(fork_server, body, JailLimits(tmp_files=100)) as bot:
        assert 90 <= bot.receive() <= 110


def test_deleted_files_free_quota(fork_server: ForkServer) -> None:
    body = """
        for n in range(20):
            with open(f'{n}', 'wb') as f: f.write(bytes(2**19))
            os.unlink(f'{n}')
        for n in range(300):
            open('x', 'w').close(); os.unlink('x')
            os.mkdir('d'); os.rmdir('d')
        send(os.listdir())
    """
    with jailed_bot(fork_server, body, JailLimits(tmp_mb=1, tmp_files=50)) as bot:
        assert bot.receive() == ["main.py"]


def test_full_folder_is_an_error_of_the_bot(fork_server: ForkServer) -> None:
    body = """
        try:
            for n in range(1000): open(f'{bot_dir}/{n}', 'wb', buffering=0).write(bytes(2**18))
        except OSError as error:
            send(error.errno)
    """
    with jailed_bot(fork_server, body, JailLimits(tmp_mb=1)) as bot:
        assert bot.receive() in (errno.ENOSPC, errno.EDQUOT)


def test_full_folder_can_be_emptied(fork_server: ForkServer) -> None:
    body = """
        count(lambda n: open(f'{n}', 'wb', buffering=0).write(bytes(2**18)), 1000)
        open('0', 'wb').close()
        os.unlink('1'); os.unlink('2')
        time.sleep(0.3)
        open('new', 'wb').write(bytes(2**18))
        send(os.path.getsize('new'))
    """
    with jailed_bot(fork_server, body, JailLimits(tmp_mb=2)) as bot:
        assert bot.receive() == 2**18


def test_native_code_in_the_folder_cannot_be_mapped(fork_server: ForkServer) -> None:
    if fork_server.mode is not Mode.NAMESPACES:
        pytest.skip("without namespaces that depends on the host's temporary folder")
    body = """
        f = open(bot_dir + '/code', 'w+b'); f.write(bytes(4096)); f.flush()
        mmap.mmap(f.fileno(), 4096, prot=mmap.PROT_READ | mmap.PROT_EXEC)
    """
    assert run_in_jail(fork_server, body) == "PermissionError 1"


def test_many_files_and_folders_are_copied_unchanged(fork_server: ForkServer) -> None:
    files = {f"part{n % 7}/deep/{n}.txt": str(n) * n for n in range(60)}
    body = """
        found = {}
        for folder, _, names in os.walk(bot_dir):
            for name in names:
                path = os.path.join(folder, name)
                found[os.path.relpath(path, bot_dir)] = len(open(path).read())
        send(found)
    """
    with jailed_bot(fork_server, body, files=files) as bot:
        seen = bot.receive()
    assert {name: size for name, size in seen.items() if name != "main.py"} == {
        name: len(text) for name, text in files.items()
    }
