"""Make the worker's system calls fail on demand, with a real bot on the other end."""

from __future__ import annotations

import os
import select
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

from arena.core.sandbox.supervision.kernel import KERNEL, Kernel

SHORT, END = "short", "end"  # fewer bytes than requested, or none


@dataclass(frozen=True)
class Failure:
    """The failure of a call: an error number, or a short transfer.

    If ``argument`` is set, only calls with this argument fail.
    """

    call: str
    how: int | str
    argument: Any = None

    def concerns(self, call: str, arguments: tuple[Any, ...]) -> bool:
        return call == self.call and (self.argument is None or self.argument in arguments)


class _BrokenPoll:
    def __init__(self, real: select.poll, ask: Callable[[], Failure | None]) -> None:
        self._real, self._ask = real, ask

    def register(self, *arguments: Any) -> None:
        self._real.register(*arguments)

    def poll(self, *arguments: Any) -> list[tuple[int, int]]:
        failure = self._ask()
        if failure is not None:
            raise OSError(failure.how, os.strerror(int(failure.how)))
        return self._real.poll(*arguments)


class BrokenKernel:
    """A kernel that makes the real system calls, except for the one that fails while ``failure`` is set."""

    def __init__(self) -> None:
        self.failure: Failure | None = None
        calls = {field.name: self._broken(field.name) for field in fields(Kernel)}
        self.kernel = Kernel(**{**calls, "poll": self._poll})

    def _poll(self) -> Any:
        failing = self._failure_of("poll", ())
        return _BrokenPoll(select.poll(), lambda: failing or self._failure_of("poll", ()))

    def _failure_of(self, call: str, arguments: tuple[Any, ...]) -> Failure | None:
        return self.failure if self.failure is not None and self.failure.concerns(call, arguments) else None

    def _broken(self, call: str) -> Callable[..., Any]:
        real = getattr(KERNEL, call)

        def call_or_fail(*arguments: Any) -> Any:
            failure = self._failure_of(call, arguments)
            if failure is None:
                return real(*arguments)
            if isinstance(failure.how, int):
                if call == "close":
                    real(*arguments)  # the kernel releases the descriptor even if close fails
                raise OSError(failure.how, os.strerror(failure.how))
            return _transfer_less(call, real, arguments, failure.how)

        return call_or_fail


def _transfer_less(call: str, real: Callable[..., Any], arguments: tuple[Any, ...], how: str) -> Any:
    if how == END:
        return b""
    if call == "send":
        return real(*arguments) - 1
    if call == "read":
        return real(arguments[0], 1)
    return real(*arguments)[:1]
