"""Handle a bot's calls that create, rename or truncate files or open them for writing, when the kernel reports them.

Invariants:
- A path is read from the bot's memory once, and exactly that path is used: the bot can no longer change it.
- Calls for paths outside the bot's own folder continue in the kernel. That is safe, whatever the path points to by
  then, because Landlock lets the bot itself write only to /dev/null.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from arena.core.sandbox.isolation.scratch_folder import ScratchFolder

_MAX_PATH_BYTES = 4096
_HERE = -100  # AT_FDCWD


@dataclass(frozen=True, slots=True)
class CallResult:
    """The kernel's action on a call: let it continue, or report it as done, with an error number if it failed."""

    passes: bool = False
    error: int = 0


@dataclass(frozen=True, slots=True)
class OpenedFile:
    """The result of a call that opened a file: the descriptor to pass to the bot."""

    descriptor: int
    close_on_exec: bool


PASS: Final = CallResult(passes=True)
_DONE: Final = CallResult()

Arguments = tuple[int, ...]


class FileCalls:
    """The handler of one bot's file calls. It also tracks the bot's working directory, to which paths are relative."""

    def __init__(self, memory: int, folder: str, scratch: ScratchFolder) -> None:
        """Create the handler.

        ``memory``: descriptor of the bot's memory; ``folder``: absolute path of the scratch folder, with symbolic links
        resolved.
        """
        self._memory = memory
        self._folder = folder
        self._working = folder
        self._scratch = scratch
        self._handlers: dict[str, Callable[[Arguments], CallResult | OpenedFile]] = {
            "open": lambda call: self._open(_HERE, call[0], call[1]),
            "openat": lambda call: self._open(call[0], call[1], call[2]),
            "mkdir": lambda call: self._make_folder(_HERE, call[0]),
            "mkdirat": lambda call: self._make_folder(call[0], call[1]),
            "rename": lambda call: self._rename(_HERE, call[0], _HERE, call[1]),
            "renameat": lambda call: self._rename(*call[:4]),
            "renameat2": lambda call: self._rename(*call[:4]) if not call[4] else CallResult(error=errno.EINVAL),
            "truncate": lambda call: self._truncate(call[0], call[1]),
            "chdir": lambda call: self._enter(call[0]),
        }

    def answer(self, name: str, arguments: Arguments) -> CallResult | OpenedFile:
        try:
            return self._handlers[name](arguments)
        except OSError as error:
            return CallResult(error=error.errno or errno.EIO)

    def close(self) -> None:
        self._scratch.close()
        os.close(self._memory)

    def _open(self, base: int, address: int, flags: int) -> CallResult | OpenedFile:
        path = self._resolve_in_scratch(base, address)
        if path is None:
            return PASS
        descriptor = self._scratch.open(path, flags & 0x7FFF_FFFF)
        return OpenedFile(descriptor, bool(flags & os.O_CLOEXEC))

    def _make_folder(self, base: int, address: int) -> CallResult:
        path = self._resolve_in_scratch(base, address)
        if path is None:
            return PASS
        if not path:
            return CallResult(error=errno.EEXIST)
        self._scratch.make_folder(path)
        return _DONE

    def _rename(self, old_base: int, old: int, new_base: int, new: int) -> CallResult:
        source, target = self._resolve_in_scratch(old_base, old), self._resolve_in_scratch(new_base, new)
        if source is None or target is None:
            return PASS
        self._scratch.rename(source, target)
        return _DONE

    def _truncate(self, address: int, length: int) -> CallResult:
        path = self._resolve_in_scratch(_HERE, address)
        if path is None:
            return PASS
        if length >= 1 << 63:
            return CallResult(error=errno.EINVAL)
        self._scratch.truncate(path, length)
        return _DONE

    def _enter(self, address: int) -> CallResult:
        path = self._absolute(_HERE, address)
        if path is None:
            return PASS
        inside = self._relative_to_scratch(path)
        if inside is not None:
            self._scratch.check_folder(inside)
        elif not (os.path.isdir(path) and os.access(path, os.X_OK)):  # noqa: PTH112
            return PASS  # the kernel will refuse the call
        self._working = path
        return PASS

    def _resolve_in_scratch(self, base: int, address: int) -> str | None:
        """Return a call's path relative to the scratch folder; None if the path is outside."""
        path = self._absolute(base, address)
        return None if path is None else self._relative_to_scratch(path)

    def _relative_to_scratch(self, path: str) -> str | None:
        if path == self._folder:
            return ""
        return path.removeprefix(f"{self._folder}/") if path.startswith(f"{self._folder}/") else None

    def _absolute(self, base: int, address: int) -> str | None:
        """Return the absolute path, or None if the path is relative to one of the bot's own descriptors."""
        path = self._read(address)
        if not path.startswith("/"):
            if base & 0xFFFF_FFFF != _HERE & 0xFFFF_FFFF:
                return None
            path = f"{self._working}/{path}"
        return os.path.normpath(path)

    def _read(self, address: int) -> str:
        """Read a path from the bot's memory; the readable memory may end before the buffer is full."""
        try:
            data = os.pread(self._memory, _MAX_PATH_BYTES, address)
        except (OSError, OverflowError):
            raise OSError(errno.EFAULT, "no such address") from None
        text, end, _ = data.partition(b"\0")
        if not end:
            raise OSError(errno.ENAMETOOLONG if len(data) == _MAX_PATH_BYTES else errno.EFAULT, "unterminated path")
        if not text:
            raise FileNotFoundError(errno.ENOENT, "an empty path")
        return os.fsdecode(text)
