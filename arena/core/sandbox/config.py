"""Operator settings for the sandbox, and the command line that starts the arena's interpreters."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import pairwise
from pathlib import Path

# -s and -P disable imports from user packages and the working folder, -S site packages, -B bytecode files. Not -I,
# which would ignore PYTHONHASHSEED; the arena controls the environment anyway.
_FLAGS = ("-s", "-P", "-S", "-B")
# The folder of this package is importable only while the arena's own modules are loaded.
_PROGRAM = (
    "import sys; sys.path.insert(0, sys.argv.pop(1)); from {module} import main; del sys.path[0]; main(sys.argv[1:])"
)
_PACKAGE_ROOT = str(Path(__file__).resolve().parents[3])

INTERPRETER_ENVIRONMENT = {
    "LANG": "C.UTF-8",
    # The same seed in every fork server, so that sets of strings have the same order in every run of a match.
    "PYTHONHASHSEED": "0",
    # One thread per bot, because the referee assigns cores.
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    # Each additional malloc arena would reserve address space, which counts towards the memory limit.
    "MALLOC_ARENA_MAX": "1",
}


class Mode(StrEnum):
    """The ways to isolate bots."""

    AUTO = "auto"  # the strongest mode, NAMESPACES; fails if that is impossible
    NAMESPACES = "namespaces"  # namespaces, Landlock, seccomp and resource limits
    LANDLOCK = "landlock"  # without namespaces, for containers that deny them; never selected automatically

    @property
    def effective_mode(self) -> Mode:
        """Return the mode that is actually used."""
        return Mode.NAMESPACES if self is Mode.AUTO else self


@dataclass(frozen=True, slots=True)
class SandboxConfig:
    """The complete configuration of a fork server.

    libraries: folders of importable packages, mounted at /libs/0, /libs/1 and so on.
    harness: the folder that contains the package of `entry`. Only that package enters the jail, at /sdk; its parent
    packages are replaced with empty ones.
    entry: "module:function", called in the jail as function(channel_fd: int, bot_dir: str). It must seed numpy.random,
    because all forks inherit its state.
    packages: further packages that enter the jail in the same way, with their folders; imported once, like the entry
    point.
    preload: modules imported once, before any bot is forked, if the libraries have them.
    cgroup: the folder of the control group that contains a group per bot; "off" for none, "" for the delegated group.
    uid, gid: the bots' user if the worker is root. Bots of an unprivileged worker run as its user.
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
            raise ValueError("a bot must not run as uid or gid 0")
        module, _, function = self.entry.partition(":")
        if not module or not function:
            raise ValueError(f"entry must be module:function, not {self.entry!r}")
        names = sorted([module.rpartition(".")[0], *self.packages] if self.packages else [])
        for outer, inner in pairwise(names):
            if f"{inner}.".startswith(f"{outer}." if outer else ""):
                raise ValueError(f"the package {inner} is inside {outer or 'the folder of the harness'}")

    def command(self, module: str, arguments: Sequence[str]) -> list[str]:
        """Return the command line of an isolated interpreter that runs `main(arguments)` of an arena module."""
        return [str(self.python), *_FLAGS, "-c", _PROGRAM.format(module=module), _PACKAGE_ROOT, *arguments]
