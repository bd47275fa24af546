"""How a fresh interpreter of ours is started: isolated, without site packages, with an environment of our own."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

# -I reads neither PYTHON* variables nor a user's packages, -S no site packages, -B writes no byte code.
_FLAGS = ("-I", "-S", "-B")
# The folder of this package is importable while our own modules are loaded, and never again.
_PROGRAM = (
    "import sys; sys.path.insert(0, sys.argv.pop(1)); from {module} import main; del sys.path[0]; main(sys.argv[1:])"
)
_PACKAGE_ROOT = str(Path(__file__).resolve().parents[3])

ENVIRONMENT = {
    "LANG": "C.UTF-8",
    # One thread a bot: cores are shared out by the referee.
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    # Each further arena of the allocator would reserve address space that the memory limit counts.
    "MALLOC_ARENA_MAX": "1",
}


def command(python: Path, module: str, arguments: Sequence[str]) -> list[str]:
    """The command line that runs `main(arguments)` of one of our modules."""
    return [str(python), *_FLAGS, "-c", _PROGRAM.format(module=module), _PACKAGE_ROOT, *arguments]
