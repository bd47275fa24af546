"""Format checks, faults and matches for the terminal. Text from the arena is shown as plain text."""

from __future__ import annotations

from arena.core.plain_text import one_line, plain_text
from bots.cli.remote.responses import Check, Fault, Match, Step

DONE = frozenset({"passed", "failed", "slow"})


def format_step(step: Step) -> str:
    seconds = f"{step.seconds:7.3f} s" if step.seconds is not None else " " * 9
    return f"{step.state:7} {step.name.replace('_', ' '):10} {seconds}  {one_line(step.message)}".rstrip()


def format_running_step(check: Check) -> str:
    """Describe the running step on one line."""
    running = next((step for step in check.steps if step.state == "running"), None)
    if running is None:
        return f"waiting for a worker, {check.waited} s"
    return f"{running.name.replace('_', ' ')}, {running.elapsed or 0} s"


def format_fault(fault: Fault, *, printed: bool = True) -> str:
    """Format a fault as on the site: message, source line, traceback and, if ``printed``, the bot's output."""
    when = f"on turn {fault.turn}" if fault.turn else "before the first turn"
    place = f" ({one_line(fault.file)}:{fault.line})" if fault.file else ""
    outcome = "" if fault.lost else " (rejected, asked again)"
    lines = [f"{fault.kind} {when}{place}{outcome}: {plain_text(fault.message)}"]
    if fault.source_line:
        lines.append(f"  {fault.line}: {plain_text(fault.source_line)}")
    if fault.traceback:
        lines.append(plain_text(fault.traceback).rstrip())
    if printed and fault.printed.strip():
        lines += ["--- output ---", plain_text(fault.printed).rstrip()]
    return "\n".join(lines)


def format_match(match: Match) -> str:
    seats = ", ".join(_format_seat(seat.name, seat.version, seat.rank) for seat in match.seats[:4])
    more = f" and {len(match.seats) - 4} more" if len(match.seats) > 4 else ""
    return f"{match.id:>8}  {match.game:12} {match.purpose:10} {match.status:9} {seats}{more}"


def _format_seat(name: str, version: int | None, rank: int | None) -> str:
    shown = one_line(name) + (f" v{version}" if version is not None else "")
    return f"{shown} ({rank})" if rank is not None else shown
