"""Measure how long a jailed bot takes to answer one request, including the referee's work."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from arena.core.referee.players import Player
from arena.core.referee.protocol import Request
from arena.core.sandbox.supervision.forkserver import ForkServer
from bench import fixtures, games
from bench.baselines import EchoProcesses
from bench.fixtures import BotConversation
from bench.games import Workload
from bench.measure import Sample, measure_interleaved, repeated_subject, timed_subject
from bench.table import Comparison, Goal, GoalQuantity, Row, Section

BLOCK, BLOCKS = 25, 40
RIVAL_TIMES = 12
GOAL = Goal(20, GoalQuantity.RATIO)  # about 150 µs


@dataclass(frozen=True, slots=True)
class RequestCase:
    """A request from a match, and the bot that answers it."""

    what: str
    folder: Path
    match: Workload
    question: Request

    def start_conversation(self, player: Player) -> BotConversation:
        """Start a conversation with the bot, and return it once the bot is ready."""
        conversation = BotConversation(player, self.match)
        conversation.load()
        conversation.construct()
        return conversation


def run() -> Section:
    pair, table = games.pair_workload(), games.table_workload()
    board = RequestCase(pair.question, fixtures.create_bot_folder("pair", pair.answering), pair, pair.first_request())
    question = table.first_request()
    size = f"{len(question.body) / 1000:.0f} kB"
    what = f"{table.question} of {table.seats} seats ({size} of JSON)"
    crowd = RequestCase(what, fixtures.create_bot_folder("table", table.answering), table, question)
    with fixtures.running_fork_server() as server:
        rows = tuple(row for case in (board, crowd) for row in _measure_case(case, server))
    return Section("question and answer", rows)


def _measure_case(case: RequestCase, server: ForkServer) -> tuple[Row, Row]:
    core = fixtures.first_available_core()
    echo = EchoProcesses(core=core)
    jailed = case.start_conversation(fixtures.jailed_player(server, case.folder, core))
    own = case.start_conversation(fixtures.in_process_player(case.folder))
    try:
        short = measure_interleaved(
            {
                "bot": repeated_subject(timed_subject(lambda: own.ask(case.question)), BLOCK),
                "byte": repeated_subject(lambda: (echo.ask(b"."),), BLOCK),
                "ours": repeated_subject(timed_subject(lambda: jailed.ask(case.question)), BLOCK),
            },
            BLOCKS,
            seconds=3,
        )
        # measured separately, because a new process leaves cold caches behind
        rival = measure_interleaved(
            {"interpreter": timed_subject(lambda: _answer_in_fresh_interpreter(case))}, RIVAL_TIMES, seconds=4
        )["interpreter"]
    finally:
        jailed.close()
        echo.close()
    return _build_rows(case, short, rival)


def _build_rows(case: RequestCase, short: dict[str, Sample], rival: Sample) -> tuple[Row, Row]:
    comparisons = (
        Comparison("baseline: the bot's own part (harness and bot in this process)", short["bot"]),
        Comparison("rival: a fresh interpreter for the move", rival),
    )
    byte = Comparison("baseline: one byte over a socketpair and back", short["byte"])
    ours = Sample(tuple(value - short["bot"].median for value in short["ours"].values))
    return Row(case.what, short["ours"], comparisons), Row("  of which jail, channel and referee", ours, (byte,), GOAL)


def _answer_in_fresh_interpreter(case: RequestCase) -> None:
    """Run an interpreter from start to exit for a single answer."""
    player = fixtures.interpreter_player(case.folder)
    try:
        case.start_conversation(player).ask(case.question)
    finally:
        player.close()
