"""The worker's handle to its fork server.

Invariants:
- No bot runs before the machine has proved that it can isolate one: otherwise `start` raises SandboxUnavailable.
- The server inherits no environment, no memory, and no descriptor except its control socket.
- `spawn` can be called from several threads; a ForkServer belongs to the process that started it.
"""

from __future__ import annotations

import dataclasses
import os
import shutil
import socket
import subprocess
import tempfile
import threading
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from arena.core.memory_layout import fixed_layout
from arena.core.messages import Message
from arena.core.sandbox import messages
from arena.core.sandbox.config import INTERPRETER_ENVIRONMENT, Mode, SandboxConfig
from arena.core.sandbox.errors import SandboxFailure, SandboxUnavailable
from arena.core.sandbox.forking import wire
from arena.core.sandbox.isolation import Layers, scratch_folder
from arena.core.sandbox.jail import bundle
from arena.core.sandbox.jail.limits import JailLimits, allow_many_descriptors
from arena.core.sandbox.machine.probe import missing_capabilities
from arena.core.sandbox.supervision.bot_folders import BotFolders
from arena.core.sandbox.supervision.bot_groups import BotGroup, BotGroups
from arena.core.sandbox.supervision.bot_log import BotLog
from arena.core.sandbox.supervision.kernel import KERNEL, Kernel
from arena.core.sandbox.supervision.memory import MachineMemoryWatch, MemoryWatch
from arena.core.sandbox.supervision.process import MAX_REQUEST, JailedProcess

_START_TIMEOUT = 30.0
_REPLY_TIMEOUT = 30.0


class ForkServer:
    """A fork server, which starts bots. Each worker process keeps one as long as it runs."""

    def __init__(self, config: SandboxConfig, *, layers: Layers | None = None, kernel: Kernel = KERNEL) -> None:
        """Create the handle; `start` starts the server. layers, kernel: for tests only."""
        self.config = config
        self.layers = layers or Layers()
        self._kernel = kernel
        self.namespaces: dict[str, int] = {}  # inodes of the server's namespaces, if it has any
        self.preloaded: tuple[str, ...] = ()
        self._process: subprocess.Popen[bytes] | None = None
        self._link: socket.socket | None = None
        self._errors: IO[bytes] | None = None
        self._groups: BotGroups | None = None
        self._bot_folders: BotFolders | None = None  # parent of the bots' folders if bots see the host's paths
        self.scratch_refused: str | None = None  # why bots cannot write to their folders
        self._owner = 0
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    @property
    def mode(self) -> Mode:
        return self.config.mode.effective_mode

    @property
    def server_id(self) -> int | None:
        """Return the process id of the server, or None if it is not running."""
        return None if self._process is None else self._process.pid

    @property
    def alive(self) -> bool:
        """Return whether the server is running and belongs to this process."""
        return self._process is not None and self._owner == os.getpid() and self._process.poll() is None

    def start(self) -> None:
        """Start the server.

        Raises SandboxUnavailable if this machine cannot isolate bots, and SandboxFailure if the start fails for any
        other reason.
        """
        if self._process is not None:
            raise SandboxFailure(messages.SERVER_STARTED())
        lacking = missing_capabilities(self.config)
        if lacking:
            raise SandboxUnavailable(lacking)
        allow_many_descriptors()
        self._groups = BotGroups.create_if_permitted(self.config.cgroup)
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._link, self._owner = ours, os.getpid()
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the server
        with theirs, fixed_layout():
            self._process = subprocess.Popen(
                self.config.command("arena.core.sandbox.forking.server", [str(theirs.fileno())]),
                env=INTERPRETER_ENVIRONMENT,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self._errors,
                close_fds=True,
                pass_fds=(theirs.fileno(),),
                cwd="/",
                start_new_session=True,
            )
        try:
            if self.mode is Mode.LANDLOCK:
                self._bot_folders = self._new_bot_folders()
            ours.settimeout(_START_TIMEOUT)
            answer, _ = self._send_request(self._server_config())
            ours.settimeout(_REPLY_TIMEOUT)
        except BaseException:
            self.close()
            raise
        self.namespaces = dict(answer["namespaces"])
        self.preloaded = tuple(answer["preloaded"])
        self.scratch_refused = answer["scratch_refused"]

    @property
    def _bot_owner(self) -> tuple[int, int] | None:
        """Return the user and group of bots, or None if they are the worker's own."""
        return (self.config.uid, self.config.gid) if os.geteuid() == 0 else None

    def _new_bot_folders(self) -> BotFolders:
        try:
            return BotFolders(self._bot_owner)
        except OSError as error:
            raise SandboxFailure(messages.NO_BOT_FOLDERS(error=messages.error_name(error))) from error

    def spawn(
        self,
        bot_dir: Path,
        *,
        log: BotLog,
        limits: JailLimits,
        core: int | None = None,
        entry: str | None = None,
    ) -> JailedProcess:
        """Start the bot in `bot_dir`. Returns immediately; the entry point reports on the channel when it is ready.

        log: its standard output and error; the caller keeps ownership.
        entry: replaces the configured entry point; "module:function" of a module in `bot_dir` itself.
        Raises SandboxFailure.
        """
        self._own_link()
        try:
            return self._spawn(bot_dir.resolve(), log, limits, core, entry)
        except OSError as error:
            raise SandboxFailure(messages.NOT_STARTED(error=messages.error_name(error))) from error

    def _spawn(
        self, folder: Path, log: BotLog, limits: JailLimits, core: int | None, entry: str | None
    ) -> JailedProcess:
        """Start the bot. Raises SandboxFailure or OSError. The server kills a partially started bot."""
        with ExitStack() as on_failure, ExitStack() as once_sent:
            packed, bot_folder = self._pack_folder(folder, on_failure, once_sent)
            ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            on_failure.callback(ours.close)
            once_sent.callback(theirs.close)
            ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 2 * MAX_REQUEST)
            status_fd, status_end = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
            on_failure.callback(os.close, status_fd)
            once_sent.callback(os.close, status_end)
            log_end = log.open_for_bot()
            once_sent.callback(os.close, log_end)
            message = {
                "limits": dataclasses.asdict(limits),
                "core": core,
                "entry": entry,
                "bot_dir": str(folder if bot_folder is None else bot_folder / scratch_folder.FILES),
                "bot_folder": None if bot_folder is None else str(bot_folder),
                "scratch": self.scratch_refused is None,
            }
            memory: MemoryWatch = MachineMemoryWatch(self._kernel)
            fds = [theirs.fileno(), log_end, status_end, *packed]
            group = self._create_group(limits, core, memory)
            if group is not None:
                on_failure.callback(group.remove)
                memory = group
                fds.append(group.open_procs())
                once_sent.callback(os.close, fds[-1])
            message["grouped"] = group is not None
            with self._lock:
                _, (pidfd,) = self._send_request(message, fds)
            on_failure.callback(os.close, pidfd)
            process = JailedProcess(ours, pidfd, status_fd, limits.cpu_seconds, memory, self._kernel, group)
            on_failure.pop_all()
        return process

    def _create_group(self, limits: JailLimits, core: int | None, memory: MemoryWatch) -> BotGroup | None:
        if self._groups is None:
            return None
        with self._lock:
            return self._groups.add(limits, core is not None, memory)

    def _pack_folder(self, folder: Path, on_failure: ExitStack, once_sent: ExitStack) -> tuple[list[int], Path | None]:
        """Pack or copy the folder for the jail; return the descriptors to send, and the path of the copy or None.

        The server deletes the copy. The bot runs in the original folder only if it has no write access to it and runs
        as the worker's user.
        """
        if self.mode is Mode.NAMESPACES:
            packed = bundle.pack_folder(folder)
            once_sent.callback(os.close, packed)
            return [packed], None
        if self._bot_folders is not None and (self.scratch_refused is None or self._bot_owner is not None):
            bot_folder = bundle.create_bot_folder(folder, self._bot_folders.path, self._bot_owner)
            on_failure.callback(shutil.rmtree, bot_folder, ignore_errors=True)
            return [], bot_folder
        bundle.list_files(folder)
        return [], None

    def close(self) -> None:
        """Stop the server and all bots that are still running."""
        if self._link is not None:
            self._link.close()
            self._link = None
        if self._process is not None and self._owner == os.getpid():
            self._process.kill()
            self._process.wait()
        self._process = None
        if self._groups is not None and self._owner == os.getpid():
            self._groups.close()
            self._groups = None
        if self._bot_folders is not None and self._owner == os.getpid():
            self._bot_folders.remove()
            self._bot_folders = None
        if self._errors is not None:
            self._errors.close()
            self._errors = None

    def _server_config(self) -> dict[str, Any]:
        config = self.config
        # The signal is sent when the *thread* that started the server exits, so other threads do not request it.
        from_main_thread = threading.current_thread() is threading.main_thread()
        return {
            "mode": self.mode,
            "layers": dataclasses.asdict(self.layers),
            "uid": config.uid,
            "gid": config.gid,
            "libraries": [str(path.resolve()) for path in config.libraries],
            "harness": str(config.harness.resolve()),
            "entry": config.entry,
            "packages": {name: str(folder.resolve()) for name, folder in config.packages.items()},
            "preload": list(config.preload),
            "bot_folders": None if self._bot_folders is None else str(self._bot_folders.path),
            "die_with": os.getpid() if from_main_thread else None,
        }

    def _send_request(self, message: dict[str, Any], fds: list[int] | None = None) -> tuple[dict[str, Any], list[int]]:
        """Send a request to the server and wait for the response. Raises SandboxFailure."""
        link = self._own_link()
        try:
            wire.send(link, message, fds or ())
            answer, received = wire.receive(link)
        except (OSError, EOFError) as error:
            late = isinstance(error, TimeoutError)
            if late and self._process is not None:
                self._process.kill()  # a late response would be mistaken for the response to another request
            reason = messages.SERVER_SILENT() if late else messages.SERVER_EXITED()
            raise SandboxFailure(reason, self._read_errors()) from error
        if "failure" in answer:
            raise SandboxFailure(Message.from_json(answer["failure"]), answer["detail"])
        return answer, received

    def _own_link(self) -> socket.socket:
        if self._link is None:
            raise SandboxFailure(messages.SERVER_NOT_RUNNING())
        if self._owner != os.getpid():
            raise SandboxFailure(messages.SERVER_FOREIGN())
        return self._link

    def _read_errors(self) -> str:
        if self._errors is None:
            return ""
        return os.pread(self._errors.fileno(), 4000, 0).decode(errors="replace").strip()
