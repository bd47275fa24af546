"""Which parts of the host a Python program needs in order to run: the interpreter's library and shared objects.

Invariant: paths only, read from the running interpreter; nothing of the site, of a home folder or of /etc.
"""

from __future__ import annotations

import os
import platform
import sys
from pathlib import Path

# Third-party packages of the interpreter that happens to run the site. Bots get the listed libraries only.
_NOT_FOR_BOTS = ("site-packages", "dist-packages")


def standard_library() -> Path:
    return Path(os.__file__).parent


def import_path() -> list[str]:
    """Where the standard library is imported from, under -s -P -S."""
    return [entry for entry in sys.path if entry and Path(entry).is_absolute()]


def shared_objects() -> list[Path]:
    """Folders in which the dynamic loader looks, each once, without links."""
    triple = f"{platform.machine()}-linux-gnu"
    candidates = [Path(f"/lib/{triple}"), Path(f"/usr/lib/{triple}"), Path("/lib64"), Path("/usr/lib64")]
    found = dict.fromkeys(Path(os.path.realpath(path)) for path in candidates if path.is_dir())
    prefix = Path(sys.base_prefix)
    if not prefix.is_relative_to("/usr"):
        # An interpreter with a prefix of its own (pyenv, conda) keeps its shared objects beside its library.
        found[prefix / "lib"] = None
    return list(found)


def folders() -> list[Path]:
    """What has to be visible in a jail, at its own path; no folder lies within another one of the list."""
    wanted = dict.fromkeys([standard_library(), *shared_objects()])
    if Path("/usr/share/zoneinfo").is_dir():
        wanted[Path("/usr/share/zoneinfo")] = None
    return [path for path in wanted if not any(path != other and path.is_relative_to(other) for other in wanted)]


def hidden_folders() -> list[Path]:
    """What lies within `folders` and is none of a bot's business."""
    return [path for name in _NOT_FOR_BOTS if (path := standard_library() / name).is_dir()]
