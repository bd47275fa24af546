"""The exception raised when a call exceeds its time limit."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any


class FunctionTimedOut(BaseException):
    """Raised if a call took too long; not an ``Exception``, so that a handler in the function does not swallow it."""

    def __init__(
        self,
        msg: str = "",
        timedOutAfter: float | None = None,  # noqa: N803 - the package's names
        timedOutFunction: Callable[..., Any] | None = None,  # noqa: N803
        timedOutArgs: Sequence[Any] = (),  # noqa: N803
        timedOutKwargs: Mapping[str, Any] | None = None,  # noqa: N803
    ) -> None:
        name = getattr(timedOutFunction, "__name__", "the function")
        self.msg = msg or f"{name} was stopped after {timedOutAfter} s."
        super().__init__(self.msg)
        self.timedOutAfter = timedOutAfter
        self.timedOutFunction = timedOutFunction
        self.timedOutArgs = timedOutArgs
        self.timedOutKwargs = timedOutKwargs or {}
