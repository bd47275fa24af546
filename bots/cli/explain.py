"""A bot's fault, as its author reads it in a terminal."""

from __future__ import annotations

from arena.core.referee.diagnosis import Diagnosis, log_text
from bots.cli.libraries import module_of

_LOG_CHARS = 2_000


def explain(name: str, diagnosis: Diagnosis) -> str:
    """What, when and where, with the traceback."""
    when = f"in turn {diagnosis.turn}" if diagnosis.turn else "before the first turn"
    return "\n".join([f"{name}: {diagnosis.kind.value} {when}: {diagnosis.message}", *place(diagnosis)])


def place(diagnosis: Diagnosis) -> list[str]:
    """The traceback, or the line where one is known without it."""
    if diagnosis.traceback:
        return [diagnosis.traceback.rstrip()]
    if diagnosis.file:
        return [f'  File "{diagnosis.file}", line {diagnosis.line}', f"    {diagnosis.source_line}"]
    return []


def missing_library(diagnosis: Diagnosis, libraries: list[str]) -> str | None:
    """A library that the arena has and this machine lacks, if that was the cause."""
    missing = (diagnosis.missing_module or "").partition(".")[0]
    return next((library for library in libraries if missing and module_of(library) == missing), None)


def printed(name: str, log: bytes, most: int = _LOG_CHARS) -> str:
    """The end of what a bot printed under a heading; empty where it printed nothing."""
    text = log_text(log).rstrip()
    if not text:
        return ""
    cut = "[...]\n" if len(text) > most else ""
    return f"--- {name} printed ---\n{cut}{text[-most:]}"
