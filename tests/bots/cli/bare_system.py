"""Remove Unix-only features from this interpreter, to simulate Windows; installed as ``sitecustomize``.

This affects every process that inherits PYTHONPATH, including the bots.
"""

import os
import select
import shutil  # noqa: F401 - these modules read Unix-only names before they are removed
import signal
import socket
import subprocess  # noqa: F401
import sys
import tempfile  # noqa: F401

MODULES = ("fcntl", "grp", "pwd", "resource", "termios", "tty", "pty", "readline", "curses")
NAMES = {
    os: ("pread", "readv", "pipe2", "memfd_create", "fchmod", "killpg", "sched_getaffinity", "pidfd_open", "fork"),
    signal: ("setitimer", "SIGALRM", "ITIMER_REAL", "alarm"),
    select: ("poll", "epoll"),
    socket: ("AF_UNIX", "SOCK_SEQPACKET"),
}


def socketpair() -> tuple[socket.socket, socket.socket]:
    """Emulate the standard library's fallback for systems without Unix sockets."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        one = socket.create_connection(listener.getsockname())
        return one, listener.accept()[0]


for module in MODULES:
    sys.modules[module] = None  # type: ignore[assignment] - importing it raises ImportError
for holder, names in NAMES.items():
    for name in names:
        if hasattr(holder, name):
            delattr(holder, name)
for name in ("O_DIRECTORY", "O_NOFOLLOW", "O_CLOEXEC"):
    delattr(os, name)
os.supports_dir_fd = set()
socket.socketpair = socketpair  # type: ignore[assignment]
