"""Find the parts of the host that a Python program needs: the interpreter's library and shared objects.

Invariant: the paths are determined from the running interpreter; they include neither the arena's own files nor home
folders or /etc.
"""

from __future__ import annotations

import os
import platform
import sys
from pathlib import Path

# Third-party packages of the site's interpreter. Bots get only the listed libraries.
_NOT_FOR_BOTS = ("site-packages", "dist-packages")


def standard_library() -> Path:
    return Path(os.__file__).parent


def import_path() -> list[str]:
    """Return the import path of the standard library in an interpreter that is started with -s -P -S."""
    return [entry for entry in sys.path if entry and Path(entry).is_absolute()]


def shared_library_folders() -> list[Path]:
    """Return the folders that the dynamic loader searches, without duplicates or symbolic links."""
    triple = f"{platform.machine()}-linux-gnu"
    candidates = [Path(f"/lib/{triple}"), Path(f"/usr/lib/{triple}"), Path("/lib64"), Path("/usr/lib64")]
    found = dict.fromkeys(Path(os.path.realpath(path)) for path in candidates if path.is_dir())
    prefix = Path(sys.base_prefix)
    if not prefix.is_relative_to("/usr"):
        # An interpreter with a separate prefix (pyenv, conda) keeps its shared objects next to its library.
        found[prefix / "lib"] = None
    return list(found)


def visible_folders() -> list[Path]:
    """Return the folders that a jail must show at their original paths; no folder in the list contains another."""
    wanted = dict.fromkeys([standard_library(), *shared_library_folders()])
    if Path("/usr/share/zoneinfo").is_dir():
        wanted[Path("/usr/share/zoneinfo")] = None
    return [path for path in wanted if not any(path != other and path.is_relative_to(other) for other in wanted)]


def hidden_folders() -> list[Path]:
    """Return the folders that are inside visible folders but must stay hidden from bots."""
    return [path for name in _NOT_FOR_BOTS if (path := standard_library() / name).is_dir()]
