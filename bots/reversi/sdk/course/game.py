"""Make ``from game import Game`` work: the course's own match between two players in one process.

A bot that ends with an unguarded ``Game(black, white).run()`` plays that match while it is imported. The arena ignores
the result.
"""

from __future__ import annotations

import copy
import random
import time
from typing import Any

from bots.reversi.sdk.board import Board
from bots.sdk.shims.func_timeout import FunctionTimedOut, func_timeout

MOVE_SECONDS = 60
TRIES = 3


class RandomPlayer:
    """A player that chooses a random legal move."""

    def __init__(self, color: str = "X") -> None:
        self.color = color

    def get_move(self, board: Board) -> str | None:
        return random.choice(list(board.get_legal_actions(self.color)) or [None])  # noqa: S311 - a game


class HumanPlayer:
    """A person at the keyboard, who is asked for each move; resigns if standard input has ended."""

    def __init__(self, color: str = "X") -> None:
        self.color = color

    def get_move(self, board: Board) -> str:
        try:
            return input(f"Your move, {self.color} (Q gives up): ").strip().upper()
        except EOFError:
            return "Q"


class Game:
    """A match; sets the players' attribute ``color``."""

    def __init__(self, black_player: Any, white_player: Any) -> None:
        self.board = Board()
        self.current_player: Any = None
        self.black_player = black_player
        self.white_player = white_player
        black_player.color = "X"
        white_player.color = "O"

    def switch_player(self, black_player: Any, white_player: Any) -> Any:
        """Return the next player; black at the start."""
        return white_player if self.current_player is black_player else black_player

    def print_winner(self, winner: int) -> None:
        """Print the winner: 0 for black, 1 for white, 2 for a draw."""
        print(("Black wins.", "White wins.", "A draw.")[winner])

    def force_loss(self, is_timeout: bool = False, is_board: bool = False, is_legal: bool = False) -> tuple[int, int]:
        """End the game as a loss for the player to move; return (winner, 0).

        The flags determine the reason that is printed: a timeout, a changed board, or else too many illegal answers.
        """
        winner = 1 if self.current_player is self.black_player else 0
        reasons = ((is_timeout, f"thought for over {MOVE_SECONDS} s"), (is_board, "changed the board"))
        reason = next((text for applies, text in reasons if applies), f"gave {TRIES} illegal answers")
        print(f"{('White', 'Black')[winner]} {reason} and loses.")
        return winner, 0

    def game_over(self) -> bool:
        """Return whether neither side can move."""
        return not any(True for color in "XO" for _ in self.board.get_legal_actions(color))

    def run(self) -> None:
        """Play to the end and print the result."""
        seconds = {"X": 0.0, "O": 0.0}
        result: tuple[int, int] | None = None
        self.board.display()
        while result is None and not self.game_over():
            self.current_player = self.switch_player(self.black_player, self.white_player)
            color = "X" if self.current_player is self.black_player else "O"
            legal = list(self.board.get_legal_actions(color))
            if not legal:
                continue
            started = time.perf_counter()
            result = self._turn(color, legal)
            spent = time.perf_counter() - started
            seconds[color] = round(seconds[color] + spent, 3)
            self.board.display({"X": 0, "O": 0, color: round(spent, 3)}, seconds)
        self.print_winner((result or self.board.get_winner())[0])

    def _turn(self, color: str, legal: list[str]) -> tuple[int, int] | None:
        """Play one turn; return the result if it ends the match."""
        before = copy.deepcopy(self.board._board)
        try:
            action = self._ask(legal)
        except FunctionTimedOut:
            return self.force_loss(is_timeout=True)
        if action == "Q":
            return self.board.get_winner()
        if action is None:
            return self.force_loss(is_legal=True)
        if before != self.board._board:
            return self.force_loss(is_board=True)
        self.board._move(action, color)
        return None

    def _ask(self, legal: list[str]) -> str | None:
        """Ask the player for a move; return a legal move or "Q"; None after too many illegal moves."""
        for _ in range(TRIES):
            action = func_timeout(MOVE_SECONDS, self.current_player.get_move, kwargs={"board": self.board})
            if action == "Q" or action in legal:
                return str(action)
            print(f"{action!r} is not a legal move. Legal moves: {', '.join(legal)}.")
        return None
