"""Learn pattern weights and write the engine module that contains them.

    python -m bots.reversi.training.patterns --state build/patterns

Training takes hours on one core; it can be interrupted at any time, and resumes from its folder. Requires the extra
``training``.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m bots.reversi.training.patterns", description="Train the pattern weights."
    )
    parser.add_argument("--state", type=Path, default=Path("build/patterns"), metavar="FOLDER")
    options = parser.parse_args(arguments)
    # imported here because they require numba, which is optional
    from bots.reversi.training.patterns.export import TARGET, export_weights
    from bots.reversi.training.patterns.learning import PLAN, LearningRun

    learning = LearningRun(options.state, PLAN, lambda line: print(line, flush=True))
    weights = learning.run()
    export_weights(weights, learning.spreads(weights))
    print(f"Wrote {TARGET}.")


if __name__ == "__main__":
    main()
