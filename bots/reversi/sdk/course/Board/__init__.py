"""Make ``from Board import Board`` work.

This module is a package, because board.py and Board.py would collide on a case-insensitive file system.
"""

from bots.reversi.sdk.board import Board

__all__ = ["Board"]
