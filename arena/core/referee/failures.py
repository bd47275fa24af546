"""What is written down of a failure of ours, for those who have to decide what to do about it.

Invariant: a reason holds no path and no value of the host, because organizers and authors of bots read it. The log has
the rest.
"""

from __future__ import annotations

from arena.core.referee.faults import RefereeFailure
from arena.core.sandbox.errors import SandboxError

_LENGTH = 300


def reason_of(error: BaseException) -> str:
    """The reason in one line of English."""
    if isinstance(error, RefereeFailure | SandboxError) and str(error):
        text = str(error)
    elif isinstance(error, OSError) and error.strerror:
        text = f"{type(error).__name__}: {error.strerror}"
    else:
        text = f"{type(error).__name__} in the arena's own code"
    return " ".join(text.split())[:_LENGTH]
