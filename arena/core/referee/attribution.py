"""Attribute what breaks between the first contact with a bot and the end of its seat.

What a bot's process, channel or bytes did is a fault of the bot: ``PlayerGone``, ``BadMessage``, ``IllegalMove``.
Everything else is a failure of ours, whatever exception it began as, and leaves here as ``RefereeFailure``.
"""

from __future__ import annotations

from types import TracebackType

from arena.core.referee.failures import reason_of
from arena.core.referee.faults import MatchStopped, RefereeFailure
from arena.core.referee.players import PlayerGone
from arena.core.referee.protocol import BadMessage

_ATTRIBUTED = (RefereeFailure, MatchStopped, PlayerGone, BadMessage)


class _Ours:
    """A context in which any exception that is not attributed yet becomes a RefereeFailure.

    A class: a generator would cost a tenth of a question.
    """

    def __enter__(self) -> None:
        return

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if error is None or isinstance(error, _ATTRIBUTED) or not isinstance(error, Exception):
            return
        raise RefereeFailure(reason_of(error)) from error


OURS = _Ours()
