"""The fork server: a fresh interpreter that imports what bots use once and then forks a jail for each bot.

Invariants:
- It starts by exec with nothing inherited but its control socket, and reaches no path of the host afterwards.
- It is single-threaded and runs no code of a bot: a child never comes back into its loop.
- It ends with the worker: at the end of file on the control socket, and by a parent-death signal where the worker
  started it from its main thread. In namespaces it is process 1, so every jail ends with it.
- It is the parent of every jail, reaps it and tells the referee how it ended.
"""

from __future__ import annotations

import gc
import importlib
import os
import select
import signal
import socket
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from arena.sandbox import jail, landlock, life, namespaces, root, runtime, seccomp, syscalls, wire
from arena.sandbox.config import Mode
from arena.sandbox.layers import Layers
from arena.sandbox.limits import JailLimits, allow_many_descriptors

# Imported once, so that no bot pays for it.
_COMMON = (
    "abc bisect collections contextlib copy dataclasses decimal encodings.idna enum fractions functools heapq inspect",
    "itertools json linecache math operator queue random re statistics string struct threading time traceback typing",
)


@dataclass(frozen=True, slots=True)
class Order:
    """What the worker asks a new fork server to be."""

    mode: Mode
    layers: Layers
    identity: namespaces.Identity
    libraries: tuple[str, ...]
    harness: str
    entry: str
    preload: tuple[str, ...]
    die_with: int | None  # process id of the worker, if its death may be learned by a signal

    @classmethod
    def parse(cls, message: dict[str, Any]) -> Order:
        return cls(
            mode=Mode(message["mode"]),
            layers=Layers(**message["layers"]),
            identity=namespaces.Identity(message["uid"], message["gid"]),
            libraries=tuple(message["libraries"]),
            harness=message["harness"],
            entry=message["entry"],
            preload=tuple(message["preload"]),
            die_with=message["die_with"],
        )

    @property
    def harness_package(self) -> tuple[str, ...]:
        """The packages around the entry's module, outermost first."""
        return tuple(self.entry.partition(":")[0].split(".")[:-1])


def _harness_folder(order: Order) -> str:
    """The innermost package of the entry, the only part of the harness folder that a bot may see."""
    return str(Path(order.harness, *order.harness_package))


def _die_with(parent: int) -> None:
    syscalls.prctl(syscalls.PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)  # it died before the signal was asked for


def _sources(order: Order) -> tuple[list[root.Source], list[str]]:
    """The mounts of the root, and the packages that are replaced by empty ones."""
    sources = [root.Source(str(path), str(path)) for path in runtime.folders()]
    sources += [root.Source(None, str(path)) for path in runtime.hidden_folders()]
    sources += [root.Source(path, f"/libs/{number}") for number, path in enumerate(order.libraries)]
    package = order.harness_package
    sources.append(root.Source(_harness_folder(order), str(Path(root.SDK, *package))))
    sources += [root.Source(device, device) for device in root.DEVICES]
    if not order.layers.root:
        sources += [root.Source(path, path) for path in ("/etc", "/proc", "/sys")]
    return sources, [str(Path(root.SDK, *package[:depth])) for depth in range(1, len(package))]


def _enter_namespaces(order: Order, proc: int) -> jail.Fences:
    sources, empty_packages = _sources(order)
    who, layers = order.identity, order.layers
    namespaces.leave_host(proc, who, layers, lambda: root.enter(sources, empty_packages))
    libraries = [source.place for source in sources if source.place.startswith("/libs/")]
    sys.path[:] = [*runtime.import_path(), *libraries, root.SDK]
    readable = [source.place for source in sources if source.host is not None]
    access = landlock.Access((*readable, root.SDK), (root.SCRATCH, "/dev/null"))
    program = seccomp.build_filter(syscalls.MACHINE, 1)
    return jail.Fences(layers, True, access, lambda _: program, proc)


def _enter_landlock(order: Order, proc: int) -> jail.Fences:
    abi = syscalls.landlock_abi()
    if abi < landlock.ABI_WITHOUT_NAMESPACES:
        raise OSError(f"Landlock {landlock.ABI_WITHOUT_NAMESPACES} is needed without namespaces, this kernel has {abi}")
    readable = [*(str(path) for path in runtime.folders()), *order.libraries, _harness_folder(order), *root.DEVICES]
    order.identity.assume()
    for path in readable:
        if not os.access(path, os.R_OK):
            raise PermissionError(f"uid {os.getuid()} cannot read {path}; without namespaces a bot needs it as it is")
    sys.path[:] = [*runtime.import_path(), *order.libraries, order.harness]
    access = landlock.Access(tuple(readable), ("/dev/null",))
    return jail.Fences(
        order.layers, False, access, lambda process: seccomp.build_filter(syscalls.MACHINE, process), proc
    )


def _import_common(order: Order) -> list[str]:
    """Import what bots are likely to need and the entry itself; the names of the optional ones that are there."""
    for name in " ".join(_COMMON).split():
        importlib.import_module(name)
    found = []
    for name in order.preload:
        try:
            importlib.import_module(name)
        except ImportError:
            continue  # not among this installation's libraries
        found.append(name)
    importlib.import_module(order.entry.partition(":")[0])
    return found


class _Server:
    def __init__(self, link: socket.socket, fences: jail.Fences, order: Order) -> None:
        self._link = link
        self._fences = fences
        self._entry = order.entry
        self._own_processes = os.pidfd_open(os.getpid())
        self._poll = select.epoll()
        self._poll.register(link, select.EPOLLIN)
        self._jails: dict[int, tuple[int, int]] = {}  # pidfd -> process id, life pipe

    def serve(self) -> NoReturn:
        while True:
            for fd, _ in self._poll.poll():
                if fd == self._link.fileno():
                    self._take_request()
                else:
                    self._reap(fd)

    def _take_request(self) -> None:
        try:
            message, fds = wire.receive(self._link)
        except (EOFError, OSError):
            os._exit(0)  # the worker is gone; jails go with their process 1 or by the parent-death signal
        channel, log, life_fd, *bundle = fds
        inmate = jail.Inmate(
            limits=JailLimits(**message["limits"]),
            core=message["core"],
            entry=message["entry"] or self._entry,
            entry_in_bot=message["entry"] is not None,
            bot_dir=root.BOT if bundle else message["bot_dir"],
            bundle=bundle[0] if bundle else None,
            channel=channel,
            log=log,
            life=life_fd,
        )
        try:
            process = self._fork(inmate)
            pidfd = os.pidfd_open(process)
        except OSError as error:
            os.close(life_fd)
            wire.send(self._link, {"failure": f"cannot fork a jail: {error}"})
        else:
            self._jails[pidfd] = process, life_fd
            self._poll.register(pidfd, select.EPOLLIN)
            wire.send(self._link, {}, [pidfd])
        for fd in (channel, log, *bundle):
            os.close(fd)

    def _fork(self, inmate: jail.Inmate) -> int:
        """Fork a jail as process 1 of a new pid namespace. The child does not return."""
        separate = self._fences.namespaced and self._fences.layers.processes
        if separate:
            syscalls.unshare(syscalls.CLONE_NEWPID)
        try:
            process = os.fork()
            if process == 0:
                jail.run(self._fences, inmate)
        finally:
            if separate:  # back to where children of our own belong
                syscalls.setns(self._own_processes, syscalls.CLONE_NEWPID)
        return process

    def _reap(self, pidfd: int) -> None:
        process, life_fd = self._jails.pop(pidfd)
        self._poll.unregister(pidfd)
        os.close(pidfd)
        _, status, used = os.wait4(process, 0)
        try:
            life.tell_ended(life_fd, status, used.ru_utime + used.ru_stime)
        except BrokenPipeError:
            pass  # the referee lost interest
        finally:
            os.close(life_fd)


def _become_first_process(link: socket.socket) -> None:
    """Go on as process 1 of the new pid namespace; the old process only waits for it."""
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
    # A write that fails tells a program more than a death does.
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_SETMASK, [])


def _prepare(link: socket.socket, order: Order) -> tuple[jail.Fences, dict[str, Any]]:
    """Everything before the first bot; the fences, and what to tell the worker. Raises OSError, ImportError."""
    proc = os.open("/proc", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    enter = _enter_namespaces if order.mode is Mode.NAMESPACES else _enter_landlock
    fences = enter(order, proc)
    if order.die_with is not None:
        _die_with(order.die_with)  # once more: changing the uid cleared it
    if fences.namespaced:
        _become_first_process(link)
    preloaded = _import_common(order)
    gc.collect()
    gc.disable()
    gc.freeze()  # so that forks keep sharing memory
    seen = namespaces.identities(proc) if fences.namespaced else {}
    return fences, {"namespaces": seen, "preloaded": preloaded}


def main(arguments: Sequence[str]) -> NoReturn:
    """Entry of the new interpreter; `arguments` holds the number of the control socket."""
    link = socket.socket(fileno=int(arguments[0]))
    message, _ = wire.receive(link)
    order = Order.parse(message)
    _reset_signals()
    allow_many_descriptors()
    if order.die_with is not None:
        _die_with(order.die_with)
    try:
        fences, answer = _prepare(link, order)
    except Exception as error:  # noqa: BLE001 - told to the worker in full
        wire.send(link, {"failure": f"the fork server cannot start: {type(error).__name__}: {error}"})
        os._exit(1)
    wire.send(link, answer)
    _Server(link, fences, order).serve()
