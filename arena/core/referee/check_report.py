"""The result of a check: its steps and their states."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from arena.core.messages import Message, verbatim_message
from arena.core.referee.diagnosis import Diagnosis
from arena.core.referee.position import Position
from arena.core.referee.record import Record
from arena.games.base import Json


class CheckStepName(StrEnum):
    """The steps of a check, in order."""

    SYNTAX = "syntax"  # main.py compiles
    IMPORT = "import"  # it can be imported within the start limit
    PLAYER = "player"  # a player is found and constructed
    FIRST_MOVE = "first_move"  # it makes its first move within seconds
    SLOW_MOVE = "slow_move"  # only if FIRST_MOVE is too slow: it makes its first move within the tournament limit
    MATCH = "match"  # it plays a short match without a fault


NOTHING_TO_SAY = verbatim_message("")
# Steps that a check skips if they are not needed.
CONDITIONAL = frozenset({CheckStepName.SLOW_MOVE})


class StepState(StrEnum):
    """The state of one step of a check."""

    RUNNING = "running"  # started
    PASSED = "passed"
    SLOW = "slow"  # neither passed nor failed: the next step gives it more time
    FAILED = "failed"
    SKIPPED = "skipped"  # skipped, because an earlier step failed


@dataclass(frozen=True, slots=True)
class CheckStep:
    """One step of a check. ``seconds``: fair time that the bot used; ``diagnosis``: set only for a failed step.

    ``rejected``: answers in the match that were rejected before a legal one; they do not make the step fail.
    """

    name: CheckStepName
    state: StepState
    message: Message = NOTHING_TO_SAY
    diagnosis: Diagnosis | None = None
    seconds: float = 0.0
    rejected: tuple[Diagnosis, ...] = ()

    def to_json(self) -> dict[str, Json]:
        return {
            "name": self.name.value,
            "state": self.state.value,
            **self.message.to_json("message"),
            "seconds": round(self.seconds, 3),
            "diagnosis": self.diagnosis.to_json() if self.diagnosis else None,
            "refused": [one.to_json() for one in self.rejected],
        }


@dataclass(frozen=True, slots=True)
class CheckReport:
    """The result of a check.

    ``record``: the record of the match in the last step, if that step was reached; ``log``: the bot's output since its
    last start; ``position``: the position in which the bot failed, None if it passed.
    """

    passed: bool
    steps: tuple[CheckStep, ...]
    record: Record | None
    log: bytes
    position: Position | None = None
