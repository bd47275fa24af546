"""Control the system calls that need permission if there are no namespaces: starting threads and writing to files.

The kernel notifies the fork server before each such call (seccomp user notification). Threads are counted here;
`file_calls` handles files.

Invariants:
- Only calls that the jail's own filter permits cause notifications: a refusal by that filter comes first.
- Letting a call continue is safe, because no decision depended on memory that the bot could change in the meantime.
- The server never waits for a bot. If all threads of a bot call at once, all calls may be granted, so a bot may reach
  twice its limit, but never more.
- A call that the server has received is answered exactly once, because only a fatal signal can interrupt it.
"""

from __future__ import annotations

import errno
import fcntl
import os
import socket
import struct
from collections.abc import Callable

from arena.core.sandbox.isolation import seccomp, syscalls
from arena.core.sandbox.isolation.file_calls import PASS, CallResult, FileCalls, OpenedFile

_RECEIVE, _ANSWER, _HAND_OVER = 0xC050_2100, 0xC018_2101, 0x4018_2103  # SECCOMP_IOCTL_NOTIF_RECV, _SEND and _ADDFD
_QUESTION = struct.Struct("QIIiIQ6Q")  # struct seccomp_notif
_LET_PASS = 1  # SECCOMP_USER_NOTIF_FLAG_CONTINUE
_AND_ANSWER = 2  # SECCOMP_ADDFD_FLAG_SEND
_MEMORY, _LISTENER = b"memory", b"listener"

_NO_MORE_THREADS = CallResult(error=errno.EAGAIN)


def send_memory(proc: int, link: int) -> None:
    """Let the server read the memory of this process. Runs in the jail, before that becomes impossible."""
    memory = os.open("self/mem", os.O_RDONLY | os.O_CLOEXEC, dir_fd=proc)
    _send(link, _MEMORY, memory)


def send_listener(program: bytes, link: int) -> None:
    """Install `program`, a user-notification filter, and pass its listener to the server. Runs in the jail."""
    _send(link, _LISTENER, syscalls.install_seccomp_listener(program))


def _send(link: int, what: bytes, descriptor: int) -> None:
    with socket.socket(fileno=os.dup(link)) as sender:
        socket.send_fds(sender, [what], [descriptor])
    os.close(descriptor)


class CallSupervisor:
    """The supervisor of one jail's system calls, in the fork server (seccomp_unotify(2)). Not usable after `close`."""

    def __init__(self, proc: int, max_threads: int, files: Callable[[int, int], FileCalls] | None = None) -> None:
        """Create the supervisor.

        ``proc``: descriptor of /proc; ``max_threads``: maximum number of simultaneous threads, including the main
        thread; ``files``: a function that creates the handler of file calls, given the process id and a descriptor of
        the process's memory; None for a bot without write access.
        """
        self._proc = proc
        self._max_threads = max_threads
        self._make_files = files
        self._files: FileCalls | None = None
        self._names = seccomp.call_names(syscalls.MACHINE)
        self._process = 0
        self._listener: int | None = None
        self._ours, self._theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)

    @property
    def jail_end(self) -> int:
        """Return the descriptor to pass to the child."""
        return self._theirs.fileno()

    def guard(self, process: int) -> int:
        """Start guarding this child. Return the next descriptor to poll."""
        self._process = process
        self._theirs.close()
        return self._ours.fileno()

    def handle_event(self) -> int | None:
        """Handle a poll event. Return the descriptor to poll from now on, or None if there will be no more events."""
        if self._listener is None:
            return self._receive_listener()
        self._answer(self._listener)
        return self._listener

    def close(self) -> None:
        self._ours.close()
        self._theirs.close()
        if self._files is not None:
            self._files.close()
            self._files = None
        if self._listener is not None:
            os.close(self._listener)
            self._listener = None

    def _receive_listener(self) -> int | None:
        what, fds, _, _ = socket.recv_fds(self._ours, 16, 1, socket.MSG_CMSG_CLOEXEC)
        if not fds:
            return None
        if what == _LISTENER:
            self._listener = fds[0]
            return self._listener
        if self._make_files is None:
            os.close(fds[0])
        else:
            self._files = self._make_files(self._process, fds[0])
        return self._ours.fileno()

    def _answer(self, listener: int) -> None:
        question = bytearray(_QUESTION.size)
        try:
            fcntl.ioctl(listener, _RECEIVE, question)
            number, _, _, call, _, _, *arguments = _QUESTION.unpack(question)
            answer = self._decide_call(self._names.get(call, ""), tuple(arguments))
            if isinstance(answer, OpenedFile):
                _reply_with_descriptor(listener, number, answer)
            else:
                _reply(listener, number, answer)
        except OSError:
            return  # the process died during the call, which the kernel may report in several ways

    def _decide_call(self, name: str, arguments: tuple[int, ...]) -> CallResult | OpenedFile:
        if name == "clone":
            return PASS if self._count_threads() < self._max_threads else _NO_MORE_THREADS
        return PASS if self._files is None else self._files.answer(name, arguments)

    def _count_threads(self) -> int:
        """Count the threads: the link count of a process's task folder is the number of threads plus two."""
        return os.stat(f"{self._process}/task", dir_fd=self._proc).st_nlink - 2


def _reply(listener: int, number: int, answer: CallResult) -> None:
    fcntl.ioctl(listener, _ANSWER, struct.pack("QqiI", number, 0, -answer.error, _LET_PASS if answer.passes else 0))


def _reply_with_descriptor(listener: int, number: int, opened: OpenedFile) -> None:
    """Answer a call with a descriptor: pass it to the bot, and close it in this process."""
    flags = os.O_CLOEXEC if opened.close_on_exec else 0
    try:
        fcntl.ioctl(listener, _HAND_OVER, struct.pack("QIIII", number, _AND_ANSWER, opened.descriptor, 0, flags))
    except OSError as error:
        _reply(listener, number, CallResult(error=error.errno or errno.EIO))  # the bot has reached its descriptor limit
    finally:
        os.close(opened.descriptor)
