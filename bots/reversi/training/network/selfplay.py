"""Train a Reversi network by self-play with PPO; expert iteration can start from the result.

python -m bots train reversi selfplay --minutes 10 --run build/training/reversi
python -m bots train reversi network --begin build/training/reversi --run build/training/reversi-network
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bots.reversi.training.network.learning import HIDDEN
from bots.training.selfplay import command
from bots.training.selfplay.environment import Learnable

_ENVIRONMENT: Final = "bots.reversi.training.network.environment"

REVERSI: Final = Learnable(
    "reversi", f"{_ENVIRONMENT}:ENVIRONMENT", f"{_ENVIRONMENT}:OPPONENTS", hidden=HIDDEN, reward_scale=1.0
)


def main(arguments: Sequence[str] | None = None) -> None:
    """Train with these command-line options."""
    command.main(REVERSI, arguments)
