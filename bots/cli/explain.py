"""Format a bot's faults for its author in the terminal."""

from __future__ import annotations

from arena.core.referee.diagnosis import Diagnosis, log_text
from bots.cli.libraries import import_name

_LOG_CHARS = 2_000


def describe_fault(name: str, diagnosis: Diagnosis) -> str:
    """Describe a fault: kind, turn, message and traceback."""
    when = f"on turn {diagnosis.turn}" if diagnosis.turn else "before the first turn"
    return "\n".join([f"{name}: {diagnosis.kind.value} {when}: {diagnosis.message}", *fault_location(diagnosis)])


def fault_location(diagnosis: Diagnosis) -> list[str]:
    """Return the lines of the traceback or, without a traceback, the location and the source line."""
    if diagnosis.traceback:
        return [diagnosis.traceback.rstrip()]
    if diagnosis.file:
        return [f'  File "{diagnosis.file}", line {diagnosis.line}', f"    {diagnosis.source_line}"]
    return []


def missing_library(diagnosis: Diagnosis, libraries: list[str]) -> str | None:
    """Return the library whose absence caused the fault; None unless the arena has it and this machine lacks it."""
    missing = (diagnosis.missing_module or "").partition(".")[0]
    return next((library for library in libraries if missing and import_name(library) == missing), None)


def format_output(name: str, log: bytes, most: int = _LOG_CHARS) -> str:
    """Return the last ``most`` characters of a bot's output under a heading; "" if the bot printed nothing."""
    text = log_text(log).rstrip()
    if not text:
        return ""
    cut = "[...]\n" if len(text) > most else ""
    return f"--- output of {name} ---\n{cut}{text[-most:]}"
