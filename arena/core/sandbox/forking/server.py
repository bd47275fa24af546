"""The fork server: a fresh interpreter that imports common modules once and then forks a jail for each bot.

Invariants:
- It is started with exec, inherits only its control socket, and has no access to the host's paths from then on.
- It is single-threaded and runs no bot code: a child never returns to its loop.
- It exits when the worker does: it reads end-of-file from the control socket, or, if the worker started it from its
  main thread, gets a parent-death signal. All jails are killed with it; if there are no namespaces, it first removes
  their folders.
- It is the parent of every jail, reaps it and reports its exit to the referee.
- It kills a jail whose referee has closed its end, so that no bot outlives its match.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import select
import shutil
import signal
import socket
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from arena.core.sandbox import messages
from arena.core.sandbox.forking import environment, wire
from arena.core.sandbox.forking.server_config import ServerConfig
from arena.core.sandbox.isolation import namespaces, scratch_folder, syscalls
from arena.core.sandbox.isolation.call_supervisor import CallSupervisor
from arena.core.sandbox.isolation.file_calls import FileCalls
from arena.core.sandbox.isolation.scratch_folder import FolderLimits, ScratchFolder
from arena.core.sandbox.isolation.user_ids import IdPool
from arena.core.sandbox.jail import jail, process_status, root
from arena.core.sandbox.jail.limits import JailLimits, allow_many_descriptors

# Imported once, so that bots do not pay for the imports.
_COMMON = (
    "abc bisect collections contextlib copy dataclasses decimal encodings.idna enum fractions functools heapq inspect",
    "itertools json linecache math operator queue random re statistics string struct threading time traceback typing",
)


def _set_parent_death_signal(parent: int, number: signal.Signals = signal.SIGKILL) -> None:
    syscalls.prctl(syscalls.PR_SET_PDEATHSIG, number)
    if os.getppid() != parent:
        os._exit(1)  # the worker died before the signal was requested


def _import_common(config: ServerConfig) -> list[str]:
    """Import the entry-point module and the common modules; return the names of the available optional modules."""
    for name in " ".join(_COMMON).split():
        importlib.import_module(name)
    found = []
    for name in config.preload:
        try:
            importlib.import_module(name)
        except ImportError:
            continue  # not in this installation's libraries
        found.append(name)
    for name in (config.entry.partition(":")[0], *config.packages):
        importlib.import_module(name)
    return found


@dataclass(frozen=True, slots=True)
class _JailedBot:
    process: int
    status: int  # pipe to the referee
    supervisor: CallSupervisor | None
    bot_folder: str | None  # freed, like ``own_id``, after the jail has ended
    own_id: int | None


class _Server:
    def __init__(self, link: socket.socket, isolation: jail.Isolation, config: ServerConfig) -> None:
        self._link = link
        self._isolation = isolation
        self._entry = config.entry
        self._own_processes = os.pidfd_open(os.getpid())
        self._poll = select.epoll()
        self._poll.register(link, select.EPOLLIN)
        self._ids = IdPool(isolation.own_ids)
        self._jails: dict[int, _JailedBot] = {}  # jails by pidfd
        self._statuses: dict[int, int] = {}  # pidfds by the pipe to the referee, while that is polled
        self._supervisors: dict[int, CallSupervisor] = {}  # supervisors by polled descriptor
        self._bot_folders = config.bot_folders
        self._process = os.getpid()

    def serve(self) -> NoReturn:
        while True:
            # In this order, no descriptor is closed or reused before all events on its number have been handled.
            seen = self._poll.poll()
            for fd, _ in seen:
                if fd in self._statuses:
                    self._kill_abandoned_jail(fd)
            for fd, events in seen:
                if fd in self._supervisors:
                    self._handle_calls(fd, events)
            for fd, _ in seen:
                if fd in self._jails:
                    self._reap_jail(fd)
            if any(fd == self._link.fileno() for fd, _ in seen):
                self._take_request()

    def shut_down(self) -> NoReturn:
        """Kill all jails, remove their resources, and exit."""
        if os.getpid() == self._process:  # only in the server, not in a child that has just been forked
            for pidfd in self._jails:
                signal.pidfd_send_signal(pidfd, signal.SIGKILL)
            if self._bot_folders is not None:
                for jailed in self._jails.values():
                    _wait(jailed.process)
                shutil.rmtree(self._bot_folders, ignore_errors=True)
        os._exit(0)

    def _take_request(self) -> None:
        try:
            message, fds = wire.receive(self._link)
        except (EOFError, OSError):
            self.shut_down()  # the worker is gone
        channel, log, status_fd, *bundle = fds
        group = bundle.pop() if message["grouped"] else None
        limits = JailLimits(**message["limits"])
        supervisor = (
            None
            if self._isolation.namespaced
            else self._create_supervisor(limits, message["bot_folder"], message["scratch"])
        )
        request = jail.SpawnRequest(
            limits=limits,
            core=message["core"],
            entry=message["entry"] or self._entry,
            entry_in_bot=message["entry"] is not None,
            bot_dir=root.BOT if bundle else message["bot_dir"],
            bundle=bundle[0] if bundle else None,
            channel=channel,
            log=log,
            status=status_fd,
            own_id=self._ids.take_id(),
            group=group,
            supervisor=None if supervisor is None else supervisor.jail_end,
            scratch=message["scratch"] and supervisor is not None,
        )
        self._start_jail(request, supervisor, message["bot_folder"])
        for fd in fds[:2] + fds[3:]:
            os.close(fd)

    def _start_jail(self, request: jail.SpawnRequest, supervisor: CallSupervisor | None, folder: str | None) -> None:
        """Start a jail and reply with its pidfd, or with the reason why it could not be started."""
        try:
            process = self._fork(request)
            pidfd = os.pidfd_open(process)
        except OSError as error:
            os.close(request.status)
            self._ids.release_id(request.own_id)
            if supervisor is not None:
                supervisor.close()
            failure = messages.NOT_STARTED(error=messages.error_name(error))
            wire.send(self._link, {"failure": failure.to_json(), "detail": str(error)})
        else:
            self._register_jail(pidfd, _JailedBot(process, request.status, supervisor, folder, request.own_id))
            wire.send(self._link, {}, [pidfd])

    def _register_jail(self, pidfd: int, jailed: _JailedBot) -> None:
        self._jails[pidfd] = jailed
        self._poll.register(pidfd, select.EPOLLIN)
        self._statuses[jailed.status] = pidfd
        self._poll.register(jailed.status, 0)  # an empty mask reports only errors: nobody is reading any more
        if jailed.supervisor is not None:
            self._watch_supervisor(jailed.supervisor.guard(jailed.process), jailed.supervisor)

    def _create_supervisor(self, limits: JailLimits, bot_folder: str | None, scratch: bool) -> CallSupervisor:
        if bot_folder is None or not scratch:
            return CallSupervisor(self._isolation.proc, limits.threads)
        bounds = FolderLimits(limits.tmp_mb * 2**20, limits.tmp_files, limits.file_bytes, limits.log_bytes)

        def files(process: int, memory: int) -> FileCalls:
            return FileCalls(memory, f"{bot_folder}/{scratch_folder.FILES}", ScratchFolder(bot_folder, bounds, process))

        return CallSupervisor(self._isolation.proc, limits.threads, files)

    def _fork(self, request: jail.SpawnRequest) -> int:
        """Fork a jail; if it has namespaces, it is PID 1 of a new PID namespace. The child does not return."""
        separate = self._isolation.namespaced and self._isolation.layers.processes
        if separate:
            syscalls.unshare(syscalls.CLONE_NEWPID)
        try:
            process = os.fork()
            if process == 0:
                jail.run_in_jail(self._isolation, request)
        finally:
            if separate:  # back to the namespace of the server's own children
                syscalls.setns(self._own_processes, syscalls.CLONE_NEWPID)
        return process

    def _watch_supervisor(self, fd: int, supervisor: CallSupervisor) -> None:
        self._supervisors[fd] = supervisor
        self._poll.register(fd, select.EPOLLIN)

    def _handle_calls(self, fd: int, events: int) -> None:
        supervisor = self._supervisors[fd]
        following = supervisor.handle_event() if events & select.EPOLLIN else None
        if following != fd:
            self._poll.unregister(fd)
            del self._supervisors[fd]
            if following is not None:
                self._watch_supervisor(following, supervisor)

    def _kill_abandoned_jail(self, status_fd: int) -> None:
        """Kill a jail whose referee has exited or could not kill it."""
        self._poll.unregister(status_fd)
        signal.pidfd_send_signal(self._statuses.pop(status_fd), signal.SIGKILL)

    def _reap_jail(self, pidfd: int) -> None:
        jailed = self._jails.pop(pidfd)
        if self._statuses.pop(jailed.status, None) is not None:
            self._poll.unregister(jailed.status)
        self._poll.unregister(pidfd)
        os.close(pidfd)
        if jailed.supervisor is not None:
            for fd in [fd for fd, supervisor in self._supervisors.items() if supervisor is jailed.supervisor]:
                self._poll.unregister(fd)
                del self._supervisors[fd]
            jailed.supervisor.close()
        ended = _wait(jailed.process)
        self._ids.release_id(jailed.own_id)
        # If the exit status is unknown, the referee reads end-of-file instead.
        with contextlib.suppress(OSError):
            if ended is not None:
                process_status.report_ended(jailed.status, *ended)
        os.close(jailed.status)
        if jailed.bot_folder is not None:  # only now, so that no result waits for the disk
            shutil.rmtree(jailed.bot_folder, ignore_errors=True)


def _wait(process: int) -> tuple[int, float] | None:
    """Return the wait status and CPU seconds of a child that has ended, or None if the kernel does not report them."""
    try:
        _, status, used = os.wait4(process, 0)
    except OSError:
        return None
    return status, used.ru_utime + used.ru_stime


def _become_first_process(link: socket.socket) -> None:
    """Continue as PID 1 of the new PID namespace; the old process only waits for it."""
    child = os.fork()
    if child:
        link.close()
        _, status = os.waitpid(child, 0)
        os._exit(os.waitstatus_to_exitcode(status) & 0xFF)
    syscalls.prctl(syscalls.PR_SET_PDEATHSIG, signal.SIGKILL)
    os.setsid()


def _reset_signals() -> None:
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(number, signal.SIG_DFL)
    # A program learns more from a failed write than from being killed.
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_SETMASK, [])


def _shut_down_on_sigterm(server: _Server, config: ServerConfig) -> None:
    """Shut down the server and remove its folders on SIGTERM, which is also sent when the worker dies."""
    signal.signal(signal.SIGIO, signal.SIG_IGN)  # sent by the kernel when a lease blocks another process
    signal.signal(signal.SIGTERM, lambda *_: server.shut_down())
    if config.die_with is not None:
        _set_parent_death_signal(config.die_with, signal.SIGTERM)


def _prepare(link: socket.socket, config: ServerConfig) -> tuple[jail.Isolation, dict[str, Any]]:
    """Prepare the server for its first bot; return the isolation settings, and the report for the worker.

    Raises OSError or ImportError.
    """
    proc = os.open("/proc", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    isolation = environment.enter_environment(config, proc)
    if config.die_with is not None:
        _set_parent_death_signal(config.die_with)  # again, because changing the uid cleared it
    if isolation.namespaced:
        _become_first_process(link)
    preloaded = _import_common(config)
    environment.unload_arena_modules(config)
    jail.prepare_interpreter()
    gc.collect()
    gc.disable()
    gc.freeze()  # so that forks continue to share memory
    seen = namespaces.namespace_inodes(proc) if isolation.namespaced else {}
    refused = environment.why_no_scratch_folder(config)
    return isolation, {"namespaces": seen, "preloaded": preloaded, "scratch_refused": refused}


def main(arguments: Sequence[str]) -> NoReturn:
    """Run the fork server in the new interpreter; `arguments` contains the number of the control socket."""
    link = socket.socket(fileno=int(arguments[0]))
    message, _ = wire.receive(link)
    config = ServerConfig.parse(message)
    _reset_signals()
    allow_many_descriptors()
    if config.die_with is not None:
        _set_parent_death_signal(config.die_with)
    try:
        isolation, answer = _prepare(link, config)
    except Exception as error:  # noqa: BLE001 - reported to the worker in full
        failure = messages.SERVER_NOT_STARTED(error=messages.error_name(error))
        wire.send(link, {"failure": failure.to_json(), "detail": f"{type(error).__name__}: {error}"})
        os._exit(1)
    server = _Server(link, isolation, config)
    if config.bot_folders is not None:
        _shut_down_on_sigterm(server, config)
    wire.send(link, answer)
    server.serve()


# Every bot is forked below these frames, so this module's functions are renamed before they run.
environment.hide_frame_paths(jail, sys.modules[__name__])
