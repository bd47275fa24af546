"""List the files that a Dockerfile copies from the build context, and those that ``.dockerignore`` excludes."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from pathlib import Path

from docker.utils import exclude_paths


def instructions(text: str) -> Iterator[tuple[str, str]]:
    """Yield each instruction with its arguments, without comments and with continued lines joined."""
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    for line in "\n".join(lines).replace("\\\n", " ").splitlines():
        name, _, arguments = line.strip().partition(" ")
        yield name.upper(), arguments.strip()


def copied_from_context(text: str) -> list[str]:
    """Return the sources of every COPY and ADD except those from another stage or image."""
    found = []
    for name, arguments in instructions(text):
        if name not in ("COPY", "ADD"):
            continue
        words = shlex.split(arguments) if "[" not in arguments else _exec_form(arguments)
        if not any(word.startswith("--from=") for word in words):
            found += [word for word in words if not word.startswith("--")][:-1]
    return found


def _exec_form(arguments: str) -> list[str]:
    flags, _, listed = arguments.partition("[")
    return [*flags.split(), *json.loads(f"[{listed}")]


def build_context(root: Path) -> set[str]:
    """Return every file and folder under ``root`` that Docker sends to the builder, according to .dockerignore."""
    lines = (root / ".dockerignore").read_text().splitlines()
    patterns = [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    return set(exclude_paths(str(root), patterns))


def missing_sources(root: Path) -> list[str]:
    """Return the sources that the Dockerfile in ``root`` copies but the builder does not receive."""
    context = [Path(path) for path in build_context(root)]
    sources = copied_from_context((root / "Dockerfile").read_text())
    return [
        source for source in sources if not any(path.match(source) for path in context if _has_depth_of(path, source))
    ]


def _has_depth_of(path: Path, source: str) -> bool:
    """Return whether both paths have the same depth; ``Path.match`` also matches deeper paths."""
    return len(path.parts) == len(Path(source).parts)
