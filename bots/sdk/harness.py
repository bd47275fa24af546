"""Runs one bot: the bot's end of the referee's protocol (``arena/referee/protocol.py``).

The jail calls ``main(channel_fd, bot_dir)``; the local runner starts this file as a script and
talks to it over its standard input and output. Standard library only.

Invariants: nothing here is secret or trusted. The bot shares this process and may do anything to
it; the referee believes only what carries the nonce of its open request, and measures from
outside. What is needed after the bot's first line is bound before it, so that a bot that
replaces ``sys.stdout`` or ``json.dumps`` by accident still gets its answers through.
"""

from __future__ import annotations

import faulthandler
import gc
import importlib.util
import io
import json
import os
import signal
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

if __name__ == "__main__":  # started as a script: put the package on the path, not its folder
    sys.path[:] = [entry for entry in sys.path if Path(entry or ".").resolve() != Path(__file__).resolve().parent]
    sys.path.append(str(Path(__file__).resolve().parent.parent.parent))

from bots.sdk import answers, failures, finder, legacy
from bots.sdk.adapters import ADAPTERS, Adapter

MAX_REQUEST_BYTES = 1 << 18  # the sandbox sends no more
# Share of a time limit after which the running line is printed into the log, once.
WARN_AFTER = 0.9
_DONE = '{"t":"done"'
_COURSE = Path(__file__).resolve().parent / "course"


class Session:
    """One bot from its source to its last answer; requests in, replies out.

    ``own_process``: whether this process is the bot's alone, so that it may be told about its time
    by a signal. Without it only bots of a single file work; see ``InProcessPlayer``.
    """

    def __init__(self, folder: str, own_process: bool = False) -> None:
        self._folder = folder
        self._path = os.path.join(folder, "main.py")  # noqa: PTH118 - bots may poison pathlib
        self._timer = Alarm() if own_process else None
        self._decode = json.JSONDecoder().raw_decode
        self._encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode
        self._stages: dict[str, Callable[[dict[str, Any]], str]] = {
            "load": self._load,
            "import": self._import,
            "construct": self._construct,
            "move": self._move,
            "again": self._again,
        }
        # Freed to report a MemoryError: address space, of which no page is touched, as a bytearray's would be.
        self._reserve: bytes | None = bytes(1 << 20)
        self._code: types.CodeType | None = None
        self._module: types.ModuleType | None = None
        self._adapter: Adapter | None = None
        self._call: Callable[[Any], Any] | None = None
        self._move_seconds = 0.0

    def handle(self, payload: bytes | memoryview) -> bytes:
        """The reply to one request."""
        request, _ = self._decode(str(payload, "utf-8"))
        try:
            body = self._stages[request["do"]](request)
        except MemoryError as error:
            self._reserve = None
            body = self._opened(failures.describe(error, self._folder))
            gc.collect()
        except BaseException as error:  # noqa: BLE001 - whatever leaves the bot's code is the bot's failure
            body = self._opened(failures.describe(error, self._folder))
        return f'{body},"nonce":"{request["nonce"]}"}}'.encode()

    def _opened(self, fields: dict[str, Any]) -> str:
        """The reply before its nonce."""
        return self._encode(fields)[:-1]

    def _load(self, request: dict[str, Any]) -> str:
        self._adapter = ADAPTERS[request["game"]](request)
        self._move_seconds = request["move_seconds"]
        if self._timer:
            self._timer.set(request["start_seconds"])
        with open(self._path, "rb") as file:
            source = file.read()
        self._code = compile(source, self._path, "exec", dont_inherit=True)
        return _DONE

    def _import(self, request: dict[str, Any]) -> str:
        assert self._code is not None  # noqa: S101 - the stages come in order
        legacy.restore_vanished_names(self._folder)
        spec = importlib.util.spec_from_file_location("main", self._path)
        assert spec is not None  # noqa: S101 - it is None for other suffixes only
        module = importlib.util.module_from_spec(spec)
        sys.modules["main"] = module
        exec(self._code, module.__dict__)  # noqa: S102 - this is what the process is for
        self._code, self._module = None, module
        return _DONE

    def _construct(self, request: dict[str, Any]) -> str:
        assert self._adapter is not None  # noqa: S101
        assert self._module is not None  # noqa: S101
        self._adapter.begin(request["own"])
        found = finder.find_player(self._module, self._folder)
        get_move = found.construct(self._adapter)
        self._call = finder.caller(get_move, self._adapter.parameter)
        if self._timer:
            self._timer.clear()
        return self._opened({"t": "done", "note": answers.fit(found.name, 200)})

    def _move(self, request: dict[str, Any]) -> str:
        assert self._adapter is not None  # noqa: S101
        self._adapter.hear(request["own"], request["shared"])
        return self._answer()

    def _again(self, request: dict[str, Any]) -> str:
        print(f"[arena] The answer was refused: {request['reason']}", file=sys.stderr)
        return self._answer()

    def _answer(self) -> str:
        assert self._adapter is not None  # noqa: S101
        assert self._call is not None  # noqa: S101
        state = self._adapter.state()
        if self._timer:
            self._timer.set(self._move_seconds)
        try:
            value = self._call(state)
            return '{"t":"answer","value":' + answers.encoded(self._adapter.answer(value), self._encode)
        except answers.Unusable as unusable:
            return self._opened({"t": "unusable", "text": str(unusable)})
        finally:
            if self._timer:
                self._timer.clear()


class Alarm:
    """Prints the running line into the log shortly before a limit, for the bot's owner to read.

    The handler is C code: it works while the bot is in a loop or in an extension, and it runs no
    Python. Where the system has no such signal, a thread of the interpreter does it.
    """

    def __init__(self) -> None:
        self._file = os.dup(2)
        self._set: Callable[[int, float], Any] | None = None
        self._which = 0
        if not hasattr(signal, "setitimer"):
            return
        try:
            faulthandler.register(signal.SIGALRM, file=self._file, all_threads=False, chain=False)
            signal.setitimer(signal.ITIMER_REAL, 0)
        except (OSError, RuntimeError):
            return
        self._set, self._which = signal.setitimer, signal.ITIMER_REAL

    def set(self, limit: float) -> None:
        if self._set:
            self._set(self._which, limit * WARN_AFTER)
        elif not hasattr(signal, "setitimer"):
            faulthandler.dump_traceback_later(limit * WARN_AFTER, file=self._file)

    def clear(self) -> None:
        if self._set:
            self._set(self._which, 0)
        elif not hasattr(signal, "setitimer"):
            faulthandler.cancel_dump_traceback_later()


def prepare_process(folder: str) -> None:
    """Give this process to the bot: its paths, its folder. The jail sees to randomness of its own.

    Modules are searched in the bot's own files, then in the library, and last among the
    stand-ins for what the course hands out (``board``, ``game``): a file that the bot brings along
    always wins.
    """
    sys.path.insert(0, folder)
    sys.path.append(str(_COURSE))
    sys.dont_write_bytecode = True
    sys.argv = ["main.py"]
    os.chdir(folder)  # bots open the files beside them by name


def open_streams() -> None:
    """An empty input, and a log in UTF-8 whatever the system's encoding is; the jail has its own."""
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(2, 1)
    sys.stdin, sys.stdout, sys.stderr = os.fdopen(0, closefd=False), _log_stream(1), _log_stream(2)
    sys.__stdin__, sys.__stdout__, sys.__stderr__ = sys.stdin, sys.stdout, sys.stderr  # type: ignore[misc]
    faulthandler.enable(file=os.dup(2), all_threads=False)


def _log_stream(fd: int) -> io.TextIOWrapper:
    return os.fdopen(fd, "w", buffering=1, encoding="utf-8", errors="backslashreplace", closefd=False)


def main(channel_fd: int, bot_dir: str) -> None:
    """Serve requests, one datagram each, until the referee closes the channel."""
    prepare_process(bot_dir)
    session = Session(bot_dir, own_process=True)
    read_into, write, flush = os.readv, os.write, _flusher()
    # one buffer for all: a new one each time would cost more than all the rest of reading
    buffer = bytearray(MAX_REQUEST_BYTES)
    view = memoryview(buffer)
    while length := read_into(channel_fd, (buffer,)):
        reply = session.handle(view[:length])
        flush()
        write(channel_fd, reply)


def main_on_pipes(bot_dir: str) -> None:
    """The same over standard input and output, each message behind its length in four bytes."""
    requests, replies = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    open_streams()
    prepare_process(bot_dir)
    session = Session(bot_dir, own_process=True)
    flush = _flusher()
    while request := _read_frame(requests):
        reply = session.handle(request)
        flush()
        replies.write(len(reply).to_bytes(4, "big") + reply)
        replies.flush()


def _read_frame(file: BinaryIO) -> bytes:
    return file.read(int.from_bytes(file.read(4), "big"))


def _flusher() -> Callable[[], None]:
    """Empties the log's buffers even where the bot has put other objects into ``sys``."""
    streams = (sys.stdout, sys.stderr)

    def flush() -> None:
        for stream in streams:
            try:
                stream.flush()
            except (OSError, ValueError):  # closed by the bot, or the log is full: its next print will tell
                continue

    return flush


if __name__ == "__main__":
    main_on_pipes(sys.argv[1])
