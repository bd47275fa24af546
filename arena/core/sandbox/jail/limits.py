"""How much of the machine one bot may use."""

from __future__ import annotations

import resource
from dataclasses import dataclass

# A seat takes six descriptors of its worker, and two of the fork server or, without namespaces, seven. Usual soft
# limits would allow for 150 seats.
_MANY_DESCRIPTORS = 65_536


@dataclass(frozen=True, slots=True)
class JailLimits:
    """The limits of one jailed process.

    memory_mb: address space, with the interpreter and its libraries (MiB). More raises MemoryError.
    log_bytes: what is kept of what it prints.
    file_bytes: longest file it can write, the one behind its log included; never less than log_bytes.
    tmp_mb: what it may add to the copy of its folder (MiB), and the size of its private /tmp where it has one.
    threads: tasks at one time, the main thread included. It cannot make processes at all.
    cpu_seconds: CPU time of its whole life, a backstop behind the referee's clock.
    open_files: descriptors at one time, the standard streams and the channel included.
    tmp_files: files and folders that it may add to the copy of its folder, and those in its /tmp.
    """

    memory_mb: int = 512
    log_bytes: int = 262_144
    file_bytes: int = 16 * 2**20
    tmp_mb: int = 16
    threads: int = 16
    cpu_seconds: int = 7200
    open_files: int = 64
    tmp_files: int = 1024


def allow_many_descriptors() -> None:
    """Raise this process's soft limit as far as its hard limit permits. A jail's own limit is set apart from it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _MANY_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(_MANY_DESCRIPTORS, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
