"""What an operator decides about the sandbox, and how an interpreter of ours is started with it."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import pairwise
from pathlib import Path

# -s and -P import nothing from a user's packages and the working folder, -S no site packages, -B writes no byte code.
# Not -I, which would ignore PYTHONHASHSEED: the environment is our own in any case.
_FLAGS = ("-s", "-P", "-S", "-B")
# The folder of this package is importable while our own modules are loaded, and never again.
_PROGRAM = (
    "import sys; sys.path.insert(0, sys.argv.pop(1)); from {module} import main; del sys.path[0]; main(sys.argv[1:])"
)
_PACKAGE_ROOT = str(Path(__file__).resolve().parents[3])

INTERPRETER_ENVIRONMENT = {
    "LANG": "C.UTF-8",
    # The same in every fork server: sets of texts have the same order whenever a match is played again.
    "PYTHONHASHSEED": "0",
    # One thread a bot: cores are shared out by the referee.
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    # Each further arena of the allocator would reserve address space that the memory limit counts.
    "MALLOC_ARENA_MAX": "1",
}


class Mode(StrEnum):
    """How bots are fenced in."""

    AUTO = "auto"  # the strongest there is, which is NAMESPACES; a refusal where it is impossible
    NAMESPACES = "namespaces"  # namespaces, Landlock, seccomp and resource limits
    LANDLOCK = "landlock"  # no namespaces: for containers that deny them; never chosen by itself

    @property
    def resolved(self) -> Mode:
        """The mode that is really used."""
        return Mode.NAMESPACES if self is Mode.AUTO else self


@dataclass(frozen=True, slots=True)
class SandboxConfig:
    """Everything a fork server needs to know.

    libraries: folders of importable packages, mounted at /libs/0, /libs/1 and so on.
    harness: the folder that holds the package of `entry`. Only that package enters the jail, at /sdk; the
        packages around it are replaced by empty ones.
    entry: "module:function", called in the jail as function(channel_fd: int, bot_dir: str). It has to seed
        numpy.random, of which all forks inherit the same state.
    packages: further packages that enter the jail in the same way, with their folders; imported once, as the entry is.
    preload: modules imported once, before any bot is forked, where the libraries have them.
    cgroup: the control group in which bots get groups of their own: a folder, "off", or "" for what is delegated.
    uid, gid: what a bot becomes if the worker is root. An ordinary worker's bots keep its own.
    """

    libraries: tuple[Path, ...]
    harness: Path
    entry: str = "bots.sdk.harness:main"
    packages: Mapping[str, Path] = field(default_factory=dict)
    preload: tuple[str, ...] = ("numpy", "numpy.random", "treelib", "bitarray")
    mode: Mode = Mode.AUTO
    cgroup: str = ""
    python: Path = field(default_factory=lambda: Path(sys.executable))
    uid: int = 60_000
    gid: int = 60_000

    def __post_init__(self) -> None:
        if self.uid == 0 or self.gid == 0:
            raise ValueError("a bot never runs as uid or gid 0")
        module, _, function = self.entry.partition(":")
        if not module or not function:
            raise ValueError(f"entry must read module:function, not {self.entry!r}")
        names = sorted([module.rpartition(".")[0], *self.packages] if self.packages else [])
        for outer, inner in pairwise(names):
            if f"{inner}.".startswith(f"{outer}." if outer else ""):
                raise ValueError(f"the package {inner} lies within {outer or 'the folder of the harness'}")

    def command(self, module: str, arguments: Sequence[str]) -> list[str]:
        """The command line of an isolated interpreter that runs `main(arguments)` of one of our modules."""
        return [str(self.python), *_FLAGS, "-c", _PROGRAM.format(module=module), _PACKAGE_ROOT, *arguments]
