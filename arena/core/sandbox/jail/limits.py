"""Resource limits for one bot."""

from __future__ import annotations

import resource
from dataclasses import dataclass

# A seat uses six descriptors in its worker, and two in the fork server (seven without namespaces). Typical soft limits
# would allow only 150 seats.
_MANY_DESCRIPTORS = 65_536


@dataclass(frozen=True, slots=True)
class JailLimits:
    """The limits on one jailed process.

    memory_mb: address space, including the interpreter and its libraries (MiB). Exceeding it raises MemoryError.
    log_bytes: bytes of output that are kept.
    file_bytes: maximum size of a file, unless log_bytes is larger; see max_file_bytes.
    tmp_mb: space that the bot may add to the copy of its folder (MiB), and the size of its private /tmp if it has one.
    threads: simultaneous tasks, including the main thread. A bot cannot create processes.
    cpu_seconds: total CPU time, a backstop behind the referee's clock.
    open_files: simultaneous descriptors, including the standard streams and the channel.
    tmp_files: number of files and folders that the bot may add to the copy of its folder, and may have in its /tmp.
    """

    memory_mb: int = 512
    log_bytes: int = 262_144
    file_bytes: int = 16 * 2**20
    tmp_mb: int = 16
    threads: int = 16
    cpu_seconds: int = 7200
    open_files: int = 64
    tmp_files: int = 1024

    @property
    def max_file_bytes(self) -> int:
        """Return the maximum size of a file; the log is a file, too."""
        return max(self.log_bytes, self.file_bytes)


def allow_many_descriptors() -> None:
    """Raise this process's soft limit on open files as far as permitted. A jail's limit is set separately."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _MANY_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(_MANY_DESCRIPTORS, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
