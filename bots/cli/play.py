"""``python -m bots play``: matches between bots, and a table of the results."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from arena.games import GAMES
from arena.games.base import Json
from arena.referee.clock import SystemClock
from arena.referee.diagnosis import Diagnosis, clean
from arena.referee.play import MatchResult, play_match
from arena.referee.record import Record
from arena.referee.spec import MatchLimits, MatchSpec, SeatSpec
from bots.cli.locate import LocatedBot, LocateError
from bots.cli.table import table


@dataclass(frozen=True, slots=True)
class PlayOptions:
    """What the command line says; ``limit`` in seconds."""

    game: str
    settings: dict[str, Json]
    games: int
    seed: int
    limit: float
    record: Path | None
    show_log: bool


@dataclass(slots=True)
class Tally:
    """One bot over all matches."""

    name: str
    wins: int = 0
    draws: int = 0
    losses: int = 0
    points: float = 0.0
    faults: list[str] = field(default_factory=list)
    slowest: float = 0.0


def play(bots: Sequence[LocatedBot], options: PlayOptions) -> bool:
    """Play and print; whether no bot committed a fault. Raises LocateError, SettingsError, RefereeFailure."""
    game = GAMES[options.game]
    game.settings(options.settings)
    if not game.min_seats <= len(bots) <= game.max_seats:
        many = f"{game.min_seats} to {game.max_seats}" if game.max_seats > game.min_seats else str(game.min_seats)
        raise LocateError(f"{options.game} is played by {many} bots, not {len(bots)}.")
    tallies = [Tally(bot.name) for bot in bots]
    for number in range(options.games):
        order = _rotated(len(bots), number)
        result = _play_one([bots[index] for index in order], options, options.seed + number)
        _count(result, [tallies[index] for index in order])
        _show(result, [bots[index].name for index in order], number, options)
        if options.record:
            _write(result.record, options.record, number, options.games)
    print(_results(tallies))
    return not any(tally.faults for tally in tallies)


def _rotated(seats: int, number: int) -> list[int]:
    """Everybody moves on one seat from match to match."""
    return [(seat + number) % seats for seat in range(seats)]


def _play_one(bots: Sequence[LocatedBot], options: PlayOptions, seed: int) -> MatchResult:
    spec = MatchSpec(
        options.game,
        options.settings,
        seed,
        MatchLimits(move_seconds=options.limit),
        tuple(SeatSpec(bot.name, bot.sha256) for bot in bots),
    )
    players = [bot.player() for bot in bots]
    return play_match(spec, players, SystemClock(), lambda event: None, lambda: False)


def _count(result: MatchResult, tallies: Sequence[Tally]) -> None:
    outcome = result.outcome
    for seat, tally in enumerate(tallies):
        tally.points += outcome.points[seat]
        if outcome.winner == seat:
            tally.wins += 1
        elif outcome.ranks[seat] == 1 and not result.diagnoses[seat]:
            tally.draws += 1
        else:  # where everybody faulted, nobody draws
            tally.losses += 1
        diagnosis = result.diagnoses[seat]
        if diagnosis:
            tally.faults.append(diagnosis.kind.value)
    for turn in result.record.turns:
        for move in turn.moves:
            tallies[move.seat].slowest = max(tallies[move.seat].slowest, move.seconds)


def _show(result: MatchResult, names: Sequence[str], number: int, options: PlayOptions) -> None:
    outcome = result.outcome
    scores = ", ".join(f"{name} {points:g}" for name, points in zip(names, outcome.points, strict=True))
    print(f"Match {number + 1}: {scores} ({outcome.termination.value}, {len(result.record.turns)} turns)")
    for seat, diagnosis in enumerate(result.diagnoses):
        if diagnosis:
            print(explain(names[seat], diagnosis), file=sys.stderr)
        if options.show_log and result.logs[seat]:
            text = clean(result.logs[seat].decode("utf-8", "replace")).rstrip()
            print(f"--- {names[seat]} printed ---\n{text}")


def explain(name: str, diagnosis: Diagnosis) -> str:
    """A fault as its author reads it in a terminal."""
    when = f"in turn {diagnosis.turn}" if diagnosis.turn else "before the first turn"
    lines = [f"{name}: {diagnosis.kind.value} {when}: {diagnosis.message}"]
    if diagnosis.traceback:
        lines.append(diagnosis.traceback.rstrip())
    elif diagnosis.file:
        lines.append(f'  File "{diagnosis.file}", line {diagnosis.line}\n    {diagnosis.source_line}')
    return "\n".join(lines)


def _results(tallies: Sequence[Tally]) -> str:
    rows = [
        (
            tally.name,
            str(tally.wins),
            str(tally.draws),
            str(tally.losses),
            f"{tally.points:g}",
            f"{tally.slowest:.3f}",
            ", ".join(sorted(set(tally.faults))),
        )
        for tally in sorted(tallies, key=lambda tally: -tally.points)
    ]
    return table(("bot", "won", "drawn", "lost", "points", "slowest s", "faults"), rows)


def _write(record: Record, path: Path, number: int, games: int) -> None:
    """One file a match; of several, the number stands before the suffix."""
    if games > 1:
        path = path.with_name(f"{path.stem}-{number + 1}{path.suffix}")
    path.write_text(json.dumps(record.to_json(), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
