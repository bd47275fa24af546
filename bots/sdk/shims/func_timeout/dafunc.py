"""Limit the time of a call by running it in a thread.

Invariant: the caller continues at the limit, whatever the function does. An exception stops the function itself as soon
as it runs Python code again, unless the function swallows the exception.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .exceptions import FunctionTimedOut

try:
    import ctypes
except (
    ImportError,
    OSError,
    MemoryError,
):  # libffi is missing or may not work: the call is limited, but continues in the background
    ctypes = None  # type: ignore[assignment]

_STOP_TRIES = 20
_STOP_WAIT_SECONDS = 0.05


class _Call(threading.Thread):
    """A function call that stores its result or exception."""

    def __init__(self, function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> None:
        super().__init__(daemon=True)
        self._work = functools.partial(function, *args, **kwargs)
        self.value: Any = None
        self.error: BaseException | None = None

    def run(self) -> None:
        try:
            self.value = self._work()
        except BaseException as error:  # noqa: BLE001 - raised again in the caller's thread
            self.error = error

    def stop(self) -> None:
        """Raise FunctionTimedOut in the running function, repeatedly if it swallows the exception."""
        for _ in range(_STOP_TRIES):
            if not self.is_alive() or ctypes is None or self.ident is None:
                return
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self.ident), ctypes.py_object(FunctionTimedOut))
            self.join(_STOP_WAIT_SECONDS)


def func_timeout(
    timeout: float,
    func: Callable[..., Any],
    args: Sequence[Any] = (),
    kwargs: Mapping[str, Any] | None = None,
) -> Any:
    """Call ``func(*args, **kwargs)`` and return its result. Raises FunctionTimedOut after ``timeout`` seconds."""
    call = _Call(func, args, kwargs or {})
    call.start()
    call.join(timeout)
    if call.is_alive():
        call.stop()
        raise FunctionTimedOut("", timeout, func, args, kwargs)
    if call.error is not None:
        raise call.error
    return call.value


def func_set_timeout(
    timeout: float | Callable[..., float],
    allowOverride: bool = False,  # noqa: N803 - the package's name
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorate a function so that every call has a time limit.

    ``allowOverride``: whether a call may pass its own limit as ``forceTimeout``.
    """

    def decorate(func: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(func)
        def call_with_limit(*args: Any, **kwargs: Any) -> Any:
            limit = kwargs.pop("forceTimeout", None) if allowOverride else None
            if limit is None:
                limit = timeout(*args, **kwargs) if callable(timeout) else timeout
            return func_timeout(limit, func, args, kwargs)

        return call_with_limit

    return decorate
