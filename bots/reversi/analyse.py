"""Implement ``python -m bots analyse``: analyse a Reversi match move by move with the house engine."""

from __future__ import annotations

import gc
import json
import re
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from arena.core.referee.record import Record
from arena.games.reversi.lines import Line, LineError, LineProblem, final_lead
from arena.games.reversi.move_grades import (
    DISC,
    EngineFinding,
    Grade,
    GradedMove,
    costliest_mistake,
    grade_moves,
    turning_point,
)
from arena.games.reversi.notation import MAX_CHARACTERS, read
from arena.games.reversi.opening_names import find_opening
from arena.games.reversi.recorded_line import MatchLine, match_line
from bots.cli import replay
from bots.cli.errors import CommandError
from bots.cli.progress import Progress
from bots.cli.table import format_table
from bots.reversi.analysis.analyst import Analyst, SearchBudget

SIDES = ("Black", "White")
_MARKS = {Grade.BEST: "", Grade.GOOD: "", Grade.DOUBTFUL: "?!", Grade.MISTAKE: "?", Grade.BLUNDER: "??"}


@dataclass(frozen=True, slots=True)
class AnalyseOptions:
    """The command-line options.

    ``match``: a file or its content; ``side``: the side to move on a board; ``as_json``: whether to print JSON for
    programs.
    """

    match: str
    side: str
    budget: SearchBudget
    as_json: bool


def analyse(options: AnalyseOptions) -> None:
    """Print the analysis of every move. Raises CommandError."""
    try:
        found = read_line(options.match, options.side)
        line = found.line
        states = line.states()
    except LineError as error:
        raise CommandError(str(error), code=error.problem.name.lower()) from None
    gc.disable()  # a search creates no reference cycles, and scanning its large tables for them would be slow
    findings = Analyst(options.budget).analyse(line)
    if options.as_json:
        for finding in findings:
            print(json.dumps(finding.to_json()), flush=True)
        return
    progress = Progress(sys.stderr, len(states), time.monotonic)
    seen: list[EngineFinding] = []
    for finding in findings:
        seen.append(finding)
        progress.show(len(seen), f"analysed back to move {finding.ply}")
    progress.clear()
    print("\n".join(format_analysis(line, seen)))
    if found.prescribed:
        played = found.prescribed
        print(f"Moves 1 to {played} are the opening of the match: turn 1 of its record is move {played + 1}.")


def read_line(match: str, side: str) -> MatchLine:
    """Read the line of moves from a file, or from the argument itself. Raises CommandError or LineError."""
    if not _is_file(match):
        try:
            return MatchLine(read(match, side), 0)
        except LineError as error:
            if error.problem is LineProblem.UNREADABLE and _looks_like_path(match):
                raise CommandError(
                    f"File not found: {match}. Check the path, or enter moves such as F5D6C3.", code="file_missing"
                ) from None
            raise
    path = Path(match)
    data = path.read_bytes()
    if data.lstrip().startswith(b"{") or path.suffix == ".json":
        found = replay.read_record_or_position(path)
        if not isinstance(found, Record):
            raise CommandError(
                f"{path} is a position, not a match record. Download the record from the match page.",
                code="position_file",
            )
        try:
            return match_line(found)
        except ValueError as error:
            raise CommandError(str(error), code="invalid_line") from None
    return MatchLine(read(data[: MAX_CHARACTERS + 1].decode("utf-8", "replace"), side), 0)


def _is_file(text: str) -> bool:
    try:
        return Path(text).is_file()
    except (OSError, ValueError):  # too long for a file name: must be the match itself
        return False


def _looks_like_path(text: str) -> bool:
    """Return whether a text is probably meant as a path: it ends with a suffix, or has slashes but no move at first."""
    if re.search(r"\.[a-z]{2,}$", text, re.IGNORECASE):
        return True
    return re.search(r"[/\\]", text) is not None and not re.match(r"\W*[a-h][1-8]", text, re.IGNORECASE)


def format_analysis(line: Line, findings: Sequence[EngineFinding]) -> list[str]:
    """Format the moves and their values as a table."""
    states = line.states()
    judged = grade_moves(line, findings, states)
    opening = find_opening(line, states)
    lines = [f"Opening: {opening.name}, up to move {opening.moves}."] if opening else []
    if judged:
        head = ("Move", "Black is ahead by", "loses", "better", "play")
        after = {finding.ply: finding for finding in findings}
        lines += [
            format_table(head, [_format_move(one, after[one.ply]) for one in judged]),
            "Exact values are marked =, estimates ~.",
        ]
    end = states[-1]
    lines.append(
        _format_result(final_lead(end))
        if end.to_move is None
        else _format_best_move(max(findings, key=lambda one: one.ply))
    )
    lines += [sentence for seat in (0, 1) if (sentence := _turning_point(judged, seat))]
    return lines


def _format_move(one: GradedMove, after: EngineFinding) -> tuple[str, ...]:
    found, better = one.finding, one.loss > 0
    return (
        f"{one.ply:2} {SIDES[one.seat][0]} {one.move}{_MARKS[one.grade]}",
        f"{'=' if after.exact else '~'}{_format_discs(after.value, exact=after.exact)}",
        _format_discs(one.loss, exact=found.exact).lstrip("+") if better else "",
        found.best or "" if better else "",
        " ".join(found.line[1:6]) if better else "",
    )


def _format_discs(value: int, *, exact: bool) -> str:
    return f"{value // DISC:+d}" if exact else f"{round(value / DISC, 1) + 0.0:+.1f}"  # avoid "-0"


def _format_result(lead: int) -> str:
    return f"{SIDES[lead < 0]} won by {abs(lead)} discs." if lead else "The match ended in a draw."


def _format_best_move(last: EngineFinding) -> str:
    kind = "is" if last.exact else "seems to be"
    return (
        f"In the final position black {kind} ahead by {_format_discs(last.value, exact=last.exact)} discs; "
        f"the best move is {last.best}: {' '.join(last.line)}."
    )


def _turning_point(judged: Sequence[GradedMove], seat: int) -> str:
    """Describe the move that cost a side its win or draw, or else its costliest mistake; return "" if there is none."""
    turn = turning_point(judged, seat)
    if turn:
        sure = "gave the result away" if turn.exact else "seems to have given the result away"
        return (
            f"{SIDES[seat]} {sure} at move {turn.ply}: {turn.move} loses {turn.discs}; {turn.finding.best} is better."
        )
    most = costliest_mistake(judged, seat)
    if not most:
        return ""
    loss = f"{most.move} loses {most.discs}; {most.finding.best} is better."
    return f"{SIDES[seat]} lost the most at move {most.ply}: {loss}"
