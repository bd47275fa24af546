"""Measure one question to a jailed bot and its answer, with all that the referee does around it."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

from arena.core.referee import protocol
from arena.core.referee.players import Player
from arena.core.referee.protocol import Request
from arena.core.sandbox.outside.forkserver import ForkServer
from arena.games.base import Json
from arena.games.registry import GAMES
from bench import stage
from bench.floors import Echo
from bench.measure import Sample, block, interleaved, timed
from bench.stage import Conversation
from bench.table import Beside, Goal, Measure, Row, Section

SEATS = 200
BLOCK, BLOCKS = 25, 40
RIVAL_TIMES = 12
BOARD_BOT = "def get_move(board):\n    return 'D3'\n"


@dataclass(frozen=True, slots=True)
class Case:
    """A question, the bot that is asked, and what it was told before the first turn."""

    what: str
    folder: Path
    game: str
    seats: int
    own: Json
    question: Request

    def conversation(self, player: Player) -> Conversation:
        """With a bot that is started and ready."""
        conversation = Conversation(player, self.game, self.seats)
        conversation.load()
        conversation.construct(self.own)
        return conversation


def run() -> Section:
    question = round_question()
    size = f"{len(question.body) / 1000:.0f} kB"
    board = Case(
        "a Reversi board", stage.bot_folder("board", BOARD_BOT), "reversi", 2, {"color": "X"}, board_question()
    )
    golden = Case(
        f"a golden-point round of {SEATS} seats ({size} of JSON)",
        stage.bot_folder("golden", stage.GOLDEN_BOT),
        "golden_point",
        SEATS,
        {"score": 0},
        question,
    )
    with stage.fork_server() as server:
        rows = tuple(_row(case, server) for case in (board, golden))
    return Section("question and answer", rows)


def board_question() -> Request:
    game = GAMES["reversi"]
    state: Json = game.initial(game.settings({}), 2, random.Random(1))
    return protocol.move(0, game.own(state, 0), protocol.shared(game.shared(state)))


def round_question() -> Request:
    """What a seat is told after a round in which everybody named two numbers at random."""
    game, rng = GAMES["golden_point"], random.Random(1)
    state: Json = game.initial(game.settings({}), SEATS, rng)
    moves = {seat: game.parse(state, seat, [rng.uniform(1, 99), rng.uniform(1, 99)]) for seat in range(SEATS)}
    state = game.apply(state, moves)
    return protocol.move(0, game.own(state, 0), protocol.shared(game.shared(state)))


def _row(case: Case, server: ForkServer) -> Row:
    core = stage.some_core()
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
        # apart from the others: a new process leaves cold caches behind
        rival = interleaved({"interpreter": timed(lambda: _whole_life(case))}, RIVAL_TIMES, seconds=4)["interpreter"]
    finally:
        jailed.close()
        echo.close()
    return _compared(case, short, rival)


def _compared(case: Case, short: dict[str, Sample], rival: Sample) -> Row:
    beside = (
        Beside("floor: the bot's own part: harness and bot in this process", short["bot"]),
        Beside("floor: a byte over a socketpair, there and back", short["byte"]),
        Beside("rival: a fresh interpreter for the move", rival),
    )
    return Row(case.what, short["ours"], beside, Goal(150e-6, Measure.EXCESS))


def _whole_life(case: Case) -> None:
    """An interpreter that answers once."""
    player = stage.plain(case.folder)
    try:
        case.conversation(player).ask(case.question)
    finally:
        player.close()
