"""Run one bot: the bot's side of the referee's protocol (``arena/core/referee/protocol.py``).

The jail calls ``main(channel_fd, bot_dir)``. The local runner starts this file as a script and exchanges messages
with it over standard input and output. Standard library only.

Invariants: nothing here is secret or trusted. The bot shares this process and may do anything to it; the referee
accepts only replies with the nonce of its open request, and measures time outside this process. Everything needed after
the bot's first line has run is bound beforehand, so that a bot that accidentally replaces ``sys.stdout`` or
``json.dumps`` can still answer.
"""

from __future__ import annotations

import faulthandler
import gc
import importlib
import io
import json
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

# started as a script: put the folder above the package on the path instead of the script's own
if __name__ == "__main__":
    sys.path[:] = [entry for entry in sys.path if Path(entry or ".").resolve() != Path(__file__).resolve().parent]
    sys.path.append(str(Path(__file__).resolve().parent.parent.parent))

from bots.sdk import failures, legacy, randomness, replies
from bots.sdk.alarm import TimeLimitAlarm
from bots.sdk.game import GAMES, GameSdk
from bots.sdk.kinds import Bot, create_bot

MAX_REQUEST_BYTES = 1 << 18  # the sandbox's maximum
Exchange = Callable[[bytes], "bytes | memoryview"]
_SHIMS = str(Path(__file__).resolve().parent / "shims")


class Session:
    """The session of one bot, from loading its source to its last answer; replies to the referee's requests.

    ``own_process``: whether the bot is alone in this process, so that its current line can be logged shortly before its
    time runs out. Otherwise, only single-file bots work; see ``InProcessPlayer``. ``exchange`` sends a reply and
    returns the next request; only scripts that wait for their turns need it.
    """

    def __init__(self, folder: str, own_process: bool = False, exchange: Exchange | None = None) -> None:
        self._folder = folder
        self._path = os.path.join(folder, "main.py")  # noqa: PTH118 - bots may poison pathlib
        self._own_process = own_process
        self._timer = TimeLimitAlarm() if own_process else None
        self._exchange = exchange
        self._decode = json.JSONDecoder().raw_decode
        self._handlers: dict[str, Callable[[dict[str, Any]], str]] = {
            "load": self._load,
            "import": self._import,
            "construct": self._construct,
            "move": self._move,
            "again": self._move_again,
        }
        # Released so that a MemoryError can be reported. It only takes up address space: unlike a bytearray's,
        # its pages are never touched.
        self._reserve: bytes | None = bytes(1 << 20)
        self._bot: Bot | None = None
        self._trace_seconds = 0.0
        self._course_files: frozenset[str] = frozenset()
        self._nonce = ""

    def handle(self, payload: bytes | memoryview) -> bytes:
        """Return the reply to a request.

        If a script received further requests in the meantime, the reply is to the last of them.
        """
        request = self._open(payload)
        try:
            body = self._handlers[request["do"]](request)
        except MemoryError as error:
            self._reserve = None
            body = replies.open_reply(failures.describe_failure(error, self._folder, self._course_files))
            gc.collect()
        except BaseException as error:  # noqa: BLE001 - whatever leaves the bot's code is the bot's failure
            body = replies.open_reply(failures.describe_failure(error, self._folder, self._course_files))
        return self._add_nonce(body)

    def finish_turn(self, body: str) -> None:
        """Send a running script's reply, and handle all requests until its next turn."""
        if self._exchange is None:
            raise RuntimeError("a script that waits for its turns needs its own channel")
        while True:
            if self._timer:
                self._timer.clear()
            request = self._open(self._exchange(self._add_nonce(body)))
            if request["do"] == "move":
                break
            body = self._handlers[request["do"]](request)
        self._begin_turn(request)

    def _open(self, payload: bytes | memoryview) -> dict[str, Any]:
        request: dict[str, Any]
        request, _ = self._decode(str(payload, "utf-8"))
        self._nonce = request["nonce"]
        return request

    def _add_nonce(self, body: str) -> bytes:
        return f'{body},"nonce":"{self._nonce}"}}'.encode()

    def _load(self, request: dict[str, Any]) -> str:
        self._trace_seconds = request.get("trace_seconds", request["move_seconds"])
        self._course_files = frozenset(request.get("course_files", ()))
        if self._own_process:
            randomness.seed_process(request.get("seed") or os.urandom(32).hex())
        if self._timer:
            self._timer.set(request["start_seconds"])
        with open(self._path, "rb") as file:
            source = file.read()
        try:
            code = compile(source, self._path, "exec", dont_inherit=True)
        except ValueError as error:  # raised for a null byte before Python 3.11.4
            raise SyntaxError(str(error)) from None
        game = GAMES[request["game"]]
        _prepare_imports(game, own_process=self._own_process)
        self._bot = create_bot(code, source, self._folder, game, request, self.finish_turn)
        return replies.DONE

    def _import(self, request: dict[str, Any]) -> str:
        assert self._bot is not None  # noqa: S101 - the requests come in order
        legacy.restore_removed_names(self._folder)
        return self._bot.start()

    def _construct(self, request: dict[str, Any]) -> str:
        assert self._bot is not None  # noqa: S101
        body = self._bot.construct(request["own"])
        if self._timer:
            self._timer.clear()
        return body

    def _begin_turn(self, request: dict[str, Any]) -> None:
        assert self._bot is not None  # noqa: S101
        self._bot.observe(request["own"], request["shared"])
        if self._timer:
            self._timer.set(self._trace_seconds)

    def _move(self, request: dict[str, Any]) -> str:
        assert self._bot is not None  # noqa: S101
        self._begin_turn(request)
        try:
            return self._bot.ask()
        finally:
            if self._timer:
                self._timer.clear()

    def _move_again(self, request: dict[str, Any]) -> str:
        assert self._bot is not None  # noqa: S101
        print(f"[arena] The answer was rejected: {request['reason']}", file=sys.stderr)
        if self._timer:
            self._timer.set(self._trace_seconds)
        try:
            return self._bot.ask_again()
        finally:
            if self._timer:
                self._timer.clear()


def _prepare_imports(game: GameSdk, *, own_process: bool) -> None:
    """Allow the bot to import the game's shims, and to import the game's modules by their former names."""
    failures.add_own_code(game.folder, game.shims_folder)
    if game.shims and own_process:
        sys.path.append(game.shims_folder)
    for former, name in game.former_names.items():
        sys.modules.setdefault(former, importlib.import_module(name))


def prepare_process(folder: str) -> None:
    """Set up this process for the bot: import paths and working directory.

    Modules are searched for in the bot's own files, then in the library, then among the shims for all games, and
    last among the game's shims. A file that the bot includes always takes precedence.
    """
    sys.path.insert(0, folder)
    sys.path.append(_SHIMS)
    sys.dont_write_bytecode = True
    sys.argv = ["main.py"]
    os.chdir(folder)  # bots open files in their folder by name


def open_standard_streams() -> None:
    """Open an empty standard input, and a log in UTF-8 on every system; the jail opens its own streams."""
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
    read_into, write, flush = os.readv, os.write, _log_flusher()
    # one buffer for all requests: allocating it takes longer than everything else in reading a request
    buffer = bytearray(MAX_REQUEST_BYTES)
    view = memoryview(buffer)

    def send(reply: bytes) -> None:
        flush()
        write(channel_fd, reply)

    def exchange(reply: bytes) -> memoryview:
        send(reply)
        return view[: read_into(channel_fd, (buffer,)) or exit_process()]

    session = Session(bot_dir, own_process=True, exchange=exchange)
    while length := read_into(channel_fd, (buffer,)):
        send(session.handle(view[:length]))


def main_on_pipes(bot_dir: str) -> None:
    """Serve requests over standard input and output, each message prefixed with its length in four bytes."""
    requests, replies_to = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    open_standard_streams()
    prepare_process(bot_dir)
    flush = _log_flusher()

    def send(reply: bytes) -> None:
        flush()
        replies_to.write(len(reply).to_bytes(4, "big") + reply)
        replies_to.flush()

    def exchange(reply: bytes) -> bytes:
        send(reply)
        return _read_frame(requests) or exit_process()

    session = Session(bot_dir, own_process=True, exchange=exchange)
    while request := _read_frame(requests):
        send(session.handle(request))


def exit_process() -> NoReturn:
    """Exit, because the referee closed the channel while a script was waiting for its turn."""
    os._exit(0)


def _read_frame(file: BinaryIO) -> bytes:
    return file.read(int.from_bytes(file.read(4), "big"))


def _log_flusher() -> Callable[[], None]:
    """Return a function that flushes the log's buffers even if the bot has replaced the streams in ``sys``."""
    streams = (sys.stdout, sys.stderr)

    def flush() -> None:
        for stream in streams:
            try:
                stream.flush()
            except (OSError, ValueError):  # closed by the bot, or the log is full: its next print fails
                continue

    return flush


def import_games(packages: Sequence[str]) -> None:
    """Import game packages, each given as ``PACKAGE=FOLDER``, where FOLDER is added to the import path."""
    for name, _, root in (package.partition("=") for package in packages):
        if root not in sys.path:
            sys.path.append(root)
        importlib.import_module(name)


if __name__ == "__main__":  # harness.py PACKAGE=FOLDER... BOT_FOLDER
    import_games(sys.argv[1:-1])
    main_on_pipes(sys.argv[-1])
