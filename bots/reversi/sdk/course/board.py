"""Make ``from board import Board`` work."""

from bots.reversi.sdk.board import Board

__all__ = ["Board"]
