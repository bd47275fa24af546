"""Implement ``python -m bots play``: play matches and print a table of the results."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from arena.core.ranking.sprt import EloModel
from arena.core.ranking.version_test import Gain
from arena.core.referee.bot_seeds import public_secret
from arena.core.referee.clock import Clock, SystemClock
from arena.core.referee.events import MatchEvent, MatchStarted, TurnPlayed
from arena.core.referee.play import MatchResult, play_match
from arena.core.referee.spec import MatchLimits, MatchSpec, SeatSpec
from arena.games.base import Audience, Json
from arena.games.registry import GAMES
from bots.cli.errors import CommandError
from bots.cli.explain import describe_fault, format_output
from bots.cli.locate import LocatedBot
from bots.cli.progress import Progress
from bots.cli.record_files import RecordFiles
from bots.cli.schedule import ScheduledMatch, schedule
from bots.cli.seating import Seating
from bots.cli.tally import Tally, count_match, format_results
from bots.cli.terminal import draw_turn
from bots.cli.version_test import VersionSeries

_WHOLE_LOG = 1 << 20
_MAX_REJECTED_SHOWN = 3  # maximum number of rejected answers shown per bot and match


@dataclass(frozen=True, slots=True)
class PlayOptions:
    """The command-line options; times are in seconds.

    ``opening_moves``: None means the default; a single match then starts from the initial position. ``pace``: minimum
    time between two turns, None for the default. ``matches``: None means one match or, with ``sprt``, as many as the
    test needs.
    """

    game: str
    settings: dict[str, Json]
    matches: int | None
    seed: int
    limit: float
    opening_moves: int | None
    record: Path | None
    watch: bool
    pace: float | None
    show_log: bool
    sprt: Gain | None = None
    elo_model: EloModel = EloModel.LOGISTIC


def play_series(bots: Sequence[LocatedBot], options: PlayOptions, seat: Seating) -> bool:
    """Play the matches and print the results. Return False if any bot committed a fault.

    Raises CommandError, SettingsError, RefereeFailure.
    """
    _check_bots(bots, options)
    return _Series(bots, options, seat, SystemClock()).play()


def _check_bots(bots: Sequence[LocatedBot], options: PlayOptions) -> None:
    game = GAMES[options.game]
    game.settings(options.settings)
    if not game.min_seats <= len(bots) <= game.max_seats:
        many = f"{game.min_seats} to {game.max_seats}" if game.max_seats > game.min_seats else str(game.min_seats)
        raise CommandError(
            f"A match of {options.game} has {many} seats. Pass {many} bots, not {len(bots)}.", code="number_of_bots"
        )
    if options.sprt and len(bots) < 2:
        raise CommandError("--sprt compares two bots. Pass both.", code="two_bots")


class _Series:
    """The matches requested by one command."""

    def __init__(self, bots: Sequence[LocatedBot], options: PlayOptions, seat: Seating, clock: Clock) -> None:
        self._bots, self._options, self._seat, self._clock = bots, options, seat, clock
        self._tallies = [Tally(bot.name) for bot in bots]
        self._version = (
            VersionSeries(GAMES[options.game], len(bots), options.sprt, options.matches, options.elo_model)
            if options.sprt
            else None
        )
        self._matches = self._version.max_matches if self._version else options.matches or 1
        self._records = RecordFiles(options.record, self._matches) if options.record else None
        self._progress = Progress(sys.stderr, self._matches, clock.now, wanted=not options.watch)

    def play(self) -> bool:
        """Play all matches; return False if any bot committed a fault. Prints the table even when interrupted."""
        options = self._options
        opening_moves = options.opening_moves
        if opening_moves is None:
            opening_moves = GAMES[options.game].opening_moves if self._matches > 1 else 0
        if self._version:
            print(self._version.announcement, flush=True)
        try:
            for encounter in schedule(
                options.game, len(self._bots), self._matches, options.seed, options.settings, opening_moves
            ):
                result = self._play_one(encounter)
                if self._version and self._version.add(encounter, result):
                    break
        finally:
            self._progress.clear()
            if self._tallies[0].matches:
                print(format_results(self._tallies))
            if self._version:
                print(self._version.summary(self._bots[0].name, self._bots[1].name))
        return not any(tally.faults for tally in self._tallies)

    def _play_one(self, encounter: ScheduledMatch) -> MatchResult:
        bots = [self._bots[index] for index in encounter.order]
        names = [bot.name for bot in bots]
        options = self._options
        spec = MatchSpec(
            GAMES[options.game],
            encounter.settings,
            encounter.seed,
            MatchLimits(move_seconds=options.limit, pace_seconds=self._turn_seconds()),
            tuple(SeatSpec(bot.name, bot.sha256) for bot in bots),
            public_secret(encounter.seed),
        )
        if options.watch:
            print(f"Match {encounter.number}: {', '.join(names)}")

        def on_event(event: MatchEvent) -> None:
            if isinstance(event, MatchStarted | TurnPlayed):
                turn = event.to_json(Audience.EVERYBODY)
                self._progress.show(encounter.number - 1, f"turn {turn['number']}")
                if options.watch:
                    print(draw_turn(options.game, turn, names), flush=True)

        players = [self._seat(bot.folder) for bot in bots]
        result = play_match(spec, players, self._clock, on_event, lambda: False)
        count_match(result, [self._tallies[index] for index in encounter.order])
        self._progress.clear()
        self._print_result(result, names, encounter)
        return result

    def _turn_seconds(self) -> float:
        """Return the minimum time between turns; by default, long enough for people to follow turns in a terminal."""
        if self._options.pace is not None:
            return self._options.pace
        return 0.5 if self._options.watch and sys.stdout.isatty() else 0.0

    def _print_result(self, result: MatchResult, names: Sequence[str], encounter: ScheduledMatch) -> None:
        outcome = result.outcome
        scores = ", ".join(f"{name} {points:g}" for name, points in zip(names, outcome.points, strict=True))
        opening = encounter.settings.get("opening")
        how = f"{outcome.termination.value}, {len(result.record.turns)} turns"
        how += f", opening {opening}" if opening else ""
        how += f", random seed {encounter.seed}"
        print(f"Match {encounter.number}: {scores} ({how})", flush=True)
        written = self._records.write(result.record, encounter.number) if self._records else None
        by_seat = zip(names, result.diagnoses, result.rejected, result.logs, strict=True)
        for name, diagnosis, rejected, log in by_seat:
            for one in rejected[:_MAX_REJECTED_SHOWN]:
                print(describe_fault(name, one), file=sys.stderr)
            if len(rejected) > _MAX_REJECTED_SHOWN:
                print(f"{name}: {len(rejected) - _MAX_REJECTED_SHOWN} more rejected answers", file=sys.stderr)
            if diagnosis:
                print(describe_fault(name, diagnosis), file=sys.stderr)
                if written:
                    print(f"To repeat the request: python -m bots replay {written} BOT", file=sys.stderr)
            shown = format_output(name, log, _WHOLE_LOG) if self._options.show_log else ""
            if shown:
                print(shown)
