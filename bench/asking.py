"""Measure one request to a jailed bot and its answer, including the referee's work."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from arena.core.referee.players import Player
from arena.core.referee.protocol import Request
from arena.core.sandbox.outside.forkserver import ForkServer
from bench import games, stage
from bench.floors import Echo
from bench.games import Workload
from bench.measure import Sample, block, interleaved, timed
from bench.stage import BotConversation
from bench.table import Comparison, Goal, Measure, Row, Section

BLOCK, BLOCKS = 25, 40
RIVAL_TIMES = 12
GOAL = Goal(20, Measure.RATIO)  # about 150 µs


@dataclass(frozen=True, slots=True)
class Case:
    """A request from a match, and the bot that answers it."""

    what: str
    folder: Path
    match: Workload
    question: Request

    def conversation(self, player: Player) -> BotConversation:
        """Start a conversation with the bot, and return it once the bot is ready."""
        conversation = BotConversation(player, self.match)
        conversation.load()
        conversation.construct()
        return conversation


def run() -> Section:
    pair, table = games.pair(), games.table()
    board = Case(pair.question, stage.bot_folder("pair", pair.answering), pair, pair.asked())
    question = table.asked()
    size = f"{len(question.body) / 1000:.0f} kB"
    what = f"{table.question} of {table.seats} seats ({size} of JSON)"
    crowd = Case(what, stage.bot_folder("table", table.answering), table, question)
    with stage.fork_server() as server:
        rows = tuple(row for case in (board, crowd) for row in _rows(case, server))
    return Section("question and answer", rows)


def _rows(case: Case, server: ForkServer) -> tuple[Row, Row]:
    core = stage.first_core()
    echo = Echo(core=core)
    jailed = case.conversation(stage.jailed(server, case.folder, core))
    own = case.conversation(stage.in_process(case.folder))
    try:
        short = interleaved(
            {
                "bot": block(timed(lambda: own.ask(case.question)), BLOCK),
                "byte": block(lambda: (echo.ask(b"."),), BLOCK),
                "ours": block(timed(lambda: jailed.ask(case.question)), BLOCK),
            },
            BLOCKS,
            seconds=3,
        )
        # measured separately, because a new process leaves cold caches behind
        rival = interleaved({"interpreter": timed(lambda: _whole_life(case))}, RIVAL_TIMES, seconds=4)["interpreter"]
    finally:
        jailed.close()
        echo.close()
    return _compared(case, short, rival)


def _compared(case: Case, short: dict[str, Sample], rival: Sample) -> tuple[Row, Row]:
    comparisons = (
        Comparison("floor: the bot's own part (harness and bot in this process)", short["bot"]),
        Comparison("rival: a fresh interpreter for the move", rival),
    )
    byte = Comparison("floor: one byte over a socketpair and back", short["byte"])
    ours = Sample(tuple(value - short["bot"].median for value in short["ours"].values))
    return Row(case.what, short["ours"], comparisons), Row("  of which jail, channel and referee", ours, (byte,), GOAL)


def _whole_life(case: Case) -> None:
    """Run an interpreter from start to exit for a single answer."""
    player = stage.plain(case.folder)
    try:
        case.conversation(player).ask(case.question)
    finally:
        player.close()
